/* requests.c: see requests.h. */
#include "jvm/requests.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/log.h"
#include "jvm/asker.h"
#include "jvm/loads.h"
#include "jvm/order.h"
#include "jvm/refs.h"
#include "jvm/transfer.h"
#include "order/lane.h"
#include "role/memo.h"
#include "trace/reader.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { STUCK_SECONDS = 2 }; /* less than lanes have: order/wait.c */

static jclass(JNICALL *vm_find_loaded)(JNIEnv *env, jobject loader, jstring name);
static _Atomic uint64_t event_name;

int canon_requests_find(void)
{
    void *library = dlopen("libjvm.so", RTLD_NOW | RTLD_NOLOAD);
    vm_find_loaded =
        library ? (jclass(JNICALL *)(JNIEnv *, jobject, jstring))dlsym(library, "JVM_FindLoadedClass") : NULL;
    return vm_find_loaded ? 0 : CANON_E_UNSUPPORTED;
}

static uint64_t event_id(void)
{
    return canon_role_name_kept("java/lang/ClassLoader.loadClass", &event_name);
}

/* ---- what is known of the class -------------------------------------------------------------------------
 */

uint64_t canon_request_key(const struct canon_request *request)
{
    const char *loader = request->loader->name;
    return XXH3_64bits_withSeed(request->class, strlen(request->class), XXH3_64bits(loader, strlen(loader)));
}

/* The class, if the JVM would find it for the loader without asking. */
static jclass loaded(JNIEnv *env, jobject loader, jstring name)
{
    jclass type = name ? vm_find_loaded(env, loader, name) : NULL;
    (*env)->ExceptionClear(env);
    return type;
}

/* Replayer: comes back when it does; NULL: nobody comes to load it. */
static jclass await_loaded(JNIEnv *env, jobject loader, jstring name)
{
    struct canon_lane *lane = canon_thread_self()->lane;
    struct canon_patience patience = {0};
    jclass type = NULL;
    while (!canon_agent.unordered && !(type = loaded(env, loader, name)) &&
           (canon_order_nap(lane, &patience, STUCK_SECONDS) || canon_requests_catch_up(canon_thread_self())))
        ;
    return type;
}

/* Keys of requests in the memo, apart from those of other things there. */
enum { OF_LOADED = 1, OF_DUPLICATES = 2 };

static uint64_t memo_key(uint64_t key, uint64_t what)
{
    return XXH3_64bits_withSeed(&key, sizeof key, what);
}

static void note(uint64_t key)
{
    const struct canon_buffer nothing = {0};
    canon_memo_put(key, event_id(), &nothing);
}

static bool is_noted(uint64_t key)
{
    struct canon_reader items;
    return canon_memo_get(key, &items);
}

/* ---- the event ------------------------------------------------------------------------------------------
 */

/* When the request was made, and for what. Whether both are so now. */
static bool describe(const struct canon_thread *thread, const struct canon_request *request,
                     struct canon_step *step)
{
    int64_t now = canon_lane_operations(thread->lane), then = now, inits = thread->inits;
    canon_step_int(step, &then);
    canon_step_int(step, &inits);
    bool same = canon_step_check_text(step, request->loader->name, NULL);
    same &= canon_step_check_text(step, request->class, NULL);
    return same && then == now && !step->in.failed;
}

/* Replayer: the strand's next event, if it is a request. */
static const struct canon_event *next_request(const struct canon_thread *thread)
{
    const struct canon_event *event = canon_strand_peek(thread->strand);
    return event && event->kind == CANON_EVENT_NATIVE && event->id == event_id() ? event : NULL;
}

static bool is_next(const struct canon_thread *thread, const struct canon_request *request)
{
    const struct canon_event *event = next_request(thread);
    if (!event)
        return false;
    struct canon_step step = {.way = CANON_STEP_GET, .in = canon_reader_over(event->payload, event->size)};
    return describe(thread, request, &step);
}

static void transfer(struct canon_thread *thread, const struct canon_request *request)
{
    uint64_t id = event_id();
    struct canon_step *step = canon_step_begin(thread->strand, CANON_EVENT_NATIVE, id);
    while (!step && canon_role_now() == CANON_ROLE_REPLAYER)
        pause();
    if (!step)
        return;
    describe(thread, request, step);
    canon_step_end(thread->strand, CANON_EVENT_NATIVE, id);
    canon_refs_arm(thread);
    canon_lane_arm(thread->lane);
}

/* ---- requests -------------------------------------------------------------------------------------------
 */

