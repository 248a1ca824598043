/* order.c: see order.h. */
#include "jvm/order.h"

#include "base/error.h"
#include "jvm/fields.h"
#include "jvm/inits.h"
#include "jvm/loads.h"
#include "jvm/optrace.h"
#include "jvm/refs.h"
#include "jvm/serial.h"
#include "jvm/transfer.h"
#include "order/clock.h"
#include "order/lane.h"

#include <dlfcn.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { OWNER_BITS = 12, SITE_PLAIN = 1, SITE_ORDERED = 2 };

/* ---- lanes of threads ---------------------------------------------------------------------------------- */

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/*
 * Threads of the program, and static initialisers, whoever runs them. Class loaders have none: the JIT
 * compilers make the JVM ask them for classes when they like.
 */
static bool has_order(const struct canon_strand *strand)
{
    const char *name = canon_strand_label(strand);
    if (canon_agent.serial && begins_with(name, CANON_STRAND_THREAD " sun.java2d.Disposer#"))
        return false; /* what it does, the collector sets off */
    return begins_with(name, CANON_STRAND_THREAD) ||
           (!canon_agent.serial && begins_with(name, CANON_STRAND_INIT));
}

static atomic_bool shared;
static jclass record_class; /* of helpers; once the program has started */
static jclass gate_class;   /* java.lang.Canon */
static jfieldID counts_field;

/*
 * A class of the JDK that code without order initialises: whether and when that code needs it differs from
 * run to run, as ThreadLocalRandom, which a table of the JVM's needs when two threads meet there.
 */
static bool is_incidental(const struct canon_strand *strand)
{
    static const char *const JDK[] = {"java.", "jdk.", "sun."};
    const char *name = canon_strand_label(strand);
    if (!begins_with(name, CANON_STRAND_INIT))
        return false;
    name += strlen(CANON_STRAND_INIT);
    name += strspn(name, " ");
    bool is = false;
    for (size_t i = 0; i < sizeof JDK / sizeof *JDK; i++)
        is |= begins_with(name, JDK[i]);
    return is;
}

static bool is_ordered(const struct canon_thread *thread)
{
    return canon_agent.ordered && thread->strand && (canon_agent.edges || !thread->service) &&
           has_order(thread->strand);
}

/*
 * A thread that has no lane in the recording has not begun before the process ended. Whatever it did now
 * would have no order: it might hold what the others still need.
 */
static void rest_if_unborn(const struct canon_thread *thread, bool ordered)
{
    if (ordered && !thread->lane && canon_role_now() == CANON_ROLE_REPLAYER &&
        thread->strand != canon_thread_main() &&
        begins_with(canon_strand_label(thread->strand), CANON_STRAND_THREAD))
        canon_strand_rest_at_end(thread->strand);
}

void canon_order_begins(struct canon_thread *thread, bool quiet)
{
    bool ordered = is_ordered(thread) &&
                   !(quiet && canon_role_now() == CANON_ROLE_RECORDER && is_incidental(thread->strand));
    thread->alone = ordered && !canon_agent.serial && !shared;
    ordered &= !thread->alone || begins_with(canon_strand_label(thread->strand), CANON_STRAND_THREAD);
    thread->lane = ordered ? canon_lane_open(thread->strand) : NULL;
    if (thread->alone && thread->lane)
        canon_strand_counts_loosely(thread->strand, true);
    thread->block.lane = thread->early ? 0 : (int64_t)thread->lane;
    rest_if_unborn(thread, ordered);
    canon_turns_begin(thread);
}

bool canon_order_is_on(void)
{
    return record_class;
}

/* From here on, operations count as they did. */
static void agree_on_count(struct canon_thread *thread)
{
    struct canon_lane *lane = thread->lane;
    uint64_t id = canon_role_name("java/lang/Thread.operations");
    int64_t operations = canon_lane_operations(lane);
    struct canon_step *step = canon_step_begin(thread->strand, CANON_EVENT_NATIVE, id);
    if (step) {
        canon_step_int(step, &operations);
        canon_step_end(thread->strand, CANON_EVENT_NATIVE, id);
    }
    if (canon_role_now() == CANON_ROLE_REPLAYER)
        atomic_store(&lane->count, operations * CANON_LANE_STEP);
    canon_strand_counts_loosely(thread->strand, false);
    canon_refs_arm(thread);
    canon_lane_arm(lane);
}

