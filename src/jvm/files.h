/*
 * files.h: which file a descriptor stands for, and what was done with it.
 *
 * Steps of class loading are looked up by what they ask (role/memo.h), and "read 512 bytes" asks nothing
 * without the file and the place in it. Each open descriptor has a state: a hash of the path it was
 * opened with and of the steps since then, or since the last step that sets a position.
 */
#ifndef CANON_JVM_FILES_H
#define CANON_JVM_FILES_H

#include <stdint.h>

/* A descriptor was opened under a name (0: it was closed). */
void canon_file_opened(int fd, uint64_t path_hash);
/* The same file has the same identity in every run; a descriptor that is no known file is its number. */
uint64_t canon_file_identity(int fd);
/* State of the descriptor, to be part of a question. */
uint64_t canon_file_state(int fd);
/* A step was done with it; `absolute`: what was done before does not matter any more. */
void canon_file_step(int fd, uint64_t step_hash, int absolute);
/* Replay: a number for a descriptor that exists only in the trace. */
int canon_file_number(void);

#endif
