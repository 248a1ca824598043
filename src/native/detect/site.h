/*
 * site.h: a place in the program, kept for canon to unwind: registers and a piece of the stack (findings.h).
 */
#ifndef CANON_NATIVE_DETECT_SITE_H
#define CANON_NATIVE_DETECT_SITE_H

#include "native/detect/findings.h"
#include "native/native.h"

/* Where the caller is now. */
void canon_site_here(struct canon_site *site);
/* Where a signal has stopped the thread; `context` is a ucontext_t. In canon's own code it is the system call
 * of the program's that canon is doing. */
void canon_site_stopped(struct canon_site *site, const void *context);

#endif