/*
 * While the program has one thread its order is that of its code. Its operations are not counted, unless a
 * finalizer or a handler of signals may run beside it (java.lang.Canon.counts), and whether it counts alike
 * does not matter (libraries that keep native addresses in tables do not): strands of classes have no lane
 * then, and the thread's count is what it was, once there is a second one.
 */
void canon_order_resumes(struct canon_thread *thread)
{
    if (!thread->alone || !shared || canon_role_now() == CANON_ROLE_PASSTHROUGH)
        return;
    thread->alone = false;
    if (thread->lane) {
        agree_on_count(thread);
        return;
    }
    thread->lane = canon_lane_open(thread->strand);
    canon_clock_begin(thread->lane, NULL);
    if (thread->block.quiet)
        thread->block.outer_lane = (int64_t)thread->lane;
    else
        thread->block.lane = (int64_t)thread->lane;
}

void canon_order_starts(JNIEnv *env, struct canon_thread *thread)
{
    shared = true;
    if (counts_field)
        (*env)->SetStaticBooleanField(env, gate_class, counts_field, JNI_TRUE);
    canon_order_resumes(thread);
}

bool canon_order_is_shared(void)
{
    return shared;
}

static jmethodID settle_method;

/*
 * What Java code has begun and not done threw in between; the next operation notices that. Others may wait
 * for it meanwhile, so it must not be in work when the thread leaves Java code for long.
 */
void canon_order_settle(JNIEnv *env, struct canon_thread *thread)
{
    struct canon_lane *lane = (struct canon_lane *)thread->block.lane;
    if (!lane || canon_agent.serial || !canon_lane_in_work(lane))
        return;
    if (canon_role_now() == CANON_ROLE_REPLAYER)
        canon_lane_done(lane);
    else if (settle_method)
        (*env)->CallStaticLongMethod(env, record_class, settle_method, (jlong)lane);
}

/* ---- natives of java.lang.CanonOrder (found by name) ----------------------------------------------------
 */

JNIEXPORT void JNICALL Java_java_lang_CanonOrder_follow(JNIEnv *env, jclass unused, jlong lane, jint other,
                                                        jboolean settle);
JNIEXPORT void JNICALL Java_java_lang_CanonOrder_followOwner(JNIEnv *env, jclass unused, jlong lane,
                                                             jint owner);
JNIEXPORT void JNICALL Java_java_lang_CanonOrder_tickBegin(JNIEnv *env, jclass unused, jlong lane);
JNIEXPORT void JNICALL Java_java_lang_CanonOrder_tickEnd(JNIEnv *env, jclass unused, jlong lane);
JNIEXPORT void JNICALL Java_java_lang_CanonOrder_pause(JNIEnv *env, jclass unused);
JNIEXPORT void JNICALL Java_java_lang_CanonOrder_await(JNIEnv *env, jclass unused, jlong lane);
JNIEXPORT void JNICALL Java_java_lang_CanonOrder_ring(JNIEnv *env, jclass unused, jlong lane);
JNIEXPORT jbyte JNICALL Java_java_lang_CanonOrder_resolve(JNIEnv *env, jclass unused, jobject object,
                                                          jint site);
JNIEXPORT jboolean JNICALL Java_java_lang_CanonOrder_alive(JNIEnv *env, jclass unused, jboolean alive,
                                                           jlong end);
JNIEXPORT jlong JNICALL Java_java_lang_CanonOrder_decided(JNIEnv *env, jclass unused, jlong value);
JNIEXPORT jlong JNICALL Java_java_lang_CanonOrder_threadNumber(JNIEnv *env, jclass unused);
JNIEXPORT jboolean JNICALL Java_java_lang_CanonOrder_inUnordered(JNIEnv *env, jclass unused);
JNIEXPORT jlong JNICALL Java_java_lang_CanonOrder_threadId(JNIEnv *env, jclass unused, jlong id);

