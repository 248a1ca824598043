/*
 * image.h: classes of the JDK are rewritten where the boot loader reads them, in its image (lib/modules).
 *
 * The ClassFileLoadHook could do it, and does it for all other classes; but what comes out of the hook is
 * checked and verified by newer JVMs (24 and later) even for the boot loader, and that takes longer than the
 * rewriting and loads a hundred classes more. What comes out of the image is trusted.
 */
#ifndef CANON_JVM_IMAGE_H
#define CANON_JVM_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Puts canon between the JVM and its image; without the launch library everything is left to the hook. */
void canon_image_prepare(void);
/* Whether this thread has just read class `name` ("java/lang/Object"; NULL: unknown) from the image. */
bool canon_image_gave(const char *name);

/* The bytes of a file of the image ("java/lang/Object.class"), malloc'd, as they are in there; NULL: it has
 * no such file. */
uint8_t *canon_image_read(const char *name, size_t *size);
/* The module of the image that has the package of a class; NULL: none. */
const char *canon_image_module(const char *name);

#endif
