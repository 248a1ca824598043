/*
 * cmd_replay.c: canon replay: starts the recorded launcher with the recorded arguments and environment;
 * the agent inside gives the program what it got then.
 */
#include "base/log.h"
#include "cli/cli.h"
#include "cli/culprit.h"
#include "cli/places.h"
#include "cli/program.h"
#include "launch/archive.h"
#include "launch/environment.h"
#include "launch/protocol.h"
#include "role/watch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct replay {
    struct canon_trace_info info;
    struct canon_process process;
    char part[PATH_MAX + 16];
    char executable[PATH_MAX];
    bool quiet, check, races, native, detect;
    bool alone;                      /* one part; else all processes */
    bool replaced;                   /* and another part went on with that process */
    char path[256];                  /* native: the forks that lead to it, from the program's start on */
    const char *list;                /* to which places that race are added; NULL: they are only told */
    char found[64];                  /* where the agent writes them; "": nowhere */
    struct canon_findings *findings; /* what the detectors tell; NULL: they are not asked */
    char findings_path[64];
    struct canon_watch *watch; /* what the replaying process shows of itself; NULL if there is no way */
    char watch_path[64];
    int ticks;
};

static char *agent_options(const struct replay *replay)
{
    char *options = NULL;
    const char *enforce = getenv("CANON_TEST_ENFORCE");
    if (replay->quiet || replay->check)
        options = canon_agent_option(options, CANON_OPTION_QUIET, "");
    if (enforce && strcmp(enforce, "off") == 0)
        options = canon_agent_option(options, CANON_OPTION_UNENFORCED, "");
    if (replay->races)
        options = canon_agent_option(options, CANON_OPTION_RACES, replay->found);
    const char *order = getenv("CANON_TEST_ORDER");
    if (order && strcmp(order, "off") == 0)
        options = canon_agent_option(options, CANON_OPTION_UNORDERED, "");
    if (replay->native && getenv("CANON_TEST_DELAYS"))
        options = canon_agent_option(options, CANON_OPTION_DELAYS, getenv("CANON_TEST_DELAYS"));
    if (replay->watch)
        options = canon_agent_option(options, CANON_OPTION_WATCH, replay->watch_path);
    if (replay->findings) {
        options = canon_agent_option(options, CANON_OPTION_FINDINGS, replay->findings_path);
        options = canon_agent_option(options, CANON_OPTION_SEARCH, "");
    }
    if (replay->native && !replay->alone)
        options = canon_agent_option(options, CANON_OPTION_TREE, "");
    if (*replay->path)
        options = canon_agent_option(options, CANON_OPTION_PATH, replay->path);
    for (size_t i = 0; i < replay->process.count; i++)
        if (replay->process.entries[i].item == CANON_PROCESS_NATIVE)
            options = canon_agent_option(options, CANON_OPTION_NATIVE, replay->process.entries[i].text);
        else if (replay->process.entries[i].item == CANON_PROCESS_RACY)
            options = canon_agent_option(options, CANON_OPTION_RACY, replay->process.entries[i].text);
        else if (replay->process.entries[i].item == CANON_PROCESS_ORDER)
            options = canon_agent_option(options, CANON_OPTION_ORDER, replay->process.entries[i].text);
    return options;
}

static char **replay_environment(const struct replay *replay)
{
    int count;
    char **all = canon_process_list(&replay->process, CANON_PROCESS_ENVIRONMENT, &count);
    if (replay->native)
        return canon_native_environment(all, canon_native_library(), "replay", replay->part,
                                        agent_options(replay));
    const char *preload = "";
    for (int i = 0; i < count; i++)
        if (strncmp(all[i], "LD_PRELOAD=", 11) == 0)
            preload = all[i] + 11;
    const char *home = canon_home();
    char value[2 * PATH_MAX];
    snprintf(value, sizeof value, "%s/%s%s%s", home, CANON_LIB_LAUNCH, *preload ? ":" : "", preload);
    all = canon_environment_with(all, "LD_PRELOAD", value);
    all = canon_environment_with(all, CANON_ENV_PRELOAD, preload);
    all = canon_environment_with(all, CANON_ENV_MODE, "replay");
    all = canon_environment_with(all, CANON_ENV_TRACE, replay->part);
    all = canon_environment_with(all, CANON_ENV_HOME, home);
    all = canon_environment_with(all, CANON_ENV_OPTIONS, agent_options(replay));
    all = canon_environment_with(all, CANON_ENV_ARCHIVES, canon_archive_directory());
    static const char *const OURS[] = {"CANON_LOG", "CANON_TEST_OPTRACE", "CANON_TEST_DELAYS"};
    for (size_t i = 0; i < sizeof OURS / sizeof *OURS; i++)
        if (getenv(OURS[i]))
            all = canon_environment_with(all, OURS[i], getenv(OURS[i]));
    return all;
}

