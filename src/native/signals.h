/*
 * signals.h: signals are delivered to the program between its steps: after a system call, or where it waits
 * for another thread. A replay delivers them in the same places, and is sent none.
 */
#ifndef CANON_NATIVE_SIGNALS_H
#define CANON_NATIVE_SIGNALS_H

#include "native/call.h"

/* Faults of a program that has no handlers for them are looked at, if there are detectors. */
void canon_signals_start(void);
/* The kernel is told all actions again: they were put back to what they had been. */
void canon_signals_again(void);

void canon_signals_action(struct canon_self *self, struct canon_frame *frame, long origin);
void canon_signals_mask(struct canon_self *self, struct canon_frame *frame, long origin);
void canon_signals_suspend(struct canon_self *self, struct canon_frame *frame, long origin);
void canon_signals_kill(struct canon_self *self, struct canon_frame *frame, long origin);

/*
 * Runs the handlers of what has come meanwhile; the thread is inside. Whether the call that `asked` for
 * something and got `result` is to be done again, because it was interrupted and the handler wants that.
 */
bool canon_signals_deliver(struct canon_self *self, const struct canon_frame *asked, long result);

/* Before a step: what a replay has to deliver first. The thread is inside. */
void canon_signals_before(struct canon_self *self);

/* Around waiting for another thread: what comes meanwhile is delivered at once. */
void canon_signals_wait_begins(struct canon_self *self);
void canon_signals_wait_ended(struct canon_self *self);

/* After a fork, in the child: signals that the parent was sent are not for it. */
void canon_signals_forked(struct canon_self *self);
/* Around a child that shares the memory: its actions are its own. */
void *canon_signals_save(void);
void canon_signals_restore(void *saved);

#endif
