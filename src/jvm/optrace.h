/*
 * optrace.h: for whoever looks for the cause of a divergence: every operation of every strand, with where it
 * was done. Two such logs, of a recording and of a replay, are compared by tests/support/optrace.py.
 *
 * Switched on by CANON_TEST_OPTRACE=DIR; it makes everything slow.
 */
#ifndef CANON_JVM_OPTRACE_H
#define CANON_JVM_OPTRACE_H

#include "order/lane.h"

#include <jni.h>

bool canon_optrace_is_on(void);
/* The current thread has done an operation; `lane` is its own. */
void canon_optrace_add(struct canon_lane *lane);

#endif