JNIEXPORT jboolean JNICALL Java_java_lang_CanonOrder_traced(JNIEnv *env, jclass unused);
JNIEXPORT void JNICALL Java_java_lang_CanonOrder_trace(JNIEnv *env, jclass unused, jlong lane);

JNIEXPORT jboolean JNICALL Java_java_lang_CanonOrder_replays(JNIEnv *env, jclass unused);

jboolean Java_java_lang_CanonOrder_replays(JNIEnv *env, jclass unused)
{
    (void)env, (void)unused;
    return canon_role_now() == CANON_ROLE_REPLAYER;
}

jboolean Java_java_lang_CanonOrder_traced(JNIEnv *env, jclass unused)
{
    (void)env, (void)unused;
    return canon_optrace_is_on();
}

void Java_java_lang_CanonOrder_trace(JNIEnv *env, jclass unused, jlong lane)
{
    (void)env, (void)unused;
    canon_optrace_add((struct canon_lane *)lane);
}

void Java_java_lang_CanonOrder_follow(JNIEnv *env, jclass unused, jlong lane, jint other, jboolean settle)
{
    (void)env, (void)unused;
    canon_lane_follow((struct canon_lane *)lane, other, settle);
}

/* The owner has only the low bits of the other lane's count: it is taken for the latest that ends so. */
static void follow_owner(struct canon_lane *lane, uint32_t owner)
{
    int other = (int)(owner & ((1 << OWNER_BITS) - 1));
    int64_t now = canon_lane_operations(canon_lane_at(other));
    int64_t behind = (int64_t)(((uint32_t)now - (owner >> OWNER_BITS)) & (UINT32_MAX >> OWNER_BITS));
    if (lane->seen[other] < now - behind)
        canon_lane_follow(lane, other, false);
}

void Java_java_lang_CanonOrder_followOwner(JNIEnv *env, jclass unused, jlong lane, jint owner)
{
    (void)env, (void)unused;
    follow_owner((struct canon_lane *)lane, (uint32_t)owner);
}

void Java_java_lang_CanonOrder_tickBegin(JNIEnv *env, jclass unused, jlong lane)
{
    (void)env, (void)unused;
    canon_vector_begin((struct canon_lane *)lane);
}

void Java_java_lang_CanonOrder_tickEnd(JNIEnv *env, jclass unused, jlong lane)
{
    (void)env, (void)unused;
    canon_vector_end((struct canon_lane *)lane);
}

void Java_java_lang_CanonOrder_pause(JNIEnv *env, jclass unused)
{
    (void)env, (void)unused;
    sched_yield();
}

void Java_java_lang_CanonOrder_await(JNIEnv *env, jclass unused, jlong lane)
{
    (void)env, (void)unused;
    canon_lane_await((struct canon_lane *)lane);
    canon_refs_arm(canon_thread_self());
}

void Java_java_lang_CanonOrder_ring(JNIEnv *env, jclass unused, jlong lane)
{
    (void)env, (void)unused;
    canon_lane_ring((struct canon_lane *)lane);
}

jbyte Java_java_lang_CanonOrder_resolve(JNIEnv *env, jclass unused, jobject object, jint site)
{
    (void)unused;
    struct canon_thread *thread = canon_thread_self();
    int64_t lane = thread->block.lane;
    thread->block.lane = 0;
    bool ordered = canon_field_is_volatile(env, object, site);
    thread->block.lane = lane;
    return ordered ? SITE_ORDERED : SITE_PLAIN;
}

JNIEXPORT jboolean JNICALL Java_java_lang_CanonOrder_initialising(JNIEnv *env, jclass unused, jclass type,
                                                                  jint number);

jboolean Java_java_lang_CanonOrder_initialising(JNIEnv *env, jclass unused, jclass type, jint number)
{
    (void)unused;
    return canon_inits_await_at(env, type, number);
}

JNIEXPORT jint JNICALL Java_java_lang_CanonOrder_staticHash(JNIEnv *env, jclass unused, jclass type,
                                                            jlong offset);

jint Java_java_lang_CanonOrder_staticHash(JNIEnv *env, jclass unused, jclass type, jlong offset)
{
    (void)unused;
    return canon_field_static_hash(env, type, offset);
}

