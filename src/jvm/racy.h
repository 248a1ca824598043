/*
 * racy.h: fields that threads access without synchronisation and whose value decides where the program goes.
 * They are not volatile, but are ordered as if they were. Some are known; `canon record --racy` names more.
 *
 * A place is CLASS.FIELD; or CLASS.METHOD() for all that the method accesses, elements of arrays too; or
 * CLASS.METHOD()! for a method that is run as if it were synchronized, for what it calls races, too; or
 * CLASS.? for fields of the class that are made when they are first needed, if they are static or a lock is
 * taken for that, and CLASS.?? for all of these (classfile/lazy.h); with a ! before it, they are left alone.
 * Where that is looked for, so is what lock-free classes access (classfile/lockfree.h).
 * In class, field and method one star each stands for any text; packages are separated by dots or slashes.
 */
#ifndef CANON_JVM_RACY_H
#define CANON_JVM_RACY_H

#include "classfile/lazy.h"

struct canon_racy {
    char *text; /* as it was given */
    char *class;
    char *name; /* of the field or method */
    enum canon_racy_kind {
        CANON_RACY_FIELD,
        CANON_RACY_METHOD,
        CANON_RACY_ALONE,
        CANON_RACY_LAZY,
        CANON_RACY_LAZY_ALL,
        CANON_RACY_NOT_LAZY
    } kind;
};

/* Before classes are rewritten. False: that is not a place. */
bool canon_racy_add(const char *place);
/* Those that are known. */
void canon_racy_add_known(void);
/* Forgets all: others were in force when the recording was made. */
void canon_racy_clear(void);
/* All places. */
const struct canon_racy *canon_racy_places(size_t *count);

/* Whether the field is racy. */
bool canon_racy_field(struct canon_utf8 class, struct canon_utf8 field);
/* Which fields of the class are because they are made when they are first needed. */
enum canon_lazy canon_racy_if_lazy(struct canon_utf8 class);
/* Whether the method is run as if it were synchronized. */
bool canon_racy_method_alone(struct canon_utf8 class, struct canon_utf8 method);
/* Whether instances of the class have to be followed because of a field or of its methods. */
bool canon_racy_class(struct canon_utf8 class);

#endif
