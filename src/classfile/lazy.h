/*
 * lazy.h: fields that are made when they are first needed:
 *
 *     if (table == null)
 *         table = make();
 *
 * A method both tests such a field and sets it. Programs often do that without a lock, or look before they
 * take one.
 */
#ifndef CANON_CLASSFILE_LAZY_H
#define CANON_CLASSFILE_LAZY_H

#include "classfile/class.h"

/* By field of the class: whether a method of the class compares it with null, false or 0, and sets it, an int
 * to a constant. Only references, booleans and ints, neither final nor volatile. `lazy` has room for all.
 * Code that makes no sense is passed over: whoever rewrites it says so. */
void canon_class_lazy_fields(const struct canon_class *cls, bool *lazy);

#endif
