/*
 * order.h: the order of threads: operations of Java code, counted and ordered by lanes (order/lane.h). The
 * hot part is Java: java.lang.CanonRecord and CanonReplay; this is what it calls, and what natives do
 * themselves.
 */
#ifndef CANON_JVM_ORDER_H
#define CANON_JVM_ORDER_H

#include "jvm/threads.h"

/* Finds the JVM's functions; before any native is bound. */
int canon_order_find(void);
/* When the program starts: tells the helper classes what they must know. */
int canon_order_enable(JNIEnv *env);

/* Before C code does an operation or a step of the thread: one of Java code that threw is over. */
void canon_order_settle(JNIEnv *env, struct canon_thread *thread);

/* A step, native `id`, in which the thread waited; it may have been interrupted, and `thrown` that. */
void canon_order_end_wait(JNIEnv *env, struct canon_thread *thread, uint64_t id, jthrowable *thrown);

/*
 * Around steps that give a number of a descriptor back to the system, or get one from it: who gets a number
 * comes after the one who gave it back. Both are operations. Recorder: before the descriptor is closed, after
 * one was opened. Replayer: after the step, before the step.
 */
void canon_order_closes(struct canon_thread *thread, int fd);
void canon_order_opens(struct canon_thread *thread, int fd);
/* A value that the JVM chose, as a step of the thread's strand. */
void canon_order_decide(struct canon_thread *thread, const char *name, int64_t *value);

/* Operations of the lane: a monitor is entered, which a recorder already has, or is left. */
void canon_order_enter_monitor(JNIEnv *env, struct canon_lane *lane, jobject object);
void canon_order_leave_monitor(JNIEnv *env, struct canon_lane *lane, jobject object);

/* The native of Object.wait, and what takes its place. */
bool canon_order_is_wait(void *address);
void JNICALL canon_order_wait(JNIEnv *env, jobject object, jlong millis);

/* The current thread has got another strand: opens its lane. `quiet`: in the middle of something without
 * order. */
void canon_order_begins(struct canon_thread *thread, bool quiet);
/* The current thread begins with Java code. */
void canon_order_started(JNIEnv *env, const struct canon_thread *thread);
/* The current thread is back on a strand that it had left; others may have come into being meanwhile. */
void canon_order_resumes(struct canon_thread *thread);
/* Whether the program has started. */
bool canon_order_is_on(void);
/* The current thread is about to start another one of the program's. */
void canon_order_starts(JNIEnv *env, struct canon_thread *thread);
/* Whether that has ever happened: the program may have several threads. */
bool canon_order_is_shared(void);

#endif
