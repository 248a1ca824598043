/* chunk.c: see chunk.h. Calls zstd and xxhash. */
#include "trace/chunk.h"

#include "base/error.h"

#include <stdatomic.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

enum { COMPRESS_LEVEL = 1, COMPRESS_MIN = 256 };

/* Tells a damaged header, whose sizes mean nothing, from a chunk that was cut off. */
static uint32_t header_checksum_of(const struct canon_chunk_header *header)
{
    return (uint32_t)XXH3_64bits(header, offsetof(struct canon_chunk_header, checksum));
}

static uint64_t checksum_of(const struct canon_chunk_header *header, const char *name, const void *stored)
{
    XXH64_hash_t seed = XXH3_64bits_withSeed(name, header->name_size, header->header_checksum);
    return XXH3_64bits_withSeed(stored, header->stored_size, seed);
}

/* Compresses into `to`, which has room for raw_size bytes; 0 when that would not make it smaller. */
static size_t compress(const struct canon_chunk *chunk, uint8_t *to)
{
    if (chunk->raw_size < COMPRESS_MIN)
        return 0;
    /* One is kept for the next chunk; threads, which come and go, have none of their own. */
    static ZSTD_CCtx *_Atomic kept;
    ZSTD_CCtx *context = atomic_exchange(&kept, NULL);
    if (!context)
        context = ZSTD_createCCtx();
    if (!context)
        return 0;
    size_t size = ZSTD_compressCCtx(context, to, chunk->raw_size, chunk->raw, chunk->raw_size,
                                    chunk->level ? chunk->level : COMPRESS_LEVEL);
    ZSTD_freeCCtx(atomic_exchange(&kept, context));
    return ZSTD_isError(size) || size >= chunk->raw_size ? 0 : size;
}

/* Writes header and name in front of the stored bytes, which go or are behind them. */
static void put_head(const struct canon_chunk *chunk, uint16_t flags, uint8_t *at, const uint8_t *stored,
                     size_t stored_size)
{
    struct canon_chunk_header header = {
        .magic = CANON_CHUNK_MAGIC,
        .flags = chunk->flags | flags,
        .name_size = (uint16_t)chunk->name_size,
        .raw_size = (uint32_t)chunk->raw_size,
        .stored_size = (uint32_t)stored_size,
        .sequence = chunk->sequence,
        .events = chunk->events,
    };
    header.header_checksum = header_checksum_of(&header);
    header.checksum = checksum_of(&header, chunk->name, stored);
    memcpy(at, &header, sizeof header);
    memcpy(at + sizeof header, chunk->name, chunk->name_size);
}

static bool is_too_large(const struct canon_chunk *chunk)
{
    return chunk->raw_size > CANON_CHUNK_RAW_MAX || chunk->name_size > CANON_CHUNK_NAME_MAX;
}

int canon_chunk_encode_head(const struct canon_chunk *chunk, struct canon_buffer *out)
{
    if (is_too_large(chunk))
        return CANON_E_LIMIT;
    size_t head = sizeof(struct canon_chunk_header) + chunk->name_size;
    put_head(chunk, 0, canon_buffer_reserve(out, head), chunk->raw, chunk->raw_size);
    out->used += head;
    return 0;
}

int canon_chunk_encode(const struct canon_chunk *chunk, struct canon_buffer *out)
{
    if (is_too_large(chunk))
        return CANON_E_LIMIT;
    size_t head = sizeof(struct canon_chunk_header) + chunk->name_size;
    uint8_t *at = canon_buffer_reserve(out, head + chunk->raw_size);
    size_t size = compress(chunk, at + head);
    if (!size) {
        canon_chunk_encode_head(chunk, out);
        canon_buffer_put(out, chunk->raw, chunk->raw_size);
        return 0;
    }
    put_head(chunk, CANON_CHUNK_ZSTD, at, at + head, size);
    out->used += head + size;
    return 0;
}

int canon_chunk_locate(struct canon_reader *file, struct canon_chunk_place *place)
{
    const uint8_t *at = canon_reader_take(file, sizeof place->header);
    if (!at)
        return CANON_E_TRUNCATED;
    struct canon_chunk_header *header = &place->header;
    memcpy(header, at, sizeof *header);
    if (header->magic != CANON_CHUNK_MAGIC || header->reserved ||
        header->header_checksum != header_checksum_of(header) || header->raw_size > CANON_CHUNK_RAW_MAX ||
        header->name_size > CANON_CHUNK_NAME_MAX || header->stored_size > header->raw_size)
        return CANON_E_FORMAT;
    if (!(header->flags & CANON_CHUNK_ZSTD) && header->stored_size != header->raw_size)
        return CANON_E_FORMAT;
    place->name = (const char *)canon_reader_take(file, header->name_size);
    place->stored = canon_reader_take(file, header->stored_size);
    return place->stored ? 0 : CANON_E_TRUNCATED;
}

int canon_chunk_decode(const struct canon_chunk_place *place, struct canon_buffer *out)
{
    const struct canon_chunk_header *header = &place->header;
    if (checksum_of(header, place->name, place->stored) != header->checksum)
        return CANON_E_CHECKSUM;
    if (!(header->flags & CANON_CHUNK_ZSTD)) {
        canon_buffer_put(out, place->stored, header->stored_size);
        return 0;
    }
    uint8_t *to = canon_buffer_reserve(out, header->raw_size);
    static ZSTD_DCtx *_Atomic kept;
    ZSTD_DCtx *context = atomic_exchange(&kept, NULL);
    if (!context)
        context = ZSTD_createDCtx();
    if (!context)
        return CANON_E_NOMEM;
    size_t size = ZSTD_decompressDCtx(context, to, header->raw_size, place->stored, header->stored_size);
    ZSTD_freeDCtx(atomic_exchange(&kept, context));
    if (ZSTD_isError(size) || size != header->raw_size)
        return CANON_E_FORMAT;
    out->used += size;
    return 0;
}
