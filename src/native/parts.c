/*
 * parts.c: see parts.h.
 *
 *   start, exec   the part has the whole story: arguments, environment, what the kernel has drawn
 *   fork          the part goes on where the parent's part was; to replay it the parent is replayed up to
 * there
 *
 * Everything that decides where the program's memory lies is equal when recording and when replaying.
 */
#include "native/parts.h"

#include "base/error.h"
#include "base/log.h"
#include "launch/environment.h"
#include "launch/process.h"
#include "launch/protocol.h"
#include "native/call.h"
#include "native/children.h"
#include "native/detect/evidence.h"
#include "native/detect/guard.h"
#include "native/heap.h"
#include "native/insitu/insitu.h"
#include "native/libraries.h"
#include "native/ordered.h"
#include "native/signals.h"
#include "native/stack.h"
#include "native/threads.h"
#include "native/turns.h"
#include "trace/writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xxhash.h>

enum { PARTS = 10000 };

static struct canon_told started; /* as it was told at the start of the program */
static char trace[4096];          /* directory of all parts */
static char path[256];            /* replay: forks that lead to the part that is wanted */
static char **arguments;

const char *canon_told_option(const struct canon_told *told, const char *option, char *value, size_t size)
{
    size_t length = strlen(option);
    for (const char *at = told->options; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (strncmp(at, option, length) != 0 ||
            (option[length - 1] != '=' && at[length] && at[length] != ','))
            continue;
        snprintf(value, size, "%.*s", (int)strcspn(at + length, ","), at + length);
        return value;
    }
    return NULL;
}

static bool has_option(const char *option)
{
    char value[8];
    return canon_told_option(&started, option, value, sizeof value);
}

static void set_part(int number)
{
    canon_native.part_number = number;
    snprintf(canon_native.part, sizeof canon_native.part, "%s/%d", trace, number);
}

/* A file that makes a part one that is cut off, until its process has begun. */
static const char UNBEGUN[] = "begins.chunks";

static void mark_unbegun(const char *part)
{
    char file[4300];
    snprintf(file, sizeof file, "%s/%s", part, UNBEGUN);
    int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
}

static void mark_begun(void)
{
    char file[4300];
    snprintf(file, sizeof file, "%s/%s", canon_native.part, UNBEGUN);
    unlink(file);
}

/* Whether a folder that is not empty has got that name; else errno is EEXIST if it is taken. */
static bool claim(const char *fresh, const char *name)
{
    if (renameat2(AT_FDCWD, fresh, AT_FDCWD, name, RENAME_NOREPLACE) == 0)
        return true;
    if (errno == EINVAL && rename(fresh, name) == 0) /* a file system that does not know how */
        return true;
    errno = errno == ENOTEMPTY ? EEXIST : errno;
    return false;
}

/* It gets its number once the mark is in it: nobody sees it without, whenever the process is killed. */
int canon_part_reserve(void)
{
    char fresh[4200], made[4200];
    snprintf(fresh, sizeof fresh, "%s/new-%d", trace, (int)canon_raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0));
    if (mkdir(fresh, 0700) && errno != EEXIST) /* one that was killed right here may have had the number */
        return 0;
    mark_unbegun(fresh);
    for (int number = canon_native.part_number + 1; number < PARTS; number++) {
        snprintf(made, sizeof made, "%s/%d", trace, number);
        if (claim(fresh, made))
            return number;
        if (errno != EEXIST)
            return 0;
    }
    canon_role_note(CANON_NOTE_LIMIT, "there were too many processes: some are not recorded");
    return 0;
}

void canon_part_owner(long owner)
{
    if (canon_native.records && (uid_t)owner != (uid_t)-1 && geteuid() == 0)
        canon_writer_give((uid_t)owner);
}

/* ---- detectors ----------------------------------------------------------------------------------------- */

/* They decide where blocks lie: a part has the same ones when it is recorded and when it is replayed. */
static void start_guards(const char *detect)
{
    if (detect)
        canon_guards_start(strstr(detect, CANON_DETECT_OVERFLOW), strstr(detect, CANON_DETECT_UAF));
}

/* Recorder: the last epoch can be run again in the same process. */
static void start_insitu(void)
{
    char limits[32];
    const char *why;
    if (!canon_told_option(&started, CANON_OPTION_INSITU, limits, sizeof limits))
        return;
    const char *log = strchr(limits, ':');
    if (canon_insitu_start(canon_evidence_findings(), atoi(limits), log ? atoi(log + 1) : 0, &why))
        canon_signals_start();
    else
        canon_say("the program cannot be run again in its own process: %s", why);
}

/* ---- the strand "process" ------------------------------------------------------------------------------ */

