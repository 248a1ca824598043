/*
 * helpers.h: the helper classes of java/runtime, as bytes, and how they get into the JVM.
 */
#ifndef CANON_JVM_HELPERS_H
#define CANON_JVM_HELPERS_H

#include "jvm/agent.h"

#include <stddef.h>

/* The `number`th helper class that this recording or replay needs, or NULL behind the last. */
const char *canon_helper_name(size_t number);
/* The bytes of a helper class, or NULL if `name` ("java/lang/Canon") is none. */
const unsigned char *canon_helper_find(const char *name, size_t *size);

/* At VMStart: all that are needed are in java.lang afterwards. */
int canon_helpers_define(JNIEnv *env);

#endif
