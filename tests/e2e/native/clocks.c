/* Clocks, process numbers, random bytes, the address of a local variable. */
#include <stdio.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    struct timespec monotonic, real;
    struct timeval day;
    unsigned long drawn;
    for (int i = 0; i < 1000; i++)
        clock_gettime(CLOCK_MONOTONIC, &monotonic);
    clock_gettime(CLOCK_REALTIME, &real);
    gettimeofday(&day, NULL);
    if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        return 1;
    usleep(1000);
    printf("%ld.%09ld %ld.%09ld %ld.%06ld %ld\n", (long)monotonic.tv_sec, monotonic.tv_nsec,
           (long)real.tv_sec, real.tv_nsec, (long)day.tv_sec, (long)day.tv_usec, (long)time(NULL));
    printf("%d %d %lu %p\n", getpid(), getppid(), drawn, (void *)&drawn);
    return 0;
}
