/*
 * services.h: threads that work when something outside the program's own order asks them to: the
 * finalizer, cleaners and others that take references from a queue, handlers of signals, the reaper of
 * child processes.
 *
 * Their work comes in units: what they do for one reference, or for one signal. When recording, each unit
 * is logged with the program's progress when it began and when it was done. When replaying, a driver thread
 * sets the units off: a unit begins when the program has come as far, and the program does not go on past
 * the end of a unit that is not done yet.
 *
 * Progress counts the steps of all threads of the program, twice each: when a step begins and when it ends.
 */
#ifndef CANON_JVM_SERVICES_H
#define CANON_JVM_SERVICES_H

#include "jvm/threads.h"

/* The service got reference `id` (0: none, a time-out) and begins to work. */
void canon_service_begins(struct canon_thread *thread, int64_t id);
/* It is done, and about to wait for the next one or to end. */
void canon_service_idle(struct canon_thread *thread);

/* On the JDK's reaper thread: it begins to work on the end of a child, and is done with it. */
void canon_child_ends(int64_t pid);
void canon_child_ended(void);

/* The JVM dispatches a signal on the current thread: who is started now is its handler. */
void canon_signal_dispatched(int signal);
/* The strand of a handler that is started by the current thread, malloc'd; NULL if none is due. */
char *canon_signal_handler(void);
/* The current thread is a handler, and begins. */
void canon_signal_begins(struct canon_thread *thread);
/* Its strand has made a step. */
void canon_signal_stepped(struct canon_thread *thread);

/* Replay: reads the recorded units and starts the driver if there are any. */
int canon_services_start(void);
/* A step of a thread of the program begins or ends. */
void canon_progress_begin(void);
void canon_progress_end(void);
uint64_t canon_progress(void);
/* Replay: waits until the program has come as far, or nothing moves any more. */
void canon_progress_await(uint64_t position);
/* Replay: a thread of the program has come to where its recording stops. */
void canon_services_resting(void);

#endif
