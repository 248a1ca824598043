/*
 * image.h: whether the program's heap is, after the re-execution, what it was when the recorded run ended.
 *
 * Two things are not compared. What libc keeps in locks: a replay takes none, so those that threads have used
 * since the snapshot are as they were then. And pages that threads were still writing: a thread that computed
 * when the program ended had gone on after its last operation, how far nothing tells. What it may have
 * written is known: the re-execution has one image with all threads at their last operations, and one after
 * they have gone on for longer than they had; what differs between these two is unsettled.
 */
#ifndef CANON_NATIVE_INSITU_IMAGE_H
#define CANON_NATIVE_INSITU_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Once: memory for all this, in the zone of what is kept. */
bool canon_image_start(void);
/* The recorded run has ended: keeps the heap. Nothing may run during this and the two below. */
void canon_image_keep(void);
/* Re-execution: all threads have come as far as they had. */
void canon_image_arrived(void);
/* They have come further: whether the heap is the same, but for `unsettled` pages. */
bool canon_image_is_same(size_t *unsettled);

/* Re-execution: a lock is used, which will not be compared. By any thread. */
void canon_image_except(const void *lock, size_t size);

#endif
