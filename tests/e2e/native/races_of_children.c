/*
 * A child is made while threads race, and has threads that race itself.
 * record: --order=serial
 */
#include "trail.h"

#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 200 };

static volatile unsigned long shared;

static void *work(void *number)
{
    for (int i = 0; i < ROUNDS; i++) {
        shared = trail_add(shared, (unsigned long)number);
        usleep(20);
    }
    return NULL;
}

int main(void)
{
    pthread_t other;
    int status;
    pthread_create(&other, NULL, work, (void *)9);
    usleep(1000);
    pid_t child = fork();
    if (child < 0)
        return 1;
    crew_run(work);
    if (!child) {
        printf("child: %lx\n", shared);
        return 3;
    }
    waitpid(child, &status, 0);
    pthread_join(other, NULL);
    printf("parent: %lx, %d\n", shared, WEXITSTATUS(status));
    return 0;
}
