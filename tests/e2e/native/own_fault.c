/* Has a handler for its own faults, and goes on. exit: 5 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static sigjmp_buf back;

static void handle(int number, siginfo_t *info, void *context)
{
    (void)context;
    printf("signal %d at %p\n", number, info->si_addr);
    siglongjmp(back, 1);
}

int main(void)
{
    struct sigaction action;
    struct timespec now;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, NULL);
    for (int i = 0; i < 3; i++) {
        clock_gettime(CLOCK_REALTIME, &now);
        if (!sigsetjmp(back, 1))
            *(volatile int *)(now.tv_nsec & ~3L) = 1;
    }
    return 5;
}
