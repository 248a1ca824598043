/*
 * jar.h: class files in a jar, by name. A jar is input: whatever is in it, nothing worse comes of it than a
 * class that is not found. Of zip files only what jars use is read: no zip64, nothing encrypted.
 */
#ifndef CANON_CLASSFILE_JAR_H
#define CANON_CLASSFILE_JAR_H

#include "classfile/class.h"

#include <stddef.h>
#include <stdint.h>

struct canon_jar;

/* Reads the list of what is in the jar; `fd` is the jar's from then on. NULL: it is none. */
struct canon_jar *canon_jar_open(int fd);
void canon_jar_close(struct canon_jar *jar);
/* The class file of "a/b/C", malloc'd; NULL: the jar has none that can be read. */
uint8_t *canon_jar_read(const struct canon_jar *jar, struct canon_utf8 name, size_t *size);

#endif
