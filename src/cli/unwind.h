/*
 * unwind.h: call stacks out of what was kept of a thread: registers and a piece of its stack. With libdw.
 */
#ifndef CANON_CLI_UNWIND_H
#define CANON_CLI_UNWIND_H

#include "native/detect/findings.h"

struct canon_place {
    const char *function; /* NULL: not known */
    const char *file;     /* of the source; NULL: not known */
    int line;
    const char *object; /* the file that was mapped there, or "" */
    uint64_t address;
};

struct canon_unwinder;
/* `maps` is /proc/PID/maps of the program. NULL if that cannot be read. */
struct canon_unwinder *canon_unwinder_open(const char *maps, size_t size);
void canon_unwinder_close(struct canon_unwinder *unwinder);

/* Calls `each` for every frame from the innermost on, until it returns false. `behind`: the first address is
 * that of the next instruction. */
void canon_unwind(struct canon_unwinder *unwinder, const struct canon_site *site, bool behind,
                  bool (*each)(void *context, const struct canon_place *place), void *context);

#endif
