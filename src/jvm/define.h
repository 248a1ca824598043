/*
 * define.h: rewriting of classes without the ClassFileLoadHook, which would keep the JVM from using an
 * archive.
 *
 * Where the JVM has an archive of rewritten classes, what comes out of the archive or out of the image is
 * rewritten (image.h), and all other classes are where Java code hands their bytes to the JVM: calls of
 * libjava that the launch library stands in for, Unsafe.defineClass, and JNI's DefineClass. Programs whose
 * classes may come in yet another way (agents, boot class path, patched modules) are run without the archive
 * (launch/archived.c). If an agent is loaded later, the hook is switched on.
 */
#ifndef CANON_JVM_DEFINE_H
#define CANON_JVM_DEFINE_H

#include "jvm/natives.h"

/* At VMStart, before the first class of the program. */
void canon_define_prepare(void);
/* Whether this thread is defining class `name` (NULL: unknown) from bytes that are rewritten already. */
bool canon_define_gave(const char *name);
/* Unsafe.defineClass0: a SPECIAL row. */
uint64_t canon_define_unsafe(struct canon_native *native, JNIEnv *env, struct canon_frame *frame);

#endif
