/* The process ends while threads run. exit: 9 */
#include "trail.h"

#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long seen;

static void *work(void *number)
{
    for (;;) {
        pthread_mutex_lock(&mutex);
        seen = trail_add(seen, (unsigned long)number);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    for (long i = 0; i < CREW; i++)
        pthread_create(&thread, NULL, work, (void *)i);
    usleep(20000);
    pthread_mutex_lock(&mutex);
    printf("%lx\n", seen);
    exit(9);
}
