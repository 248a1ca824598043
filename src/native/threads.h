/*
 * threads.h: threads of the program: their strands, lanes, heaps and stacks.
 */
#ifndef CANON_NATIVE_THREADS_H
#define CANON_NATIVE_THREADS_H

#include "native/native.h"

/* The first thread's strand. */
void canon_thread_main(void);
/* The running thread ends; nothing of the program's runs in it any more. */
void canon_thread_ends(struct canon_self *self);

/* clone.c: a clone that did not come by its own way. */
void canon_clone_called(struct canon_self *self, struct canon_frame *frame, long origin);

#endif
