/*
 * chunk.h: one chunk, to and from bytes: compression and checksum, both directions side by side.
 */
#ifndef CANON_TRACE_CHUNK_H
#define CANON_TRACE_CHUNK_H

#include "base/buffer.h"
#include "trace/format.h"

struct canon_chunk {
    const char *name; /* not terminated */
    size_t name_size;
    uint32_t sequence;
    uint32_t events;
    uint16_t flags;
    const uint8_t *raw;
    size_t raw_size;
    int level; /* of compression; 0: the recorder's */
};

/* Appends the chunk's stored form to `out`. Decides itself whether compressing pays. */
int canon_chunk_encode(const struct canon_chunk *chunk, struct canon_buffer *out);
/* The same without compressing, and without the raw bytes: they are to come right behind. */
int canon_chunk_encode_head(const struct canon_chunk *chunk, struct canon_buffer *out);

/* Where a chunk lies in a mapped file, checked for structure but not yet for its checksum. */
struct canon_chunk_place {
    struct canon_chunk_header header;
    const char *name;
    const uint8_t *stored;
};

/* Reads the place of the next chunk; CANON_E_TRUNCATED for a torn tail, CANON_E_FORMAT otherwise. */
int canon_chunk_locate(struct canon_reader *file, struct canon_chunk_place *place);
/* Verifies the checksum and appends the raw bytes to `out`. */
int canon_chunk_decode(const struct canon_chunk_place *place, struct canon_buffer *out);

#endif
