/*
 * threads.h: which strand the current thread is.
 */
#ifndef CANON_JVM_THREADS_H
#define CANON_JVM_THREADS_H

#include "jvm/agent.h"

#include <assert.h>
#include <stddef.h>

enum { CANON_LOOK_BUCKETS = 64, CANON_LOOK_QUEUES = CANON_LOOK_BUCKETS - 1 };

/* Counters that java.lang.CanonReferences reaches through the address in Thread.canonBlock. */
struct canon_block {
    int64_t lane;                        /* order/lane.h: its address; 0: nothing is ordered now */
    int64_t outer_lane;                  /* while `quiet`: what it was */
    int64_t turn;                        /* the look at which the next REFERENCE event is due, */
    int64_t turn_bucket;                 /* and its bucket */
    int64_t id_base;                     /* of the ids of references with a queue */
    int64_t quiet;                       /* > 0: work of the JVM's own, which counts nothing */
    int64_t looks[CANON_LOOK_BUCKETS];   /* at references, see refs.h */
    int64_t created[CANON_LOOK_BUCKETS]; /* references with a queue */
};

struct canon_thread {
    struct canon_block block;
    struct canon_strand *strand; /* NULL: a thread of the JVM's own, whose steps are nobody's events */
    struct canon_lane *lane;     /* the strand's, NULL for none */
    bool alone; /* the strand began when there was one thread, and has not heard of another yet */
    struct canon_lane
        *baton;        /* serial.h: the lane that has the thread's turns, also while it loads classes */
    int64_t step_lane; /* block.lane before the step in work */
    bool service;      /* see services.h */
    bool early; /* started before the program; its order begins with the first reference that it gets */
    bool in_unit;
    uint64_t handler_stepped; /* a signal handler: the program's progress at its last step */
    bool ends_process;        /* it is the one that does */
    int removing;             /* nested ReferenceQueue.remove */
    uint32_t children;        /* threads started so far: names of their strands */
    uint32_t numbered;        /* threads made so far in an initialiser of the JDK's: order.c */
    int64_t inits;            /* classes of the program's that the strand has linked or initialised */
    uint32_t hashes;          /* identity hash codes drawn so far */
    bool hash_counts;         /* the one that is being given to an object is among these */
    uint32_t told_hashes;     /* those that natives about threads were given */
    bool tells;               /* it is in such a native */
    uint32_t hidden_names;    /* of hidden classes drawn so far */
    int depth;                /* > 0: inside a step; what happens there is part of it */
    struct canon_load *load;  /* the class being loaded (loads.c), or NULL */
    bool catches_up;          /* it is about to make a request that the JVM did not make (requests.c) */
    struct call *call;        /* the call in work (call.c), for reports */
};

/* The current thread; never NULL. */
struct canon_thread *canon_thread_self(void);

/* Replay, before any thread begins. */
void canon_threads_prepare(void);
/* The current thread is the program's first one. */
void canon_thread_is_main(void);
/* Its strand. */
struct canon_strand *canon_thread_main(void);
/* Makes `strand` the current thread's: counters start anew. */
void canon_thread_switch(struct canon_strand *strand);
/* Tells the Thread object of the current thread where its counters are. */
void canon_thread_publish(JNIEnv *env, jthread thread);
/* What a thread is called in the trace: by its strand, or by its name if it is one of the JVM's own.
 * Malloc'd. */
char *canon_thread_label(JNIEnv *env, jobject thread);
/* Replay: the thread that is called so, as a new local reference; NULL if there is none. */
jobject canon_thread_labelled(JNIEnv *env, const char *label);
/* A step of the thread's strand begins, before what is real about it happens, or has ended. */
void canon_thread_steps(struct canon_thread *thread);
void canon_thread_stepped(struct canon_thread *thread);
/* The current thread ends the process: the role is over then. */
void canon_thread_ends_process(void);
/* The current thread is about to start `child`; whether that is a step of its strand. */
bool canon_thread_starts(JNIEnv *env, jobject child);
/* The current thread is about to start a virtual one, which cannot be followed: a replay ends here. */
void canon_thread_starts_virtual(void);
/* Whether a thread that lives is one of the program's, and not a service or one of the JVM's own. Runs no
 * Java code. */
bool canon_thread_is_of_program(JNIEnv *env, jthread thread);
/* JVMTI events, on the thread itself. */
void JNICALL canon_thread_started(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
void JNICALL canon_thread_ended(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);

static_assert(offsetof(struct canon_block, lane) == 0 && offsetof(struct canon_block, outer_lane) == 8 &&
                  offsetof(struct canon_block, turn) == 16 &&
                  offsetof(struct canon_block, turn_bucket) == 24 &&
                  offsetof(struct canon_block, id_base) == 32 && offsetof(struct canon_block, quiet) == 40 &&
                  offsetof(struct canon_block, looks) == 48 &&
                  offsetof(struct canon_block, created) == 48 + 512,
              "java.lang.CanonReferences, CanonLane");

#endif
