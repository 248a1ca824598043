/*
 * libraries.h: libraries with natives that are not the JDK's. Their calls of libc are led to functions.h, and
 * those that they load in turn, or ask dlsym for. The trace keeps a copy of each, since a replay loads it,
 * too.
 *
 *   System.load -> NativeLibraries.load -> dlopen -> dlsym("JNI_OnLoad")
 *                  here: the file is kept,           here: what it imports is looked through
 *                  or taken from the trace
 */
#ifndef CANON_JVM_LIBRARIES_H
#define CANON_JVM_LIBRARIES_H

#include "jvm/natives.h"

/* Once the role has started. */
void canon_libraries_prepare(void);

/* The way of NativeLibraries.load. */
uint64_t canon_library_load(struct canon_native *native, JNIEnv *env, struct canon_frame *frame);

/* The way of NativeLibrary.findEntry0, by which Java code finds foreign functions, too. */
uint64_t canon_library_entry(struct canon_native *native, JNIEnv *env, struct canon_frame *frame);

#endif
