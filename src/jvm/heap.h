/*
 * heap.h: a digest of the heap at the end of the program, with `record --heap-digest`: of everything that can
 * be reached from static fields of the program's classes, and from the threads that live then. A
 * replay of such a recording makes it again and compares. What of it counts: heap_rules.h; how it is made
 * comparable: heap/graph.h.
 */
#ifndef CANON_JVM_HEAP_H
#define CANON_JVM_HEAP_H

#include "heap/summary.h"
#include "jvm/agent.h"

/* The program has come to its end, its strands to theirs. Recorder: writes the digest, if it is wanted.
 * Replayer: compares it, if there is one; a difference ends the process with a report. */
void canon_heap_at_end(void);

/* report.c */
_Noreturn void canon_report_heap(const struct canon_heap_summary *recorded,
                                 const struct canon_heap_summary *now);

#endif