/* Whether what the current thread does can be its strand's. While it is alone its operations may count
 * differently, and there is nobody to come before it. */
static bool can_be_here(const struct canon_thread *thread)
{
    return thread->strand && thread->lane && thread->depth == 0 && !thread->alone;
}

static enum canon_request_way fail(JNIEnv *env, const struct canon_request *request, const char *error)
{
    struct canon_thread *thread = canon_thread_self();
    int64_t lane = thread->block.lane;
    canon_log("jvm", CANON_LOG_DEBUG, "not loaded: %s %s", request->loader->name, request->class);
    thread->block.lane = 0; /* for Java code that this calls */
    (*env)->ThrowNew(env, (*env)->FindClass(env, error), request->class);
    thread->block.lane = lane;
    return CANON_REQUEST_ANSWERED;
}

/*
 * Locks the loader in the JVM's place, and looks again, as the JVM would. Whoever already loads the class
 * would get an error.
 */
static enum canon_request_way lock(JNIEnv *env, const struct canon_request *request, jobject *answer)
{
    (*env)->MonitorEnter(env, request->object);
    bool nested = canon_load_is_nested(canon_thread_self(), canon_request_key(request));
    *answer = nested ? NULL : loaded(env, request->object, request->name);
    if (!nested && !*answer)
        return CANON_REQUEST_LOCKED;
    (*env)->MonitorExit(env, request->object);
    return nested ? fail(env, request, "java/lang/ClassCircularityError") : CANON_REQUEST_ANSWERED;
}

static enum canon_request_way record_request(JNIEnv *env, const struct canon_request *request, bool by_code,
                                             jobject *answer)
{
    struct canon_thread *thread = canon_thread_self();
    enum canon_request_way way = CANON_REQUEST_APART;
    if (request->loader->serial && !by_code)
        way = lock(env, request, answer);
    bool in_work = thread->lane && canon_lane_in_work(thread->lane); /* a field of the class is accessed */
    if (way == CANON_REQUEST_ANSWERED || !can_be_here(thread) || in_work)
        return way;
    transfer(thread, request);
    if (way != CANON_REQUEST_LOCKED)
        return CANON_REQUEST_HERE;
    canon_order_enter_monitor(env, thread->lane, request->object);
    return CANON_REQUEST_HELD;
}

/* Another strand's to make, or the compiler's, or one without order. */
static enum canon_request_way replay_other(JNIEnv *env, const struct canon_request *request, bool by_code,
                                           jobject *answer)
{
    uint64_t key = canon_request_key(request);
    enum canon_request_way apart =
        request->loader->serial && !by_code ? CANON_REQUEST_LOCKED : CANON_REQUEST_APART;
    if ((*answer = loaded(env, request->object, request->name)))
        return CANON_REQUEST_ANSWERED;
    if (by_code || canon_load_was_asked(request->loader->name, request->class))
        return apart == CANON_REQUEST_LOCKED ? lock(env, request, answer) : apart;
    bool nested = canon_load_is_nested(canon_thread_self(), key), known = is_noted(memo_key(key, OF_LOADED));
    if (nested || canon_asker_is_compiler(request->class, known))
        return fail(env, request, "java/lang/NoClassDefFoundError");
    if ((*answer = await_loaded(env, request->object, request->name)))
        return CANON_REQUEST_ANSWERED;
    if (canon_asker_is_compiler(request->class, false))
        return fail(env, request, "java/lang/NoClassDefFoundError");
    canon_log("jvm", CANON_LOG_WARN, "nobody comes to load %s %s", request->loader->name, request->class);
    return apart == CANON_REQUEST_LOCKED ? lock(env, request, answer) : apart;
}

static bool make_next(struct canon_thread *thread, bool ripe);

/*
 * Others may come before it: the JVM asks for the superclass of a class that another thread is just defining
 * before it asks for that class, and not otherwise.
 */
static bool comes_next(struct canon_thread *thread, const struct canon_request *request)
{
    while (!is_next(thread, request))
        if (!make_next(thread, true))
            return false;
    return true;
}

static enum canon_request_way replay_request(JNIEnv *env, const struct canon_request *request, bool by_code,
                                             jobject *answer)
{
    struct canon_thread *thread = canon_thread_self();
    if (!can_be_here(thread) || !comes_next(thread, request))
        return replay_other(env, request, by_code, answer);
    transfer(thread, request);
    if (!request->loader->serial || by_code)
        return CANON_REQUEST_HERE;
    canon_order_enter_monitor(env, thread->lane, request->object);
    return CANON_REQUEST_HELD;
}

