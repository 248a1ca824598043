/*
 * words.c: two threads count words of made-up text in hash tables, with a block of the heap for each word:
 *
 *   words ROUNDS
 *
 * Allocates and frees some millions of blocks a second: what detectors of heap errors have most to do with.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4096, WORDS = 100000, THREADS = 2 };

struct word {
    struct word *next;
    unsigned count;
    char text[];
};

static int rounds;

static unsigned hash_of(const char *text)
{
    unsigned hash = 5381;
    for (; *text; text++)
        hash = hash * 33 + (unsigned char)*text;
    return hash;
}

static void add(struct word **table, const char *text)
{
    struct word **at = &table[hash_of(text) % SLOTS];
    while (*at && strcmp((*at)->text, text) != 0)
        at = &(*at)->next;
    if (!*at) {
        *at = malloc(sizeof **at + strlen(text) + 1);
        (*at)->next = NULL;
        (*at)->count = 0;
        strcpy((*at)->text, text);
    }
    (*at)->count++;
}

static unsigned long clear(struct word **table)
{
    unsigned long sum = 0;
    for (int i = 0; i < SLOTS; i++)
        while (table[i]) {
            struct word *word = table[i];
            table[i] = word->next;
            sum += word->count * strlen(word->text);
            free(word);
        }
    return sum;
}

static void *work(void *sum)
{
    struct word *table[SLOTS] = {0};
    unsigned random = 1;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < WORDS; i++) {
            random = random * 1103515245 + 12345;
            char *text = malloc(8 + random / 65536 % 24);
            snprintf(text, 8, "%x", random / 65536 % 9000);
            add(table, text);
            free(text);
        }
        *(unsigned long *)sum += clear(table);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    unsigned long sums[THREADS] = {0};
    rounds = argc == 2 ? atoi(argv[1]) : 1;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &sums[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%lu %lu\n", sums[0], sums[1]);
    return 0;
}
