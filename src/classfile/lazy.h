/*
 * lazy.h: fields that are made when they are first needed:
 *
 *     if (table == null)
 *         table = make();
 *
 * A method both tests such a field and sets it. Programs often do that without a lock, or look before they
 * take one. So do iterators and the like, which one thread has for itself, in their inner loops: these have
 * neither static fields nor locks.
 */
#ifndef CANON_CLASSFILE_LAZY_H
#define CANON_CLASSFILE_LAZY_H

#include "classfile/class.h"

enum canon_lazy {
    CANON_LAZY_NONE,
    CANON_LAZY_SHARED, /* static fields, and others if the method is synchronized or has a synchronized block
                        */
    CANON_LAZY_ALL,
};

/* By field of the class: whether a method of the class compares it with null, false or 0, and sets it, an int
 * to a constant. Only references, booleans and ints, neither final nor volatile. `lazy` has room for all.
 * Code that makes no sense is passed over: whoever rewrites it says so. */
void canon_class_lazy_fields(const struct canon_class *cls, enum canon_lazy which, bool *lazy);

#endif