/* ---- progress ------------------------------------------------------------------------------------ */

/* Whether standard error is a terminal that understands a few control characters. */
static bool on_terminal(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) && kind && *kind && strcmp(kind, "dumb") != 0;
}

/* After a second, since most replays are over by then; not over the lines of who has the terminal now. */
static void show_progress(void *argument)
{
    struct replay *replay = argument;
    if (++replay->ticks >= 4 && tcgetpgrp(STDERR_FILENO) == getpgrp())
        canon_watch_draw(replay->watch);
}

static int run(struct replay *replay, struct canon_child *child, int *status)
{
    if (replay->watch && !replay->quiet && on_terminal()) {
        replay->watch->draws = 1;
        child->tick = show_progress;
        child->tick_argument = replay;
    }
    child->ends_when_told = true; /* who says so does not mean the program, which may not be able to */
    int failed = canon_child_run(child, status, NULL);
    if (child->tick)
        canon_watch_wipe(replay->watch);
    return failed;
}

static int find_launcher(struct replay *replay, const char *java_home)
{
    const char *recorded = canon_process_text(&replay->process, CANON_PROCESS_EXECUTABLE);
    if (java_home)
        snprintf(replay->executable, sizeof replay->executable, "%s/bin/java", java_home);
    else
        snprintf(replay->executable, sizeof replay->executable, "%s", recorded ? recorded : "");
    if (access(replay->executable, X_OK) == 0)
        return 0;
    if (replay->native) {
        canon_say("%s: %s; a replay needs the program that was recorded", replay->executable,
                  strerror(errno));
        return -1;
    }
    canon_say("%s: %s; it was recorded with that JDK: install it, or give one of the same version with "
              "--java-home",
              replay->executable, strerror(errno));
    return -1;
}

/* The version that a JDK tells of itself: JAVA_VERSION in the file `release` above its launcher. */
static bool jdk_version(const char *launcher, char *version, size_t size)
{
    char path[PATH_MAX + 16], line[256];
    if (!realpath(launcher, path))
        return false;
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (slash)
            *slash = '\0';
    }
    strcat(path, "/release");
    FILE *file = fopen(path, "re");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file))
        if (strncmp(line, "JAVA_VERSION=\"", 14) == 0) {
            snprintf(version, size, "%.*s", (int)strcspn(line + 14, "\"\n"), line + 14);
            found = true;
        }
    if (file)
        fclose(file);
    return found;
}

/* Another update may do, and the agent tells; another release has other classes from the first one on. */
static int check_jdk(const struct replay *replay)
{
    const char *recorded = canon_process_text(&replay->process, CANON_PROCESS_VM_VERSION);
    char version[64];
    if (!recorded || !jdk_version(replay->executable, version, sizeof version) ||
        atoi(recorded) == atoi(version))
        return 0;
    canon_say("recorded with JVM %s, but %s is of JDK %s: a replay needs the same release; give one with "
              "--java-home",
              recorded, replay->executable, version);
    return -1;
}

