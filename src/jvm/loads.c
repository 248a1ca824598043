/*
 * loads.c: see loads.h.
 *
 * What loaders read from files goes by content (call.c, memo.h). Everything else that they do, a look at
 * the clock in a user's loader, say, goes into a short strand named after loader, class and attempt; or,
 * where the order of threads is kept, and the loader is the program's own, into that of who asks for the
 * class.
 */
#include "jvm/loads.h"

#include "base/assert.h"
#include "base/log.h"
#include "base/map.h"
#include "jvm/asker.h"
#include "jvm/inits.h"
#include "jvm/order.h"
#include "jvm/requests.h"
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
    bool here; /* that is the strand of `outer` */
    bool by_content;
    bool of_jdk;       /* one of the JDK's own loaders */
    bool for_compiler; /* see canon_load_may_fail */
    struct canon_init *init;
    uint64_t key; /* of an own loader: canon_request_key */
    enum canon_request_way way;
    jobject locked; /* the loader, where its monitor is held */
};

/* Protects the table; leaf lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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

char *canon_init_strand(JNIEnv *env, jobject object, const char *class, unsigned attempt)
{
    const struct canon_loader *loader = canon_loader_of(env, object);
    return strand_name(CANON_STRAND_INIT, loader->of_jdk ? "" : loader->name, class, attempt);
}

/* ---- classes that only the compiler asks for -------------------------------------------------------- */

/* Recorder: the loader is asked for the class. */
static void note_asked(const char *loader, const char *class)
{
    static _Atomic uint64_t id;
    const struct canon_buffer nothing = {0};
    if (canon_role_now() == CANON_ROLE_RECORDER)
        canon_memo_put(key_of(CANON_STRAND_LOAD, loader, class),
                       canon_role_name_kept("java/lang/ClassLoader.loadClass", &id), &nothing);
}

bool canon_load_was_asked(const char *loader, const char *class)
{
    struct canon_reader items;
    return canon_memo_get(key_of(CANON_STRAND_LOAD, loader, class), &items);
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

/* On a strand of its own. */
static struct canon_load *enter_apart(const struct canon_loader *loader, const char *class)
{
    const struct canon_load *outer = canon_thread_self()->load;
    char *strand = strand_name(CANON_STRAND_LOAD, loader->name, class,
                               next_attempt(CANON_STRAND_LOAD, loader->name, class));
    note_asked(loader->name, class);
    bool unknown = canon_role_now() == CANON_ROLE_REPLAYER && strcmp(loader->name, "boot") != 0 &&
                   !canon_load_was_asked(loader->name, class);
    bool for_compiler = unknown && (canon_load_may_fail(outer) || canon_asker_is_compiler(class, false));
    struct canon_load *load = enter(strand);
    load->for_compiler = for_compiler;
    free(strand);
    return load;
}

/* On the present strand: in order, even if the JVM asks in the middle of something that is not. */
static struct canon_load *enter_here(void)
{
    struct canon_thread *thread = canon_thread_self();
    struct canon_load *load = calloc(1, sizeof *load);
    canon_assert(load);
    *load = (struct canon_load){.outer = *thread, .strand = thread->strand, .here = true};
    thread->load = load;
    thread->block.lane = (int64_t)thread->lane;
    thread->block.quiet = 0;
    return load;
}

static bool is_here(enum canon_request_way way)
{
    return way == CANON_REQUEST_HERE || way == CANON_REQUEST_HELD;
}

/* Classes that rewritten code names are not the program's to load, and other ones at replay. */
static bool is_helper(const char *class)
{
    return strncmp(class, "java.lang.Canon", 15) == 0;
}

static jobject find_helper(JNIEnv *env, char *class)
{
    for (char *at = class; *at; at++)
        *at = *at == '.' ? '/' : *at;
    return (*env)->FindClass(env, class);
}

jobject canon_load_enter(JNIEnv *env, jobject object, jstring class_name)
{
    char *class = class_name ? canon_java_text(env, class_name) : strdup("null");
    const struct canon_loader *loader = canon_loader_of(env, object);
    const struct canon_request request = {loader, object, class_name, class};
    enum canon_request_way way = CANON_REQUEST_APART;
    jobject answer = NULL;
    if (object && is_helper(class)) {
        answer = find_helper(env, class);
        way = CANON_REQUEST_ANSWERED;
    } else if (loader->own)
        way = canon_request_made(env, &request, &answer);
    if (way != CANON_REQUEST_ANSWERED) {
        struct canon_load *load = is_here(way) ? enter_here() : enter_apart(loader, class);
        load->by_content = true;
        load->of_jdk = loader->of_jdk;
        load->key = loader->own ? canon_request_key(&request) : 0;
        load->way = way;
        if (way == CANON_REQUEST_HELD || way == CANON_REQUEST_LOCKED)
            load->locked = (*env)->NewGlobalRef(env, object);
    }
    free(class);
    return answer;
}

bool canon_load_is_nested(const struct canon_thread *thread, uint64_t key)
{
    const struct canon_load *load = thread->load;
    while (load && load->key != key)
        load = load->outer.load;
    return load;
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
    const char *of = canon_loader_of(env, loader)->name;
    char *strand = canon_init_strand(env, loader, class, next_attempt(CANON_STRAND_INIT, of, class));
    if (loader) /* who initialises classes of the JDK, and when, is nobody's business */
        canon_requests_before(canon_thread_self());
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

const struct canon_thread *canon_load_thread(const struct canon_thread *thread)
{
    while (thread->load)
        thread = &thread->load->outer;
    return thread;
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

/* Back to what the thread was, but for what it has done meanwhile. */
static void leave_here(struct canon_thread *thread, const struct canon_load *load)
{
    thread->load = load->outer.load;
    thread->block.lane = load->outer.block.lane;
    thread->block.outer_lane = load->outer.block.outer_lane;
    thread->block.quiet = load->outer.block.quiet;
}

static void leave_apart(struct canon_thread *thread, const struct canon_load *load)
{
    struct canon_strand *strand = thread->strand;
    struct canon_lane *lane = thread->lane;
    canon_requests_catch_up(thread);
    if (!load->by_content)
        canon_turns_initialised(thread);
    *thread = load->outer;
    if (thread->lane)
        atomic_fetch_sub(&thread->lane->still, 1);
    canon_lane_close(lane, strand);
    canon_inits_ended(load->init);
    canon_order_resumes(thread);
}

void canon_load_leave(JNIEnv *env)
{
    struct canon_thread *thread = canon_thread_self();
    struct canon_load *load = thread->load;
    if (!load)
        return;
    if (load->locked) {
        canon_request_done(env, load->locked, load->way);
        (*env)->DeleteGlobalRef(env, load->locked);
    }
    if (load->here)
        leave_here(thread, load);
    else
        leave_apart(thread, load);
    free(load);
}
