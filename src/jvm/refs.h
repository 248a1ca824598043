/*
 * refs.h: references that the collector cleared or queued; the C side of java.lang.CanonReferences.
 */
#ifndef CANON_JVM_REFS_H
#define CANON_JVM_REFS_H

#include "jvm/threads.h"

/* What a REFERENCE event tells; its id. Items: number of the look, its
 * bucket, the reference's id. */
enum canon_reference_event {
    CANON_REFERENCE_CLEARED = 1, /* this look found the reference cleared */
    CANON_REFERENCE_POLLED = 2,  /* this poll got it from its queue */
    CANON_REFERENCE_REMOVED = 3, /* this remove got it from its queue */
    CANON_REFERENCE_IDLE = 4,    /* in strand "notes": a service is done with a unit, see services.c */
    CANON_REFERENCE_QUEUED = 5,  /* in strand "notes": the reference, its only item, comes out of its queue */
};

int canon_refs_enable(JNIEnv *env);

/* Replay: looks ahead in the thread's strand and sets at which look its turn comes. After every event. */
void canon_refs_arm(struct canon_thread *thread);

/* Replay, before the program starts: this reference, its id is not 0, will be asked for. */
void canon_refs_expect(int64_t id);
/* Such a reference: a new local reference, NULL if it was not made yet or is taken. */
jobject canon_refs_take(JNIEnv *env, int64_t id);
/* Replay: does what the collector and the reference handler did with it. */
void canon_refs_enqueue(JNIEnv *env, jobject reference);

#endif
