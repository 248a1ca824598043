/* Waits for a signal in a loop that does nothing else. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

static volatile sig_atomic_t came;

static void handle(int number)
{
    came = number;
}

int main(void)
{
    struct itimerval timer = {{0, 0}, {0, 5000}};
    struct timespec now;
    signal(SIGALRM, handle);
    setitimer(ITIMER_REAL, &timer, NULL);
    while (!came)
        ;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("%d at %ld\n", (int)came, now.tv_nsec);
    return 0;
}
