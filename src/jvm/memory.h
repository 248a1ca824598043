/*
 * memory.h: malloc and its like, for libraries that are not the JDK's. Addresses get into Java: as handles,
 * as keys of tables, as text. So where the memory lies is an event, and a replay has it at the same place.
 */
#ifndef CANON_JVM_MEMORY_H
#define CANON_JVM_MEMORY_H

#include "jvm/natives.h"

/* Once the role has started: others may free and resize what such libraries hand to them. */
void canon_memory_prepare(void);

/* By the name in a SPECIAL row; NULL: there is none. */
canon_special_fn canon_memory_special(const char *name);

#endif
