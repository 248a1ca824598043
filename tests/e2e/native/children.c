/* Children that print themselves: of fork, in the middle of threads and with threads of their own, of
 * posix_spawn, and of vfork; and the program becomes another one. exit: 6 */
#include "trail.h"

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long trail;

static void *work(void *number)
{
    for (int i = 0; i < 5000; i++) {
        pthread_mutex_lock(&lock);
        trail = trail_add(trail, (unsigned long)number);
        pthread_mutex_unlock(&lock);
        if (i % 100 == 0)
            free(malloc(100 + (size_t)i % 500));
    }
    return NULL;
}

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_nsec;
}

static void wait_for(pid_t child)
{
    int status = 0;
    if (waitpid(child, &status, 0) != child)
        abort();
    printf("child %d ended with %d\n", child, WEXITSTATUS(status));
    fflush(stdout);
}

/* A copy of the program goes on with threads of its own. */
static void fork_one(int number)
{
    pthread_mutex_lock(&lock);
    pid_t child = fork();
    unsigned long seen = trail;
    pthread_mutex_unlock(&lock);
    if (child == 0) {
        crew_run(work);
        printf("%d in %d: %lx, then %lx, %ld, %p\n", number, getpid(), seen, trail, now(), malloc(50));
        fflush(stdout);
        _exit(number);
    }
    wait_for(child);
}

static void *fork_all(void *unused)
{
    (void)unused;
    for (int i = 1; i <= 3; i++)
        fork_one(i);
    return NULL;
}

int main(void)
{
    char *date[] = {"date", "+%N", NULL};
    pthread_t forks;
    pid_t child;
    if (pthread_create(&forks, NULL, fork_all, NULL))
        return 1;
    crew_run(work);
    pthread_join(forks, NULL);
    if (posix_spawnp(&child, "date", NULL, NULL, date, environ))
        return 1;
    wait_for(child);
    printf("%s\n", strerror(posix_spawn(&child, "/nowhere/date", NULL, NULL, date, environ)));
    fflush(stdout);
    child = vfork();
    if (child == 0) {
        execlp("nothing-of-that-name", "x", NULL);
        trail = trail_add(trail, 7); /* which the parent sees */
        execlp("date", "date", "+%N", NULL);
        _exit(1);
    }
    wait_for(child);
    printf("trail %lx\n", trail);
    fflush(stdout);
    execlp("sh", "sh", "-c", "(date +%N; exit 3); echo $?; date +%N | sed s/^/is:/; exit 6", NULL);
    return 1;
}
