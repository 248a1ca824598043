/* refs.c: see refs.h. */
#include "jvm/refs.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/map.h"
#include "jvm/order.h"
#include "jvm/services.h"
#include "order/lane.h"
#include "trace/reader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOT_QUEUED = -1 }; /* in place of a reference's id: remove was interrupted */

static jclass references;
static jmethodID enqueue_method;

/* ---- which reference is which: replay only ------------------------------------------------------------- */

/* Protects the map; leaf lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/*
 * References that will come out of a queue, by id. From when they are made until then they are kept, as the
 * queue kept them in the recording, even if the program has lost sight of them.
 */
static struct canon_map known;

void canon_refs_expect(int64_t id)
{
    canon_map_put(&known, (uint64_t)id);
}

static void keep(JNIEnv *env, jobject reference, int64_t id)
{
    if (!known.count)
        return;
    pthread_mutex_lock(&lock);
    union canon_map_value *kept = canon_map_get(&known, (uint64_t)id);
    if (kept && !kept->pointer)
        kept->pointer = (*env)->NewGlobalRef(env, reference);
    pthread_mutex_unlock(&lock);
}

jobject canon_refs_take(JNIEnv *env, int64_t id)
{
    jobject taken = NULL;
    pthread_mutex_lock(&lock);
    union canon_map_value *kept = canon_map_get(&known, (uint64_t)id);
    if (kept && kept->pointer) {
        taken = (*env)->NewLocalRef(env, kept->pointer);
        (*env)->DeleteGlobalRef(env, kept->pointer);
        kept->pointer = NULL;
    }
    pthread_mutex_unlock(&lock);
    return taken;
}

/* ---- events -------------------------------------------------------------------------------------------- */

void canon_refs_arm(struct canon_thread *thread)
{
    if (canon_role_now() != CANON_ROLE_REPLAYER)
        return;
    thread->block.turn = INT64_MAX;
    const struct canon_event *event = thread->strand ? canon_strand_peek(thread->strand) : NULL;
    if (!event || event->kind != CANON_EVENT_REFERENCE)
        return;
    struct canon_step step = {.way = CANON_STEP_GET, .in = canon_reader_over(event->payload, event->size)};
    int64_t look = INT64_MAX, bucket = 0;
    canon_step_int(&step, &look);
    canon_step_int(&step, &bucket);
    thread->block.turn = look;
    thread->block.turn_bucket = bucket;
}

/* One REFERENCE event of the current strand, in either direction. */
static void reference_step(enum canon_reference_event what, int64_t bucket, int64_t *id)
{
    struct canon_thread *thread = canon_thread_self();
    struct canon_step *step = canon_step_begin(thread->strand, CANON_EVENT_REFERENCE, what);
    if (!step) {
        while (canon_role_now() == CANON_ROLE_REPLAYER)
            pause();
        return;
    }
    int64_t look = thread->block.looks[bucket], recorded_look = look, recorded_bucket = bucket;
    canon_step_int(step, &recorded_look);
    canon_step_int(step, &recorded_bucket);
    canon_step_int(step, id);
    if (recorded_look != look || recorded_bucket != bucket)
        canon_step_mismatch(thread->strand, "another look at a reference", "this look");
    canon_step_end(thread->strand, CANON_EVENT_REFERENCE, what);
    if (canon_step_gets(step)) {
        canon_refs_arm(thread);
        canon_lane_arm(thread->lane);
    }
}

/* A reference came out of its queue: the replay has to know in advance. */
static void log_queued(int64_t id)
{
    if (!id)
        return;
    struct canon_buffer items = {0};
    struct canon_step step = {.way = CANON_STEP_PUT, .out = &items};
    canon_step_int(&step, &id);
    canon_role_log(CANON_EVENT_REFERENCE, CANON_REFERENCE_QUEUED, &items);
    canon_buffer_free(&items);
}

static jobject taken(JNIEnv *env, int64_t id)
{
    jobject reference = canon_refs_take(env, id);
    if (id && !reference)
        canon_step_mismatch(canon_thread_self()->strand, "a reference that is queued", "no such reference");
    return reference;
}

/* ---- their order --------------------------------------------------------------------------------------- */

/*
 * Where the order of threads is kept by edges, what shows the collector's work is an operation. It comes
 * after all that anybody has done so far, for the collector found the referent lost after that. At replay it
 * also waits until everybody is through with what he was just doing: it may have been the last use of the
 * referent, or a look at the reference.
 */
static struct canon_lane *lane_of_find(const struct canon_thread *thread)
{
    return canon_agent.edges ? thread->lane : NULL;
}

enum { KNOWN_CLEARED = 1, STAMP_BITS = 48 }; /* of canonState */

