/*
 * cmd_record.c: canon record: runs a command with the launch library in front and notes how it ended.
 */
#include "base/log.h"
#include "cli/cli.h"
#include "cli/culprit.h"
#include "cli/places.h"
#include "cli/program.h"
#include "cli/racy.h"
#include "launch/archive.h"
#include "launch/environment.h"
#include "launch/protocol.h"
#include "role/watch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* "canon-trace-NAME", with a number if that is taken. */
static void default_name(const char *command, char *name, size_t size)
{
    const char *slash = strrchr(command, '/');
    const char *base = slash ? slash + 1 : command;
    snprintf(name, size, "canon-trace-%s", base);
    struct stat about;
    for (int i = 2; stat(name, &about) == 0 && i < 10000; i++)
        snprintf(name, size, "canon-trace-%s.%d", base, i);
}

/* The absolute path of something that does not exist yet. */
static int absolute(const char *path, char *out, size_t size)
{
    char here[PATH_MAX] = "";
    if (path[0] != '/' && !getcwd(here, sizeof here))
        return -1;
    int n = path[0] == '/' ? snprintf(out, size, "%s", path) : snprintf(out, size, "%s/%s", here, path);
    return n > 0 && (size_t)n < size ? 0 : -1;
}

/* CLASS.METHOD. What separates options of the agent cannot be in it. */
static bool names_native(const char *pattern)
{
    const char *dot = strrchr(pattern, '.');
    return dot && dot > pattern && dot[1] && !strpbrk(pattern, ",:;=()/ ");
}

/* Whether all are; says which one is not. */
static bool are_natives(struct canon_words *natives)
{
    int i = 0;
    while (i < natives->count && names_native(natives->all[i]))
        i++;
    if (i == natives->count)
        return true;
    canon_say("--native=%s: a class and a method are needed, as in org.example.Sensor.read; * stands for "
              "any characters",
              natives->all[i]);
    free(natives->all);
    return false;
}

static const char NO_ORDER[] = "none";

/* Those that begin with "vector" are for comparison and not for users: bench/README.md. */
bool canon_order_known(const char *order)
{
    static const char *const ORDERS[] = {NO_ORDER, CANON_ORDER_EDGES, CANON_ORDER_SERIAL,
                                         CANON_ORDER_COMPARED, CANON_ORDER_MONITORS};
    for (size_t i = 0; i < sizeof ORDERS / sizeof *ORDERS; i++)
        if (strcmp(order, ORDERS[i]) == 0)
            return true;
    canon_say("--order=%s: there are edges, serial and none", order);
    return false;
}

/* How the order of threads is kept, as the agent is told; NULL: said what is wrong. */
static const char *order_of(const char *order, const char *preempt)
{
    if (!canon_order_known(order))
        return NULL;
    if (preempt && (strcmp(order, CANON_ORDER_SERIAL) != 0 || strcmp(preempt, "loops") != 0)) {
        canon_say("--preempt=%s: there is only --preempt=loops, with --order=serial", preempt);
        return NULL;
    }
    return preempt ? CANON_ORDER_LOOPS : order;
}

static char **recording_environment(const char *trace, const struct canon_words *natives,
                                    const struct canon_words *racy, const char *order, bool heap_digest)
{
    const char *home = canon_home(), *preload = getenv("LD_PRELOAD");
    char value[2 * PATH_MAX];
    snprintf(value, sizeof value, "%s/%s%s%s", home, CANON_LIB_LAUNCH, preload && *preload ? ":" : "",
             preload && *preload ? preload : "");
    char **all = canon_environment_with(environ, "LD_PRELOAD", value);
    all = canon_environment_with(all, CANON_ENV_PRELOAD, preload ? preload : "");
    all = canon_environment_with(all, CANON_ENV_MODE, "record");
    all = canon_environment_with(all, CANON_ENV_TRACE, trace);
    char *options = NULL;
    for (int i = 0; i < natives->count; i++)
        options = canon_agent_option(options, CANON_OPTION_NATIVE, natives->all[i]);
    for (int i = 0; i < racy->count; i++)
        options = canon_agent_option(options, CANON_OPTION_RACY, racy->all[i]);
    if (strcmp(order, NO_ORDER) != 0)
        options = canon_agent_option(options, CANON_OPTION_ORDER, order);
    if (heap_digest)
        options = canon_agent_option(options, CANON_OPTION_HEAP_DIGEST, "");
    all = canon_environment_with(all, CANON_ENV_OPTIONS, options);
    all = canon_environment_with(all, CANON_ENV_ARCHIVES, canon_archive_directory());
    return canon_environment_with(all, CANON_ENV_HOME, home);
}

