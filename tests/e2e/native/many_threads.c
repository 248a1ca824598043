/* Threads that start threads, that are joined or detached; what each has for itself. */
#include "trail.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static int running;
static unsigned long seen;

static void forget(void *value)
{
    pthread_mutex_lock(&mutex);
    seen = trail_add(seen, (unsigned long)value);
    running--;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&mutex);
}

static void *child(void *number)
{
    pthread_setspecific(key, number);
    return NULL;
}

static void *work(void *number)
{
    for (long i = 1; i <= 40; i++) {
        pthread_t thread;
        pthread_mutex_lock(&mutex);
        running++;
        seen = trail_add(seen, (unsigned long)number);
        pthread_mutex_unlock(&mutex);
        if (pthread_create(&thread, NULL, child, (void *)((long)number * 1000 + i)))
            abort();
        if (i % 2)
            pthread_detach(thread);
        else
            pthread_join(thread, NULL);
    }
    return NULL;
}

int main(void)
{
    pthread_key_create(&key, forget);
    crew_run(work);
    pthread_mutex_lock(&mutex);
    while (running)
        pthread_cond_wait(&ended, &mutex);
    pthread_mutex_unlock(&mutex);
    printf("%lx\n", seen);
    return 0;
}
