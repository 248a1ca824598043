/* serial.c: see serial.h. */
#include "jvm/serial.h"

#include "base/error.h"
#include "jvm/refs.h"
#include "order/serial.h"

#include <sched.h>

static jclass serial_class;
static jmethodID left_method, back_method;

static bool replaying(void)
{
    return canon_role_now() == CANON_ROLE_REPLAYER;
}

int canon_turns_enable(JNIEnv *env)
{
    jclass class = (*env)->FindClass(env, "java/lang/CanonSerial");
    jfieldID exclusive = class ? (*env)->GetStaticFieldID(env, class, "exclusive", "Z") : NULL;
    if (!exclusive)
        return CANON_E_UNSUPPORTED;
    (*env)->SetStaticBooleanField(env, class, exclusive, canon_serial_is_enforced());
    serial_class = (*env)->NewGlobalRef(env, class);
    left_method = (*env)->GetStaticMethodID(env, class, "left", "(Ljava/lang/Object;J)I");
    back_method = (*env)->GetStaticMethodID(env, class, "back", "(Ljava/lang/Object;JI)V");
    return left_method && back_method ? 0 : CANON_E_UNSUPPORTED;
}

/* ---- turns of threads --------------------------------------------------------------------------------- */

void canon_turns_begin(struct canon_thread *thread)
{
    if (!canon_agent.serial || !thread->lane)
        return;
    thread->baton = thread->lane;
    canon_serial_begin(thread->lane);
}

void canon_turns_end(struct canon_thread *thread)
{
    if (!thread->baton)
        return;
    canon_serial_end(thread->baton);
    thread->baton = NULL;
    thread->block.lane = 0;
}

void canon_turns_initialise(struct canon_thread *thread, const struct canon_thread *outer)
{
    if (!thread->baton)
        return;
    thread->block.lane = outer->block.lane;
    thread->baton->steady++;
}

void canon_turns_initialised(struct canon_thread *thread)
{
    if (thread->baton)
        thread->baton->steady--;
}

void canon_turns_rest(struct canon_thread *thread)
{
    if (thread->baton)
        canon_serial_rest(thread->baton);
}

void canon_turns_point(struct canon_thread *thread)
{
    if (!thread->baton || !thread->block.lane)
        return;
    canon_serial_count(thread->baton);
    canon_serial_turn(thread->baton);
    canon_refs_arm(thread);
}

void canon_turns_yield(struct canon_thread *thread)
{
    if (thread->baton && thread->baton->steady) {
        canon_turns_point(thread);
        return;
    }
    bool paused = canon_turns_pause(thread, true);
    if (paused)
        sched_yield(); /* the other one may be on its way to the queue */
    canon_turns_resume(thread, paused);
}

bool canon_turns_pause(struct canon_thread *thread, bool waits)
{
    bool counted = thread->block.lane != 0;
    if (!thread->baton || !(counted || waits))
        return false;
    if (!waits && thread->baton->steady) {
        canon_turns_point(thread);
        return false;
    }
    if (counted)
        canon_serial_count(thread->baton);
    unsigned how = (waits ? CANON_PAUSE_LONG : CANON_PAUSE_BRIEF) | (counted ? CANON_PAUSE_COUNTED : 0);
    bool paused = canon_serial_pause(thread->baton, how);
    if (!paused)
        canon_refs_arm(thread);
    return paused;
}

void canon_turns_resume(struct canon_thread *thread, bool paused)
{
    if (!paused)
        return;
    canon_serial_resume(thread->baton);
    canon_refs_arm(thread);
}

/* ---- natives of java.lang.CanonOrder (found by name) -------------------------------------------------- */

JNIEXPORT void JNICALL Java_java_lang_CanonOrder_turn(JNIEnv *env, jclass unused, jlong lane);
JNIEXPORT void JNICALL Java_java_lang_CanonOrder_giveWay(JNIEnv *env, jclass unused);
JNIEXPORT jboolean JNICALL Java_java_lang_CanonOrder_blocked(JNIEnv *env, jclass unused, jlong lane,
                                                             jobject lock);

void Java_java_lang_CanonOrder_turn(JNIEnv *env, jclass unused, jlong lane)
{
    (void)env, (void)unused;
    canon_serial_turn((struct canon_lane *)lane);
    canon_refs_arm(canon_thread_self());
}

void Java_java_lang_CanonOrder_giveWay(JNIEnv *env, jclass unused)
{
    (void)env, (void)unused;
    canon_turns_yield(canon_thread_self());
}

/*
 * Waits by entering the monitor, so that everybody sees what the thread waits for, and lets go of it at once:
 * it may have it only once it has the baton, too.
 */
jboolean Java_java_lang_CanonOrder_blocked(JNIEnv *env, jclass unused, jlong address, jobject lock)
{
    (void)unused;
    struct canon_lane *lane = (struct canon_lane *)address;
    int64_t turn = lane->turn;
    bool paused = canon_serial_pause(lane, CANON_PAUSE_LONG | CANON_PAUSE_COUNTED);
    if (replaying() && lane->turn == turn)
        canon_step_mismatch(lane->strand, "a monitor that is free", "a monitor that another strand has");
    if (!replaying() && (*env)->MonitorEnter(env, lock) == JNI_OK)
        (*env)->MonitorExit(env, lock);
    canon_turns_resume(canon_thread_self(), paused);
    return canon_role_now() != CANON_ROLE_PASSTHROUGH;
}

/* ---- Object.wait -------------------------------------------------------------------------------------- */

/* Lets go of a monitor, however often it was entered. */
static int exit_all(JNIEnv *env, jobject object)
{
    int depth = 0;
    while ((*env)->MonitorExit(env, object) == JNI_OK)
        depth++;
    (*env)->ExceptionClear(env);
    return depth;
}

/*
 * While it waits for its turn, the thread must not have the monitor: who has the baton may want to enter it,
 * and finds nobody registered as its owner.
 */
void canon_turns_wait(JNIEnv *env, struct canon_thread *thread, jobject object, jlong millis,
                      void(JNICALL *vm_wait)(JNIEnv *, jobject, jlong), jthrowable *thrown)
{
    struct canon_lane *lane = thread->baton;
    int64_t ordered = thread->block.lane;
    bool waits = !ordered || !replaying();
    int depth = 0;
    thread->block.lane = 0; /* for Java code that this calls */
    jint owner =
        ordered ? (*env)->CallStaticIntMethod(env, serial_class, left_method, object, (jlong)lane) : 0;
    if (!waits)
        depth = exit_all(env, object);
    thread->block.lane = ordered;
    bool paused = canon_turns_pause(thread, true);
    thread->block.lane = 0;
    if (waits) {
        vm_wait(env, object, millis);
        *thrown = (*env)->ExceptionOccurred(env);
        (*env)->ExceptionClear(env);
        if (paused)
            depth = exit_all(env, object);
    }
    canon_turns_resume(thread, paused);
    if (ordered)
        (*env)->CallStaticVoidMethod(env, serial_class, back_method, object, (jlong)lane, owner);
    for (int i = 0; i < depth; i++)
        (*env)->MonitorEnter(env, object);
    thread->block.lane = ordered;
}
