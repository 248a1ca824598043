/*
 * lockfree.h: classes that synchronise by compare-and-set of their own, in place of locks:
 *
 *     while ((e = table[i]) == null)
 *         if (UNSAFE.compareAndSwapObject(table, BASE + i * SCALE, null, made)) ...
 *
 * They look at elements of arrays plainly, and confirm what they saw by an atomic.
 */
#ifndef CANON_CLASSFILE_LOCKFREE_H
#define CANON_CLASSFILE_LOCKFREE_H

#include "classfile/class.h"

/* Whether the class compares and sets, and has arrays that threads share: one in a volatile field, one that
 * it inherits, or it asks where elements lie. */
bool canon_class_is_lock_free(const struct canon_class *cls);

/* By field of the class: whether the class asks for its offset, or for a VarHandle of it, by name. Others may
 * then access it as they like. Sets what is true in `found`, which has room for all. */
void canon_class_offset_fields(const struct canon_class *cls, bool *found);

#endif
