/*
 * compilers.c: see compilers.h.
 *
 * In a replay threads wait for each other where they did not in the recording, each time for microseconds. A
 * compiler that has a processor meanwhile keeps it for milliseconds, and whoever could go on waits for it,
 * with all that wait for him. So the compilers get what nobody else wants: they have much time in a replay.
 */
#include "jvm/compilers.h"

#include "base/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { STEP = 15 }; /* of nice; 5 were not enough */

/* By its name, as HotSpot gives it: "C1 CompilerThread0", cut off by the kernel. */
static bool is_compiler(const char *task)
{
    char path[64], name[16] = "";
    snprintf(path, sizeof path, "/proc/self/task/%.20s/comm", task);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool is = read(fd, name, sizeof name - 1) > 0 &&
              (strncmp(name, "C1 Compiler", 11) == 0 || strncmp(name, "C2 Compiler", 11) == 0);
    close(fd);
    return is;
}

void canon_compilers_step_back(void)
{
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks)
        return;
    for (const struct dirent *task; (task = readdir(tasks));) {
        if (!is_compiler(task->d_name))
            continue;
        id_t tid = (id_t)atoi(task->d_name);
        errno = 0;
        int now = getpriority(PRIO_PROCESS, tid);
        if (errno || setpriority(PRIO_PROCESS, tid, now + STEP))
            canon_log("jvm", CANON_LOG_INFO, "the compiler %s keeps its priority", task->d_name);
    }
    closedir(tasks);
}
