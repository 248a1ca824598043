/*
 * unfinished.c: ends while its threads still compute, and with locks in the heap that nobody lets go of.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 2, WORDS = 5000, ROUNDS = 40 };

struct work {
    pthread_mutex_t mutex;
    pthread_cond_t begun;
    unsigned long done, words[WORDS];
};

static void *compute(void *argument)
{
    struct work *work = argument;
    for (unsigned long round = 1;; round++) {
        for (int i = 0; i < WORDS * ROUNDS; i++)
            work->words[i % WORDS] = work->words[(i + 1) % WORDS] * 6364136223846793005u + round;
        pthread_mutex_lock(&work->mutex);
        work->done = round;
        pthread_cond_signal(&work->begun);
        pthread_mutex_unlock(&work->mutex);
    }
    return NULL;
}

int main(void)
{
    struct work *works[THREADS];
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        works[i] = calloc(1, sizeof *works[i]);
        pthread_mutex_init(&works[i]->mutex, NULL);
        pthread_cond_init(&works[i]->begun, NULL);
        pthread_create(&thread, NULL, compute, works[i]);
    }
    for (int i = 0; i < 60; i++) {
        struct work *work = works[i % THREADS];
        pthread_mutex_lock(&work->mutex);
        while (work->done < (unsigned long)i / THREADS)
            pthread_cond_wait(&work->begun, &work->mutex);
        pthread_mutex_unlock(&work->mutex);
    }
    pthread_mutex_lock(&works[0]->mutex);
    volatile char *block = malloc(40);
    block[40] = 1; /* guilty */
    puts("end");
}