/* Whether it makes no difference who asks, which takes a while to find out. */
static bool is_anybodys(JNIEnv *env, const struct canon_thread *thread, const struct canon_request *request)
{
    if (can_be_here(thread) || request->loader->serial)
        return false;
    return canon_role_now() == CANON_ROLE_RECORDER ||
           (canon_load_was_asked(request->loader->name, request->class) &&
            !loaded(env, request->object, request->name));
}

enum canon_request_way canon_request_made(JNIEnv *env, const struct canon_request *request, jobject *answer)
{
    struct canon_thread *thread = canon_thread_self();
    bool anybodys = is_anybodys(env, thread, request);
    bool by_code = !thread->catches_up && !anybodys && canon_asker_is_code(env, request->class);
    thread->catches_up = false;
    *answer = NULL;
    if (canon_role_now() == CANON_ROLE_RECORDER)
        note(memo_key(canon_request_key(request), OF_LOADED));
    if (anybodys)
        return CANON_REQUEST_APART;
    if (by_code && !can_be_here(thread))
        return CANON_REQUEST_APART;
    if (by_code && thread->block.lane)
        return CANON_REQUEST_HERE; /* as all that the program does */
    if (canon_role_now() == CANON_ROLE_REPLAYER)
        return replay_request(env, request, by_code, answer);
    return record_request(env, request, by_code, answer);
}

void canon_request_done(JNIEnv *env, jobject loader, enum canon_request_way way)
{
    if (way == CANON_REQUEST_HELD)
        canon_order_leave_monitor(env, canon_thread_self()->lane, loader);
    if (way == CANON_REQUEST_LOCKED)
        (*env)->MonitorExit(env, loader);
}

/* ---- requests that the JVM did not make ------------------------------------------------------------------
 */

