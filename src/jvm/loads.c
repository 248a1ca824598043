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
#include "jvm/inits.h"
#include "jvm/order.h"
#include "jvm/serial.h"
#include "jvm/threads.h"
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
    struct canon_init *init;
};

/* What a loader's field canonName points to; never freed: strands have their names from it. */
struct loader {
    bool of_jdk; /* one of the JDK's own */
    char name[];
};

/* Protects the table; leaf lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Held while a loader gets its name; the one above may be taken under it. */
static pthread_mutex_t naming = PTHREAD_MUTEX_INITIALIZER;
static struct canon_map attempts; /* how many there were, by what is attempted */

static uint64_t key_of(const char *what, const char *loader, const char *class)
{
    uint64_t key = XXH3_64bits_withSeed(class, strlen(class), XXH3_64bits(loader, strlen(loader)));
    return XXH3_64bits_withSeed(what, strlen(what), key);
}

static unsigned next_attempt(const char *what, const char *loader, const char *class)
{
    pthread_mutex_lock(&lock);
    unsigned attempt = (unsigned)canon_map_put(&attempts, key_of(what, loader, class))->number++;
    pthread_mutex_unlock(&lock);
    return attempt;
}

static char *strand_name(const char *what, const char *loader, const char *class, unsigned attempt)
{
    char *name = NULL;
    if (asprintf(&name, "%s%.500s %.3000s#%u", what, loader, class, attempt) < 0)
        name = NULL;
    canon_assert(name);
    return name;
}

/* ---- loaders ------------------------------------------------------------------------------------------- */

static char *class_of(JNIEnv *env, jobject object)
{
    char *signature = NULL;
    jclass class = (*env)->GetObjectClass(env, object);
    (*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, class, &signature, NULL);
    (*env)->DeleteLocalRef(env, class);
    char *copy = strdup(signature ? signature : "?");
    canon_assert(copy);
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    return copy;
}

/* "main.2" for the third of its class that "thread main" made; just a number without a strand. */
static struct loader *name_loader(const char *class, const struct canon_strand *maker)
{
    const char *label = maker ? canon_strand_label(maker) : "";
    const char *blank = strchr(label, ' ');
    char by[128] = "";
    if (strlen(label) < sizeof by - 1)
        snprintf(by, sizeof by, "%s%s", blank ? blank + 1 : label, maker ? "." : "");
    else
        snprintf(by, sizeof by, "%016llx.", (unsigned long long)XXH3_64bits(label, strlen(label)));
    unsigned number = next_attempt("loader ", class, by);
    size_t size = strlen(class) + strlen(by) + 16;
    struct loader *loader = malloc(sizeof *loader + size);
    canon_assert(loader);
    snprintf(loader->name, size, "%s%s%u", class, by, number);
    loader->of_jdk = strncmp(class, "Ljdk/internal/loader/", 21) == 0;
    return loader;
}

/* The field; NULL if the JVM's ClassLoader did not get it. */
static jfieldID name_field(JNIEnv *env)
{
    static _Atomic(jfieldID) field;
    if (!field) {
        jclass class = (*env)->FindClass(env, "java/lang/ClassLoader");
        field = (*env)->GetFieldID(env, class, "canonName", "J");
        (*env)->DeleteLocalRef(env, class);
        (*env)->ExceptionClear(env);
    }
    return field;
}

static const struct loader *loader_of(JNIEnv *env, jobject object, const struct canon_strand *maker)
{
    static const struct loader BOOT = {true, "boot"};
    jfieldID field = object ? name_field(env) : NULL;
    if (!field)
        return &BOOT;
    struct loader *loader = (struct loader *)(*env)->GetLongField(env, object, field);
    if (loader)
        return loader;
    char *class = class_of(env, object);
    pthread_mutex_lock(&naming);
    loader = (struct loader *)(*env)->GetLongField(env, object, field);
    if (!loader)
        loader = name_loader(class, maker);
    (*env)->SetLongField(env, object, field, (jlong)loader);
    pthread_mutex_unlock(&naming);
    free(class);
    return loader;
}

