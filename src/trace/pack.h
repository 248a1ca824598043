/*
 * pack.h: a part of a trace is made smaller: what the recorder has stored as it is, is compressed.
 */
#ifndef CANON_TRACE_PACK_H
#define CANON_TRACE_PACK_H

#include <stdint.h>

/*
 * Packs all files of a part that ended in order. Each is replaced as a whole, so that a trace is readable
 * whenever this is stopped. Adds up the sizes of the files before and after. A part that is cut off, or still
 * being recorded, is left as it is: CANON_E_TRUNCATED.
 */
int canon_part_pack(const char *part, uint64_t *before, uint64_t *after);

#endif