/*
 * The processes of a native program share a page, for the order of their output. Threads of OpenMP spin for a
 * while before they sleep: in turns that would be time that nobody else has. `options`: of detectors, or
 * NULL.
 */
static char **native_environment(const char *trace, const char *order, bool serial, char *options)
{
    char page[64];
    options = canon_agent_option(options, CANON_OPTION_ORDER, order);
    char **all = environ;
    if (canon_watch_make(page, sizeof page))
        options = canon_agent_option(options, CANON_OPTION_WATCH, page);
    if (serial && !getenv("OMP_WAIT_POLICY"))
        all = canon_environment_with(all, "OMP_WAIT_POLICY", "passive");
    all = canon_native_environment(all, canon_native_library(), "record", trace, options);
    if (!all)
        canon_say("paths are too long: %s", trace);
    return all;
}

/* A native program is started by its path; a script by its interpreter, of which it is an argument. */
static void prepare_native(struct canon_child *child, struct canon_program *program, int argc)
{
    child->fixed_addresses = true;
    child->executable = program->kind == CANON_PROGRAM_MISSING ? NULL : program->path;
    if (!*program->interpreter)
        return;
    char **longer = calloc((size_t)argc + 4, sizeof *longer);
    if (!longer)
        abort();
    int n = 0;
    longer[n++] = program->interpreter;
    if (*program->interpreter_option)
        longer[n++] = program->interpreter_option;
    longer[n++] = program->path;
    for (int i = 1; i < argc; i++)
        longer[n++] = child->argv[i];
    child->argv = longer;
    child->executable = program->interpreter;
}

/* When an epoch ends: after so many milliseconds, or megabytes of trace. */
struct epoch {
    const char *ms, *log;
};
static const struct epoch DEFAULT_EPOCH = {"500", "64"};

static bool is_limit(const char *name, const char *value, const char *unit, bool in_situ)
{
    if (!value ||
        (in_situ && strspn(value, "0123456789") == strlen(value) && strlen(value) < 7 && atoi(value) > 0))
        return true;
    canon_say("%s=%s: it takes %s, with --in-situ", name, value, unit);
    return false;
}

static bool is_epoch(const struct epoch *epoch, bool in_situ)
{
    return is_limit("--epoch", epoch->ms, "milliseconds", in_situ) &&
           is_limit("--epoch-log", epoch->log, "megabytes", in_situ);
}

/* Options of the library in the program; NULL for none. */
static char *detector_options(const char *detect, const struct epoch *epoch, struct canon_findings **findings)
{
    char path[64], limits[64], *options = NULL;
    if (!detect && !epoch)
        return NULL;
    if (detect)
        options = canon_agent_option(options, CANON_OPTION_DETECT, detect);
    if (epoch) {
        snprintf(limits, sizeof limits, "%s:%s", epoch->ms ? epoch->ms : DEFAULT_EPOCH.ms,
                 epoch->log ? epoch->log : DEFAULT_EPOCH.log);
        options = canon_agent_option(options, CANON_OPTION_INSITU, limits);
    }
    *findings = canon_findings_make(path, sizeof path);
    return *findings ? canon_agent_option(options, CANON_OPTION_FINDINGS, path) : options;
}

/* A program that will stand before its end until a debugger was there. */
struct waiting {
    struct canon_findings *findings;
    const char *trace;
    bool told;
};

static void tell_waiting(void *argument)
{
    struct waiting *waiting = argument;
    if (waiting->told || !waiting->findings->stopped)
        return;
    waiting->told = true;
    canon_say("the program stands before its end: `canon debug %s` is gdb in it; Ctrl-C lets it end",
              waiting->trace);
}

static bool await_debugger(struct canon_child *child, struct waiting *waiting)
{
    if (!waiting->findings) {
        canon_say("--debug: there is no memory to share with the program");
        return false;
    }
    waiting->findings->debug = 1;
    child->tick = tell_waiting;
    child->tick_argument = waiting;
    return true;
}

