/*
 * natives.h: the table of natives and those of them that are redirected.
 */
#ifndef CANON_JVM_NATIVES_H
#define CANON_JVM_NATIVES_H

#include "jvm/agent.h"
#include "jvm/spec.h"
#include "jvm/thunks.h"

#define CANON_POLICIES(X)                                                                                    \
    X(RECORD)                                                                                                \
    X(FILE)                                                                                                  \
    X(CLOCK)                                                                                                 \
    X(RERUN)                                                                                                 \
    X(THREADS)                                                                                               \
    X(RUN)                                                                                                   \
    X(QUIET)                                                                                                 \
    X(SPECIAL)                                                                                               \
    X(REFUSE)

enum canon_policy {
#define X(name) CANON_POLICY_##name,
    CANON_POLICIES(X)
#undef X
};

/* A row of src/jvm/table. */
struct canon_row {
    const char *class_name;
    const char *method;
    const char *descriptor;
    enum canon_policy policy;
    const char *spec;
};

extern const struct canon_row canon_rows[];
extern const size_t canon_row_count;

/* NULL when the table has no such native. */
const struct canon_row *canon_row_find(const char *class_name, const char *method, const char *descriptor);

struct canon_native;
typedef uint64_t (*canon_special_fn)(struct canon_native *native, JNIEnv *env, struct canon_frame *frame);

/* What SPECIAL rows may name. */
struct canon_special {
    const char *name;
    canon_special_fn function;
};

/* The one of that name, NULL if there is none. */
canon_special_fn canon_special_named(const struct canon_special *all, size_t count, const char *name);

/* A native that was bound and redirected. */
struct canon_native {
    const struct canon_row *row;
    char *name; /* class.method descriptor, as in the trace */
    uint64_t id;
    struct canon_spec spec;
    void *real;
    canon_special_fn special;
    jclass owner;
    jfieldID owner_fd; /* field fd of the owner, for this.fd */
    bool noted;
};

struct canon_native *canon_native_at(uint32_t number);

/* The thunk for a function of the system's library (functions.h), which is at `address`; NULL: there is no
 * room. */
void *canon_native_function(const struct canon_row *row, void *address);

/* JVMTI NativeMethodBind. */
void JNICALL canon_native_bound(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method, void *address,
                                void **replacement);

/* call.c: the way of RECORD rows: the result is an event, and at replay comes out of the trace. */
uint64_t canon_native_record(struct canon_native *native, JNIEnv *env, struct canon_frame *frame);

/* call.c: what the current thread's call in work was given, for a report; NULL if there is none. */
char *canon_call_text(void);

/* special.c: the function behind a SPECIAL row, NULL if there is none of that name. */
canon_special_fn canon_special_find(const char *name);

static inline uint64_t canon_native_run(const struct canon_native *native, const struct canon_frame *frame)
{
    bool is_float = native->spec.result == 'F' || native->spec.result == 'D';
    return canon_native_call(native->real, frame, native->spec.stack_slots, is_float);
}

/* The raw value of argument `number` (from 1). */
static inline uint64_t canon_frame_arg(const struct canon_native *native, const struct canon_frame *frame,
                                       int64_t number)
{
    const struct canon_arg *arg = &native->spec.args[number - 1];
    return arg->place == CANON_PLACE_INTEGER ? frame->integers[arg->slot]
           : arg->place == CANON_PLACE_FLOAT ? frame->floats[arg->slot]
                                             : frame->stack[arg->slot];
}

#endif