/* ---- what the JVM knows of threads ------------------------------------------------------------------------
 */

void canon_order_decide(struct canon_thread *thread, const char *name, int64_t *value)
{
    uint64_t id = canon_role_name(name);
    canon_thread_steps(thread);
    struct canon_step *step = canon_step_begin(thread->strand, CANON_EVENT_NATIVE, id);
    while (!step && canon_role_now() == CANON_ROLE_REPLAYER)
        pause();
    if (step) {
        canon_step_int(step, value);
        canon_step_end(thread->strand, CANON_EVENT_NATIVE, id);
    }
    canon_thread_stepped(thread);
}

/* Whether what the JVM decides just now is an event. */
static bool is_decided(const struct canon_thread *thread)
{
    bool alone = thread->alone && !thread->lane && !thread->block.quiet && !is_incidental(thread->strand);
    return thread->strand && (thread->block.lane || alone);
}

jlong Java_java_lang_CanonOrder_decided(JNIEnv *env, jclass unused, jlong value)
{
    (void)env, (void)unused;
    struct canon_thread *thread = canon_thread_self();
    int64_t decided = value;
    if (is_decided(thread))
        canon_order_decide(thread, "java/lang/Thread.state", &decided);
    return decided;
}

/*
 * The number of a thread that an initialiser of the JDK makes, whenever that runs: of the initialiser, and
 * far from all others. A thread's number is its hash code, too: hooks are started in the order of those.
 */
static int64_t incidental_id(struct canon_thread *thread)
{
    enum { EACH_LOG = 4, BITS = 40 };
    const char *name = canon_strand_label(thread->strand);
    uint64_t hash = XXH3_64bits(name, strlen(name)) >> (64 - BITS) | 1;
    return (int64_t)(hash << EACH_LOG) + thread->numbered++ % (1 << EACH_LOG);
}

jlong Java_java_lang_CanonOrder_threadId(JNIEnv *env, jclass class, jlong id)
{
    struct canon_thread *thread = canon_thread_self();
    if (thread->strand && !is_decided(thread) && is_incidental(thread->strand))
        return incidental_id(thread);
    return Java_java_lang_CanonOrder_decided(env, class, id);
}

jlong Java_java_lang_CanonOrder_threadNumber(JNIEnv *env, jclass unused)
{
    (void)env, (void)unused;
    const struct canon_strand *strand = canon_load_thread(canon_thread_self())->strand;
    const char *name = strand ? canon_strand_label(strand) : "";
    return *name ? (jlong)(XXH3_64bits(name, strlen(name)) | 1) : 0;
}

jboolean Java_java_lang_CanonOrder_inUnordered(JNIEnv *env, jclass unused)
{
    (void)env, (void)unused;
    const struct canon_thread *thread = canon_thread_self();
    return !thread->block.lane && canon_load_thread(thread)->lane;
}

/* Thread.isAlive: when the thread has ended, the asking one comes after all that it did. */
jboolean Java_java_lang_CanonOrder_alive(JNIEnv *env, jclass unused, jboolean alive, jlong end)
{
    (void)unused;
    struct canon_thread *thread = canon_thread_self();
    canon_order_settle(env, thread);
    struct canon_lane *lane = (struct canon_lane *)thread->block.lane;
    if (!lane || canon_role_now() == CANON_ROLE_PASSTHROUGH)
        return alive;
    int64_t decided = alive;
    if (!canon_agent.serial) {
        canon_lane_begin(lane);
        if (!alive && end && canon_role_now() == CANON_ROLE_RECORDER)
            canon_lane_follow_to(lane, (int)(end >> 48), end & ((INT64_C(1) << 48) - 1));
        canon_lane_done(lane);
    }
    canon_order_decide(thread, "java/lang/Thread.isAlive", &decided);
    return decided != 0;
}

/* ---- numbers of descriptors ------------------------------------------------------------------------------
 */

enum { DESCRIPTORS = 1 << 16 };

/* Recorder: by number: the lane that closed it last, and the operation. */
static _Atomic int64_t closed[DESCRIPTORS];

