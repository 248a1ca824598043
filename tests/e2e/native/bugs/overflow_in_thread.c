/* overflow: one of several threads, in a block of another one's */
#include "bug.h"
#include <pthread.h>
static long *shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument)
{
    long me = (long)argument;
    for (int i = 0; i < 200; i++) {
        pthread_mutex_lock(&mutex);
        for (long j = 0; j < 8; j++)
            shared[j] += me;
        if (me == 3 && i == 150)
            shared[8] = me; /* guilty */
        pthread_mutex_unlock(&mutex);
        free(malloc((size_t)i + 1));
    }
    return NULL;
}
int main(void)
{
    pthread_t threads[4];
    shared = calloc(8, sizeof *shared);
    use(shared);
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%ld\n", shared[0]);
    free(shared);
    return 0;
}
