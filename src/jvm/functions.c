/* functions.c: see functions.h. */
#include "jvm/functions.h"

#include "base/assert.h"
#include "jvm/locks.h"
#include "jvm/memory.h"
#include "jvm/streams.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>

static const struct canon_row FUNCTIONS[] = {
#define FUNCTION(name, descriptor, policy, spec) {"libc", name, descriptor, CANON_POLICY_##policy, spec},
#define FUNCTION2(name, other, descriptor, policy, spec)                                                     \
    FUNCTION(name, descriptor, policy, spec) FUNCTION(other, descriptor, policy, spec)
#include "jvm/table/functions.def"
#undef FUNCTION2
#undef FUNCTION
};
enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof *FUNCTIONS };

/* C++'s library may be one that nobody else sees; then its operators are not needed. */
static void *real(const char *name)
{
    void *function = dlsym(RTLD_DEFAULT, name);
    if (!function && strncmp(name, "_Zd", 3) == 0)
        function = dlsym(RTLD_DEFAULT, "free");
    if (!function && strncmp(name, "_Zn", 3) == 0 && !strstr(name, "align"))
        function = dlsym(RTLD_DEFAULT, "malloc");
    return function;
}

void *canon_function_stand_in(const char *name)
{
    for (int i = 0; i < FUNCTION_COUNT; i++)
        if (strcmp(FUNCTIONS[i].method, name) == 0) {
            void *function = real(name);
            return function ? canon_native_function(&FUNCTIONS[i], function) : NULL;
        }
    return NULL;
}

/* ---- functions whose row depends on what they are asked ------------------------------------------------ */

/* The way of RECORD rows, with another spec; `made` keeps what is made of it. */
static uint64_t record_as(struct canon_native **made, struct canon_native *native, const char *spec,
                          JNIEnv *env, struct canon_frame *frame)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects *made; leaf */
    pthread_mutex_lock(&lock);
    if (!*made) {
        char problem[256];
        struct canon_row *row = calloc(1, sizeof *row);
        struct canon_native *other = calloc(1, sizeof *other);
        canon_assert(row && other);
        *row = *native->row;
        row->policy = CANON_POLICY_RECORD;
        row->spec = spec;
        *other = *native;
        other->row = row;
        other->special = NULL;
        canon_assert(!canon_spec_compile(row->descriptor, CANON_CALLEE_FUNCTION, spec, &other->spec, problem,
                                         sizeof problem));
        *made = other;
    }
    pthread_mutex_unlock(&lock);
    (*made)->real = native->real;
    return canon_native_record(*made, env, frame);
}

static uint64_t control(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    static struct canon_native *plain, *locks, *duplicates;
    int command = (int)canon_frame_arg(native, frame, 2);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        return record_as(&duplicates, native, "fd(1) retfd(=0)", env, frame);
    bool has_pointer = command == F_GETLK || command == F_SETLK || command == F_SETLKW ||
                       command == F_OFD_GETLK || command == F_OFD_SETLK || command == F_OFD_SETLKW;
    return has_pointer ? record_as(&locks, native, "fd(1) outmem(3,=32)", env, frame)
                       : record_as(&plain, native, "fd(1) skip(3)", env, frame);
}

/* How much a request leaves where its argument points to. */
static const char *request_spec(uint64_t request)
{
    switch (request) {
    case FIONREAD:
    case TIOCOUTQ:
    case TIOCGPGRP:
        return "fd(1) outmem(3,=4)";
    case TIOCGWINSZ:
        return "fd(1) outmem(3,=8)";
    case TCGETS:
        return "fd(1) outmem(3,=60)";
    case 0x8912 ... 0x8970: /* SIOCGIFCONF and so on: of interfaces */
        return "fd(1) outmem(3,=40)";
    default:
        return "fd(1) skip(3)";
    }
}

static uint64_t request(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    static struct canon_native *none, *four, *eight, *sixty, *forty;
    const char *spec = request_spec(canon_frame_arg(native, frame, 2));
    struct canon_native **made = strstr(spec, "=4)")    ? &four
                                 : strstr(spec, "=8)")  ? &eight
                                 : strstr(spec, "=60)") ? &sixty
                                 : strstr(spec, "=40)") ? &forty
                                                        : &none;
    return record_as(made, native, spec, env, frame);
}

/* A mapped file's contents are in the trace; other memory is no input. */
static uint64_t map(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    static struct canon_native *files;
    bool anonymous = canon_frame_arg(native, frame, 4) & MAP_ANONYMOUS;
    return anonymous ? canon_native_run(native, frame)
                     : record_as(&files, native, "fd(5) filemap(1,2,6)", env, frame);
}

/* Into a buffer of the caller's, or of malloc's. */
static uint64_t directory(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    static struct canon_native *given;
    if (frame->integers[0])
        return record_as(&given, native, "retarg(1) outmem(1,2)", env, frame);
    frame->integers[1] = frame->integers[1] ? frame->integers[1] : PATH_MAX;
    frame->integers[0] = (uint64_t)malloc(frame->integers[1]);
    uint64_t found = frame->integers[0] ? directory(native, env, frame) : 0;
    if (!found)
        free((void *)frame->integers[0]);
    return found;
}

static uint64_t real_path(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    static struct canon_native *given;
    if (frame->integers[1])
        return record_as(&given, native, "cstr(1) retarg(2) outmem(2,=4096)", env, frame);
    frame->integers[1] = (uint64_t)calloc(1, PATH_MAX);
    uint64_t found = frame->integers[1] ? real_path(native, env, frame) : 0;
    if (!found)
        free((void *)frame->integers[1]);
    return found;
}

canon_special_fn canon_function_special(const char *name)
{
    static const struct canon_special SPECIALS[] = {
        {"control", control},
        {"request", request},
        {"map", map},
        {"directory", directory},
        {"real_path", real_path},
        {"stream_open", canon_stream_open},
        {"stream_of", canon_stream_of},
        {"stream_number", canon_stream_number},
    };
    canon_special_fn found = canon_special_named(SPECIALS, sizeof SPECIALS / sizeof *SPECIALS, name);
    found = found ? found : canon_lock_special(name);
    return found ? found : canon_memory_special(name);
}
