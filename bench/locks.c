/*
 * locks.c: threads that work on one grid of cells, each with a mutex of its own, as fluidanimate of PARSEC
 * does:
 *
 *   locks THREADS ROUNDS
 *
 * Each thread owns a slab; what a cell does to its neighbours is done with their locks held. Some millions of
 * lock operations a second; only those at the border of two slabs meet another thread's.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 256, STEPS = 48 };

struct cell {
    pthread_mutex_t mutex;
    double density, force[3];
};

static struct cell grid[SIDE][SIDE];
static int rounds, threads;
static pthread_barrier_t barrier;

static void push(struct cell *cell, double value, int axis)
{
    pthread_mutex_lock(&cell->mutex);
    cell->density += value * 0.25;
    cell->force[axis] += value;
    pthread_mutex_unlock(&cell->mutex);
}

/* What happens between two locks: arithmetic, as with the pairs of particles of a cell. */
static double between(double x)
{
    double distance = 1;
    for (int i = 0; i < STEPS; i++)
        distance = distance * 0.75 + x / (1 + distance * distance);
    return distance;
}

static void *work(void *number)
{
    int own = (int)(long)number, from = SIDE * own / threads, to = SIDE * (own + 1) / threads;
    for (int round = 0; round < rounds; round++) {
        for (int y = from; y < to; y++)
            for (int x = 0; x < SIDE; x++) {
                double value = between((double)(x ^ y ^ round) * 0x1p-8);
                push(&grid[y][x], value, 0);
                push(&grid[y][(x + 1) % SIDE], value, 1);
                push(&grid[(y + 1) % SIDE][x], value, 2);
            }
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 64;
    threads = atoi(argv[1]);
    rounds = atoi(argv[2]) * 4;
    pthread_t all[64];
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            pthread_mutex_init(&grid[y][x].mutex, NULL);
    for (long i = 0; i < threads && i < 64; i++)
        pthread_create(&all[i], NULL, work, (void *)i);
    for (int i = 0; i < threads && i < 64; i++)
        pthread_join(all[i], NULL);
    double sum = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            sum += grid[y][x].density + grid[y][x].force[2];
    printf("%a\n", sum);
    return 0;
}
