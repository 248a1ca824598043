/* underflow: by a thread that has ended long before it is found */
#include "bug.h"
#include <pthread.h>
static void *work(void *block)
{
    ((long *)use(block))[-1] = 7; /* guilty */
    return NULL;
}
int main(void)
{
    pthread_t thread;
    char *block = malloc(1000);
    pthread_create(&thread, NULL, work, block);
    pthread_join(thread, NULL);
    for (int i = 0; i < 1000; i++)
        free(malloc((size_t)i));
    free(block);
    return 0;
}
