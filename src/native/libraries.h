/*
 * libraries.h: the libraries that a program is started with: a replay needs the same.
 */
#ifndef CANON_NATIVE_LIBRARIES_H
#define CANON_NATIVE_LIBRARIES_H

#include "launch/process.h"

/* Recorder: adds them. */
void canon_libraries_add(struct canon_process *process);
/* Replayer: gives up if one is another now, and says which. */
void canon_libraries_check(const struct canon_process *process);

#endif
