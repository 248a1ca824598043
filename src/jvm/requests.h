/*
 * requests.h: the JVM asks class loaders of the program's own for classes, where the order of threads is
 * kept.
 *
 * What such a loader does (lock, count, print, start threads) is part of the program, and so an event and
 * operations of the strand that asks. But whether a strand asks is the JVM's choice: it does not when another
 * one has just loaded the class, and the JIT compilers make it ask for classes when they like. So each
 * request is an event that tells when it was made, in operations of the strand. At replay
 *
 * - a request that is the strand's next event, now, is made;
 * - one that is not, is not: another strand has loaded the class, or will, and that is waited for; or it is
 *   the compiler's, which can do without;
 * - one that is the next event when the strand comes to its next step or operation, and that the JVM did not
 *   make, is made then.
 *
 * What loaders find out about classes that others may just load (findLoadedClass, a class that is defined
 * twice) is decided by the recording, too.
 */
#ifndef CANON_JVM_REQUESTS_H
#define CANON_JVM_REQUESTS_H

#include "jvm/loaders.h"
#include "jvm/threads.h"

struct canon_request {
    const struct canon_loader *loader;
    jobject object; /* the loader */
    jstring name;
    const char *class; /* the same */
};

/* What becomes of a request. */
enum canon_request_way {
    CANON_REQUEST_HERE,     /* the loader loads, on the current strand, */
    CANON_REQUEST_HELD,     /* likewise, with its monitor held as an operation: canon_request_done */
    CANON_REQUEST_APART,    /* on a strand without order, */
    CANON_REQUEST_LOCKED,   /* likewise, with its monitor held: canon_request_done */
    CANON_REQUEST_ANSWERED, /* it is not asked: there is the class; or an exception is pending */
};

/* Before the program starts. */
int canon_requests_find(void);
/* Replayer, before the program starts. */
void canon_requests_load(void);

/* loadClass of an own loader is called. */
enum canon_request_way canon_request_made(JNIEnv *env, const struct canon_request *request, jobject *answer);
/* It has loaded, with its monitor held. */
void canon_request_done(JNIEnv *env, jobject loader, enum canon_request_way way);
uint64_t canon_request_key(const struct canon_request *request);

/*
 * Replayer: makes the requests that come before the next operation and that the JVM has not made; whether
 * there were any. For who is about to make a step or to end, or when nothing moves any more.
 */
bool canon_requests_catch_up(struct canon_thread *thread);
/*
 * Only those that also come before the strand links or initialises the next class: others may have to wait
 * for that. For who waits for what others do; to them it does not matter when the strand finds that done.
 */
void canon_requests_before(struct canon_thread *thread);

/* Natives that ask the JVM about classes of a loader; both ways. `found` is what it says now. */
jclass canon_request_found(JNIEnv *env, jobject loader, jstring name, jclass found);
/* There are bytes for a class, "a/b/C", that the loader, or NULL, is about to have. */
void canon_request_parsed(JNIEnv *env, jobject loader, const char *name);
/* A class is about to be defined; what it returns goes to canon_request_defined. */
uint64_t canon_request_defines(JNIEnv *env, jobject loader, jstring name);
jclass canon_request_defined(JNIEnv *env, jobject loader, jstring name, uint64_t key, jclass defined);

#endif
