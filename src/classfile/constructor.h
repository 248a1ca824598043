/*
 * constructor.h: where in a constructor `this` is no object yet. Internal.
 */
#ifndef CANON_CLASSFILE_CONSTRUCTOR_H
#define CANON_CLASSFILE_CONSTRUCTOR_H

#include "classfile/code.h"

/* Makes a malloc'd table: for each pc that an instruction starts at, whether `this` may not be initialised
 * there. Rather true than false where that is hard to tell. */
int canon_constructor_early(const struct canon_class *cls, const struct canon_member *constructor,
                            bool **early);

#endif
