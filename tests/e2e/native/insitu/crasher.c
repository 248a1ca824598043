/*
 * crasher.c: a data race that ends in a fault: a thread looks whether something is there and uses it; another
 * one takes it away. Rounds go on until that happens in between.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct thing {
    int value;
};
static struct thing *volatile shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned sink;
static unsigned counted;

static void count(void)
{
    pthread_mutex_lock(&mutex);
    counted++;
    pthread_mutex_unlock(&mutex);
}

static void *use(void *argument)
{
    while (shared) {
        count();
        if (!shared)
            break;
        for (int i = 0; i < 300; i++)
            sink += (unsigned)i;
        sink += (unsigned)shared->value; /* guilty */
    }
    return argument;
}

int main(void)
{
    static struct thing thing = {7};
    for (unsigned round = 0;; round++) {
        pthread_t thread;
        shared = &thing;
        pthread_create(&thread, NULL, use, NULL);
        usleep(round * 7 % 64);
        count();
        shared = NULL;
        pthread_join(thread, NULL);
    }
}
