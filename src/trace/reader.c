/* reader.c: see reader.h. */
#include "trace/reader.h"

#include "base/assert.h"
#include "base/error.h"
#include "trace/chunk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

struct canon_trace_strand {
    char *name;
    size_t name_size;
    struct canon_chunk_place *chunks;
    size_t count;
    const uint8_t *live; /* committed bytes of the live file, or NULL */
    size_t live_size;
    uint64_t raw_size; /* of all chunks and the live bytes */
    bool ended;        /* has a LAST chunk */
};

struct mapping {
    void *data;
    size_t size;
};

struct canon_trace {
    struct canon_trace_strand **strands;
    size_t count;
    size_t *index; /* open addressing: strand number + 1, 0 = empty */
    size_t index_size;
    struct mapping *maps;
    size_t map_count;
    bool torn;
};

/* ---- the index of strands by name ------------------------------------------------------------- */

static size_t slot_of(const struct canon_trace *trace, const char *name, size_t size)
{
    size_t mask = trace->index_size - 1;
    size_t slot = XXH3_64bits(name, size) & mask;
    while (trace->index[slot]) {
        const struct canon_trace_strand *strand = trace->strands[trace->index[slot] - 1];
        if (strand->name_size == size && memcmp(strand->name, name, size) == 0)
            break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

static void grow_index(struct canon_trace *trace)
{
    trace->index_size = trace->index_size ? trace->index_size * 2 : 256;
    free(trace->index);
    trace->index = calloc(trace->index_size, sizeof *trace->index);
    canon_assert(trace->index);
    for (size_t i = 0; i < trace->count; i++)
        trace->index[slot_of(trace, trace->strands[i]->name, trace->strands[i]->name_size)] = i + 1;
}

static struct canon_trace_strand *strand_named(struct canon_trace *trace, const char *name, size_t size)
{
    if (trace->count * 2 >= trace->index_size)
        grow_index(trace);
    size_t slot = slot_of(trace, name, size);
    if (trace->index[slot])
        return trace->strands[trace->index[slot] - 1];
    struct canon_trace_strand *strand = calloc(1, sizeof *strand);
    canon_assert(strand);
    strand->name = strndup(name, size);
    strand->name_size = size;
    trace->strands = realloc(trace->strands, (trace->count + 1) * sizeof *trace->strands);
    canon_assert(strand->name && trace->strands);
    trace->strands[trace->count++] = strand;
    trace->index[slot] = trace->count;
    return strand;
}

/* ---- files -------------------------------------------------------------------------------------- */

static int map_file(struct canon_trace *trace, const char *part, const char *name, struct mapping *out)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", part, name) >= sizeof path)
        return CANON_E_LIMIT;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO must not hold us up */
    if (fd < 0)
        return CANON_E_IO;
    struct stat info;
    *out = (struct mapping){NULL, 0};
    int status = fstat(fd, &info) ? CANON_E_IO : S_ISREG(info.st_mode) ? 0 : CANON_E_FORMAT;
    if (!status && info.st_size > 0) {
        out->size = (size_t)info.st_size;
        out->data = mmap(NULL, out->size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (out->data == MAP_FAILED)
            status = CANON_E_IO;
    }
    close(fd);
    if (status || !out->size)
        return status;
    trace->maps = realloc(trace->maps, (trace->map_count + 1) * sizeof *trace->maps);
    canon_assert(trace->maps);
    trace->maps[trace->map_count++] = *out;
    return 0;
}

static int add_chunk(struct canon_trace *trace, const struct canon_chunk_place *place)
{
    if (memchr(place->name, '\0', place->header.name_size))
        return CANON_E_FORMAT;
    struct canon_trace_strand *strand = strand_named(trace, place->name, place->header.name_size);
    if (strand->ended || place->header.sequence != strand->count)
        return CANON_E_FORMAT;
    if ((strand->count & (strand->count - 1)) == 0) {
        size_t room = strand->count ? strand->count * 2 : 1;
        strand->chunks = realloc(strand->chunks, room * sizeof *strand->chunks);
        canon_assert(strand->chunks);
    }
    strand->chunks[strand->count++] = *place;
    strand->ended = place->header.flags & CANON_CHUNK_LAST;
    return 0;
}

static int check_file_header(struct canon_reader *file)
{
    const uint8_t *at = canon_reader_take(file, sizeof(struct canon_file_header));
    if (!at)
        return CANON_E_TRUNCATED;
    struct canon_file_header header;
    memcpy(&header, at, sizeof header);
    if (memcmp(header.magic, CANON_FILE_MAGIC, sizeof header.magic) != 0)
        return CANON_E_FORMAT;
    if (header.version != CANON_TRACE_VERSION)
        return CANON_E_VERSION;
    return header.header_size == sizeof header ? 0 : CANON_E_FORMAT;
}

static int load_chunks(struct canon_trace *trace, const struct mapping *map, size_t *offset)
{
    struct canon_reader file = canon_reader_over(map->data, map->size);
    int status = check_file_header(&file);
    while (!status && canon_reader_left(&file)) {
        *offset = map->size - canon_reader_left(&file);
        struct canon_chunk_place place;
        status = canon_chunk_locate(&file, &place);
        if (!status)
            status = add_chunk(trace, &place);
    }
    if (status == CANON_E_TRUNCATED) { /* the machine stopped in the middle of a write */
        trace->torn = true;
        return 0;
    }
    return status;
}

/* Runs after all .chunks: the live tail counts only if its chunk was not sealed yet. */
static int load_live(struct canon_trace *trace, const struct mapping *map)
{
    trace->torn = true;
    struct canon_live_header header;
    if (map->size < CANON_LIVE_HEADER)
        return 0;
    memcpy(&header, map->data, sizeof header);
    static const char none[sizeof header.magic];
    if (memcmp(header.magic, none, sizeof none) == 0) /* killed before the header was written */
        return 0;
    if (memcmp(header.magic, CANON_LIVE_MAGIC, sizeof header.magic) != 0)
        return CANON_E_FORMAT;
    if (header.version != CANON_TRACE_VERSION)
        return CANON_E_VERSION;
    uint32_t committed = (uint32_t)header.position;
    uint32_t sequence = (uint32_t)(header.position >> 32);
    if (header.name_size > CANON_CHUNK_NAME_MAX || memchr(header.name, '\0', header.name_size) ||
        header.capacity > map->size - CANON_LIVE_HEADER || committed > header.capacity)
        return CANON_E_FORMAT;
    struct canon_trace_strand *strand = strand_named(trace, header.name, header.name_size);
    if (strand->live)
        return CANON_E_FORMAT;
    if (sequence == strand->count && !strand->ended) {
        strand->live = (const uint8_t *)map->data + CANON_LIVE_HEADER;
        strand->live_size = committed;
    }
    return 0;
}

static bool has_suffix(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

static int load_file(struct canon_trace *trace, const char *part, const char *name, bool live, size_t *offset)
{
    struct mapping map;
    int status = map_file(trace, part, name, &map);
    if (status)
        return status;
    if (!map.size) {
        trace->torn = true;
        return 0;
    }
    return live ? load_live(trace, &map) : load_chunks(trace, &map, offset);
}

static int load_all(struct canon_trace *trace, const char *part, bool live, char *problem, size_t size)
{
    DIR *folder = opendir(part);
    if (!folder) {
        snprintf(problem, size, "%s: %s", part, strerror(errno));
        return errno == ENOENT ? CANON_E_NOENT : CANON_E_IO;
    }
    int status = 0;
    for (struct dirent *entry; !status && (entry = readdir(folder));) {
        size_t offset = 0;
        if (!has_suffix(entry->d_name, live ? ".live" : ".chunks"))
            continue;
        status = load_file(trace, part, entry->d_name, live, &offset);
        if (status)
            snprintf(problem, size, "%s/%s, byte %zu: %s", part, entry->d_name, offset,
                     canon_error_text(status));
    }
    closedir(folder);
    return status;
}

int canon_trace_open(const char *part, struct canon_trace **out, char *problem, size_t size)
{
    struct canon_trace *trace = calloc(1, sizeof *trace);
    canon_assert(trace);
    grow_index(trace);
    int status = load_all(trace, part, false, problem, size);
    if (!status)
        status = load_all(trace, part, true, problem, size);
    if (!status && trace->count == 0 && !trace->torn) {
        snprintf(problem, size, "%s: there is no strand in it", part);
        status = CANON_E_FORMAT;
    }
    if (status) {
        canon_trace_close(trace);
        return status;
    }
    for (size_t i = 0; i < trace->count; i++) {
        struct canon_trace_strand *strand = trace->strands[i];
        strand->raw_size = canon_strand_raw_bytes(strand);
        trace->torn |= !strand->ended;
    }
    *out = trace;
    return 0;
}

void canon_trace_close(struct canon_trace *trace)
{
    for (size_t i = 0; i < trace->count; i++) {
        free(trace->strands[i]->name);
        free(trace->strands[i]->chunks);
        free(trace->strands[i]);
    }
    for (size_t i = 0; i < trace->map_count; i++)
        munmap(trace->maps[i].data, trace->maps[i].size);
    free(trace->strands);
    free(trace->index);
    free(trace->maps);
    free(trace);
}

/* ---- strands ------------------------------------------------------------------------------------ */

bool canon_trace_is_torn(const struct canon_trace *trace)
{
    return trace->torn || !canon_trace_find(trace, CANON_STRAND_NAMES);
}

size_t canon_trace_strand_count(const struct canon_trace *trace)
{
    return trace->count;
}

const struct canon_trace_strand *canon_trace_strand_at(const struct canon_trace *trace, size_t index)
{
    return trace->strands[index];
}

const struct canon_trace_strand *canon_trace_find(const struct canon_trace *trace, const char *name)
{
    size_t slot = slot_of(trace, name, strlen(name));
    return trace->index[slot] ? trace->strands[trace->index[slot] - 1] : NULL;
}

const char *canon_strand_name(const struct canon_trace_strand *strand)
{
    return strand->name;
}

uint64_t canon_strand_events(const struct canon_trace_strand *strand)
{
    uint64_t events = 0;
    for (size_t i = 0; i < strand->count; i++)
        events += strand->chunks[i].header.events;
    return events;
}

uint64_t canon_strand_raw_bytes(const struct canon_trace_strand *strand)
{
    uint64_t bytes = strand->live_size;
    for (size_t i = 0; i < strand->count; i++)
        bytes += strand->chunks[i].header.raw_size;
    return bytes;
}

uint64_t canon_strand_stored_bytes(const struct canon_trace_strand *strand)
{
    uint64_t bytes = strand->live_size;
    for (size_t i = 0; i < strand->count; i++)
        bytes += strand->chunks[i].header.stored_size;
    return bytes;
}

bool canon_strand_is_torn(const struct canon_trace_strand *strand)
{
    return !strand->ended;
}

/* ---- cursor ------------------------------------------------------------------------------------- */

void canon_cursor_start(struct canon_cursor *cursor, const struct canon_trace_strand *strand)
{
    *cursor = (struct canon_cursor){.strand = strand};
}

void canon_cursor_stop(struct canon_cursor *cursor)
{
    canon_buffer_free(&cursor->bytes);
}

/* Brings one more chunk (or the live tail) into the buffer. */
static int refill(struct canon_cursor *cursor)
{
    const struct canon_trace_strand *strand = cursor->strand;
    struct canon_buffer *bytes = &cursor->bytes;
    if (cursor->at) {
        memmove(bytes->data, bytes->data + cursor->at, bytes->used - cursor->at);
        bytes->used -= cursor->at;
        cursor->at = 0;
    }
    if (cursor->next_chunk < strand->count)
        return canon_chunk_decode(&strand->chunks[cursor->next_chunk++], bytes);
    if (cursor->next_chunk == strand->count && strand->live) {
        cursor->next_chunk++;
        canon_buffer_put(bytes, strand->live, strand->live_size);
        return 0;
    }
    return CANON_E_END;
}

/* 0, CANON_E_TRUNCATED if more bytes are needed, or CANON_E_FORMAT. */
static int decode(struct canon_cursor *cursor, struct canon_event *event)
{
    struct canon_reader reader =
        canon_reader_over(cursor->bytes.data + cursor->at, cursor->bytes.used - cursor->at);
    uint64_t head = canon_reader_varint(&reader);
    uint64_t size = canon_reader_varint(&reader);
    if (!reader.failed && size > CANON_EVENT_MAX)
        return CANON_E_FORMAT;
    if (!reader.failed && size > cursor->strand->raw_size)
        return cursor->strand->ended ? CANON_E_FORMAT
                                     : CANON_E_END; /* without unpacking it all to find out */
    const uint8_t *payload = canon_reader_take(&reader, size);
    if (!payload)
        return CANON_E_TRUNCATED;
    event->number = cursor->number;
    event->kind = (enum canon_event_kind)(head & 7);
    event->id = head >> 3;
    event->payload = payload;
    event->size = size;
    return 0;
}

static int next_event(struct canon_cursor *cursor, struct canon_event *event)
{
    for (;;) {
        bool empty = cursor->at == cursor->bytes.used;
        int status = empty ? CANON_E_TRUNCATED : decode(cursor, event);
        if (status != CANON_E_TRUNCATED) {
            if (status)
                return status;
            break;
        }
        status = refill(cursor);
        if (status == CANON_E_END && cursor->strand->ended && !empty)
            return CANON_E_FORMAT; /* a strand that ended in order cannot end inside an event */
        if (status)
            return status;
    }
    cursor->at = (size_t)(event->payload + event->size - cursor->bytes.data);
    cursor->number++;
    return 0;
}

int canon_cursor_next(struct canon_cursor *cursor, struct canon_event *event)
{
    if (!cursor->error)
        cursor->error = next_event(cursor, event);
    return cursor->error;
}
