/*
 * parts.h: a process as a part of the trace: how it begins, by a start, a fork or an exec.
 */
#ifndef CANON_NATIVE_PARTS_H
#define CANON_NATIVE_PARTS_H

#include "native/native.h"

/* What canon, or the process that came before, has told: launch/protocol.h. */
struct canon_told {
    char *mode, *trace, *options, *preload;
    char *library; /* this one */
};

/* The value of an option, in `value`; NULL if it was not given. Without a value: "". */
const char *canon_told_option(const struct canon_told *told, const char *option, char *value, size_t size);

/* The process begins: to be recorded or replayed. */
void canon_part_start(const struct canon_told *told, int argc, char **argv, char **environment);

/* Recorder: takes a number, and makes its directory; 0 if that cannot be done. */
int canon_part_reserve(void);
/* Recorder: the process is about to become another user's, who has to be able to make files in its part. */
void canon_part_owner(long owner);
/* After a fork, in the child, whose part this is. */
void canon_part_forked(struct canon_self *self, int part);

/*
 * Recorder: the environment of a program that takes the place of this one, as `part`, or of a child that
 * shares its memory; `how` is "exec" or "spawn". NULL if there is none to be had.
 */
char **canon_part_environment(char **environment, int part, const char *how);
/* Replayer: becomes the replay of that part. Ends the process if that cannot be done. */
_Noreturn void canon_part_become(int part);

/* Replay of one part that began with a fork: whether `part` is on the way to it. */
bool canon_part_is_wanted(int part);
/* Whether that is all that is wanted of this process. */
bool canon_part_leads(void);

#endif
