/*
 * call.h: one system call on its way to or from the trace.
 */
#ifndef CANON_NATIVE_CALL_H
#define CANON_NATIVE_CALL_H

#include "native/native.h"
#include "native/table.h"
#include "native/turns.h"

#include <assert.h>
#include <stddef.h>

/* An argument by its number, 0 to 5. */
static inline long *canon_frame_arg(struct canon_frame *frame, int number)
{
    static_assert(offsetof(struct canon_frame, rdi) == sizeof(long) &&
                      offsetof(struct canon_frame, r9) == 6 * sizeof(long),
                  "they lie in the order of arguments");
    return (long *)frame + 1 + number;
}

/* Does it; the kernel's result. */
static inline long canon_frame_perform(const struct canon_frame *frame)
{
    return canon_raw_syscall(frame->rax, frame->rdi, frame->rsi, frame->rdx, frame->r10, frame->r8,
                             frame->r9);
}

/*
 * Begins the event of a call; NULL when recording has ended, and then nothing is to be described. The result
 * is its first item.
 */
struct canon_step *canon_call_begin(struct canon_self *self, const char *name, long *result);
void canon_call_end(struct canon_self *self, const char *name);
/* What went in has this checksum. A replay with another one ends here. */
void canon_call_check(struct canon_self *self, struct canon_step *step, const char *name, uint64_t hash);
/* The same for text. */
void canon_call_check_text(struct canon_self *self, struct canon_step *step, const char *text);
/* Bytes that came out, `size` of them. */
void canon_call_bytes(struct canon_step *step, void *data, size_t size);

/* After a fork, in the child: names have other ids. */
void canon_call_forked(void);

uint64_t canon_call_mix(uint64_t hash, uint64_t value);
uint64_t canon_call_mix_bytes(uint64_t hash, const void *data, size_t size);

/* The usual call: described by its row. */
void canon_call_by_row(struct canon_self *self, struct canon_frame *frame, const struct canon_call *row);

/* ---- what other threads see of it ---------------------------------------------------------------------- */

/* Before a call that others may see the effect of, and after one that may have seen that of others. */
void canon_world_publish(struct canon_self *self);
void canon_world_follow(struct canon_self *self);

/* ---- output that is shown: shown.c ----------------------------------------------------------------------
 */

/* 1 or 2 if the descriptor is the standard output or error, else 0. */
int canon_shown(int fd);
/* After a call that was about descriptors. */
void canon_shown_follow(const struct canon_frame *frame, long result);
/* Replay: shows what the program has written. */
void canon_shown_put(int fd, const void *data, size_t size);
/* Outputs of all processes of the program have numbers. Recorder: the number of one that was made just now, 0
 * if there are none. Replayer: around showing one, in its turn. */
uint64_t canon_shown_number(void);
void canon_shown_begin(uint64_t number);
void canon_shown_end(uint64_t number);
/* After a fork, in the child. */
void canon_shown_forked(void);
/* Around a child that shares the memory: its descriptors are its own. */
void *canon_shown_save(void);
void canon_shown_restore(void *saved);
/* Which descriptors are shown, as text, for a program that takes the place of this one. */
void canon_shown_tell(char *text, size_t size, char between);
void canon_shown_told(const char *text);
void canon_shown_lock(void);
void canon_shown_unlock(void);

#endif
