/*
 * init.c: the preload library comes to life: before any other code of the program, once libraries are loaded.
 *
 * Everything that decides where the program's memory lies is equal when recording and when replaying: the
 * libraries, the environment with canon's own variables padded to fixed lengths, the limit of the stack.
 */
#include "base/error.h"
#include "base/log.h"
#include "launch/process.h"
#include "launch/protocol.h"
#include "native/heap.h"
#include "native/ordered.h"
#include "native/patch.h"
#include "native/reals.h"
#include "native/stack.h"
#include "native/threads.h"
#include "native/turns.h"

#include <dlfcn.h>
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

__thread struct canon_self canon_self CANON_TLS;
struct canon_native canon_native;

/* What canon has told: protocol.h. */
struct told {
    char *mode, *trace, *options, *preload;
};

/* ---- the environment ----------------------------------------------------------------------------------- */

static char *value_of(char **environment, const char *name)
{
    size_t length = strlen(name);
    for (; *environment; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    return NULL;
}

static void remove_variable(char **environment, const char *name)
{
    size_t length = strlen(name);
    char **to = environment;
    for (; *environment; environment++)
        if (strncmp(*environment, name, length) != 0 || (*environment)[length] != '=')
            *to++ = *environment;
    *to = NULL;
}

/* Takes canon's message apart; false if there is none. */
static bool read_told(char **environment, struct told *told)
{
    char *message = value_of(environment, CANON_ENV_NATIVE), *rest = NULL;
    message = message ? strdup(message) : NULL;
    told->mode = message ? strtok_r(message, CANON_NATIVE_SEPARATOR, &rest) : NULL;
    told->trace = told->mode ? strtok_r(NULL, CANON_NATIVE_SEPARATOR, &rest) : NULL;
    told->options = told->trace ? strtok_r(NULL, CANON_NATIVE_SEPARATOR, &rest) : NULL;
    told->preload = told->options ? strtok_r(NULL, CANON_NATIVE_SEPARATOR, &rest) : NULL;
    return told->preload;
}

/* The program sees its own environment. Strings stay where they are. */
static void clean_environment(char **environment, const struct told *told)
{
    remove_variable(environment, CANON_ENV_NATIVE);
    char *preload = value_of(environment, "LD_PRELOAD");
    if (preload && strcmp(told->preload, CANON_NATIVE_NOTHING) != 0)
        strcpy(preload, told->preload);
    else
        remove_variable(environment, "LD_PRELOAD");
}

static bool has_option(const struct told *told, const char *option)
{
    const char *at = strstr(told->options, option);
    return at && (at == told->options || at[-1] == ',');
}

static const char *option_value(const struct told *told, const char *option, char *value, size_t size)
{
    const char *at = strstr(told->options, option);
    if (!at || (at != told->options && at[-1] != ','))
        return NULL;
    at += strlen(option);
    snprintf(value, size, "%.*s", (int)strcspn(at, ","), at);
    return value;
}

static bool is_serial(const struct told *told)
{
    return has_option(told, CANON_OPTION_ORDER CANON_ORDER_SERIAL);
}

/* ---- recording ----------------------------------------------------------------------------------------- */

static bool make_part(const char *trace)
{
    for (int number = 1; number < 10000; number++) {
        snprintf(canon_native.part, sizeof canon_native.part, "%s/%d", trace, number);
        if (mkdir(canon_native.part, 0700) == 0)
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

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

static int save_process(int argc, char **argv, char **environment, const char *order)
{
    struct canon_process process = {0};
    struct rlimit limit;
    char path[4096];
    canon_process_add(&process, CANON_PROCESS_KIND, "native");
    add_number(&process, CANON_PROCESS_PID, (unsigned)canon_native.real_pid);
    const char *executable = (const char *)getauxval(AT_EXECFN);
    canon_process_add(&process, CANON_PROCESS_EXECUTABLE, executable ? executable : argv[0]);
    for (int i = 0; i < argc; i++)
        canon_process_add(&process, CANON_PROCESS_ARGUMENTS, argv[i]);
    if (getcwd(path, sizeof path))
        canon_process_add(&process, CANON_PROCESS_DIRECTORY, path);
    for (; *environment; environment++)
        canon_process_add(&process, CANON_PROCESS_ENVIRONMENT, *environment);
    canon_process_add(&process, CANON_PROCESS_ORDER, order);
    if (getrlimit(RLIMIT_STACK, &limit) == 0)
        add_number(&process, CANON_PROCESS_STACK_LIMIT, limit.rlim_cur);
    add_random(&process);
    executable_checksum(path);
    canon_process_add(&process, CANON_PROCESS_CHECKSUM, path);
    int status = canon_process_save(canon_native.part, "process", &process);
    canon_process_free(&process);
    return status;
}

/* ---- replaying ----------------------------------------------------------------------------------------- */

static void restore_random(const char *text)
{
    uint8_t *bytes = (uint8_t *)getauxval(AT_RANDOM);
    unsigned value;
    for (int i = 0; bytes && text && i < 16 && sscanf(text + 2 * i, "%2x", &value) == 1; i++)
        bytes[i] = (uint8_t)value;
}

static void load_process(void)
{
    struct canon_process process = {0};
    char problem[512];
    if (canon_process_load(canon_native.part, &process, problem, sizeof problem))
        canon_native_give_up("cannot replay: %s", problem);
    char now[17];
    const char *then = canon_process_text(&process, CANON_PROCESS_CHECKSUM);
    executable_checksum(now);
    if (then && strcmp(then, now) != 0)
        canon_native_give_up("%s is not the program that was recorded: the file has changed",
                             canon_process_text(&process, CANON_PROCESS_EXECUTABLE));
    const char *pid = canon_process_text(&process, CANON_PROCESS_PID);
    canon_native.recorded_pid = pid ? atoi(pid) : 0;
    const char *random = canon_process_text(&process, CANON_PROCESS_RANDOM);
    restore_random(random && strlen(random) == 32 ? random : NULL);
    canon_process_free(&process);
}

/* ---- start --------------------------------------------------------------------------------------------- */

static void start_role(const struct told *told, enum canon_role_kind kind)
{
    char problem[512] = "", path[128];
    const char *watch = option_value(told, CANON_OPTION_WATCH, path, sizeof path);
    canon_native.watch = kind == CANON_ROLE_REPLAYER && watch ? canon_watch_open(watch) : NULL;
    struct canon_role_config config = {.kind = kind,
                                       .part = canon_native.part,
                                       .diverged = canon_native_diverged,
                                       .resting = canon_turns_rest,
                                       .watch = canon_native.watch};
    char seed[32];
    canon_order_delay(option_value(told, CANON_OPTION_DELAYS, seed, sizeof seed));
    int status = canon_role_start(&config, problem, sizeof problem);
    bool enforced = !has_option(told, CANON_OPTION_UNORDERED);
    if (!status)
        status = is_serial(told) ? canon_turns_start(enforced) : canon_order_start(enforced);
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
    canon_thread_main();
}

/* Whether everything that the program does will be seen. */
static void intercept(void)
{
    int status = canon_patch_objects();
    if (!status)
        status = canon_patch_vdso();
    if (status)
        canon_native_give_up("cannot rewrite the program's system calls: %s: the system does not permit "
                             "memory that is writable and executable",
                             canon_error_text(status));
}

static void note_missed(void)
{
    if (canon_patch_missed()) {
        char text[100];
        snprintf(text, sizeof text, "%u system-call instructions could not be rewritten",
                 canon_patch_missed());
        canon_role_note(CANON_NOTE_LIMIT, text);
    }
}

struct arguments {
    int argc;
    char **argv, **environment;
};

static void begin(void *argument)
{
    struct arguments *given = argument;
    struct told told = {0};
    if (!canon_reals_find())
        canon_native_give_up("this libc lacks a function that canon stands in front of");
    canon_native.real_pid = canon_native.recorded_pid = getpid();
    if (!read_told(given->environment, &told))
        return;
    bool records = strcmp(told.mode, "record") == 0;
    canon_native.quiet = has_option(&told, CANON_OPTION_QUIET);
    canon_native.atomics =
        dlsym(RTLD_NEXT, "__atomic_load_4"); /* libatomic, in front of which atomics.c is */
    clean_environment(given->environment, &told);
    intercept(); /* from now on what canon maps has its own place */
    const char *order = is_serial(&told) ? CANON_ORDER_SERIAL : CANON_ORDER_EDGES;
    if (records &&
        (!make_part(told.trace) || save_process(given->argc, given->argv, given->environment, order))) {
        canon_say("cannot write to %s: %s; this program runs without being recorded", told.trace,
                  strerror(errno));
    } else if (records) {
        start_role(&told, CANON_ROLE_RECORDER);
    } else if (!has_option(&told, CANON_OPTION_UNENFORCED)) {
        snprintf(canon_native.part, sizeof canon_native.part, "%s", told.trace);
        load_process();
        start_role(&told, CANON_ROLE_REPLAYER);
    }
    note_missed();
}

/*
 * The canary of stacks and the mask of kept addresses come from what the kernel has drawn, and get onto the
 * stack, where programs pick up bytes that they never wrote. Code that is running now must not check them.
 */
__attribute__((optimize("no-stack-protector"))) static void set_guards(void)
{
    const uint64_t *drawn = (const uint64_t *)getauxval(AT_RANDOM);
    if (!drawn)
        return;
    uint64_t canary = drawn[0] & ~UINT64_C(255), mask = drawn[1];
    __asm__ volatile("mov %0, %%fs:0x28\n\tmov %1, %%fs:0x30" : : "r"(canary), "r"(mask));
}

__attribute__((constructor, optimize("no-stack-protector"))) static void start(int argc, char **argv,
                                                                               char **environment)
{
    struct canon_self *self = &canon_self;
    struct arguments given = {argc, argv, environment};
    self->heap = canon_heap_at(1);
    int error = canon_native_enter(self);
    canon_stack_make();
    canon_stack_call(begin, &given);
    if (canon_native_replays())
        set_guards();
    canon_native_leave(self, error);
}
