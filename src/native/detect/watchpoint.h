/*
 * watchpoint.h: stores to a byte are noticed by the processor, in all threads, those to come included.
 */
#ifndef CANON_NATIVE_DETECT_WATCHPOINT_H
#define CANON_NATIVE_DETECT_WATCHPOINT_H

#include <stdint.h>

enum { CANON_WATCHPOINTS = 4 };

/* Called in the thread that has stored, after its store; `context` is a ucontext_t. */
typedef void (*canon_watchpoint_fn)(int number, const void *context);

/* Once, before any is set: the signal is SIGTRAP, also for the program's own traps. */
void canon_watchpoints_start(canon_watchpoint_fn hit);
/* Watches one byte as number 0 to 3; 0 or a negative error number. */
int canon_watchpoint_set(int number, const void *byte);
void canon_watchpoint_clear(int number);
/* All are cleared, whoever was about to do something with them. */
void canon_watchpoints_drop(void);
/* A thread begins: what is watched is watched in it, too. */
void canon_watchpoints_follow(void);

#endif
