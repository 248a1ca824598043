/*
 * hooks.h: classes are rewritten as the JVM loads them, and java.lang.Canon hears of what they do.
 */
#ifndef CANON_JVM_HOOKS_H
#define CANON_JVM_HOOKS_H

#include "jvm/agent.h"

int canon_hooks_prepare(bool replaying);
/* Rewrites a class: 1 and what was made, malloc'd; 0: it stays as it is; or an error, which is noted. */
int canon_hooks_rewrite(const uint8_t *data, size_t size, uint8_t **made, size_t *made_size);
/* A class of that loader (not of the image) is about to be defined. True: from what was made, malloc'd. */
bool canon_hooks_defined(JNIEnv *env, jobject loader, const char *name, const uint8_t *data, size_t size,
                         uint8_t **made, size_t *made_size);
/* JVMTI ClassFileLoadHook. */
void JNICALL canon_hooks_class(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader,
                               const char *name, jobject domain, jint size, const unsigned char *data,
                               jint *new_size, unsigned char **new_data);
/* The program is about to start: the calls that were put into classes take effect. */
int canon_hooks_enable(JNIEnv *env);

#endif
