/*
 * native.h: what the files of the preload library share.
 *
 * The library lives inside the program. Three rules follow, for all of its files:
 *
 *   - While a thread is `inside`, its system calls go straight to the kernel, its memory comes from the
 * runtime's own arena (arena.h) and its locks are not looked at. So the trace, role and order libraries run
 * here unchanged.
 *   - What decides addresses or order is done alike when recording and when replaying.
 *   - errno is the program's.
 *
 *   self       what canon knows of the running thread
 *   threaded   the program has started a second thread: from then on operations are counted
 *   operation  what goes into the order of threads: order/lane.h
 */
#ifndef CANON_NATIVE_NATIVE_H
#define CANON_NATIVE_NATIVE_H

#include "order/lane.h"
#include "role/role.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#define CANON_EXPORT __attribute__((visibility("default")))
#define CANON_TLS __attribute__((tls_model("initial-exec")))

/* The registers of a system call. */
struct canon_frame {
    long rax, rdi, rsi, rdx, r10, r8, r9;
};

struct canon_heap;
struct canon_racy_memo;

/* Registers at a place to which the thread can be put back: insitu/insitu.h. */
struct canon_point {
    long rbx, rbp, r12, r13, r14, r15, rsp, rip;
};

struct canon_self {
    int inside; /* > 0: canon's own code is running */
    bool ended; /* nothing of this thread is recorded any more */
    bool is_main;
    bool due; /* replay: the operation in work did not succeed: */
    int64_t due_result;
    int children;              /* threads started by this one */
    struct canon_spawn *spawn; /* while a child shares its memory, it is the child: clone.c */
    struct canon_strand *strand;
    struct canon_lane *lane;
    struct canon_lane *counts; /* `lane`, once the program has a second thread; NULL in turns */
    struct canon_lane *turns;  /* `lane`, if threads run one at a time: turns.h */
    int real_tid;
    struct canon_heap *heap;
    int tid;                   /* as the program knows it; 0 if it has not asked */
    int cloning;               /* what clone is making: enum canon_cloning */
    int cloned;                /* the part that a fork begins, or 0; */
    int forked_pid;            /* replay: and the number of the child */
    _Atomic int pending;       /* signals that wait for a place to be delivered at */
    uint64_t woken_at;         /* replay: the event after which it was woken last, */
    int woken;                 /* and how often since */
    int64_t calls;             /* system calls so far, with those that are no events */
    bool blocked;              /* in an operation that may wait for long: signals are delivered at once, */
    bool paused;               /* and others have turns meanwhile */
    struct canon_start *start; /* how it was started; NULL for the first thread */
    struct canon_frame *frame; /* the system call that canon is doing for the program */
    struct canon_racy_memo *racy_memo; /* racy.h: what it has read, */
    _Atomic uint64_t *racy_word;       /* and of an instruction in work: the word that it has locked, */
    uint64_t racy_at, racy_size;       /* and what it writes */
    struct canon_kept_thread *kept;    /* insitu/kept.h */
    _Atomic int region;                /* it waits at its point */
    struct canon_point point;
};
enum canon_cloning { CANON_CLONES_NOTHING, CANON_CLONES_THREAD, CANON_CLONES_SPAWN, CANON_CLONES_FORK };

extern __thread struct canon_self canon_self CANON_TLS;

struct canon_native {
    enum canon_role_kind mode; /* passthrough: in a child, or when recording has stopped */
    bool threaded;             /* the program has had a second thread */
    bool records;              /* mode is that of the recorder */
    bool serial;               /* threads run one at a time */
    bool atomics;              /* the program was built with canon-cc: its atomics are ordered */
    bool quiet;                /* replay: output is compared and not shown */
    bool tree;                 /* replay: children are replayed, too, */
    bool takes_turns;          /* and outputs come in their order */
    bool is_child;             /* replay: this is one of them */
    bool again;                /* replay: the last epoch runs again, in the process that has recorded it */
    int real_pid;
    int recorded_pid;
    struct canon_watch *watch;
    int part_number;
    char part[4200];
};
extern struct canon_native canon_native;

/* Whether what the thread does now is recorded or replayed. */
static inline bool canon_native_looks(const struct canon_self *self)
{
    return self->strand && !self->inside && !self->ended && canon_native.mode != CANON_ROLE_PASSTHROUGH;
}

static inline bool canon_native_replays(void)
{
    return canon_native.mode == CANON_ROLE_REPLAYER;
}

/* Around canon's own code; errno stays what it is. */
static inline int canon_native_enter(struct canon_self *self)
{
    self->inside++;
    return errno;
}

/* Re-execution in the same process, after an operation or an event: insitu/pin.c. */
void canon_insitu_delay(struct canon_self *self);

static inline void canon_native_leave(struct canon_self *self, int error)
{
    if (__builtin_expect(canon_native.again, 0))
        canon_insitu_delay(self);
    errno = error;
    self->inside--;
}

/* ---- raw.S --------------------------------------------------------------------------------------------- */

long canon_raw_syscall(long number, long a, long b, long c, long d, long e, long f);
/* Interrupted at once if `*pending`, or if a signal comes before the kernel has begun. */
long canon_raw_blocking(long number, long a, long b, long c, long d, long e, long f, _Atomic int *pending);
void canon_raw_restore(void);
void canon_entry_syscall(void);
void canon_entry_clone(void);
void canon_entry_cloned(void);

/* ---- syscall.c ----------------------------------------------------------------------------------------- */

/* A system call of the program's: the result goes into frame->rax. */
long canon_native_syscall(struct canon_frame *frame, long origin);

/* ---- clone.c ------------------------------------------------------------------------------------------- */

/* 0: it is not to be done; the result is in the frame. */
long canon_native_clone_begins(struct canon_frame *frame, long origin);
/* In the parent and in the child. */
long canon_native_clone_ended(struct canon_frame *frame, long origin);

/* ---- report.c ------------------------------------------------------------------------------------------ */

_Noreturn void canon_native_diverged(const struct canon_divergence *divergence);
_Noreturn void canon_native_give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
