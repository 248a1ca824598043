/*
 * archive.h: archives of rewritten JDK classes: the JVM's own CDS archives, made from classes that canon has
 * rewritten on their way out of the JDK's image. `canon prepare` makes them; a recording or replay for which
 * there is one starts with it. Here is what they are called, and whether one may be used.
 */
#ifndef CANON_LAUNCH_ARCHIVE_H
#define CANON_LAUNCH_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the rewriting depends on, besides the JDK and canon. */
struct canon_archive_rules {
    const char *role;  /* "record" or "replay" */
    const char *order; /* as in protocol.h; "" : none */
    uint64_t places;   /* digest of the places that race; recording: 0, those that canon knows */
};

/* The digest with one more place. */
uint64_t canon_archive_add_place(uint64_t digest, const char *place);

/* The user's directory of archives; NULL: there is no home. */
const char *canon_archive_directory(void);

/* The file name of an archive for that libjvm.so and the canon whose libraries are in `home`. */
bool canon_archive_name(const char *vm_library, const char *home, const struct canon_archive_rules *rules,
                        char *name, size_t size);

/* Whether it is there, and nobody but the user can have written it. */
bool canon_archive_usable(const char *directory, const char *name);

#endif
