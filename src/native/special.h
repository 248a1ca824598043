/*
 * special.h: system calls that a row of the table cannot describe.
 */
#ifndef CANON_NATIVE_SPECIAL_H
#define CANON_NATIVE_SPECIAL_H

#include "native/call.h"

typedef void (*canon_special_fn)(struct canon_self *self, struct canon_frame *frame, long origin);

/* NULL if the call has none. */
canon_special_fn canon_special_of(long number);

#endif