void canon_order_closes(struct canon_thread *thread, int fd)
{
    struct canon_lane *lane = canon_agent.serial ? NULL : (struct canon_lane *)thread->step_lane;
    if (!lane)
        return;
    canon_lane_begin(lane);
    canon_lane_done(lane);
    if (fd >= 0 && fd < DESCRIPTORS)
        closed[fd] = lane->number << 48 | canon_lane_operations(lane);
}

void canon_order_opens(struct canon_thread *thread, int fd)
{
    struct canon_lane *lane = canon_agent.serial ? NULL : (struct canon_lane *)thread->step_lane;
    if (!lane)
        return;
    canon_lane_begin(lane);
    int64_t by = fd >= 0 && fd < DESCRIPTORS ? closed[fd] : 0;
    if (by && canon_role_now() == CANON_ROLE_RECORDER)
        canon_lane_follow_to(lane, (int)(by >> 48), by & ((INT64_C(1) << 48) - 1));
    canon_lane_done(lane);
}

/* ---- Object.wait --------------------------------------------------------------------------------------- */

static void(JNICALL *vm_wait)(JNIEnv *env, jobject object, jlong millis);
static jboolean(JNICALL *vm_holds)(JNIEnv *env, jclass thread, jobject object);
static jfieldID owner_field;
static jmethodID marked_method;
static uint64_t wait_name;

static bool is_array(JNIEnv *env, jobject object)
{
    jboolean array = JNI_FALSE;
    jclass class = (*env)->GetObjectClass(env, object);
    (*canon_agent.jvmti)->IsArrayClass(canon_agent.jvmti, class, &array);
    (*env)->DeleteLocalRef(env, class);
    return array;
}

/* An array has no owner: what others did with it comes first, all of it. */
static void leave(JNIEnv *env, struct canon_lane *lane, jobject object)
{
    canon_lane_done(lane);
    if (!is_array(env, object))
        (*env)->SetIntField(env, object, owner_field,
                            (jint)(lane->number | canon_lane_operations(lane) << OWNER_BITS));
}

static void enter(JNIEnv *env, struct canon_lane *lane, jobject object)
{
    if (is_array(env, object)) {
        canon_lane_follow(lane, 0, false);
    } else {
        uint32_t owner = (uint32_t)(*env)->GetIntField(env, object, owner_field);
        if (owner && (owner & ((1 << OWNER_BITS) - 1)) != lane->number)
            follow_owner(lane, owner);
    }
    canon_lane_done(lane);
}

void canon_order_enter_monitor(JNIEnv *env, struct canon_lane *lane, jobject object)
{
    if (canon_role_now() != CANON_ROLE_REPLAYER) {
        enter(env, lane, object);
        return;
    }
    canon_lane_begin(lane);
    (*env)->MonitorEnter(env, object);
    canon_lane_done(lane);
}

void canon_order_leave_monitor(JNIEnv *env, struct canon_lane *lane, jobject object)
{
    if (canon_role_now() != CANON_ROLE_REPLAYER) {
        leave(env, lane, object);
    } else {
        canon_lane_begin(lane);
        canon_lane_done(lane);
    }
    (*env)->MonitorExit(env, object);
}

static void record_wait(JNIEnv *env, struct canon_lane *lane, jobject object, jlong millis,
                        jthrowable *thrown)
{
    leave(env, lane, object);
    vm_wait(env, object, millis);
    *thrown = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    enter(env, lane, object);
}

/* Nobody really waits: the monitor is free until the strand's turn comes. */
static void replay_wait(JNIEnv *env, struct canon_lane *lane, jobject object)
{
    canon_lane_begin(lane);
    int depth = 0;
    while ((*env)->MonitorExit(env, object) == JNI_OK)
        depth++;
    (*env)->ExceptionClear(env);
    canon_lane_done(lane);
    canon_lane_begin(lane);
    for (int i = 0; i < depth; i++)
        (*env)->MonitorEnter(env, object);
    canon_lane_done(lane);
}

static jthread current_thread(void)
{
    jthread self = NULL;
    (*canon_agent.jvmti)->GetCurrentThread(canon_agent.jvmti, &self);
    return self;
}

