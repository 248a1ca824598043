/* A timer's signals interrupt sleeping and reading; one that the program sends to itself. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t came, raised;

static void handle(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    char line[64];
    int n = snprintf(line, sizeof line, "signal %d at %ld\n", number, now.tv_nsec);
    if (write(1, line, (size_t)n) != n)
        _exit(1);
    came += number == SIGALRM;
    raised += number == SIGUSR1;
}

int main(void)
{
    struct sigaction action;
    struct itimerval timer = {{0, 3000}, {0, 3000}};
    int ends[2];
    char byte;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    if (pipe(ends))
        return 1;
    setitimer(ITIMER_REAL, &timer, NULL);
    while (came < 5)
        pause();
    int interrupted = read(ends[0], &byte, 1) < 0 && errno == EINTR;
    memset(&timer, 0, sizeof timer);
    setitimer(ITIMER_REAL, &timer, NULL);
    raise(SIGUSR1);
    printf("%d %d %d\n", came, raised, interrupted);
    return 0;
}
