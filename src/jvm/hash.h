/* hash.h: identity hash codes that are the same in every run. */
#ifndef CANON_JVM_HASH_H
#define CANON_JVM_HASH_H

#include "jvm/agent.h"

/* Finds the JVM's own function. */
int canon_hash_find(void);
/* Whether a native that is being bound is that function: Object.hashCode, bound before names are known. */
bool canon_hash_is_native(void *address);
/* Stands for Object.hashCode. */
jint JNICALL canon_hash_of(JNIEnv *env, jobject object);
/*
 * Classes have theirs from their name. The JVM's verifier draws one for every class that it links; this
 * replaces it before anybody can see it (JVMTI event ClassPrepare), and canon_hash_enable does for those that
 * were linked before there were such events.
 */
void JNICALL canon_hash_class(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass class);
/* From now on hash codes are drawn from the strands. */
int canon_hash_enable(JNIEnv *env);

/* A hash of the class's name, without what differs from run to run in that of a hidden class. */
jint canon_hash_of_name(jclass class);

#endif
