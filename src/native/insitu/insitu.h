/*
 * insitu.h: `canon record --in-situ`: the last epoch of a program that fails is run again, in the same
 * process.
 *
 * A thread of canon's own, the keeper, stops all others from time to time and takes a snapshot of the
 * process's memory (snapshot.h): an epoch begins. When the program is about to end by a fault, or a detector
 * has found something, the keeper stops them again, puts memory and threads back to where they were at the
 * last snapshot, and makes the recorder a replayer of its own trace. The epoch runs again, with watchpoints;
 * nothing is done to the outside. Then the program ends as it would have.
 *
 * Where threads can be put back to: the program's own code, in which a signal has stopped them; and points,
 * which canon has before everything that may wait. Who waits at a point needs not be stopped: it must not
 * leave it.
 */
#ifndef CANON_NATIVE_INSITU_INSITU_H
#define CANON_NATIVE_INSITU_INSITU_H

#include "native/detect/findings.h"
#include "native/native.h"

#include <pthread.h>

/* Whether it is on; in memory that is put back, like everything that is not in kept.h. */
extern bool canon_insitu;

/* Recorder: starts the keeper; epochs end after so much time, or so many events (0: no matter). False: it
 * cannot be, and `why` says so. */
bool canon_insitu_start(struct canon_findings *findings, int period_ms, int log_mb, const char **why);
/* The first snapshot was taken: main does not begin without. */
void canon_insitu_await_first(void);

/* ---- points ---------------------------------------------------------------------------------------------
 */

int canon_insitu_point(struct canon_point *point, _Atomic int *region) __attribute__((returns_twice));
void canon_insitu_wait_to_leave(struct canon_self *self);

/*
 * Before something that may wait, in the recorder. True: the thread was put back to here, and is a replayer
 * now; what was to be done is not to be done. Else canon_insitu_leave comes after it.
 */
#define CANON_INSITU_POINT(self)                                                                             \
    (__builtin_expect(canon_insitu, 0) && canon_insitu_point(&(self)->point, &(self)->region) &&             \
     (atomic_store(&(self)->region, 0), true))

static inline void canon_insitu_leave(struct canon_self *self)
{
    if (__builtin_expect(canon_insitu, 0))
        canon_insitu_wait_to_leave(self);
}

/* ---- threads --------------------------------------------------------------------------------------------
 */

/* The running thread is about to make one; or it could not be made. */
void canon_insitu_birth(int change);
/* The running thread begins. */
void canon_insitu_begins(struct canon_self *self);
/* It ends: comes back if it is to end for real. */
void canon_insitu_ends(struct canon_self *self);
/* Waits for the end of another one, and leaves nothing behind in libc, as joining it does. */
void canon_insitu_await_end(pthread_t thread);
/* In a child: nothing of all this. */
void canon_insitu_forget(void);

/* ---- the end --------------------------------------------------------------------------------------------
 */

/* The program is about to end: no other thread does anything any more that its trace would not have. */
void canon_insitu_still(bool if_held);
/* A detector has found something: the epoch is not over until the program ends. */
void canon_insitu_hold(void);
/*
 * The program is about to end. Recorder: if there is reason to run the last epoch again, this does not come
 * back. Re-execution: it has come to its end, which is reported; comes back.
 */
void canon_insitu_fault(int signal, uint64_t place);
void canon_insitu_aborts(int signal);
void canon_insitu_exits(int status);
/* Re-execution: it has taken another way. Comes back if this is none. */
void canon_insitu_diverged(const struct canon_divergence *divergence);
/* A thread has come to the place where it is pinned. */
void canon_insitu_pinned(void);
/* A signal handler has run in the middle of waiting: if the thread is a replayer now, it does not wait. */
void canon_insitu_handled(struct canon_self *self, bool recorded);

#endif
