/*
 * memory.h: system calls about the process's own memory. They are done again in a replay, at the recorded
 * addresses.
 */
#ifndef CANON_NATIVE_MEMORY_H
#define CANON_NATIVE_MEMORY_H

#include "native/call.h"

void canon_memory_mmap(struct canon_self *self, struct canon_frame *frame, long origin);
void canon_memory_munmap(struct canon_self *self, struct canon_frame *frame, long origin);
void canon_memory_mremap(struct canon_self *self, struct canon_frame *frame, long origin);
void canon_memory_brk(struct canon_self *self, struct canon_frame *frame, long origin);

/* Whether a fork makes memory that two processes write. */
bool canon_memory_is_shared(void);

/* Memory for the program's heap, as if the program had asked for it. NULL if there is none. */
void *canon_memory_map(size_t size);
void canon_memory_unmap(void *memory, size_t size);

#endif
