/*
 * inits.h: which strand links and initialises a class of the program, where the order of threads is kept.
 * Whoever needs a class first does it, and sees it (Thread.currentThread(), locks that it holds); and classes
 * that need each other may make their threads wait for each other for ever. The recording names who did; at
 * replay all others wait until that strand has begun, in front of every instruction or native that might
 * initialise the class. From then on the JVM lets them wait.
 */
#ifndef CANON_JVM_INITS_H
#define CANON_JVM_INITS_H

#include "classfile/rewrite.h"
#include "jvm/threads.h"

struct canon_init;

/* Replayer, before classes are rewritten: reads who initialised what. */
void canon_inits_load(void);

/* The current thread has linked a class. */
void canon_inits_linked(JNIEnv *env, jclass type);
/* A static initialiser, whose strand will be `strand`, is entered by the current thread, on its present
 * strand. Returns what canon_inits_ended gets; NULL if nobody cares. */
struct canon_init *canon_inits_begun(jclass type, const char *strand);
void canon_inits_ended(struct canon_init *init);

/* For CANON_RULE_INITIALISE; the number is the same for all classes of one loader. */
bool canon_inits_site(void *context, const struct canon_class *cls, struct canon_utf8 name,
                      struct canon_utf8 field, int32_t *number);

/* Replayer: comes back when the current thread may initialise the class, or has not to. True: so may
 * everybody, from now on. At a site it is the class that `type` has the field from, if it is one of a field.
 */
bool canon_inits_await(JNIEnv *env, jclass type);
bool canon_inits_await_at(JNIEnv *env, jclass type, int32_t number);

#endif