/* Ends as the recorded program did. */
static int end_like(int status)
{
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* the program's core is enough */
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

static int part_count(const char *trace)
{
    char path[PATH_MAX + 16];
    struct stat about;
    int count = 0;
    do
        snprintf(path, sizeof path, "%s/%d", trace, ++count);
    while (stat(path, &about) == 0);
    return count - 1;
}

int canon_cmd_record(int argc, char **argv)
{
    const char *output = NULL, *order = CANON_ORDER_EDGES, *preempt = NULL, *kind = NULL, *wanted = NULL;
    struct epoch epoch = {0};
    bool help = false, heap_digest = false, in_situ = false, debug = false, native;
    struct canon_program program;
    struct canon_words natives = {0}, racy = {0};
    const struct canon_option options[] = {
        {"-o", NULL, &output, NULL},         {"--output", NULL, &output, NULL},
        {"--native", NULL, NULL, &natives},  {"--order", NULL, &order, NULL},
        {"--racy", NULL, NULL, &racy},       {"--heap-digest", &heap_digest, NULL, NULL},
        {"--preempt", NULL, &preempt, NULL}, {"--kind", NULL, &kind, NULL},
        {"--detect", NULL, &wanted, NULL},   {"--in-situ", &in_situ, NULL, NULL},
        {"--epoch", NULL, &epoch.ms, NULL},  {"--epoch-log", NULL, &epoch.log, NULL},
        {"--debug", &debug, NULL, NULL},     {0},
    };
    int first = canon_options_read(options, argc, argv, &help);
    if (help || first < 0 || first >= argc)
        return canon_usage("record", help);
    if (!are_natives(&natives) || !(order = order_of(order, preempt)))
        return CANON_EXIT_USAGE;
    if (!canon_program_choose(kind, argv[first], &program, &native))
        return kind && !program.refusal ? CANON_EXIT_USAGE : CANON_EXIT_FAILURE;
    struct canon_racy_list list = {0};
    if (native ? !canon_racy_take(&racy, &list) : !canon_places_take(&racy))
        return CANON_EXIT_USAGE;
    bool serial = strcmp(order, CANON_ORDER_SERIAL) == 0;
    if (native && ((strcmp(order, CANON_ORDER_EDGES) != 0 && !serial) || heap_digest || natives.count)) {
        canon_say("%s is a native program: --order=none, --preempt, --native and --heap-digest are "
                  "for Java programs",
                  argv[first]);
        return CANON_EXIT_USAGE;
    }
    if (in_situ && serial) {
        canon_say("--in-situ is for threads that run in parallel, not for --order=serial");
        return CANON_EXIT_USAGE;
    }
    if (native && racy.count && serial) {
        canon_say("--racy orders instructions of threads that run in parallel, not with --order=serial");
        return CANON_EXIT_USAGE;
    }
    if (debug && !in_situ) {
        canon_say("--debug stops the program before its end, with --in-situ; `canon debug` is for traces");
        return CANON_EXIT_USAGE;
    }
    if (!native && (wanted || in_situ)) {
        canon_say("--detect and --in-situ are for native programs");
        return CANON_EXIT_USAGE;
    }
    char *detect = wanted ? canon_detect_option(wanted) : NULL;
    if ((wanted && !detect) || !is_epoch(&epoch, in_situ))
        return CANON_EXIT_USAGE;
    struct canon_trace_info info = {.command = argv + first, .version = CANON_VERSION};
    char name[PATH_MAX], here[PATH_MAX] = "", started[64];
    default_name(argv[first], name, sizeof name);
    if (absolute(output ? output : name, info.path, sizeof info.path)) {
        canon_say("the path of the trace is too long");
        return CANON_EXIT_FAILURE;
    }
    info.directory = getcwd(here, sizeof here) ? here : "";
    time_t now = time(NULL);
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    info.started = started;
    if (!canon_libraries_present() || canon_trace_create(&info) || !canon_racy_keep(&list, info.path))
        return CANON_EXIT_FAILURE;

    struct canon_child child = {.argv = argv + first};
    struct canon_findings *findings = NULL;
    char *detectors = detector_options(detect, in_situ ? &epoch : NULL, &findings);
    child.environment = native ? native_environment(info.path, order, serial, detectors)
                               : recording_environment(info.path, &natives, &racy, order, heap_digest);
    if (!child.environment)
        return CANON_EXIT_FAILURE;
    if (native)
        prepare_native(&child, &program, argc - first);
    struct waiting waiting = {findings, output ? output : name, false};
    if (debug && !await_debugger(&child, &waiting))
        return CANON_EXIT_FAILURE;
    int status;
    if (canon_child_run(&child, &status, &info.pid))
        return status;
    info.ended = true;
    info.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    info.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    /* Of a full disk the user has heard already. */
    if (canon_trace_save(&info) && errno != ENOSPC && errno != EDQUOT)
        canon_say("cannot write %s/meta.json: %s; the trace is incomplete", info.path, strerror(errno));
    if (findings)
        canon_culprits_tell(findings, output ? output : name);
    if (!part_count(info.path))
        canon_say(native ? "%s could not be reached; nothing was recorded"
                         : "%s started no JVM that canon could reach; nothing was recorded "
                           "(native programs that a shell starts: --kind=native)",
                  argv[first]);
    return end_like(status);
}
