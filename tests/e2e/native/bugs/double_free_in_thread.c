/* double free: by two threads */
#include "bug.h"
#include <pthread.h>
static char *volatile shared;
static void *work(void *argument)
{
    if (argument)
        free(shared); /* guilty */
    else
        free(shared);
    return NULL;
}
int main(void)
{
    pthread_t thread;
    shared = use(malloc(77));
    for (long i = 0; i < 2; i++) {
        pthread_create(&thread, NULL, work, (void *)i);
        pthread_join(thread, NULL);
    }
    return 0;
}
