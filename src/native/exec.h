/*
 * exec.h: a program becomes another one, or a child of it does.
 */
#ifndef CANON_NATIVE_EXEC_H
#define CANON_NATIVE_EXEC_H

#include "native/call.h"

void canon_exec(struct canon_self *self, struct canon_frame *frame, long origin);

/* What a child that shared the memory had made for its exec. */
void canon_exec_forget(void);

#endif
