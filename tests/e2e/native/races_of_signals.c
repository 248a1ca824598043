/*
 * Handlers and threads write the same plain variable; signals come while the first thread joins others, and
 * to a thread that has just been started. record: --order=serial
 */
#include "trail.h"

#include <signal.h>
#include <unistd.h>

enum { ROUNDS = 100 };

static volatile unsigned long shared;
static volatile sig_atomic_t came;

static void handle(int number)
{
    came++;
    shared = trail_add(shared, (unsigned long)number);
}

static void *work(void *number)
{
    for (int i = 0; i < ROUNDS; i++) {
        shared = trail_add(shared, (unsigned long)number);
        usleep(500);
    }
    return NULL;
}

int main(void)
{
    pthread_t crew[CREW];
    sigset_t timer;
    signal(SIGALRM, handle);
    signal(SIGUSR1, handle);
    sigemptyset(&timer);
    sigaddset(&timer, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &timer, NULL);
    for (long i = 0; i < CREW; i++)
        pthread_create(&crew[i], NULL, work, (void *)i);
    pthread_sigmask(SIG_UNBLOCK, &timer, NULL);
    ualarm(2000, 2000);
    pthread_kill(crew[CREW - 1], SIGUSR1);
    for (int i = 0; i < CREW; i++)
        pthread_join(crew[i], NULL);
    ualarm(0, 0);
    printf("%d signals, %lx\n", (int)came, shared);
    return 0;
}
