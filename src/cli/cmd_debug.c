/*
 * cmd_debug.c: canon debug: a replay of a native program under gdb.
 *
 * gdb starts `canon debug --inside` in the place of the program, by its exec-wrapper: that becomes the
 * program with the very environment of a replay. gdb itself would add variables of its own, which lie on the
 * stack.
 *
 * A recording that stands before its end (`canon record --in-situ --debug`) has its process still: gdb is
 * attached to it.
 */
#include "base/log.h"
#include "cli/cli.h"
#include "launch/environment.h"
#include "launch/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Becomes the replay of a part. */
static int become(const char *part)
{
    struct canon_process process = {0};
    char problem[512];
    int count;
    if (canon_process_load(part, &process, problem, sizeof problem)) {
        canon_say("%s", problem);
        return CANON_EXIT_FAILURE;
    }
    char **environment = canon_process_list(&process, CANON_PROCESS_ENVIRONMENT, &count), *options = NULL;
    const char *order = canon_process_text(&process, CANON_PROCESS_ORDER);
    if (order)
        options = canon_agent_option(options, CANON_OPTION_ORDER, order);
    struct canon_child child = {
        .argv = canon_process_list(&process, CANON_PROCESS_ARGUMENTS, &count),
        .executable = canon_process_text(&process, CANON_PROCESS_EXECUTABLE),
        .environment = canon_native_environment(environment, canon_native_library(), "replay", part, options),
        .fixed_addresses = true,
        .stack_limit = canon_process_text(&process, CANON_PROCESS_STACK_LIMIT),
    };
    if (!child.environment)
        return CANON_EXIT_FAILURE;
    canon_child_become(&child);
}

/* Whether gdb can be of use; says why not. */
static bool can_debug(const struct canon_process *process, const char *part)
{
    const char *kind = canon_process_text(process, CANON_PROCESS_KIND);
    const char *parent = canon_process_text(process, CANON_PROCESS_PARENT);
    if (!kind || strcmp(kind, "native") != 0)
        canon_say("%s is of a Java program: canon debug is for native ones; `canon replay` runs a Java "
                  "program again, "
                  "with the debugger's agent if it was recorded with one",
                  part);
    else if (parent && strstr(parent, " fork"))
        canon_say(
            "%s began with a fork: debug the part that it came from (%.*s), with `set follow-fork-mode`",
            part, (int)strcspn(parent, " "), parent);
    else
        return true;
    return false;
}

static void set_variable(const char *name, const char *value)
{
    if (setenv(name, value, 1))
        abort();
}

/* The process of a recording that stands before its end, as text; NULL: it is none, or has ended. */
static const char *standing(const struct canon_trace_info *info, const struct canon_process *process)
{
    const char *pid = canon_process_text(process, CANON_PROCESS_PID);
    char path[64], line[PATH_MAX + 128];
    if (info->ended || !pid)
        return NULL;
    snprintf(path, sizeof path, "/proc/%s/maps", pid);
    FILE *maps = fopen(path, "re");
    bool found = false;
    while (maps && !found && fgets(line, sizeof line, maps))
        found = strstr(line, canon_native_library()) != NULL;
    if (maps)
        fclose(maps);
    return found ? pid : NULL;
}

/* The command line of gdb: what canon needs, what the user adds, and the program. */
static int start_gdb(const char *trace, const char *part, const struct canon_process *process,
                     const char *pid, char **more, int count)
{
    char self[PATH_MAX] = "", wrapper[3 * PATH_MAX], script[PATH_MAX + 64], python[PATH_MAX + 32];
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return CANON_EXIT_FAILURE;
    snprintf(wrapper, sizeof wrapper, "set exec-wrapper '%s' debug --inside '%s'", self, part);
    snprintf(python, sizeof python, "%s/canon-gdb.py", canon_home());
    snprintf(script, sizeof script, "source %s", python);
    if (access(python, R_OK)) {
        canon_say("%s is missing; build canon again with `make`", python);
        return CANON_EXIT_FAILURE;
    }
    const char *ours[] = {"gdb",  "-q",
                          "-iex", "set auto-load safe-path /",
                          "-ex",  wrapper,
                          "-ex",  "handle SIG63 SIG64 nostop noprint pass",
                          "-ex",  "set disable-randomization on",
                          "-ex",  script};
    const size_t own = sizeof ours / sizeof *ours;
    char **argv = calloc(own + (size_t)count + 2, sizeof *argv);
    if (!argv)
        abort();
    memcpy(argv, ours, sizeof ours);
    for (int i = 0; i < count; i++)
        argv[own + (size_t)i] = more[i];
    argv[own + (size_t)count] = (char *)canon_process_text(process, CANON_PROCESS_EXECUTABLE);
    set_variable("CANON_DEBUG_TOOL", self);
    set_variable("CANON_DEBUG_TRACE", trace);
    set_variable("CANON_DEBUG_PART", strrchr(part, '/') + 1);
    set_variable("CANON_DEBUG_PID", pid ? pid : "");
    execvp("gdb", argv);
    canon_say("cannot run gdb: %s; it is in Debian's package gdb", strerror(errno));
    return CANON_EXIT_FAILURE;
}

int canon_cmd_debug(int argc, char **argv)
{
    bool help = false;
    const char *wanted = NULL, *inside = NULL;
    const struct canon_option options[] = {
        {"--part", NULL, &wanted, NULL}, {"--inside", NULL, &inside, NULL}, {0}};
    int first = canon_options_read(options, argc, argv, &help);
    if (!help && first >= 0 && inside)
        return become(inside);
    if (help || first < 0 || first >= argc || (first + 1 < argc && argv[first + 1][0] != '-'))
        return canon_usage("debug", help);
    struct canon_trace_info info;
    struct canon_process process = {0};
    char part[PATH_MAX + 16], problem[512];
    if (canon_trace_load(argv[first], &info) || canon_part_choose(&info, wanted, part, sizeof part))
        return CANON_EXIT_FAILURE;
    if (canon_process_load(part, &process, problem, sizeof problem)) {
        canon_say("%s", problem);
        return CANON_EXIT_FAILURE;
    }
    if (!canon_libraries_present() || !can_debug(&process, part))
        return CANON_EXIT_FAILURE;
    return start_gdb(info.path, part, &process, standing(&info, &process), argv + first + 1,
                     argc - first - 1);
}
