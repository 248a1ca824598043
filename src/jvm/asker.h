/*
 * asker.h: who asks a class loader for a class: code that calls loadClass, or the JVM, which needs the class
 * for an instruction, a superclass, a native, or for its compiler. For natives called by java.lang.Canon's
 * enterLoad only: what they look at is the stack.
 */
#ifndef CANON_JVM_ASKER_H
#define CANON_JVM_ASKER_H

#include <jni.h>
#include <stdbool.h>

/* Whether it is code; `class` as code names it: "a.b.C". */
bool canon_asker_is_code(JNIEnv *env, const char *class);
/*
 * Before C2 compiles a method, the thread that called it once too often asks for the classes in its
 * signature. When that is, or whether at all, is a matter of timing. Whether it may be that; or, `surely`,
 * that it cannot be the instruction at which the thread is.
 */
bool canon_asker_is_compiler(const char *class, bool surely);

#endif
