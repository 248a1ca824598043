/*
 * evidence.h: what the guards find goes into the trace; and a replay of that trace looks who has done it.
 *
 * Recorder: evidence is a note of the trace, and a finding that canon tells of.
 * Replayer, with `canon replay --detect`: the trace's notes name blocks, its suspects. When such a block is
 * allocated, or freed, a watchpoint is set on the byte that was found written, and where the program is then
 * is kept; so is where it is when the byte is written.
 */
#ifndef CANON_NATIVE_DETECT_EVIDENCE_H
#define CANON_NATIVE_DETECT_EVIDENCE_H

#include "native/detect/findings.h"
#include "native/native.h"

#include <signal.h>

/* Where findings go; NULL: nobody wants to know. */
void canon_evidence_start(struct canon_findings *findings);
struct canon_findings *canon_evidence_findings(void);
/* Replayer: takes the suspects out of the trace. */
void canon_evidence_search(void);
/* Re-execution: the suspects are what was found so far. */
void canon_evidence_search_found(bool watched);

/* Something was found; the thread is the guilty one if it `does` it just now. */
void canon_evidence(const struct canon_trouble *found, bool does);
/* A fault that nobody handles is about to end the program; `context` is a ucontext_t. */
void canon_evidence_fault(const siginfo_t *info, const void *context);
/* The program ends: everything is looked at. */
void canon_evidence_end(void);

/* Whether somebody looks for blocks; then: what happens to each. `block->address` is that of its memory. */
extern bool canon_evidence_searches;
enum canon_block_change { CANON_BLOCK_ALLOCATED, CANON_BLOCK_FREED, CANON_BLOCK_RELEASED };
void canon_evidence_block(const struct canon_trouble *block, enum canon_block_change change);

#endif
