/*
 * loads.h: the loading of a class, and its initialisation, are strands of their own, whichever thread does
 * them; except what class loaders of the program's do, where the order of threads is kept: requests.h.
 */
#ifndef CANON_JVM_LOADS_H
#define CANON_JVM_LOADS_H

#include "jvm/threads.h"

struct canon_load;

/* Around every loadClass(String); called from java.lang.Canon. Not NULL: the loader is not asked, there is
 * the class; or an exception is pending. Then there is nothing to leave. */
jobject canon_load_enter(JNIEnv *env, jobject loader, jstring class_name);
/* Around every static initialiser. */
void canon_init_enter(JNIEnv *env, jstring class_name);
void canon_load_leave(JNIEnv *env);
/* Name of the strand of a static initialiser, malloc'd. */
char *canon_init_strand(JNIEnv *env, jobject loader, const char *class, unsigned attempt);
/* Whether the thread's strand, or one that it interrupted for that, has this label. */
bool canon_load_within(const struct canon_thread *thread, const char *label);
/* What the thread is by itself, whatever it loads or initialises now. */
const struct canon_thread *canon_load_thread(const struct canon_thread *thread);
/* Whether the thread is in the middle of the request with this key (requests.h). */
bool canon_load_is_nested(const struct canon_thread *thread, uint64_t key);
/* Replayer: whether the loader was asked for the class on a strand of its own. */
bool canon_load_was_asked(const char *loader, const char *class);
/* Whether a loader of the JDK's own is at work. */
bool canon_load_of_jdk(const struct canon_load *load);
/* Whether the current thread is loading a class: then files are read by content. */
bool canon_load_by_content(const struct canon_load *load);
/*
 * Whether a look at the clock is nobody's event there: the JDK's loaders keep statistics, and the JVM may ask
 * a loader more often than it did in the recording.
 */
bool canon_load_ignores_clock(const struct canon_load *load);
/*
 * Replayer: whether only the compiler asks for the class, and did not in the recording. Then what the loader
 * reads may not be in the trace, and the load may fail: the JVM passes over that.
 */
bool canon_load_may_fail(const struct canon_load *load);
/* What it fails with. */
jthrowable canon_load_failure(JNIEnv *env, const struct canon_load *load);

#endif
