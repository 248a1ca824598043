/*
 * measure.c: runs a command and appends one line to a file about what it and all that it started used:
 *
 *   measure FILE LABEL CMD [ARG...]     ->    LABEL wall_ms cpu_ms peak_kb status     (separated by tabs)
 *
 * CPU is user + system time of the whole process tree: orphans are adopted and waited for.
 */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double ms_of(struct timeval t)
{
    return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: measure FILE LABEL CMD [ARG...]\n");
        return 64;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t child, ended;
    double start = now_ms();
    int status = 0, wait_status, failed = posix_spawnp(&child, argv[3], NULL, NULL, argv + 3, environ);
    if (failed) {
        fprintf(stderr, "measure: %s: %s\n", argv[3], strerror(failed));
        return 69;
    }
    double wall = 0;
    while ((ended = wait(&wait_status)) > 0 || errno == EINTR)
        if (ended == child) {
            wall = now_ms() - start;
            status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
        }
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    FILE *out = fopen(argv[1], "a");
    if (!out) {
        perror(argv[1]);
        return 69;
    }
    fprintf(out, "%s\t%.1f\t%.1f\t%ld\t%d\n", argv[2], wall, ms_of(used.ru_utime) + ms_of(used.ru_stime),
            used.ru_maxrss, status);
    fclose(out);
    return status;
}
