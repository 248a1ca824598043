/*
 * children.h: replay: processes that stand for the recorded children, each replaying its own part.
 */
#ifndef CANON_NATIVE_CHILDREN_H
#define CANON_NATIVE_CHILDREN_H

#include "native/native.h"

/* `real` replays the child that had the number `recorded`. */
void canon_children_add(int recorded, int real);
/* After a call: if it told that a child had ended, that child's replay is waited for. */
void canon_children_follow(const struct canon_frame *frame, long result);
/* Before the process ends: waits for all of them. Its own output may be read to the end then. */
void canon_children_wait(void);
/* After a fork, in the child. */
void canon_children_forked(void);

#endif
