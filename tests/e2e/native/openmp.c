/*
 * OpenMP: who gets which part of a loop, who comes first.
 * record: --order=serial
 * flags: -fopenmp
 */
#include "trail.h"

#include <omp.h>
#include <unistd.h>

enum { PARTS = 2000 };

int main(void)
{
    static int owners[PARTS];
    unsigned long trail = 0;
    omp_set_num_threads(CREW);
    for (int round = 0; round < 10; round++) {
#pragma omp parallel for schedule(dynamic, 8)
        for (int i = 0; i < PARTS; i++) {
            owners[i] = omp_get_thread_num();
            if (i % 100 == 0)
                usleep(10);
        }
        for (int i = 0; i < PARTS; i++)
            trail = trail_add(trail, (unsigned long)owners[i]);
#pragma omp parallel
        {
#pragma omp critical
            trail = trail_add(trail, (unsigned long)omp_get_thread_num());
#pragma omp barrier
#pragma omp single
            trail = trail_add(trail, (unsigned long)omp_get_thread_num());
        }
    }
    printf("%lx\n", trail);
    return 0;
}
