/*
 * serial.h: Java threads that run one at a time (order/serial.h): where they may block, and so let others
 * run. All of this does nothing where the order is kept in another way.
 *
 * A strand of a thread has turns. What loads classes is part of the turn of the thread that does it, and none
 * of its operations counts: others do not run in the middle of it, unless it waits. Operations of static
 * initialisers count as the thread's, but others rather do not run there either: who needs the class would
 * block, inside the JVM, with the baton.
 */
#ifndef CANON_JVM_SERIAL_H
#define CANON_JVM_SERIAL_H

#include "jvm/threads.h"

/* When the program starts. */
int canon_turns_enable(JNIEnv *env);

/* The thread has got a lane: its first turn. */
void canon_turns_begin(struct canon_thread *thread);
/* It has no turns any more, though its strand goes on. */
void canon_turns_end(struct canon_thread *thread);
/* A static initialiser begins, which has the turns of the thread's strand before, or ends. */
void canon_turns_initialise(struct canon_thread *thread, const struct canon_thread *outer);
void canon_turns_initialised(struct canon_thread *thread);
/* Replay: it has come to the end of its recording. */
void canon_turns_rest(struct canon_thread *thread);

/* A native that never waits is about to run. */
void canon_turns_point(struct canon_thread *thread);
/* Others are to run if they want to. */
void canon_turns_yield(struct canon_thread *thread);
/* A native that may wait, or, `waits`, does. What it returns goes to canon_turns_resume afterwards. */
bool canon_turns_pause(struct canon_thread *thread, bool waits);
void canon_turns_resume(struct canon_thread *thread, bool paused);

/* Object.wait. Replay: in an ordered context nobody waits. */
void canon_turns_wait(JNIEnv *env, struct canon_thread *thread, jobject object, jlong millis,
                      void(JNICALL *vm_wait)(JNIEnv *, jobject, jlong), jthrowable *thrown);

#endif
