/*
 * racy.h: fields that threads access without synchronisation and whose value decides where the program goes.
 * They are not volatile, but are ordered as if they were. Some are known; `canon record --racy` names more.
 *
 * A place is CLASS.FIELD, or CLASS.METHOD() for all that the method accesses, elements of arrays too. In
 * class, field and method one star each stands for any text; packages are separated by dots or slashes.
 */
#ifndef CANON_JVM_RACY_H
#define CANON_JVM_RACY_H

#include "classfile/class.h"

struct canon_racy {
    char *class;
    char *name; /* of the field or method */
    bool is_method;
};

/* Before classes are rewritten. False: that is not a place. */
bool canon_racy_add(const char *place);
/* All places, known and added. */
const struct canon_racy *canon_racy_places(size_t *count);

/* Whether the field is racy. */
bool canon_racy_field(struct canon_utf8 class, struct canon_utf8 field);
/* Whether instances of the class have to be followed because of a field or of its methods. */
bool canon_racy_class(struct canon_utf8 class);

#endif