/* Whether the lane comes after the operation that the reference tells of. */
static bool comes_after(const struct canon_lane *lane, int64_t state)
{
    int64_t other = state >> STAMP_BITS, operations = state & ((INT64_C(1) << STAMP_BITS) - 1);
    return other > 0 && other < CANON_LANE_COUNT && lane->seen[other] >= operations;
}

/* The thread has got something out of a queue: if its order has not begun, it does now. */
static void wake_early(struct canon_thread *thread)
{
    if (thread->early && !thread->load)
        thread->block.lane = (int64_t)thread->lane;
    thread->early = thread->early && thread->load;
}

static int64_t record_find(struct canon_thread *thread)
{
    struct canon_lane *lane = lane_of_find(thread);
    if (!lane)
        return KNOWN_CLEARED;
    canon_lane_follow(lane, 0, true);
    canon_lane_done(lane);
    return lane->number << STAMP_BITS | canon_lane_operations(lane);
}

static void begin_find(const struct canon_thread *thread)
{
    struct canon_lane *lane = lane_of_find(thread);
    if (!lane)
        return;
    canon_lane_begin(lane);
    canon_lane_await_arrivals(lane);
}

static void end_find(struct canon_thread *thread)
{
    struct canon_lane *lane = lane_of_find(thread);
    if (lane)
        canon_lane_done(lane);
    canon_refs_arm(thread);
}

static bool recording(void)
{
    return canon_role_now() == CANON_ROLE_RECORDER;
}

static bool replaying(void)
{
    return canon_role_now() == CANON_ROLE_REPLAYER;
}

/* ---- natives of java.lang.CanonReferences (found by name) ------------------------------------------- */

#define NATIVE(result, name, ...)                                                                            \
    JNIEXPORT result JNICALL Java_java_lang_CanonReferences_##name(JNIEnv *env, jclass unused,               \
                                                                   ##__VA_ARGS__);                           \
    result Java_java_lang_CanonReferences_##name(JNIEnv *env __attribute__((unused)),                        \
                                                 jclass unused __attribute__((unused)), ##__VA_ARGS__)

NATIVE(void, register, jobject reference, jlong id)
{
    keep(env, reference, id);
}

NATIVE(jlong, recordCleared, jint bucket, jlong state)
{
    struct canon_thread *thread = canon_thread_self();
    int64_t id = 0;
    const struct canon_lane *lane = lane_of_find(thread);
    if (!recording() || (state && (!lane || comes_after(lane, state))))
        return state;
    reference_step(CANON_REFERENCE_CLEARED, bucket, &id);
    int64_t found = record_find(thread);
    return state ? state : found;
}

NATIVE(void, takeCleared, jint bucket)
{
    int64_t id = 0;
    if (!replaying())
        return;
    reference_step(CANON_REFERENCE_CLEARED, bucket, &id);
    begin_find(canon_thread_self());
}

NATIVE(jlong, recordQueued, jint what, jlong reference)
{
    struct canon_thread *thread = canon_thread_self();
    int64_t id = reference;
    if (!recording())
        return KNOWN_CLEARED;
    if (id != NOT_QUEUED)
        log_queued(id);
    reference_step((enum canon_reference_event)what, CANON_LOOK_QUEUES, &id);
    int64_t found = record_find(thread);
    wake_early(thread);
    return found;
}

NATIVE(jlong, beginQueued, jint what)
{
    int64_t id = 0;
    if (!replaying())
        return 0;
    reference_step((enum canon_reference_event)what, CANON_LOOK_QUEUES, &id);
    begin_find(canon_thread_self());
    return id;
}

NATIVE(jobject, take, jlong id)
{
    return taken(env, id);
}

NATIVE(void, foundQueued)
{
    if (!replaying())
        return;
    end_find(canon_thread_self());
    wake_early(canon_thread_self());
}

NATIVE(void, wasInterrupted, jthrowable thrown)
{
    struct canon_thread *thread = canon_thread_self();
    jthrowable outcome = thrown;
    if (canon_role_now() == CANON_ROLE_PASSTHROUGH)
        return;
    canon_thread_steps(thread);
    canon_order_end_wait(env, thread, canon_role_name("java/lang/ref/ReferenceQueue.remove"), &outcome);
    canon_thread_stepped(thread);
    if (outcome && !thrown)
        (*env)->Throw(env, outcome);
}

NATIVE(void, recordPolled, jlong reference)
{
    int64_t id = reference;
    if (!recording())
        return;
    log_queued(id);
    reference_step(CANON_REFERENCE_POLLED, CANON_LOOK_QUEUES, &id);
}

NATIVE(jobject, takePolled)
{
    int64_t id = 0;
    if (replaying())
        reference_step(CANON_REFERENCE_POLLED, CANON_LOOK_QUEUES, &id);
    return taken(env, id);
}