/* The status to exit with, after a look at whether the replay ended as the recording did. */
static int judge(const struct replay *replay, int status)
{
    const struct canon_trace_info *info = &replay->info;
    int now = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (getenv("CANON_TEST_ENFORCE"))
        return now;
    /* A status of the program's own may look like one of canon's. */
    bool finished = replay->watch && replay->watch->finished;
    if (replay->watch && replay->watch->failed)
        return (int)replay->watch->failed; /* of a child: it has said why */
    if (now == CANON_EXIT_ENDED && !finished && info->ended && info->signal)
        now = 128 + info->signal;
    bool own =
        !finished && (now == CANON_EXIT_DIVERGED || now == CANON_EXIT_FAILURE || now == CANON_EXIT_ENDED);
    /* The status of a script around the JVM is the script's business. */
    const char *pid = canon_process_text(&replay->process, CANON_PROCESS_PID);
    bool same = !info->ended || !pid || atol(pid) != info->pid || *replay->path || replay->replaced ||
                now == info->exit_status;
    if (!same && !own) {
        canon_say("DIVERGENCE: the replay ended with status %d, the recording with %d", now,
                  info->exit_status);
        return CANON_EXIT_DIVERGED;
    }
    /* Where canon did not see the recording's status, only the end of its strands tells. */
    if (replay->check && !own && (info->ended || finished || !replay->watch)) {
        canon_say("the replay equals the recording%s",
                  info->ended ? "" : ", of which canon did not see the exit status");
        return 0;
    }
    return now;
}

/* What the recording lacks: a replay that cannot be the whole truth says so. */
static void tell_limits(const char *part)
{
    struct canon_trace *trace;
    char problem[512];
    if (canon_trace_open(part, &trace, problem, sizeof problem))
        return;
    const struct canon_trace_strand *strand = canon_trace_find(trace, "notes");
    struct canon_cursor cursor;
    struct canon_event event;
    if (strand) {
        canon_cursor_start(&cursor, strand);
        while (!canon_cursor_next(&cursor, &event))
            if (event.kind == CANON_EVENT_NOTE && event.id == CANON_NOTE_LIMIT)
                canon_say("note: %.*s", (int)event.size, (const char *)event.payload);
        canon_cursor_stop(&cursor);
    }
    canon_trace_close(trace);
}

/* The recorded program was killed before it could even say how it was started. */
static bool cut_off_at_start(const char *part)
{
    struct canon_trace *trace;
    char problem[512];
    if (canon_trace_open(part, &trace, problem, sizeof problem))
        return false;
    bool cut_off = canon_trace_is_torn(trace);
    canon_trace_close(trace);
    if (cut_off)
        canon_say("the recording ended here: before the program began");
    return cut_off;
}

/*
 * A part that began with a fork goes on where its parent was: so that is replayed, quietly, up to there.
 * Replaces part and process by those of the program's start.
 */
static int find_start(struct replay *replay)
{
    char problem[512], kind[8];
    int parent;
    for (int i = 0; i < 50; i++) {
        const char *text = canon_process_text(&replay->process, CANON_PROCESS_PARENT);
        if (!text || sscanf(text, "%d %7s", &parent, kind) != 2 || strcmp(kind, "fork") != 0)
            return 0;
        char longer[sizeof replay->path];
        int n = snprintf(longer, sizeof longer, "%s%s%s", strrchr(replay->part, '/') + 1,
                         *replay->path ? "." : "", replay->path);
        if (n < 0 || (size_t)n >= sizeof longer)
            break;
        strcpy(replay->path, longer);
        snprintf(replay->part, sizeof replay->part, "%s/%d", replay->info.path, parent);
        canon_process_free(&replay->process);
        if (canon_process_load(replay->part, &replay->process, problem, sizeof problem)) {
            canon_say("%s", problem);
            return -1;
        }
    }
    canon_say("%s: too many forks lead to this part", replay->part);
    return -1;
}

/* Whether the process went on as another part, by an exec. */
static bool is_replaced(const struct replay *replay)
{
    const char *pid = canon_process_text(&replay->process, CANON_PROCESS_PID);
    bool found = false;
    for (int i = atoi(strrchr(replay->part, '/') + 1) + 1; pid && !found && i <= replay->info.parts; i++) {
        struct canon_process other = {0};
        char part[PATH_MAX + 16], problem[512];
        snprintf(part, sizeof part, "%s/%d", replay->info.path, i);
        if (canon_process_load(part, &other, problem, sizeof problem) == 0) {
            const char *text = canon_process_text(&other, CANON_PROCESS_PID);
            found = text && strcmp(text, pid) == 0;
        }
        canon_process_free(&other);
    }
    return found;
}

