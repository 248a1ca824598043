/*
 * natives.c: finds the table row of a native when the JVM binds it, and redirects it.
 */
#include "jvm/natives.h"

#include "base/assert.h"
#include "base/log.h"
#include "jvm/foreign.h"
#include "jvm/functions.h"
#include "jvm/hash.h"
#include "jvm/order.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

const struct canon_row canon_rows[] = {
#define NATIVE(class_name, method, descriptor, policy, spec)                                                 \
    {class_name, method, descriptor, CANON_POLICY_##policy, spec},
#include "jvm/table/all.def"
#undef NATIVE
};
const size_t canon_row_count = sizeof canon_rows / sizeof *canon_rows;

/* ---- the table, by class and method ---------------------------------------------------------------- */

enum { INDEX_SIZE = 8192 };
static_assert(sizeof canon_rows / sizeof *canon_rows < INDEX_SIZE / 2, "index too small");
static uint16_t row_index[INDEX_SIZE]; /* row number + 1 */

static size_t hash_of(const char *class_name, const char *method)
{
    XXH64_hash_t hash = XXH3_64bits(class_name, strlen(class_name));
    return XXH3_64bits_withSeed(method, strlen(method), hash) % INDEX_SIZE;
}

static void build_index(void)
{
    for (size_t i = 0; i < canon_row_count; i++) {
        size_t slot = hash_of(canon_rows[i].class_name, canon_rows[i].method);
        while (row_index[slot])
            slot = (slot + 1) % INDEX_SIZE;
        row_index[slot] = (uint16_t)(i + 1);
    }
}

const struct canon_row *canon_row_find(const char *class_name, const char *method, const char *descriptor)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, build_index);
    for (size_t slot = hash_of(class_name, method); row_index[slot]; slot = (slot + 1) % INDEX_SIZE) {
        const struct canon_row *row = &canon_rows[row_index[slot] - 1];
        if (strcmp(row->class_name, class_name) == 0 && strcmp(row->method, method) == 0 &&
            (strcmp(row->descriptor, "*") == 0 || strcmp(row->descriptor, descriptor) == 0))
            return row;
    }
    return NULL;
}

/* ---- the redirected ones ---------------------------------------------------------------------------- */

/* Protects the two below while a native is added; leaf lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct canon_native *natives[CANON_THUNKS];
static uint32_t native_count;

struct canon_native *canon_native_at(uint32_t number)
{
    return natives[number];
}

static void *thunk_of(uint32_t number)
{
    return (void *)(canon_thunks + ((size_t)number << CANON_THUNK_SHIFT));
}

/* A native can be bound more than once (RegisterNatives over a lazy bind): same thunk again. */
static uint32_t number_of(const char *name)
{
    uint32_t number = 0;
    while (number < native_count && strcmp(natives[number]->name, name) != 0)
        number++;
    return number;
}

static bool is_static(jmethodID method)
{
    jint modifiers = 0;
    (*canon_agent.jvmti)->GetMethodModifiers(canon_agent.jvmti, method, &modifiers);
    return modifiers & 0x0008;
}

static struct canon_native *make(const struct canon_row *row, const char *name, const char *descriptor,
                                 enum canon_callee callee)
{
    struct canon_native *native = calloc(1, sizeof *native);
    canon_assert(native);
    char problem[256];
    bool described = row->policy == CANON_POLICY_RECORD || row->policy == CANON_POLICY_CLOCK ||
                     row->policy == CANON_POLICY_RERUN || row->policy == CANON_POLICY_FILE ||
                     row->policy == CANON_POLICY_THREADS;
    int status = canon_spec_compile(descriptor, callee, described ? row->spec : "", &native->spec, problem,
                                    sizeof problem);
    if (status) {
        canon_say("row of %s: %s", name, problem);
        free(native);
        return NULL;
    }
    native->row = row;
    native->name = strdup(name);
    if (row->policy == CANON_POLICY_SPECIAL)
        native->special = callee == CANON_CALLEE_FUNCTION ? canon_function_special(row->spec)
                                                          : canon_special_find(row->spec);
    return native;
}

static void add(struct canon_native *native)
{
    native->id = canon_role_name(native->name);
    natives[native_count++] = native;
}

/* The thunk that stands for `address` from now on; NULL: there is no such native. */
static void *stand_in(uint32_t number, void *address)
{
    if (number == native_count)
        return NULL;
    if (address != thunk_of(number))
        natives[number]->real = address;
    return thunk_of(number);
}

