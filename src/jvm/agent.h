/*
 * agent.h: what the files of the JVMTI agent share.
 */
#ifndef CANON_JVM_AGENT_H
#define CANON_JVM_AGENT_H

#include "role/role.h"

#include <jni.h>
#include <jvmti.h>

struct canon_agent {
    JavaVM *vm;
    jvmtiEnv *jvmti;
    enum canon_role_kind wanted;
    bool quiet;                /* replay: the program's output is not shown */
    bool unenforced;           /* replay, for tests: run everything for real, to prove that a test can fail */
    bool heap_digest;          /* record: a digest of the heap at the end is wanted: heap.h */
    bool ordered;              /* the order of threads is kept: order.h */
    bool serial;               /* by running one at a time: serial.h; */
    bool edges;                /* or by edges: order/lane.h */
    bool loops;                /* which may have to let others run in loops, too */
    bool vector;               /* in another way, for comparison: order/vector.c */
    bool monitors;             /* of monitors only, likewise */
    bool races;                /* replay: data races are looked for: races.h */
    bool archived;             /* the JVM has an archive of rewritten classes: define.h */
    bool archiving;            /* this JVM makes one */
    bool unordered;            /* replay, for tests: likewise, but only the order of threads is not kept */
    char *recorded_vm;         /* replay: version of the JVM that recorded, and */
    char *other_vm;            /* of the one now, where they differ; else NULL */
    int version;               /* of the JDK: 17, 25 */
    const char *part;          /* directory of the trace part */
    const char **natives;      /* patterns of foreign.h, NULL-terminated; NULL: none */
    struct canon_watch *watch; /* replay: where canon looks on, or NULL */
};

extern struct canon_agent canon_agent;

/* Reads the agent's options: agent.c. */
void canon_agent_options(char *options);

/* Ends the process with a report; role.h's canon_diverged_fn. */
_Noreturn void canon_report_divergence(const struct canon_divergence *divergence);

/* Replay: the program does what canon cannot replay; ends the process with a sentence about it. */
_Noreturn void canon_report_unsupported(const char *what);

#endif