/*
 * What happens inside remove (waiting, looking at the clock) is part of it. A thread that calls it is a
 * service (services.h), which waits for its turn as it does for the collector; but for the first thread,
 * which is asked for its turn right away.
 */
NATIVE(jint, beginRemove)
{
    struct canon_thread *thread = canon_thread_self();
    if (canon_role_now() == CANON_ROLE_PASSTHROUGH)
        return 0;
    if (thread->strand != canon_thread_main() && !canon_agent.edges)
        thread->service = true;
    if (thread->service && thread->removing == 0)
        canon_service_idle(thread);
    thread->depth++;
    thread->removing++;
    return thread->service ? 2 : thread->removing;
}

NATIVE(void, endRemove)
{
    struct canon_thread *thread = canon_thread_self();
    if (thread->removing == 0)
        return;
    thread->depth--;
    thread->removing--;
}

NATIVE(jobject, takeRemoved)
{
    int64_t id = 0;
    if (replaying())
        reference_step(CANON_REFERENCE_REMOVED, CANON_LOOK_QUEUES, &id);
    return taken(env, id);
}

NATIVE(void, recordRemoved, jlong reference)
{
    struct canon_thread *thread = canon_thread_self();
    int64_t id = reference;
    if (thread->removing > 1 || canon_role_now() == CANON_ROLE_PASSTHROUGH)
        return;
    if (thread->service)
        canon_service_begins(thread, id);
    if (thread->service || !recording())
        return;
    log_queued(id);
    reference_step(CANON_REFERENCE_REMOVED, CANON_LOOK_QUEUES, &id);
}

static void call_reference(JNIEnv *env, jobject reference, const char *method)
{
    static jclass class;
    if (!class)
        class = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "java/lang/ref/Reference"));
    jmethodID id = (*env)->GetMethodID(env, class, method, "()V");
    canon_assert(id);
    (*env)->CallNonvirtualVoidMethod(env, reference, class, id);
}

NATIVE(void, clear, jobject reference)
{
    call_reference(env, reference, "clear");
}

NATIVE(void, enqueuePending, jobject reference)
{
    call_reference(env, reference, "enqueueFromPending");
}

void canon_refs_enqueue(JNIEnv *env, jobject reference)
{
    (*env)->CallStaticVoidMethod(env, references, enqueue_method, reference);
}

/* ---- start --------------------------------------------------------------------------------------------- */

static jobject static_object(JNIEnv *env, const char *class_name, const char *field, const char *type)
{
    jclass class = (*env)->FindClass(env, class_name);
    jfieldID id = class ? (*env)->GetStaticFieldID(env, class, field, type) : NULL;
    (*env)->ExceptionClear(env);
    return id ? (*env)->GetStaticObjectField(env, class, id) : NULL;
}

static jobject object_field(JNIEnv *env, jobject object, const char *field, const char *type)
{
    jfieldID id = object ? (*env)->GetFieldID(env, (*env)->GetObjectClass(env, object), field, type) : NULL;
    (*env)->ExceptionClear(env);
    return id ? (*env)->GetObjectField(env, object, id) : NULL;
}

static int set_static(JNIEnv *env, const char *field, jobject value)
{
    jfieldID id = (*env)->GetStaticFieldID(env, references, field, "Ljava/lang/Object;");
    if (!id || !value)
        return CANON_E_UNSUPPORTED;
    (*env)->SetStaticObjectField(env, references, id, value);
    return 0;
}

int canon_refs_enable(JNIEnv *env)
{
    references = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "java/lang/CanonReferences"));
    if (!references)
        return CANON_E_UNSUPPORTED;
    enqueue_method = (*env)->GetStaticMethodID(env, references, "enqueue", "(Ljava/lang/ref/Reference;)V");
    static const char QUEUE[] = "Ljava/lang/ref/ReferenceQueue;";
    jobject none = static_object(env, "java/lang/ref/ReferenceQueue", "NULL", QUEUE);
    if (!none) /* its name since JDK 25 */
        none = static_object(env, "java/lang/ref/ReferenceQueue", "NULL_QUEUE", QUEUE);
    jobject cleaner =
        static_object(env, "jdk/internal/ref/CleanerFactory", "commonCleaner", "Ljava/lang/ref/Cleaner;");
    jobject impl = object_field(env, cleaner, "impl", "Ljdk/internal/ref/CleanerImpl;");
    jobject common = object_field(env, impl, "queue", QUEUE);
    if (!enqueue_method || set_static(env, "noQueue", none) || set_static(env, "commonQueue", common))
        return CANON_E_UNSUPPORTED;
    jfieldID holding = (*env)->GetStaticFieldID(env, references, "holding", "Z");
    if (!holding)
        return CANON_E_UNSUPPORTED;
    (*env)->SetStaticBooleanField(env, references, holding, canon_role_now() == CANON_ROLE_REPLAYER);
    return 0;
}
