/* Sleep that signals interrupt: what is left of it is put where the time to sleep is. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

static void wake(int number)
{
    (void)number;
}

int main(void)
{
    struct sigaction action = {.sa_handler = wake};
    struct itimerval often = {{0, 3000}, {0, 3000}}, never = {0};
    struct timespec left = {0, 40000000};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    while (nanosleep(&left, &left))
        printf("%ld left\n", left.tv_nsec);
    setitimer(ITIMER_REAL, &never, NULL);
    return 0;
}
