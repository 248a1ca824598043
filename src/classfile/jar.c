/*
 * jar.c: see jar.h.
 *
 *   local header, name, extra field, data     ...          one a file
 *   name, extra field, comment, place ...                  the directory, again one a file
 *   size and place of the directory, comment               the end
 */
#include "classfile/jar.h"

#include "base/assert.h"
#include "base/map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

enum { LOCAL_SIZE = 30, ENTRY_SIZE = 46, END_SIZE = 22, COMMENT_MOST = UINT16_MAX };
enum { LOCAL_MAGIC = 0x04034b50, ENTRY_MAGIC = 0x02014b50, END_MAGIC = 0x06054b50 };
enum { STORED = 0, DEFLATED = 8 };
enum { DIRECTORY_MOST = 1 << 28, FILE_MOST = 1 << 24 }; /* bytes */

struct entry {
    uint32_t place; /* of the local header */
    uint32_t packed;
    uint32_t size;
    uint16_t method;
};

struct canon_jar {
    int fd;
    struct entry *entries;
    size_t count;
    struct canon_map numbers; /* one more than that of an entry, by the name without ".class" */
};

static uint16_t get16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t get32(const uint8_t *at)
{
    return get16(at) | (uint32_t)get16(at + 2) << 16;
}

/* Exactly that many bytes, malloc'd. */
static uint8_t *read_at(int fd, int64_t place, size_t size)
{
    uint8_t *bytes = malloc(size ? size : 1);
    size_t done = 0;
    ssize_t got = 1;
    while (bytes && done < size && got > 0) {
        got = pread(fd, bytes + done, size - done, (off_t)(place + (int64_t)done));
        done += got > 0 ? (size_t)got : 0;
    }
    if (done == size)
        return bytes;
    free(bytes);
    return NULL;
}

/* The directory, malloc'd; it is behind everything but the end and a comment. */
static uint8_t *read_directory(int fd, size_t *size, size_t *count)
{
    struct stat status;
    if (fstat(fd, &status) || !S_ISREG(status.st_mode) || status.st_size < END_SIZE)
        return NULL;
    int64_t tail_size = status.st_size < END_SIZE + COMMENT_MOST ? status.st_size : END_SIZE + COMMENT_MOST;
    uint8_t *tail = read_at(fd, status.st_size - tail_size, (size_t)tail_size), *directory = NULL;
    for (int64_t at = tail_size - END_SIZE; tail && at >= 0; at--) {
        if (get32(tail + at) != END_MAGIC)
            continue;
        *count = get16(tail + at + 10);
        *size = get32(tail + at + 12);
        int64_t place = get32(tail + at + 16);
        if (*size <= DIRECTORY_MOST && place + (int64_t)*size <= status.st_size)
            directory = read_at(fd, place, *size);
        break;
    }
    free(tail);
    return directory;
}

static void add(struct canon_jar *jar, const uint8_t *at, const char *name, size_t length)
{
    static const char ENDING[] = ".class";
    size_t ending = sizeof ENDING - 1;
    if (length <= ending || memcmp(name + length - ending, ENDING, ending) != 0)
        return;
    union canon_map_value *place = canon_map_put(&jar->numbers, XXH3_64bits(name, length - ending));
    jar->entries[jar->count] = (struct entry){
        .place = get32(at + 42), .packed = get32(at + 20), .size = get32(at + 24), .method = get16(at + 10)};
    place->number = ++jar->count;
}

struct canon_jar *canon_jar_open(int fd)
{
    size_t size = 0, count = 0;
    uint8_t *directory = read_directory(fd, &size, &count);
    if (!directory) {
        close(fd);
        return NULL;
    }
    struct canon_jar *jar = calloc(1, sizeof *jar);
    canon_assert(jar);
    jar->fd = fd;
    jar->entries = calloc(count + 1, sizeof *jar->entries);
    canon_assert(jar->entries);
    for (size_t at = 0; count > 0 && size - at >= ENTRY_SIZE; count--) {
        const uint8_t *entry = directory + at;
        size_t name = get16(entry + 28), whole = ENTRY_SIZE + name + get16(entry + 30) + get16(entry + 32);
        if (get32(entry) != ENTRY_MAGIC || whole > size - at)
            break;
        add(jar, entry, (const char *)entry + ENTRY_SIZE, name);
        at += whole;
    }
    free(directory);
    return jar;
}

void canon_jar_close(struct canon_jar *jar)
{
    if (!jar)
        return;
    close(jar->fd);
    canon_map_free(&jar->numbers);
    free(jar->entries);
    free(jar);
}

/* Without the header of zlib's own format. */
static bool inflate_all(const uint8_t *packed, size_t packed_size, uint8_t *made, size_t size)
{
    z_stream stream = {.next_in = (uint8_t *)packed,
                       .avail_in = (uInt)packed_size,
                       .next_out = made,
                       .avail_out = (uInt)size};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return false;
    int status = inflate(&stream, Z_FINISH);
    bool whole = status == Z_STREAM_END && stream.total_out == size;
    inflateEnd(&stream);
    return whole;
}

static uint8_t *unpack(const struct entry *entry, uint8_t *packed)
{
    if (entry->method == STORED && entry->packed == entry->size)
        return packed;
    uint8_t *made = entry->method == DEFLATED ? malloc(entry->size + 1u) : NULL;
    if (made && !inflate_all(packed, entry->packed, made, entry->size)) {
        free(made);
        made = NULL;
    }
    free(packed);
    return made;
}

uint8_t *canon_jar_read(const struct canon_jar *jar, struct canon_utf8 name, size_t *size)
{
    const union canon_map_value *number = canon_map_get(&jar->numbers, XXH3_64bits(name.text, name.length));
    const struct entry *entry = number ? &jar->entries[number->number - 1] : NULL;
    if (!entry || entry->size > FILE_MOST || entry->packed > FILE_MOST)
        return NULL;
    uint8_t *local = read_at(jar->fd, entry->place, LOCAL_SIZE), *packed = NULL;
    if (local && get32(local) == LOCAL_MAGIC)
        packed = read_at(jar->fd, (int64_t)entry->place + LOCAL_SIZE + get16(local + 26) + get16(local + 28),
                         entry->packed);
    free(local);
    *size = entry->size;
    return packed ? unpack(entry, packed) : NULL;
}
