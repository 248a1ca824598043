/*
 * cmd_prepare.c: canon prepare: makes the archives of rewritten JDK classes with which recordings and replays
 * start faster (launch/archive.h), by starting that JDK's launcher twice.
 */
#include "base/log.h"
#include "cli/cli.h"
#include "cli/program.h"
#include "launch/archive.h"
#include "launch/environment.h"
#include "launch/protocol.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Makes a directory, and those above it. */
static int make_directories(const char *path)
{
    char part[PATH_MAX];
    for (const char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(at - path), path);
        if (mkdir(part, 0700) && errno != EEXIST)
            return -1;
    }
    return mkdir(path, 0700) && errno != EEXIST ? -1 : 0;
}

/* Which files of a directory. */
typedef void visit_fn(const char *path, void *context);

static void visit(const char *directory, const char *ending, visit_fn *visitor, void *context)
{
    DIR *files = opendir(directory);
    for (struct dirent *entry; files && (entry = readdir(files));) {
        size_t length = strlen(entry->d_name), behind = strlen(ending);
        char path[2 * PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (length >= behind && entry->d_name[0] != '.' &&
            strcmp(entry->d_name + length - behind, ending) == 0)
            visitor(path, context);
    }
    if (files)
        closedir(files);
}

static void remove_file(const char *path, void *context)
{
    (void)context;
    unlink(path);
}

static void remember(const char *path, void *context)
{
    snprintf(context, 2 * PATH_MAX, "%s", path);
}

static char **making_environment(const char *work, const char *options)
{
    static const char *const OTHERS[] = {"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS",
                                         "CLASSPATH"};
    char library[PATH_MAX + 32];
    snprintf(library, sizeof library, "%s/%s", canon_home(), CANON_LIB_LAUNCH);
    char **all = canon_environment_with(environ, "LD_PRELOAD", library);
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        all = canon_environment_with(all, OTHERS[i], NULL);
    all = canon_environment_with(all, CANON_ENV_MODE, "archive");
    all = canon_environment_with(all, CANON_ENV_TRACE, work);
    all = canon_environment_with(all, CANON_ENV_OPTIONS, options);
    return canon_environment_with(all, CANON_ENV_HOME, canon_home());
}

/* What the JVM says goes to a file: much of it is about classes that it left out. */
static int run_quietly(const struct canon_child *child, const char *work)
{
    char log[PATH_MAX + 32];
    snprintf(log, sizeof log, "%s/log", work);
    int status, out = dup(STDOUT_FILENO), to = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    fflush(stdout);
    if (out < 0 || to < 0 || dup2(to, STDOUT_FILENO) < 0)
        return -1;
    int failed = canon_child_run(child, &status, NULL);
    dup2(out, STDOUT_FILENO);
    close(out);
    close(to);
    return failed || !WIFEXITED(status) || WEXITSTATUS(status) ? -1 : 0;
}

/* The last that the JVM said. */
static void tell_why(const char *work)
{
    char path[PATH_MAX + 32], line[512] = "";
    snprintf(path, sizeof path, "%s/log", work);
    FILE *log = fopen(path, "re");
    while (log && fgets(line, sizeof line, log))
        line[strcspn(line, "\n")] = '\0';
    if (log)
        fclose(log);
    if (*line)
        canon_say("the JVM says: %s", line);
}

/* One archive; `role` and the order of threads say which. */
static int make(const char *java, const char *role, const char *order, const char *directory)
{
    char work[PATH_MAX], made[2 * PATH_MAX] = "", options[128];
    snprintf(work, sizeof work, "%s/making-XXXXXX", directory);
    if (!mkdtemp(work)) {
        canon_say("cannot write to %s: %s", directory, strerror(errno));
        return -1;
    }
    snprintf(options, sizeof options, "%s,%s%s", role, *order ? CANON_OPTION_ORDER : "", order);
    struct canon_child child = {.argv = (char *[]){(char *)java, (char *)"-version", NULL},
                                .environment = making_environment(work, options),
                                .executable = java};
    const char *problem = run_quietly(&child, work) ? "the JVM could not make it" : NULL;
    if (problem)
        tell_why(work);
    visit(work, ".jsa", remember, made);
    if (!problem)
        problem = *made ? canon_archive_finish(made, directory) : "the JVM has made none";
    if (!problem && !canon_archive_usable(directory, strrchr(made, '/') + 1))
        problem = "others may write to the directory of archives";
    visit(work, "", remove_file, NULL);
    rmdir(work);
    if (problem)
        canon_say("no archive for `canon %s` with %s: %s", role, java, problem);
    else
        printf("%s: archive for `canon %s`\n", java, role);
    return problem ? -1 : 0;
}

int canon_cmd_prepare(int argc, char **argv)
{
    const char *order = CANON_ORDER_EDGES;
    bool help = false, remove = false;
    const struct canon_option options[] = {
        {"--order", NULL, &order, NULL},
        {"--remove", &remove, NULL, NULL},
        {0},
    };
    int first = canon_options_read(options, argc, argv, &help);
    if (help || first < 0 || (remove ? first < argc : argc - first > 1))
        return canon_usage("prepare", help);
    if (!canon_order_known(order))
        return CANON_EXIT_USAGE;
    const char *directory = canon_archive_directory();
    if (!directory || make_directories(directory)) {
        canon_say("there is no directory for archives: %s", directory ? strerror(errno) : "HOME is not set");
        return CANON_EXIT_FAILURE;
    }
    if (remove) {
        visit(directory, ".jsa", remove_file, NULL);
        return 0;
    }
    struct canon_program program;
    canon_program_look(first < argc ? argv[first] : "java", &program);
    if (program.kind != CANON_PROGRAM_JAVA)
        canon_say("%s is no java launcher", first < argc ? argv[first] : "java");
    if (program.kind != CANON_PROGRAM_JAVA || !canon_libraries_present())
        return CANON_EXIT_FAILURE;
    order = strcmp(order, "none") == 0 ? "" : order;
    return make(program.path, "record", order, directory) || make(program.path, "replay", order, directory)
               ? CANON_EXIT_FAILURE
               : 0;
}
