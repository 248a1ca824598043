/*
 * kept.h: what a rollback leaves alone, in a zone of its own (zones.h): what the keeper knows of threads,
 * their parking places, copies of memory.
 */
#ifndef CANON_NATIVE_INSITU_KEPT_H
#define CANON_NATIVE_INSITU_KEPT_H

#include "native/native.h"
#include "native/zones.h"

/* The zone: a struct kept; images of the heap; parking stacks; the keeper's stack; copies of memory. */
#define CANON_KEPT CANON_ZONE_KEPT
#define CANON_KEPT_IMAGES (CANON_ZONE_KEPT + (UINT64_C(1) << 29))
#define CANON_KEPT_IMAGES_SIZE (UINT64_C(1) << 29)
#define CANON_KEPT_PARKING (CANON_ZONE_KEPT + (UINT64_C(1) << 30))
#define CANON_KEPT_KEEPER (CANON_ZONE_KEPT + (UINT64_C(3) << 30))
#define CANON_KEPT_SNAPSHOT_MEMORY (CANON_ZONE_KEPT + (UINT64_C(4) << 30))
#define CANON_KEPT_SNAPSHOT (CANON_KEPT_SNAPSHOT_MEMORY + 4096)

enum {
    CANON_KEPT_SIGNAL = 63, /* that stops threads */
    CANON_KEPT_THREADS = CANON_LANE_COUNT,
    CANON_KEPT_STACK = 96 << 10,   /* a parking place, with two contexts above it */
    CANON_KEPT_CONTEXT = 16 << 10, /* a signal frame with all registers */
    CANON_KEPT_PLACE = CANON_KEPT_STACK + 2 * CANON_KEPT_CONTEXT,
    CANON_KEPT_KEEPER_STACK = 1 << 20,
};

/* What a parked thread is told. */
/* What the signal of a breakpoint tells, where those of watchpoints tell their number. */
enum { CANON_KEPT_PIN = 100 };

enum canon_kept_command { CANON_KEPT_WAIT, CANON_KEPT_GO_ON, CANON_KEPT_GO_BACK, CANON_KEPT_EXIT };

struct canon_kept_thread {
    _Atomic int tid; /* 0: nobody's */
    _Atomic int command;
    _Atomic int parked;
    _Atomic int ended;       /* for the program; it waits, parked, for its real end */
    struct canon_self *self; /* its variables, in memory that is put back */
    _Atomic int *tid_word;   /* where libc, and who joins it, looks for its end */
    bool there;              /* at the last snapshot: */
    bool by_signal;          /* stopped in its own code: the context is valid */
    uint64_t mask;
    uint64_t place; /* instruction of the program at which it was when the program ended; 0: in canon */
    int pin;        /* descriptor */
    bool delayed;   /* re-execution: it was at its last operation, and had to wait there or got its pin */
    bool held;      /* re-execution: it waits before its end for others to wait for that */
    int64_t ends;   /* re-execution: operations at its end; -1: it had not ended, 0: not known yet */
};

/* Why the program ends. */
enum canon_kept_end { CANON_KEPT_RUNS, CANON_KEPT_FAULT, CANON_KEPT_ABORT, CANON_KEPT_EXITS };

enum canon_kept_phase { CANON_KEPT_RECORDING, CANON_KEPT_ROLLING_BACK, CANON_KEPT_REEXECUTING };

/* How far a lane has come. */
struct canon_kept_lane {
    int64_t operations;
    uint64_t events;
};

struct canon_kept {
    _Atomic int stop;    /* all threads are to stop: a snapshot is taken */
    _Atomic int phase;   /* enum canon_kept_phase */
    _Atomic int births;  /* threads that were made, and have not told of themselves */
    _Atomic int wake;    /* the keeper's futex: something has happened */
    _Atomic int arrived; /* re-execution: it has come to the end */
    _Atomic int pinned;  /* re-execution: the one that ends the program is at its place */
    _Atomic int failed;  /* or has taken another way: `why` */
    _Atomic int further; /* re-execution: threads go on from their last operations */
    _Atomic int stilled; /* the program is about to end, and all threads but the one that ends it are still */
    struct canon_kept_thread *_Atomic asks; /* who has asked for that */
    int holds;                              /* something was found: no snapshot is taken any more */
    int context; /* which of the two contexts of a thread are those of the snapshot */
    int epochs, skipped, tries;
    int period_ms;
    uint64_t log_most, log_began;   /* bytes of events in an epoch, 0: no limit; and before the present one */
    int keeper;                     /* its thread */
    enum canon_kept_end end;        /* of the recorded run */
    int status;                     /* signal or exit status */
    uint64_t place;                 /* instruction of the fault */
    int ender;                      /* its lane, */
    struct canon_kept_thread *ends; /* and thread */
    int64_t cpu_ms;                 /* of the process, at the last snapshot; at the end: since then */
    int lanes;
    struct canon_kept_lane began[CANON_LANE_COUNT];   /* at the last snapshot, */
    struct canon_kept_lane reached[CANON_LANE_COUNT]; /* and when the program ended */
    int64_t began_ms, ended_ms;
    bool debugged;    /* debug.h: */
    bool traced;      /* a debugger was there */
    _Atomic int wish; /* enum canon_debug_wish */
    char why[256];
    struct canon_kept_thread threads[CANON_KEPT_THREADS];
};

static struct canon_kept *const canon_kept = (struct canon_kept *)CANON_KEPT;

/* parking.c: threads are stopped, parked and put back; by the keeper. */
void canon_parking_start(void);
/* Sends the thread its signal. */
void canon_parking_call(const struct canon_kept_thread *thread);
/* Tells a parked thread what to do. */
void canon_parking_tell(struct canon_kept_thread *thread, enum canon_kept_command command);
/* Whether it does nothing that a snapshot would miss: it is parked, or waits at a point. */
bool canon_parking_is_still(const struct canon_kept_thread *thread);
/* Remembers where the thread is: that is where it will be put back to. */
void canon_parking_remember(struct canon_kept_thread *thread);
/* The thread is to end for real: comes back when it has. */
void canon_parking_end(struct canon_kept_thread *thread);
/* The running thread parks, on its parking place, until it is told to go on. */
void canon_parking_park(struct canon_kept_thread *thread);
/* Wakes who waits for `word` to change, or waits. */
void canon_kept_wake(_Atomic int *word);
void canon_kept_wait(_Atomic int *word, int value, int most_ms);

void canon_insitu_jump(const struct canon_point *point) __attribute__((noreturn));

/* keeper.c */
_Noreturn void canon_keeper_run(void);

#endif
