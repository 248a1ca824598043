/*
 * init.c: the preload library comes to life: before any other code of the program, once libraries are loaded.
 */
#include "base/error.h"
#include "launch/protocol.h"
#include "native/heap.h"
#include "native/insitu/insitu.h"
#include "native/parts.h"
#include "native/patch.h"
#include "native/racy.h"
#include "native/reals.h"
#include "native/stack.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

__thread struct canon_self canon_self CANON_TLS;
struct canon_native canon_native;

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
static bool read_told(char **environment, struct canon_told *told)
{
    char *message = value_of(environment, CANON_ENV_NATIVE), *rest = NULL;
    message = message ? strdup(message) : NULL;
    told->mode = message ? strtok_r(message, CANON_NATIVE_SEPARATOR, &rest) : NULL;
    told->trace = told->mode ? strtok_r(NULL, CANON_NATIVE_SEPARATOR, &rest) : NULL;
    told->options = told->trace ? strtok_r(NULL, CANON_NATIVE_SEPARATOR, &rest) : NULL;
    told->preload = told->options ? strtok_r(NULL, CANON_NATIVE_SEPARATOR, &rest) : NULL;
    const char *libraries = value_of(environment, "LD_PRELOAD");
    told->library = libraries ? strndup(libraries, strcspn(libraries, ":")) : NULL;
    return told->preload && told->library;
}

/* The program sees its own environment. Strings stay where they are. */
static void clean_environment(char **environment, const struct canon_told *told)
{
    remove_variable(environment, CANON_ENV_NATIVE);
    char *preload = value_of(environment, "LD_PRELOAD");
    if (preload && strcmp(told->preload, CANON_NATIVE_NOTHING) != 0)
        strcpy(preload, told->preload);
    else
        remove_variable(environment, "LD_PRELOAD");
}

/* ---- start --------------------------------------------------------------------------------------------- */

/* The list of racing instructions is beside the parts of the trace. */
static void take_racy(const struct canon_told *told)
{
    char trace[4200];
    snprintf(trace, sizeof trace, "%s", told->trace);
    char *slash = strcmp(told->mode, "replay") == 0 ? strrchr(trace, '/') : NULL;
    if (slash)
        *slash = '\0';
    canon_racy_start(trace);
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
        snprintf(text, sizeof text,
                 "%u instructions that ask the system or the processor could not be rewritten",
                 canon_patch_missed());
        canon_role_note(CANON_NOTE_LIMIT, text);
    }
    const char *some;
    unsigned missed = canon_racy_missed(&some);
    if (missed) {
        char text[300];
        snprintf(text, sizeof text,
                 "%u instructions of the list of those that race could not be rewritten: %s", missed, some);
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
    struct canon_told told = {0};
    if (!canon_reals_find())
        canon_native_give_up("this libc lacks a function that canon stands in front of");
    canon_native.real_pid = canon_native.recorded_pid = getpid();
    if (!read_told(given->environment, &told))
        return;
    canon_native.atomics = dlsym(RTLD_NEXT, "__atomic_load_4"); /* libatomic: atomics.c */
    clean_environment(given->environment, &told);
    take_racy(&told);
    intercept(); /* from now on what canon maps has its own place */
    canon_part_start(&told, given->argc, given->argv, given->environment);
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

/* For a debugger: code is rewritten by now, and may have breakpoints. */
__attribute__((noinline)) static void ready_for_debugger(void)
{
    __asm__ volatile("");
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
    if (canon_native_replays())
        ready_for_debugger();
    canon_native_leave(self, error);
    if (canon_insitu)
        canon_insitu_await_first();
}