static jfieldID interrupted_field(JNIEnv *env)
{
    jfieldID field = (*env)->GetFieldID(env, (*env)->FindClass(env, "java/lang/Thread"), "interrupted", "Z");
    (*env)->ExceptionClear(env);
    return field;
}

/*
 * Who is interrupted while it waits loses the mark, and no operation of the program's does that; somebody may
 * have set it again since.
 */
static void set_interrupted(JNIEnv *env, bool interrupted)
{
    jfieldID field = interrupted_field(env);
    if (field)
        (*env)->SetBooleanField(env, current_thread(), field, interrupted);
}

/* Whether it is marked again; the strand comes after the one who did that. */
static bool is_interrupted(JNIEnv *env, struct canon_lane *lane)
{
    if (!canon_agent.serial)
        return marked_method && (*env)->CallStaticBooleanMethod(env, record_class, marked_method,
                                                                current_thread(), (jlong)lane);
    jfieldID field = interrupted_field(env);
    return field && (*env)->GetBooleanField(env, current_thread(), field);
}

/*
 * Waiting, for whatever it was, has ended; if by an interrupt, the strand comes after the one who did that:
 * as if it had looked at the mark.
 */
void canon_order_end_wait(JNIEnv *env, struct canon_thread *thread, uint64_t id, jthrowable *thrown)
{
    struct canon_lane *lane = canon_agent.serial ? thread->baton : thread->lane;
    bool replaying = canon_role_now() == CANON_ROLE_REPLAYER;
    bool counts = lane && !canon_agent.serial;
    int64_t again = 0;
    if (counts && replaying)
        canon_lane_begin(lane);
    else if (lane && *thrown && !replaying)
        again = is_interrupted(env, lane);
    struct canon_step *step = canon_step_begin(thread->strand, CANON_EVENT_NATIVE, id);
    while (!step && replaying)
        pause();
    if (step) {
        if (replaying ? canon_step_peek(step) == 'x' : *thrown != NULL) {
            canon_transfer_exception(step, env, thrown);
            canon_step_int(step, &again);
        }
        canon_step_end(thread->strand, CANON_EVENT_NATIVE, id);
    }
    if (replaying && *thrown) {
        set_interrupted(env, again != 0);
        if (counts)
            canon_lane_done(lane);
    }
}

/* The wait itself; both ways. */
static void wait_in_order(JNIEnv *env, struct canon_thread *thread, jobject object, jlong millis,
                          jthrowable *thrown)
{
    struct canon_lane *lane = (struct canon_lane *)thread->block.lane;
    if (canon_agent.serial) {
        canon_turns_wait(env, thread, object, millis, vm_wait, thrown);
        return;
    }
    thread->block.lane = 0; /* for Java code that this calls */
    if (canon_role_now() == CANON_ROLE_REPLAYER)
        replay_wait(env, lane, object);
    else
        record_wait(env, lane, object, millis, thrown);
    thread->block.lane = (int64_t)lane;
}

void JNICALL canon_order_wait(JNIEnv *env, jobject object, jlong millis)
{
    struct canon_thread *thread = canon_thread_self();
    canon_order_settle(env, thread);
    bool counts = thread->block.lane != 0, ordered = counts || (canon_agent.serial && thread->baton);
    if (!ordered || canon_role_now() == CANON_ROLE_PASSTHROUGH || millis < 0 ||
        !vm_holds(env, NULL, object)) {
        vm_wait(env, object, millis);
        return;
    }
    jthrowable thrown = NULL;
    wait_in_order(env, thread, object, millis, &thrown);
    if (counts) {
        canon_thread_steps(thread);
        canon_order_end_wait(env, thread, wait_name, &thrown);
        canon_thread_stepped(thread);
    }
    if (thrown)
        (*env)->Throw(env, thrown);
}

bool canon_order_is_wait(void *address)
{
    return address && address == (void *)vm_wait;
}

int canon_order_find(void)
{
    void *library = dlopen("libjvm.so", RTLD_NOW | RTLD_NOLOAD);
    vm_wait = library ? (void(JNICALL *)(JNIEnv *, jobject, jlong))dlsym(library, "JVM_MonitorWait") : NULL;
    vm_holds =
        library ? (jboolean(JNICALL *)(JNIEnv *, jclass, jobject))dlsym(library, "JVM_HoldsLock") : NULL;
    return vm_wait && vm_holds ? 0 : CANON_E_UNSUPPORTED;
}