/* Asks the JVM for the class first: it shall know that the loader has it. */
static void ask(JNIEnv *env, struct canon_thread *thread, jobject loader, jstring name)
{
    jclass class = (*env)->FindClass(env, "java/lang/Class");
    jclass loader_class = (*env)->FindClass(env, "java/lang/ClassLoader");
    jmethodID find = (*env)->GetStaticMethodID(
        env, class, "forName0",
        "(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;");
    jmethodID load =
        (*env)->GetMethodID(env, loader_class, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;");
    uint64_t before = canon_strand_position(thread->strand);
    if (find)
        (*env)->CallStaticObjectMethod(env, class, find, name, JNI_FALSE, loader, NULL);
    (*env)->ExceptionClear(env); /* it was nobody's then, either: the JVM asked for it */
    if (canon_strand_position(thread->strand) != before)
        return;
    thread->catches_up = true;
    if (load)
        (*env)->CallObjectMethod(env, loader, load, name);
    thread->catches_up = false;
    (*env)->ExceptionClear(env);
}

static void make_request(JNIEnv *env, struct canon_thread *thread, const char *loader, const char *class)
{
    uint64_t before = canon_strand_position(thread->strand);
    struct canon_thread outer = *thread;
    if ((*env)->PushLocalFrame(env, 16) == 0) {
        jobject object = canon_loader_find(env, loader);
        jstring name = (*env)->NewStringUTF(env, class);
        thread->depth = 0;
        thread->call = NULL;
        thread->block.lane = 0; /* for what is not the loader's */
        if (object && name)
            ask(env, thread, object, name);
        thread->depth = outer.depth;
        thread->call = outer.call;
        thread->block.lane = outer.block.lane;
        (*env)->PopLocalFrame(env, NULL);
    }
    if (canon_lane_in_work(thread->lane))
        canon_lane_done(thread->lane); /* it threw */
    if (canon_strand_position(thread->strand) == before)
        canon_step_mismatch(thread->strand, class, "no loader for it");
}

/* A request that is the strand's next event, and that came before its next operation. */
struct pending {
    bool ripe; /* it came before the strand linked or initialised the next class, too */
    char *loader;
    char *class;
};

static bool find_pending(const struct canon_thread *thread, struct pending *pending)
{
    *pending = (struct pending){0};
    if (!event_name || canon_role_now() != CANON_ROLE_REPLAYER || !thread->strand || !thread->lane ||
        thread->alone || canon_lane_in_work(thread->lane))
        return false;
    const struct canon_event *event = next_request(thread);
    if (!event)
        return false;
    struct canon_step step = {.way = CANON_STEP_GET, .in = canon_reader_over(event->payload, event->size)};
    int64_t then = -1;
    canon_step_int(&step, &then);
    int64_t inits = -1;
    canon_step_int(&step, &inits);
    pending->ripe = inits == thread->inits;
    if (then != canon_lane_operations(thread->lane))
        return false;
    canon_step_check_text(&step, "", &pending->loader);
    canon_step_check_text(&step, "", &pending->class);
    return pending->loader && pending->class;
}

static void forget(struct pending *pending)
{
    free(pending->loader);
    free(pending->class);
}

/* Makes it; false: there is none, or it is not ripe, but shall be. */
static bool make_next(struct canon_thread *thread, bool ripe)
{
    struct pending pending;
    JNIEnv *env = NULL;
    bool due = find_pending(thread, &pending) && (pending.ripe || !ripe) &&
               (*canon_agent.vm)->GetEnv(canon_agent.vm, (void **)&env, JNI_VERSION_1_8) == JNI_OK;
    if (due)
        make_request(env, thread, pending.loader, pending.class);
    forget(&pending);
    return due;
}

bool canon_requests_catch_up(struct canon_thread *thread)
{
    bool made = false;
    while (make_next(thread, false))
        made = true;
    return made;
}

void canon_requests_before(struct canon_thread *thread)
{
    while (make_next(thread, true))
        ;
}

static void due(struct canon_lane *lane)
{
    struct canon_thread *thread = canon_thread_self();
    uint64_t before = canon_strand_position(lane->strand);
    canon_requests_catch_up(thread);
    if (canon_strand_position(lane->strand) == before)
        canon_step_mismatch(lane->strand, "a class is loaded", "an operation");
}

void canon_requests_load(void)
{
    canon_lane_due(event_id(), due);
}

/* ---- what loaders find out -------------------------------------------------------------------------------
 */

static bool is_decision(JNIEnv *env, const struct canon_thread *thread, jobject loader)
{
    return thread->strand && thread->block.lane && thread->depth == 0 && !thread->alone && loader &&
           canon_role_now() != CANON_ROLE_PASSTHROUGH && canon_loader_of(env, loader)->own;
}

jclass canon_request_found(JNIEnv *env, jobject loader, jstring name, jclass found)
{
    struct canon_thread *thread = canon_thread_self();
    int64_t is_there = found != NULL;
    if (!is_decision(env, thread, loader))
        return found;
    canon_order_decide(thread, "java/lang/ClassLoader.findLoadedClass", &is_there);
    if (!is_there)
        return NULL;
    return found ? found : await_loaded(env, loader, name);
}

/* Programs may define classes without having been asked for them. */
void canon_request_parsed(JNIEnv *env, jobject loader, const char *name)
{
    if (!loader || !name || canon_role_now() != CANON_ROLE_RECORDER || !canon_loader_of(env, loader)->own)
        return;
    char *class = strdup(name);
    canon_assert(class);
    for (char *at = class; *at; at++)
        *at = *at == '/' ? '.' : *at;
    const struct canon_request request = {canon_loader_of(env, loader), loader, NULL, class};
    note(memo_key(canon_request_key(&request), OF_LOADED));
    free(class);
}

/* Defined by others before: the strand and when are enough, since only that tells. */
uint64_t canon_request_defines(JNIEnv *env, jobject loader, jstring name)
{
    struct canon_thread *thread = canon_thread_self();
    if (!name || !is_decision(env, thread, loader))
        return 0;
    char *class = canon_java_text(env, name);
    const struct canon_request request = {canon_loader_of(env, loader), loader, name, class};
    uint64_t key = canon_request_key(&request) + (uint64_t)canon_lane_operations(thread->lane);
    const char *strand = canon_strand_label(thread->strand);
    key = memo_key(XXH3_64bits_withSeed(strand, strlen(strand), key), OF_DUPLICATES);
    free(class);
    if (canon_role_now() == CANON_ROLE_REPLAYER && is_noted(key)) {
        canon_requests_catch_up(
            thread); /* its superclasses come first; then there is an exception at least */
        (*env)->DeleteLocalRef(env, await_loaded(env, loader, name));
        return 0;
    }
    return key;
}

jclass canon_request_defined(JNIEnv *env, jobject loader, jstring name, uint64_t key, jclass defined)
{
    jthrowable thrown = key ? (*env)->ExceptionOccurred(env) : NULL;
    if (!thrown)
        return defined;
    (*env)->ExceptionClear(env);
    jclass there = loaded(env, loader, name);
    if (there && canon_role_now() == CANON_ROLE_REPLAYER)
        return there; /* by somebody without order; in the recording it was this one's */
    if (there && canon_role_now() == CANON_ROLE_RECORDER)
        note(key);
    (*env)->Throw(env, thrown);
    return NULL;
}
