/*
 * heap_classes.h: sizes of blocks. 16 bytes apart up to 1 KiB, then four for each doubling: a block is at
 * most a quarter larger than what was asked for.
 */
#ifndef CANON_NATIVE_HEAP_CLASSES_H
#define CANON_NATIVE_HEAP_CLASSES_H

#include <stddef.h>

enum { CANON_HEAP_CLASSES = 128, CANON_HEAP_LARGEST = 32 << 20 };

/* The smallest class whose blocks have so many bytes, header included; -1: too large for any. */
int canon_heap_class(size_t bytes);
size_t canon_heap_class_size(int class);

#endif
