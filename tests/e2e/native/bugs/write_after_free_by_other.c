/* write after free: one thread frees, another one writes */
#include "bug.h"
#include <pthread.h>
#include <semaphore.h>
static int *shared;
static sem_t freed;
static void *writer(void *argument)
{
    sem_wait(&freed);
    shared[2] = 1; /* guilty */
    return argument;
}
int main(void)
{
    pthread_t thread;
    sem_init(&freed, 0, 0);
    shared = malloc(100);
    use(shared);
    pthread_create(&thread, NULL, writer, NULL);
    free(shared);
    sem_post(&freed);
    pthread_join(thread, NULL);
    return 0;
}
