/*
 * vmflags.h: options of the running JVM, where it keeps them. It shows them to debuggers, by a table of its
 * structures (gHotSpotVMStructs) that libjvm exports.
 */
#ifndef CANON_JVM_VMFLAGS_H
#define CANON_JVM_VMFLAGS_H

#include <stdint.h>

/* Where the value of an option is that is a whole number (intx), -XX:NAME=N; NULL if the JVM does not tell.
 */
intptr_t *canon_vm_flag(const char *name);

#endif
