/*
 * annotations.h: type annotations inside code (casts, new, local variables, ...). Internal.
 */
#ifndef CANON_CLASSFILE_ANNOTATIONS_H
#define CANON_CLASSFILE_ANNOTATIONS_H

#include "classfile/editor_internal.h"

/* Puts the contents of a RuntimeVisibleTypeAnnotations or RuntimeInvisibleTypeAnnotations attribute with
 * new offsets: 1. Malformed ones are left out: 0. The JVM does not look into them, so a class with such
 * an attribute works, and so it must when it was edited. */
int canon_annotations_write(const struct method_edit *edit, const struct canon_attribute *old,
                            const uint16_t *first_row, struct canon_buffer *to);

#endif
