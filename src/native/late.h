/*
 * late.h: a timer for the running thread: a program that computes, and waits for a signal, may come to no
 * place that a replay could find again. After a while the signal is delivered where the thread happens to be.
 */
#ifndef CANON_NATIVE_LATE_H
#define CANON_NATIVE_LATE_H

#include "native/native.h"

/* Calls `late` in the thread, in the middle of whatever it does, after a fiftieth of a second. */
void canon_late_arm(struct canon_self *self, void (*late)(struct canon_self *self));

/* After a fork, in the child: it has inherited no timers. */
void canon_late_forked(void);

#endif
