/*
 * classpath.h: class files where the system class loader would find them, before the JVM asks for them.
 * Recorder only: at replay they may be gone.
 */
#ifndef CANON_JVM_CLASSPATH_H
#define CANON_JVM_CLASSPATH_H

#include "classfile/class.h"

#include <stddef.h>
#include <stdint.h>

/* The class file of "a/b/C", malloc'd; NULL: not found, or it may be a class of the JDK. */
uint8_t *canon_classpath_read(struct canon_utf8 name, size_t *size);

#endif