static void add_number(struct canon_process *process, enum canon_process_item item, unsigned long long value)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", value);
    canon_process_add(process, item, text);
}

/* 16 bytes that the kernel has drawn for the program. */
static void add_random(struct canon_process *process)
{
    const uint8_t *bytes = (const uint8_t *)getauxval(AT_RANDOM);
    char text[33] = "";
    for (int i = 0; bytes && i < 16; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    canon_process_add(process, CANON_PROCESS_RANDOM, text);
}

static void restore_random(const char *text)
{
    uint8_t *bytes = (uint8_t *)getauxval(AT_RANDOM);
    unsigned value;
    for (int i = 0; bytes && text && i < 16 && sscanf(text + 2 * i, "%2x", &value) == 1; i++)
        bytes[i] = (uint8_t)value;
}

/* Of the program's own file: another one would take another way. */
static void executable_checksum(char text[17])
{
    struct stat about;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    void *bytes = fd < 0 || fstat(fd, &about)
                      ? MAP_FAILED
                      : mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    text[0] = '\0';
    if (bytes == MAP_FAILED)
        return;
    snprintf(text, 17, "%016llx", (unsigned long long)XXH3_64bits(bytes, (size_t)about.st_size));
    munmap(bytes, (size_t)about.st_size);
}

static const char *order_name(void)
{
    return canon_native.serial ? CANON_ORDER_SERIAL : CANON_ORDER_EDGES;
}

/* What is known of every process. */
static void describe(struct canon_process *process)
{
    char here[4096];
    const char *executable = (const char *)getauxval(AT_EXECFN);
    canon_process_add(process, CANON_PROCESS_KIND, "native");
    add_number(process, CANON_PROCESS_PID, (unsigned)canon_native.real_pid);
    canon_process_add(process, CANON_PROCESS_EXECUTABLE, executable ? executable : arguments[0]);
    for (char **argument = arguments; *argument; argument++)
        canon_process_add(process, CANON_PROCESS_ARGUMENTS, *argument);
    if (getcwd(here, sizeof here))
        canon_process_add(process, CANON_PROCESS_DIRECTORY, here);
    canon_process_add(process, CANON_PROCESS_ORDER, order_name());
}

static int save(struct canon_process *process)
{
    int status = canon_process_save(canon_native.part, "process", process);
    canon_process_free(process);
    return status;
}

static int save_started(char **environment)
{
    struct canon_process process = {0};
    struct rlimit limit;
    char text[8192];
    describe(&process);
    for (; *environment; environment++)
        canon_process_add(&process, CANON_PROCESS_ENVIRONMENT, *environment);
    if (getrlimit(RLIMIT_STACK, &limit) == 0)
        add_number(&process, CANON_PROCESS_STACK_LIMIT, limit.rlim_cur);
    add_random(&process);
    executable_checksum(text);
    canon_process_add(&process, CANON_PROCESS_CHECKSUM, text);
    canon_libraries_add(&process);
    if (canon_told_option(&started, CANON_OPTION_DETECT, text, sizeof text))
        canon_process_add(&process, CANON_PROCESS_DETECT, text);
    char *dot = (char *)canon_told_option(&started, CANON_OPTION_PARENT, text, sizeof text);
    if (dot && (dot = strchr(text, '.'))) {
        *dot = ' ';
        canon_process_add(&process, CANON_PROCESS_PARENT, text);
    }
    canon_shown_tell(text, sizeof text, ' ');
    canon_process_add(&process, CANON_PROCESS_SHOWN, text);
    return save(&process);
}

static int save_forked(int parent, const struct canon_lane *own)
{
    struct canon_process process = {0};
    char text[32];
    describe(&process);
    snprintf(text, sizeof text, "%d fork", parent);
    canon_process_add(&process, CANON_PROCESS_PARENT, text);
    for (int i = 1; i <= canon_lane_most(); i++) {
        const struct canon_lane *lane = canon_lane_at(i);
        if (lane == own || !canon_lane_operations(lane))
            continue;
        snprintf(text, sizeof text, "%d:%lld", i, (long long)canon_lane_operations(lane));
        canon_process_add(&process, CANON_PROCESS_LANES, text);
    }
    return save(&process);
}

static void load(struct canon_process *process)
{
    char problem[512];
    *process = (struct canon_process){0};
    if (canon_process_load(canon_native.part, process, problem, sizeof problem))
        canon_native_give_up("cannot replay: %s", problem);
    const char *pid = canon_process_text(process, CANON_PROCESS_PID);
    canon_native.recorded_pid = pid ? atoi(pid) : 0;
}

static void load_started(void)
{
    struct canon_process process;
    char now[17];
    load(&process);
    const char *then = canon_process_text(&process, CANON_PROCESS_CHECKSUM);
    executable_checksum(now);
    if (then && strcmp(then, now) != 0)
        canon_native_give_up("%s is not the program that was recorded: the file has changed",
                             canon_process_text(&process, CANON_PROCESS_EXECUTABLE));
    canon_libraries_check(&process);
    start_guards(canon_process_text(&process, CANON_PROCESS_DETECT));
    const char *random = canon_process_text(&process, CANON_PROCESS_RANDOM);
    restore_random(random && strlen(random) == 32 ? random : NULL);
    const char *shown = canon_process_text(&process, CANON_PROCESS_SHOWN);
    if (shown)
        canon_shown_told(shown);
    canon_process_free(&process);
}

static void load_forked(void)
{
    struct canon_process process;
    int lane;
    long long operations;
    load(&process);
    for (size_t i = 0; i < process.count; i++)
        if (process.entries[i].item == CANON_PROCESS_LANES &&
            sscanf(process.entries[i].text, "%d:%lld", &lane, &operations) == 2 && lane > 0 &&
            lane < CANON_LANE_COUNT)
            canon_order_set(lane, operations);
    canon_process_free(&process);
}

/* ---- beginning ----------------------------------------------------------------------------------------- */

static void start_role(enum canon_role_kind kind, bool first)
{
    char problem[512] = "";
    struct canon_role_config config = {.kind = kind,
                                       .part = canon_native.part,
                                       .diverged = canon_native_diverged,
                                       .resting = canon_turns_rest,
                                       .watch = canon_native.watch,
                                       .is_child = canon_native.is_child};
    int status = kind == CANON_ROLE_RECORDER ? canon_writer_hold(canon_native.part) : 0;
    if (!status)
        status = canon_role_start(&config, problem, sizeof problem);
    bool enforced = !has_option(CANON_OPTION_UNORDERED);
    if (!status && first)
        status = canon_native.serial ? canon_turns_start(enforced) : canon_order_start(enforced);
    if (status && kind == CANON_ROLE_REPLAYER)
        canon_native_give_up("cannot replay: %s", problem);
    if (status) {
        canon_say("cannot record: %s; this program runs without being recorded",
                  *problem ? problem : canon_error_text(status));
        return;
    }
    canon_native.mode = kind;
    canon_native.records = kind == CANON_ROLE_RECORDER;
    canon_due_start();
    if (has_option(CANON_OPTION_SEARCH))
        canon_evidence_search();
    if (canon_guards.on)
        canon_signals_start();
    canon_thread_main();
    if (canon_native.records)
        mark_begun();
    if (canon_native.records && first)
        start_insitu();
}

static void record(char **environment)
{
    char value[8192];
    const char *number = canon_told_option(&started, CANON_OPTION_PART, value, sizeof value);
    snprintf(trace, sizeof trace, "%s", started.trace);
    set_part(number ? atoi(number) : canon_part_reserve());
    if (canon_told_option(&started, CANON_OPTION_SHOWN, value, sizeof value))
        canon_shown_told(value);
    start_guards(canon_told_option(&started, CANON_OPTION_DETECT, value, sizeof value));
    if (!canon_native.part_number || save_started(environment))
        canon_say("cannot write to %s: %s; this program runs without being recorded", trace, strerror(errno));
    else
        start_role(CANON_ROLE_RECORDER, true);
}

static void replay(void)
{
    snprintf(trace, sizeof trace, "%s", started.trace);
    char *slash = strrchr(trace, '/');
    int number = slash ? atoi(slash + 1) : 0;
    if (slash)
        *slash = '\0';
    set_part(number);
    canon_told_option(&started, CANON_OPTION_PATH, path, sizeof path);
    canon_native.quiet = has_option(CANON_OPTION_QUIET) || *path;
    canon_native.tree = has_option(CANON_OPTION_TREE);
    canon_native.takes_turns = canon_native.tree && !has_option(CANON_OPTION_UNORDERED);
    canon_native.is_child = has_option(CANON_OPTION_CHILD);
    load_started();
    start_role(CANON_ROLE_REPLAYER, true);
}

void canon_part_start(const struct canon_told *told, int argc, char **argv, char **environment)
{
    char value[128];
    started = *told;
    arguments = calloc((size_t)argc + 1, sizeof *arguments);
    for (int i = 0; arguments && i < argc; i++)
        arguments[i] = strdup(argv[i]);
    const char *watch = canon_told_option(told, CANON_OPTION_WATCH, value, sizeof value);
    canon_native.watch = watch ? canon_watch_open(watch) : NULL;
    const char *findings = canon_told_option(told, CANON_OPTION_FINDINGS, value, sizeof value);
    canon_evidence_start(findings ? canon_findings_open(findings) : NULL);
    canon_order_delay(canon_told_option(told, CANON_OPTION_DELAYS, value, sizeof value));
    const char *order = canon_told_option(told, CANON_OPTION_ORDER, value, sizeof value);
    canon_native.serial = order && strcmp(order, CANON_ORDER_SERIAL) == 0;
    if (strcmp(told->mode, "record") == 0)
        record(environment);
    else if (!has_option(CANON_OPTION_UNENFORCED))
        replay();
}

/* ---- fork ---------------------------------------------------------------------------------------------- */

bool canon_part_is_wanted(int part)
{
    return part && (canon_native.tree || (*path && atoi(path) == part));
}

bool canon_part_leads(void)
{
    return *path;
}

/* One fork of the way is done. */
static void go_on_path(void)
{
    if (!*path)
        return;
    char *rest = strchr(path, '.');
    memmove(path, rest ? rest + 1 : path + strlen(path), rest ? strlen(rest) : 1);
    canon_native.quiet = has_option(CANON_OPTION_QUIET) || *path;
}

void canon_part_forked(struct canon_self *self, int part)
{
    bool records = canon_native.mode == CANON_ROLE_RECORDER;
    int parent = canon_native.part_number;
    canon_role_forked();
    canon_order_forked(self->lane);
    canon_serial_forked();
    canon_words_forked();
    canon_shown_forked();
    canon_stack_forked();
    canon_call_forked();
    canon_signals_forked(self);
    canon_children_forked();
    canon_insitu_forget();
    canon_native.mode = CANON_ROLE_PASSTHROUGH;
    canon_native.records = false;
    canon_native.real_pid = canon_native.recorded_pid = (int)canon_raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
    const struct canon_lane *lane = self->lane;
    self->strand = NULL;
    self->lane = self->counts = self->turns = NULL;
    self->children = self->tid = 0;
    self->is_main = true;
    if (!part)
        return;
    set_part(part);
    if (records) {
        if (!save_forked(parent, lane))
            start_role(CANON_ROLE_RECORDER, false);
        return;
    }
    canon_native.is_child = canon_native.is_child || canon_native.tree;
    go_on_path();
    load_forked();
    start_role(CANON_ROLE_REPLAYER, false);
}

/* ---- exec ---------------------------------------------------------------------------------------------- */

char **canon_part_environment(char **environment, int part, const char *how)
{
    char options[6000], watch[128], shown[4096];
    canon_shown_tell(shown, sizeof shown, ';');
    const char *page = canon_told_option(&started, CANON_OPTION_WATCH, watch, sizeof watch);
    snprintf(options, sizeof options, "%s%s,%s%d,%s%d.%s,%s%s%s%s%s", CANON_OPTION_ORDER, order_name(),
             CANON_OPTION_PART, part, CANON_OPTION_PARENT, canon_native.part_number, how, CANON_OPTION_SHOWN,
             shown, page ? "," : "", page ? CANON_OPTION_WATCH : "", page ? page : "");
    return canon_native_environment(environment, started.library, "record", trace, options);
}

static void set_stack_limit(const char *recorded)
{
    struct rlimit limit;
    if (!recorded || getrlimit(RLIMIT_STACK, &limit))
        return;
    limit.rlim_cur = strtoull(recorded, NULL, 10);
    setrlimit(RLIMIT_STACK, &limit);
}

void canon_part_become(int part)
{
    struct canon_process process = {0};
    char directory[4200], problem[512];
    int count;
    snprintf(directory, sizeof directory, "%s/%d", trace, part);
    if (canon_process_load(directory, &process, problem, sizeof problem))
        canon_raw_syscall(SYS_exit_group, 0, 0, 0, 0, 0, 0); /* it was killed before it could say anything */
    char **environment = canon_process_list(&process, CANON_PROCESS_ENVIRONMENT, &count);
    char **argv = canon_process_list(&process, CANON_PROCESS_ARGUMENTS, &count);
    const char *executable = canon_process_text(&process, CANON_PROCESS_EXECUTABLE);
    char *options = NULL;
    /* Who takes the place of the first process is the first one himself. */
    bool child = canon_self.spawn || canon_native.is_child;
    if (asprintf(&options, "%s%s%s", started.options, child && !has_option(CANON_OPTION_CHILD) ? "," : "",
                 child && !has_option(CANON_OPTION_CHILD) ? CANON_OPTION_CHILD : "") > 0) {
        char **all = canon_native_environment(environment, started.library, "replay", directory, options);
        set_stack_limit(canon_process_text(&process, CANON_PROCESS_STACK_LIMIT));
        if (all && executable)
            canon_raw_syscall(SYS_execve, (long)executable, (long)argv, (long)all, 0, 0, 0);
    }
    canon_native_give_up("cannot replay %s: %s", executable ? executable : directory,
                         "a replay needs the program that was recorded");
}
