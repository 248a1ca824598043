/*
 * functions.h: what libraries that are not the JDK's ask of the system. Their natives run for real, when
 * recording and when replaying; the functions of libc that they call are intercepted instead, as natives are:
 * one row each (table/functions.def).
 */
#ifndef CANON_JVM_FUNCTIONS_H
#define CANON_JVM_FUNCTIONS_H

#include "jvm/natives.h"

/* What a library gets in place of the function of libc that is called so; NULL: the function itself. */
void *canon_function_stand_in(const char *name);

/* The function behind a SPECIAL row, NULL if there is none of that name. */
canon_special_fn canon_function_special(const char *name);

#endif
