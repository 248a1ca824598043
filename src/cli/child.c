/*
 * child.c: runs a program as if canon were not there: signals that are sent to canon reach it, and
 * those of the terminal, which it gets anyway, do not end canon before it.
 */
#include "base/log.h"
#include "cli/cli.h"
#include "launch/protocol.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

char *canon_agent_option(char *list, const char *option, const char *value)
{
    char *longer;
    if (asprintf(&longer, "%s%s%s%s", list ? list : "", list ? "," : "", option, value) < 0)
        abort();
    free(list);
    return longer;
}

const char *canon_home(void)
{
    static char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    char library[PATH_MAX + 64];
    snprintf(library, sizeof library, "%s/../lib/canon", path);
    if (access(library, F_OK) == 0 && realpath(library, path)) /* installed: bin/canon, lib/canon/ */
        return path;
    return path;
}

const char *canon_native_library(void)
{
    static char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", canon_home(), CANON_LIB_NATIVE);
    return path;
}

bool canon_libraries_present(void)
{
    static const char *const NAMES[] = {CANON_LIB_LAUNCH, CANON_LIB_JVM, CANON_LIB_NATIVE};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        char path[PATH_MAX + 32];
        snprintf(path, sizeof path, "%s/%s", canon_home(), NAMES[i]);
        if (access(path, R_OK)) {
            canon_say("%s is missing; build canon again with `make`", path);
            return false;
        }
    }
    return true;
}

/* What decides where the kernel puts the program's memory. */
static void fix_addresses(const struct canon_child *child)
{
    struct rlimit limit;
    if (personality(ADDR_NO_RANDOMIZE) < 0) {
        canon_say("the system does not permit fixed addresses (personality): %s; native programs cannot be "
                  "recorded",
                  strerror(errno));
        _exit(CANON_EXIT_FAILURE);
    }
    if (child->stack_limit && getrlimit(RLIMIT_STACK, &limit) == 0) {
        limit.rlim_cur = strtoull(child->stack_limit, NULL, 10);
        if (setrlimit(RLIMIT_STACK, &limit))
            canon_say("note: the limit of the stack cannot be set to %s as in the recording",
                      child->stack_limit);
    }
}

void canon_child_become(const struct canon_child *child)
{
    environ = child->environment;
    if (child->fixed_addresses)
        fix_addresses(child);
    if (child->executable)
        execv(child->executable, child->argv);
    else
        execvp(child->argv[0], child->argv);
    int error = errno;
    canon_say("cannot run %s: %s", child->executable ? child->executable : child->argv[0], strerror(error));
    _exit(error == ENOENT ? 127 : 126);
}

/* Signals from the terminal go to the whole foreground group: the program has them already. */
static bool from_terminal(const siginfo_t *info)
{
    return info->si_code == SI_KERNEL && (info->si_signo == SIGINT || info->si_signo == SIGQUIT ||
                                          info->si_signo == SIGTSTP || info->si_signo == SIGHUP);
}

static bool says_end(int signal)
{
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
}

static int wait_for(pid_t pid, const struct canon_child *child, const sigset_t *signals)
{
    static const struct timespec QUARTER = {.tv_nsec = 250000000};
    enum { PATIENCE = 8 };
    for (int quarters_left = 0;;) {
        int status;
        pid_t done = waitpid(pid, &status, WNOHANG);
        if (done == pid)
            return status;
        siginfo_t info;
        int number = sigtimedwait(signals, &info, child->tick || quarters_left ? &QUARTER : NULL);
        if (number > 0 && number != SIGCHLD && !from_terminal(&info))
            kill(pid, number);
        if (child->ends_when_told && says_end(number) && !quarters_left)
            quarters_left = PATIENCE;
        if (number < 0 && quarters_left && --quarters_left == 0)
            kill(pid, SIGKILL);
        if (child->tick && number < 0)
            child->tick(child->tick_argument);
    }
}

int canon_child_run(const struct canon_child *child, int *status, long *pid)
{
    static const int FORWARDED[] = {SIGINT,  SIGQUIT, SIGTERM, SIGHUP,  SIGUSR1,
                                    SIGUSR2, SIGALRM, SIGCONT, SIGWINCH};
    sigset_t signals, mask;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    for (size_t i = 0; i < sizeof FORWARDED / sizeof *FORWARDED; i++)
        sigaddset(&signals, FORWARDED[i]);
    sigprocmask(SIG_BLOCK, &signals, &mask);
    fflush(NULL);
    pid_t forked = fork();
    if (forked < 0) {
        canon_say("cannot start a process: %s", strerror(errno));
        *status = CANON_EXIT_FAILURE;
        return -1;
    }
    if (forked == 0) {
        sigprocmask(SIG_SETMASK, &mask, NULL);
        canon_child_become(child);
    }
    if (pid)
        *pid = forked;
    *status = wait_for(forked, child, &signals);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return 0;
}