static void *redirect(JNIEnv *env, const struct canon_row *row, const char *name, const char *descriptor,
                      jmethodID method, void *address)
{
    pthread_mutex_lock(&lock);
    uint32_t number = number_of(name);
    if (number == native_count && number < CANON_THUNKS) {
        struct canon_native *native =
            make(row, name, descriptor, is_static(method) ? CANON_CALLEE_STATIC : CANON_CALLEE_METHOD);
        jclass owner;
        if (native && env &&
            !(*canon_agent.jvmti)->GetMethodDeclaringClass(canon_agent.jvmti, method, &owner))
            native->owner = (*env)->NewGlobalRef(env, owner);
        if (native)
            add(native);
    }
    void *thunk = stand_in(number, address);
    pthread_mutex_unlock(&lock);
    return thunk;
}

void *canon_native_function(const struct canon_row *row, void *address)
{
    char name[256];
    snprintf(name, sizeof name, "%s.%s%s", row->class_name, row->method, row->descriptor);
    pthread_mutex_lock(&lock);
    uint32_t number = number_of(name);
    if (number == native_count && number < CANON_THUNKS) {
        struct canon_native *native = make(row, name, row->descriptor, CANON_CALLEE_FUNCTION);
        if (native)
            add(native);
    }
    void *thunk = stand_in(number, address);
    pthread_mutex_unlock(&lock);
    return thunk;
}

/* Whether the class belongs to the JDK: defined by the boot or the platform loader. */
static bool of_jdk(JNIEnv *env, jclass class)
{
    jobject loader = NULL;
    (*canon_agent.jvmti)->GetClassLoader(canon_agent.jvmti, class, &loader);
    if (!loader)
        return true;
    char *signature = NULL;
    jclass loader_class = (*env)->GetObjectClass(env, loader);
    (*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, loader_class, &signature, NULL);
    bool platform =
        signature && strcmp(signature, "Ljdk/internal/loader/ClassLoaders$PlatformClassLoader;") == 0;
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    return platform;
}

/* A row for a native that the table does not know, if the user wants it recorded; else NULL. */
static const struct canon_row *wanted_row(const char *class_name, const char *method, const char *descriptor)
{
    const char **pattern = canon_agent.natives;
    while (pattern && *pattern && !canon_foreign_matches(*pattern, class_name, method))
        pattern++;
    if (!pattern || !*pattern)
        return NULL;
    char spec[256];
    canon_foreign_spec(descriptor, spec, sizeof spec);
    struct canon_row *row = calloc(1, sizeof *row); /* lives as long as the native: to the end */
    canon_assert(row);
    *row = (struct canon_row){strdup(class_name), strdup(method), strdup(descriptor), CANON_POLICY_RECORD,
                              strdup(spec)};
    return row;
}

static void *choose(JNIEnv *env, jclass class, const char *class_name, const char *method_name,
                    const char *descriptor, jmethodID method, void *address)
{
    char name[1024];
    snprintf(name, sizeof name, "%s.%s%s", class_name, method_name, descriptor);
    const struct canon_row *row = canon_row_find(class_name, method_name, descriptor);
    if (row && row->policy == CANON_POLICY_RUN)
        return NULL;
    if (row)
        return redirect(env, row, name, descriptor, method, address);
    if (strncmp(class_name, "java/lang/Canon", 15) == 0)
        return NULL;
    row = wanted_row(class_name, method_name, descriptor);
    void *thunk = row ? redirect(env, row, name, descriptor, method, address) : NULL;
    canon_role_note(thunk                       ? CANON_NOTE_WANTED
                    : env && of_jdk(env, class) ? CANON_NOTE_UNSUPPORTED
                                                : CANON_NOTE_THIRD_PARTY,
                    name);
    return thunk;
}

void JNICALL canon_native_bound(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method, void *address,
                                void **replacement)
{
    (void)thread;
    char *name = NULL, *descriptor = NULL, *signature = NULL;
    jclass class;
    if (canon_hash_is_native(address)) {
        *replacement = (void *)canon_hash_of;
        return;
    }
    if (canon_order_is_wait(address)) {
        *replacement = (void *)canon_order_wait;
        return;
    }
    /* In the primordial phase names cannot be asked for: three more methods of Object, which run as they are.
     */
    if ((*jvmti)->GetMethodName(jvmti, method, &name, &descriptor, NULL))
        return;
    if (!(*jvmti)->GetMethodDeclaringClass(jvmti, method, &class) &&
        !(*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) && signature[0] == 'L') {
        signature[strlen(signature) - 1] = '\0';
        void *thunk = choose(env, class, signature + 1, name, descriptor, method, address);
        if (thunk)
            *replacement = thunk;
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}
