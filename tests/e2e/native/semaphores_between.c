/* Processes that share semaphores: who gets one, who finds none, how many are left. */
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void work(int number, sem_t *turn, sem_t *named)
{
    for (int i = 0; i < 40; i++) {
        int found = sem_trywait(turn), left;
        if (found)
            sem_wait(turn);
        sem_getvalue(named, &left);
        dprintf(1, "%d:%d %s, %d left\n", number, i, found ? "waited" : "found it", left);
        if (i % 4 == number % 4)
            sem_post(named);
        if (i % 8 == 3)
            usleep(100);
        sem_post(turn);
    }
}

int main(void)
{
    struct timespec now;
    char name[40];
    sem_t *turn = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, sizeof name, "/canon-test-%d-%ld", getpid(), now.tv_nsec);
    sem_t *named = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
    if (turn == MAP_FAILED || named == SEM_FAILED || sem_init(turn, 1, 1))
        return 1;
    sem_unlink(name);
    for (int i = 0; i < 3; i++)
        if (!fork()) {
            work(i, turn, named);
            _exit(0);
        }
    work(3, turn, named);
    for (int i = 0; i < 40; i++)
        sem_wait(named);
    while (wait(NULL) > 0)
        ;
    printf("%s\n", name);
    return 0;
}