void canon_loader_made(JNIEnv *env, jobject object)
{
    const struct canon_thread *thread = canon_thread_self();
    loader_of(env, object, thread->block.quiet ? NULL : thread->strand);
}

const char *canon_loader_name(JNIEnv *env, jobject object)
{
    return loader_of(env, object, NULL)->name;
}

char *canon_init_strand(JNIEnv *env, jobject object, const char *class, unsigned attempt)
{
    const struct loader *loader = loader_of(env, object, NULL);
    return strand_name(CANON_STRAND_INIT, loader->of_jdk ? "" : loader->name, class, attempt);
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

static struct canon_load *enter(const char *name)
{
    struct canon_strand *strand = canon_strand_open_short(name);
    struct canon_thread *thread = canon_thread_self();
    struct canon_load *load = calloc(1, sizeof *load);
    canon_assert(load);
    *load = (struct canon_load){.outer = *thread, .strand = strand};
    if (load->outer.lane) /* others do not wait for it now: order/lane.h */
        atomic_fetch_add(&load->outer.lane->still, 1);
    canon_thread_switch(strand);
    thread->depth = 0;
    thread->load = load;
    return load;
}

void canon_load_enter(JNIEnv *env, jobject object, jstring class_name)
{
    char *class = class_name ? canon_java_text(env, class_name) : strdup("null");
    const struct canon_load *outer = canon_thread_self()->load;
    const struct loader *loader = loader_of(env, object, NULL);
    char *strand = strand_name(CANON_STRAND_LOAD, loader->name, class,
                               next_attempt(CANON_STRAND_LOAD, loader->name, class));
    bool for_compiler =
        object && !was_asked(loader->name, class) && (canon_load_may_fail(outer) || is_for_compiler(class));
    struct canon_load *load = enter(strand);
    load->by_content = true;
    load->of_jdk = loader->of_jdk;
    load->for_compiler = for_compiler;
    free(strand);
    free(class);
}

/* Of the static initialiser that called Canon.enterInit. */
static jclass calling_class(void)
{
    enum { OWN_FRAMES = 2 }; /* enterInit0, enterInit */
    jmethodID method = NULL;
    jlocation location;
    jclass type = NULL;
    if (!(*canon_agent.jvmti)->GetFrameLocation(canon_agent.jvmti, NULL, OWN_FRAMES, &method, &location))
        (*canon_agent.jvmti)->GetMethodDeclaringClass(canon_agent.jvmti, method, &type);
    return type;
}

void canon_init_enter(JNIEnv *env, jstring class_name)
{
    char *class = canon_java_text(env, class_name);
    jclass type = calling_class();
    jobject loader = NULL;
    if (type)
        (*canon_agent.jvmti)->GetClassLoader(canon_agent.jvmti, type, &loader);
    const char *of = loader_of(env, loader, NULL)->name;
    char *strand = canon_init_strand(env, loader, class, next_attempt(CANON_STRAND_INIT, of, class));
    struct canon_init *init = canon_inits_begun(type, strand);
    struct canon_load *load = enter(strand);
    load->init = init;
    free(strand);
    free(class);
    canon_turns_initialise(canon_thread_self(), &load->outer);
}

bool canon_load_within(const struct canon_thread *thread, const char *label)
{
    while (thread->strand && strcmp(canon_strand_label(thread->strand), label) != 0 && thread->load)
        thread = &thread->load->outer;
    return thread->strand && strcmp(canon_strand_label(thread->strand), label) == 0;
}

bool canon_load_of_jdk(const struct canon_load *load)
{
    return load && load->by_content && load->of_jdk;
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
    struct canon_init *init = load->init;
    *thread = load->outer;
    if (thread->lane)
        atomic_fetch_sub(&thread->lane->still, 1);
    free(load);
    canon_lane_close(lane, strand);
    canon_inits_ended(init);
    canon_order_resumes(thread);
}
