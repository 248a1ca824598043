/*
 * loads.c: see loads.h.
 *
 * What loaders read from files goes by content (call.c, memo.h); everything else that they do, a look at
 * the clock in a user's loader, say, goes into a short strand named after loader, class and attempt.
 */
#include "jvm/loads.h"

#include "base/assert.h"
#include "base/log.h"
#include "base/map.h"
#include "jvm/serial.h"
#include "jvm/transfer.h"
#include "order/lane.h"
#include "role/memo.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* What the thread was before it began to load or initialise. */
struct canon_load {
    struct canon_thread outer;
    struct canon_strand *strand;
    bool by_content;
    bool of_jdk;       /* one of the JDK's own loaders */
    bool for_compiler; /* see is_for_compiler */
};

struct loader {
    jweak object;
    char *name;
};

/* Protects the two tables; leaf lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct loader *loaders;
static size_t loader_count;
static struct canon_map attempts; /* how many there were, by what is attempted */

static char *class_of(JNIEnv *env, jobject object)
{
    char *signature = NULL;
    jclass class = (*env)->GetObjectClass(env, object);
    (*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, class, &signature, NULL);
    char *copy = strdup(signature ? signature : "?");
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    return copy;
}

/* A loader is known by its class and by how many of that class came before it. */
static const char *name_of(JNIEnv *env, jobject loader)
{
    if (!loader)
        return "boot";
    for (size_t i = 0; i < loader_count; i++)
        if ((*env)->IsSameObject(env, loaders[i].object, loader))
            return loaders[i].name;
    char *class = class_of(env, loader);
    size_t length = strlen(class), number = 0;
    for (size_t i = 0; i < loader_count; i++)
        number += strncmp(loaders[i].name, class, length) == 0;
    loaders = realloc(loaders, (loader_count + 1) * sizeof *loaders);
    canon_assert(loaders);
    struct loader *entry = &loaders[loader_count++];
    entry->object = (*env)->NewWeakGlobalRef(env, loader);
    if (asprintf(&entry->name, "%s%zu", class, number) < 0)
        entry->name = NULL;
    canon_assert(entry->name);
    free(class);
    return entry->name;
}

static uint64_t key_of(const char *what, const char *loader, const char *class)
{
    uint64_t key = XXH3_64bits_withSeed(class, strlen(class), XXH3_64bits(loader, strlen(loader)));
    return XXH3_64bits_withSeed(what, strlen(what), key);
}

static struct canon_strand *open_strand(const char *what, const char *loader, const char *class)
{
    char name[CANON_CHUNK_NAME_MAX];
    unsigned attempt = (unsigned)canon_map_put(&attempts, key_of(what, loader, class))->number++;
    snprintf(name, sizeof name, "%s%.500s %.3000s#%u", what, loader, class, attempt);
    return canon_strand_open_short(name);
}

/* ---- classes that only the compiler asks for -------------------------------------------------------- */

/* Recorder: notes that the loader was asked for the class. Replayer: whether it was. */
static bool was_asked(const char *loader, const char *class)
{
    static _Atomic uint64_t id;
    const struct canon_buffer nothing = {0};
    struct canon_reader items;
    uint64_t key = key_of(CANON_STRAND_LOAD, loader, class);
    enum canon_role_kind role = canon_role_now();
    if (role == CANON_ROLE_RECORDER)
        canon_memo_put(key, canon_role_name_kept("java/lang/ClassLoader.loadClass", &id), &nothing);
    return role != CANON_ROLE_REPLAYER || canon_memo_get(key, &items);
}

static bool has_in_signature(jmethodID method, const char *descriptor)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    char *signature = NULL;
    bool has = !(*jvmti)->GetMethodName(jvmti, method, NULL, &signature, NULL) && signature &&
               strstr(signature, descriptor);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return has;
}

/*
 * Before C2 compiles a method, the thread that called it once too often asks for the classes in its
 * signature. When that is, or whether at all, is a matter of timing. The stack shows the method, or what it
 * has inlined, as the caller of loadClass.
 */
static bool is_for_compiler(const char *class)
{
    enum { OWN_FRAMES = 3, INLINED = 10 }; /* enterLoad0, enterLoad, loadClass */
    jvmtiFrameInfo frames[INLINED];
    jint count = 0;
    char *descriptor;
    if ((*canon_agent.jvmti)->GetStackTrace(canon_agent.jvmti, NULL, OWN_FRAMES, INLINED, frames, &count) ||
        asprintf(&descriptor, "L%s;", class) < 0)
        return false;
    for (char *at = descriptor; *at; at++)
        *at = *at == '.' ? '/' : *at;
    bool found = false;
    for (jint i = 0; i < count && !found; i++)
        found = has_in_signature(frames[i].method, descriptor);
    free(descriptor);
    return found;
}

bool canon_load_may_fail(const struct canon_load *load)
{
    return load && load->for_compiler;
}

jthrowable canon_load_failure(JNIEnv *env, const struct canon_load *load)
{
    const char *what = canon_strand_label(load->strand);
    canon_log("jvm", CANON_LOG_DEBUG, "only the compiler asks for it, it does not get it: %s", what);
    (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/NoClassDefFoundError"), what);
    jthrowable failure = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    return failure;
}

/* ---- loading and initialising ----------------------------------------------------------------------- */

static struct canon_load *enter(struct canon_strand *strand)
{
    struct canon_thread *thread = canon_thread_self();
    struct canon_load *load = calloc(1, sizeof *load);
    canon_assert(load);
    *load = (struct canon_load){.outer = *thread, .strand = strand};
    canon_thread_switch(strand);
    thread->depth = 0;
    thread->load = load;
    return load;
}

void canon_load_enter(JNIEnv *env, jobject loader, jstring class_name)
{
    char *class = class_name ? canon_java_text(env, class_name) : strdup("null");
    const struct canon_load *outer = canon_thread_self()->load;
    pthread_mutex_lock(&lock);
    const char *name = name_of(env, loader);
    struct canon_strand *strand = open_strand(CANON_STRAND_LOAD, name, class);
    pthread_mutex_unlock(&lock);
    bool for_compiler =
        loader && !was_asked(name, class) && (canon_load_may_fail(outer) || is_for_compiler(class));
    free(class);
    struct canon_load *load = enter(strand);
    load->by_content = true;
    load->of_jdk = !loader || strncmp(name, "Ljdk/internal/loader/", 21) == 0;
    load->for_compiler = for_compiler;
}

void canon_init_enter(JNIEnv *env, jstring class_name)
{
    char *class = canon_java_text(env, class_name);
    pthread_mutex_lock(&lock);
    struct canon_strand *strand = open_strand(CANON_STRAND_INIT, "", class);
    pthread_mutex_unlock(&lock);
    free(class);
    struct canon_load *load = enter(strand);
    canon_turns_initialise(canon_thread_self(), &load->outer);
}

bool canon_load_by_content(const struct canon_load *load)
{
    return load && load->by_content;
}

bool canon_load_ignores_clock(const struct canon_load *load)
{
    if (!canon_load_by_content(load))
        return false;
    return load->of_jdk ||
           (canon_role_now() == CANON_ROLE_REPLAYER && !canon_strand_is_recorded(load->strand));
}

void canon_load_leave(void)
{
    struct canon_thread *thread = canon_thread_self();
    struct canon_load *load = thread->load;
    if (!load)
        return;
    struct canon_strand *strand = thread->strand;
    struct canon_lane *lane = thread->lane;
    if (!load->by_content)
        canon_turns_initialised(thread);
    *thread = load->outer;
    free(load);
    canon_lane_close(lane, strand);
}
