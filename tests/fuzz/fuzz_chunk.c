/*
 * fuzz_chunk.c: bytes as chunks, one after the other; and bytes as what a chunk holds, which must come back.
 */
#include "base/error.h"
#include "files.h"
#include "fuzz.h"
#include "trace/chunk.h"

#include <stdlib.h>
#include <string.h>

static void read_chunks(const uint8_t *data, size_t size)
{
    struct canon_reader file = canon_reader_over(data, size);
    struct canon_chunk_place place;
    struct canon_buffer raw = {0};
    int status;
    while (!(status = canon_chunk_locate(&file, &place))) {
        raw.used = 0;
        if (!canon_chunk_decode(&place, &raw) && raw.used != place.header.raw_size)
            abort();
    }
    if (status != CANON_E_TRUNCATED && status != CANON_E_FORMAT && status != CANON_E_CHECKSUM)
        abort();
    canon_buffer_free(&raw);
}

static void round_trip(const uint8_t *data, size_t size)
{
    struct canon_buffer stored = {0}, raw = {0};
    size_t name_size = size > 8 ? data[0] % 8 : 0;
    struct canon_chunk chunk = {
        .name = (const char *)data,
        .name_size = name_size,
        .raw = data + name_size,
        .raw_size = size - name_size,
    };
    struct canon_chunk_place place;
    if (canon_chunk_encode(&chunk, &stored))
        abort();
    struct canon_reader file = canon_reader_over(stored.data, stored.used);
    if (canon_chunk_locate(&file, &place) || canon_reader_left(&file) || canon_chunk_decode(&place, &raw))
        abort();
    if (raw.used != chunk.raw_size || (raw.used && memcmp(raw.data, chunk.raw, raw.used) != 0))
        abort();
    canon_buffer_free(&stored);
    canon_buffer_free(&raw);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_chunks(data, size);
    round_trip(data, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 2)
        files_mend_chunks(data, size);
    return size;
}