/*
 * A thread gets its random numbers when it needs some; so does the JDK, in places that have no order, when
 * threads get in each other's way. So each has them from the beginning.
 */
static jclass random_class;
static jmethodID random_method;

void canon_order_started(JNIEnv *env, const struct canon_thread *thread)
{
    if (thread->lane && random_method)
        (*env)->CallStaticVoidMethod(env, random_class, random_method);
    (*env)->ExceptionClear(env);
}

static void prepare_random(JNIEnv *env)
{
    random_class =
        (*env)->NewGlobalRef(env, (*env)->FindClass(env, "java/util/concurrent/ThreadLocalRandom"));
    random_method = random_class ? (*env)->GetStaticMethodID(env, random_class, "localInit", "()V") : NULL;
    (*env)->ExceptionClear(env);
    canon_order_started(env, canon_thread_self());
}

/* The names are the same in all versions, unlike those of the methods that everybody may call. */
static bool tell_array_layout(JNIEnv *env, jclass lane)
{
    jclass unsafe = (*env)->FindClass(env, "jdk/internal/misc/Unsafe");
    jfieldID instance = (*env)->GetStaticFieldID(env, unsafe, "theUnsafe", "Ljdk/internal/misc/Unsafe;");
    jmethodID base = (*env)->GetMethodID(env, unsafe, "arrayBaseOffset0", "(Ljava/lang/Class;)I");
    jmethodID scale = (*env)->GetMethodID(env, unsafe, "arrayIndexScale0", "(Ljava/lang/Class;)I");
    jfieldID base_field = (*env)->GetStaticFieldID(env, lane, "arrayBase", "I");
    jfieldID shift_field = (*env)->GetStaticFieldID(env, lane, "arrayShift", "I");
    if (!instance || !base || !scale || !base_field || !shift_field)
        return false;
    jobject object = (*env)->GetStaticObjectField(env, unsafe, instance);
    jclass array = (*env)->FindClass(env, "[Ljava/lang/Object;");
    jint size = (*env)->CallIntMethod(env, object, scale, array);
    (*env)->SetStaticIntField(env, lane, base_field, (*env)->CallIntMethod(env, object, base, array));
    (*env)->SetStaticIntField(env, lane, shift_field, size == 4 ? 2 : 3);
    return true;
}

int canon_order_enable(JNIEnv *env)
{
    jclass object = (*env)->FindClass(env, "java/lang/Object");
    jclass order = (*env)->FindClass(env, "java/lang/CanonOrder");
    jfieldID biased = order ? (*env)->GetStaticFieldID(env, order, "biased", "Z") : NULL;
    jclass lane = (*env)->FindClass(env, "java/lang/CanonLane");
    if (!lane || !(*env)->GetStaticFieldID(env, lane, "OWNER", "J")) /* that initialises it */
        return CANON_E_UNSUPPORTED;
    owner_field = (*env)->GetFieldID(env, object, "canonOwner", "I");
    if (!biased || !owner_field || !tell_array_layout(env, lane))
        return CANON_E_UNSUPPORTED;
    (*env)->SetStaticBooleanField(env, order, biased, canon_order_fence());
    gate_class = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "java/lang/Canon"));
    counts_field = (*env)->GetStaticFieldID(env, gate_class, "counts", "Z");
    if (!counts_field)
        return CANON_E_UNSUPPORTED;
    (*env)->SetStaticBooleanField(env, gate_class, counts_field, shared || canon_agent.vector);
    const char *record = canon_agent.vector ? "java/lang/CanonVector" : "java/lang/CanonRecord";
    record_class = (*env)->NewGlobalRef(env, (*env)->FindClass(env, record));
    marked_method = (*env)->GetStaticMethodID(env, record_class, "marked", "(Ljava/lang/Object;J)Z");
    settle_method = (*env)->GetStaticMethodID(env, record_class, "settle", "(J)J");
    (*env)->ExceptionClear(env);
    wait_name = canon_role_name("java/lang/Object.wait");
    prepare_random(env);
    return 0;
}