/* A file for the agent, which nobody has to remove. */
static bool prepare_places(struct replay *replay)
{
    int file = memfd_create("canon-places", MFD_CLOEXEC);
    if (file < 0)
        canon_say("cannot make a file for places that race: %s", strerror(errno));
    snprintf(replay->found, sizeof replay->found, "/proc/%d/fd/%d", (int)getpid(), file);
    return file >= 0;
}

int canon_cmd_replay(int argc, char **argv)
{
    struct replay replay = {0};
    const char *wanted = NULL, *java_home = NULL;
    bool help = false;
    const struct canon_option options[] = {
        {"--quiet", &replay.quiet, NULL, NULL},
        {"--check", &replay.check, NULL, NULL},
        {"--races", &replay.races, NULL, NULL},
        {"--part", NULL, &wanted, NULL},
        {"--java-home", NULL, &java_home, NULL},
        {"-o", NULL, &replay.list, NULL},
        {"--output", NULL, &replay.list, NULL},
        {"--detect", &replay.detect, NULL, NULL},
        {0},
    };
    int first = canon_options_read(options, argc, argv, &help);
    if (help || first != argc - 1 || (replay.list && !replay.races))
        return canon_usage("replay", help);
    char problem[512];
    if (canon_trace_load(argv[first], &replay.info) ||
        canon_part_choose(&replay.info, wanted, replay.part, sizeof replay.part))
        return CANON_EXIT_FAILURE;
    if (canon_process_load(replay.part, &replay.process, problem, sizeof problem)) {
        if (cut_off_at_start(replay.part))
            return judge(&replay, CANON_EXIT_ENDED << 8);
        canon_say("%s", problem);
        return CANON_EXIT_FAILURE;
    }
    replay.alone = wanted;
    replay.replaced = wanted && is_replaced(&replay);
    if (find_start(&replay))
        return CANON_EXIT_FAILURE;
    const char *kind = canon_process_text(&replay.process, CANON_PROCESS_KIND);
    replay.native = kind && strcmp(kind, "native") == 0;
    if (replay.native && (replay.races || java_home)) {
        canon_say("a native program was recorded: --races and --java-home are for Java programs");
        return CANON_EXIT_USAGE;
    }
    if (replay.detect && !canon_process_text(&replay.process, CANON_PROCESS_DETECT)) {
        canon_say(
            "%s was recorded without detectors: blocks of its heap lie elsewhere with them; record with "
            "--detect=overflow,uaf",
            argv[first]);
        return CANON_EXIT_USAGE;
    }
    if (replay.detect)
        replay.findings = canon_findings_make(replay.findings_path, sizeof replay.findings_path);
    if (!canon_libraries_present() || find_launcher(&replay, java_home) ||
        (!replay.native && check_jdk(&replay)))
        return CANON_EXIT_FAILURE;
    if (replay.list && !prepare_places(&replay))
        return CANON_EXIT_FAILURE;
    replay.watch = canon_watch_make(replay.watch_path, sizeof replay.watch_path);
    int count, status;
    char **arguments = canon_process_list(&replay.process, CANON_PROCESS_ARGUMENTS, &count);
    if (!count)
        arguments[0] = replay.executable;
    struct canon_child child = {
        .argv = replay.native ? arguments : (char *[]){arguments[0], NULL},
        .executable = replay.executable,
        .environment = replay_environment(&replay),
        .fixed_addresses = replay.native,
        .stack_limit = canon_process_text(&replay.process, CANON_PROCESS_STACK_LIMIT),
    };
    if (!child.environment)
        return CANON_EXIT_FAILURE;
    if (run(&replay, &child, &status))
        return status;
    if (replay.findings)
        canon_culprits_tell(replay.findings, NULL);
    if (replay.list && canon_places_add(replay.list, replay.found) < 0)
        return CANON_EXIT_FAILURE;
    if (!replay.quiet)
        tell_limits(replay.part);
    return judge(&replay, status);
}
