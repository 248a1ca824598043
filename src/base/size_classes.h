/*
 * size_classes.h: sizes of blocks. 16 bytes apart up to 1 KiB, then four for each doubling: a block is at
 * most a quarter larger than what was asked for.
 */
#ifndef CANON_BASE_SIZE_CLASSES_H
#define CANON_BASE_SIZE_CLASSES_H

#include <stddef.h>

enum { CANON_SIZE_CLASSES = 128, CANON_SIZE_LARGEST = 32 << 20 };

/* The smallest class whose blocks have so many bytes, header included; -1: too large for any. */
int canon_size_class(size_t bytes);
size_t canon_size_of_class(int class);

#endif
