/*
 * writer.c: see writer.h.
 *
 *   put -> live mapping (NAME.live) -> [full] -> chunk -> write(2) to NAME.chunks
 *
 * The order of the last two steps makes a SIGKILL harmless: the chunk is in the file before the live
 * word moves on to the next sequence number, so a reader that sees both ignores the live copy.
 */
#include "trace/writer.h"

#include "base/assert.h"
#include "base/error.h"
#include "trace/chunk.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

struct canon_writer {
    struct canon_live_header *live;
    uint8_t *data;     /* the live area behind the header */
    uint32_t used;     /* bytes in it, also those of an unfinished event */
    uint32_t sequence; /* of the chunk being filled */
    uint32_t in_chunk; /* events that ended in it */
    uint64_t events;
    int file;
    int error;
    bool begun; /* there is a strand */
    char *live_path;
    struct canon_buffer scratch; /* a chunk on its way to the file */
};

struct canon_store {
    int file;
    pthread_mutex_t lock; /* protects scratch and the file's end; leaf lock */
    struct canon_buffer scratch;
};

static int error_of(int number)
{
    return number == ENOSPC || number == EDQUOT || number == EFBIG ? CANON_E_NOSPACE : CANON_E_IO;
}

static int write_both(int file, struct iovec *parts)
{
    for (int first = 0; first < 2;) {
        ssize_t n = writev(file, parts + first, 2 - first);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 || (n == 0 && parts[first].iov_len))
            return error_of(n < 0 ? errno : ENOSPC);
        for (size_t done = (size_t)n; first < 2; first++) {
            size_t step = done < parts[first].iov_len ? done : parts[first].iov_len;
            parts[first].iov_base = (uint8_t *)parts[first].iov_base + step;
            parts[first].iov_len -= step;
            done -= step;
            if (parts[first].iov_len)
                break;
        }
    }
    return 0;
}

static int write_all(int file, const void *data, size_t size)
{
    return write_both(file, (struct iovec[]){{(void *)data, size}, {(void *)data, 0}});
}

/* Out of the way of numbers that the program expects to get. */
static int moved_away(int fd)
{
    int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 900);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

/* ---- the directory ------------------------------------------------------------------------------------- */

static struct {
    char *part;
    int fd;
} held = {NULL, -1};

int canon_writer_hold(const char *part)
{
    int fd = moved_away(open(part, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (held.fd >= 0)
        close(held.fd);
    free(held.part);
    held.part = strdup(part);
    held.fd = held.part ? fd : -1;
    return held.fd < 0 ? CANON_E_IO : 0;
}

int canon_writer_give(unsigned owner)
{
    return held.fd >= 0 && fchown(held.fd, owner, (gid_t)-1) == 0 ? 0 : CANON_E_IO;
}

/* The same file by another name: from the held directory on, if it lies there. */
static const char *from_held(const char *path, int *directory)
{
    size_t size = held.fd >= 0 ? strlen(held.part) : 0;
    bool inside = size && strncmp(path, held.part, size) == 0 && path[size] == '/';
    *directory = inside ? held.fd : AT_FDCWD;
    return inside ? path + size + 1 : path;
}

static int open_file(const char *path, int flags)
{
    int directory;
    const char *name = from_held(path, &directory);
    return openat(directory, name, flags | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

static void remove_file(const char *path)
{
    int directory;
    const char *name = from_held(path, &directory);
    unlinkat(directory, name, 0);
}

/* ---- files ----------------------------------------------------------------------------------------------
 */

/* Opens NAME.chunks and writes its header; the descriptor or an error. */
static int open_chunks(const char *part, const char *file)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s.chunks", part, file) >= sizeof path)
        return CANON_E_LIMIT;
    int fd = open_file(path, O_WRONLY | O_APPEND);
    if (fd < 0)
        return error_of(errno);
    fd = moved_away(fd);
    struct canon_file_header header = {CANON_FILE_MAGIC, CANON_TRACE_VERSION, sizeof header};
    int status = write_all(fd, &header, sizeof header);
    if (status) {
        close(fd);
        return status;
    }
    return fd;
}

/* Maps NAME.live. Its blocks are allocated first: a full disk must be an error here, not a SIGBUS later. */
static int map_live(struct canon_writer *writer, const char *part, const char *file, const char *strand)
{
    if (asprintf(&writer->live_path, "%s/%s.live", part, file) < 0)
        return CANON_E_NOMEM;
    int fd = open_file(writer->live_path, O_RDWR);
    if (fd < 0)
        return error_of(errno);
    int failed = posix_fallocate(fd, 0, CANON_LIVE_HEADER + CANON_LIVE_CAPACITY);
    void *map = failed ? MAP_FAILED
                       : mmap(NULL, CANON_LIVE_HEADER + CANON_LIVE_CAPACITY, PROT_READ | PROT_WRITE,
                              MAP_SHARED, fd, 0);
    int number = failed ? failed : errno;
    close(fd);
    if (map == MAP_FAILED) {
        remove_file(writer->live_path);
        return error_of(number);
    }
    writer->live = map;
    writer->data = (uint8_t *)map + CANON_LIVE_HEADER;
    writer->live->version = CANON_TRACE_VERSION;
    writer->live->capacity = CANON_LIVE_CAPACITY;
    return canon_writer_begin(writer, strand);
}

/* The live area is somebody's, or nobody's, as far as a reader is concerned: by the magic, in one store. */
static void set_magic(struct canon_writer *writer, const char *magic)
{
    uint64_t word;
    static_assert(sizeof word == sizeof writer->live->magic, "written at once");
    memcpy(&word, magic, sizeof word);
    __atomic_store_n((uint64_t *)writer->live->magic, word, __ATOMIC_RELEASE);
}

int canon_writer_begin(struct canon_writer *writer, const char *strand)
{
    size_t size = strlen(strand);
    if (size > CANON_CHUNK_NAME_MAX)
        return CANON_E_LIMIT;
    writer->used = writer->sequence = writer->in_chunk = 0;
    writer->events = 0;
    writer->live->position = 0;
    writer->live->name_size = (uint32_t)size;
    memcpy(writer->live->name, strand, size);
    set_magic(writer, CANON_LIVE_MAGIC);
    writer->begun = true;
    return 0;
}

int canon_writer_open(const char *part, const char *file, const char *strand, struct canon_writer **out)
{
    if (strlen(strand) > CANON_CHUNK_NAME_MAX)
        return CANON_E_LIMIT;
    struct canon_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return CANON_E_NOMEM;
    writer->file = open_chunks(part, file);
    int status = writer->file < 0 ? writer->file : map_live(writer, part, file, strand);
    if (status) {
        if (writer->file >= 0)
            close(writer->file);
        free(writer->live_path);
        free(writer);
        return status;
    }
    *out = writer;
    return 0;
}

/* Makes the bytes up to here part of the trace, whatever happens to the process next. */
static void commit(struct canon_writer *writer)
{
    uint64_t position = (uint64_t)writer->sequence << 32 | writer->used;
    __atomic_store_n(&writer->live->position, position, __ATOMIC_RELEASE);
}

/*
 * Data that the program reads in bulk is stored as it is: to compress it takes longer than all else about it.
 * `canon pack` does that later.
 */
static bool is_bulk(const struct canon_chunk *chunk)
{
    return chunk->raw_size / (chunk->events + 1) >= CANON_BULK_MIN;
}

static void seal(struct canon_writer *writer, uint16_t flags)
{
    struct canon_chunk chunk = {
        .name = writer->live->name,
        .name_size = writer->live->name_size,
        .sequence = writer->sequence,
        .events = writer->in_chunk,
        .flags = flags,
        .raw = writer->data,
        .raw_size = writer->used,
    };
    bool bulk = is_bulk(&chunk);
    writer->scratch.used = 0;
    int status = bulk ? canon_chunk_encode_head(&chunk, &writer->scratch)
                      : canon_chunk_encode(&chunk, &writer->scratch);
    if (!status)
        status = write_both(writer->file, (struct iovec[]){{writer->scratch.data, writer->scratch.used},
                                                           {writer->data, bulk ? writer->used : 0}});
    if (status) {
        writer->error = status;
        return;
    }
    writer->sequence++;
    writer->used = 0;
    writer->in_chunk = 0;
    commit(writer);
}

/* `ends`: with the last of these bytes an event is whole. */
static void append(struct canon_writer *writer, const void *data, size_t size, bool ends)
{
    const uint8_t *from = data;
    while (size && !writer->error) {
        size_t room = CANON_LIVE_CAPACITY - writer->used;
        size_t n = size < room ? size : room;
        memcpy(writer->data + writer->used, from, n);
        writer->used += (uint32_t)n;
        from += n;
        size -= n;
        writer->in_chunk += ends && size == 0;
        if (writer->used == CANON_LIVE_CAPACITY)
            seal(writer, 0);
    }
}

int canon_writer_put(struct canon_writer *writer, enum canon_event_kind kind, uint64_t id,
                     const void *payload, size_t size)
{
    if (!writer->error && size > CANON_EVENT_MAX)
        writer->error = CANON_E_LIMIT;
    if (writer->error)
        return writer->error;
    uint8_t head[2 * CANON_VARINT_MAX];
    size_t n = canon_varint_encode(head, id << 3 | (uint64_t)kind);
    n += canon_varint_encode(head + n, size);
    append(writer, head, n, size == 0);
    append(writer, payload, size, true);
    if (writer->error)
        return writer->error;
    writer->events++;
    commit(writer);
    return 0;
}

uint64_t canon_writer_events(const struct canon_writer *writer)
{
    return writer->events;
}

static void release(struct canon_writer *writer)
{
    munmap(writer->live, CANON_LIVE_HEADER + CANON_LIVE_CAPACITY);
    close(writer->file);
    free(writer->live_path);
    canon_buffer_free(&writer->scratch);
    free(writer);
}

int canon_writer_end(struct canon_writer *writer)
{
    if (!writer->error && writer->begun)
        seal(writer, CANON_CHUNK_LAST);
    if (writer->error)
        return writer->error;
    static const char NOBODY[sizeof writer->live->magic];
    set_magic(writer, NOBODY);
    writer->begun = false;
    return 0;
}

int canon_writer_close(struct canon_writer *writer)
{
    int status = canon_writer_end(writer);
    if (!status)
        remove_file(writer->live_path);
    release(writer);
    return status;
}

void canon_writer_drop(struct canon_writer *writer)
{
    remove_file(writer->live_path);
    release(writer);
}

void canon_writer_leave(struct canon_writer *writer)
{
    release(writer);
}

int canon_store_open(const char *part, const char *file, struct canon_store **out)
{
    struct canon_store *store = calloc(1, sizeof *store);
    if (!store)
        return CANON_E_NOMEM;
    store->file = open_chunks(part, file);
    if (store->file < 0) {
        int status = store->file;
        free(store);
        return status;
    }
    pthread_mutex_init(&store->lock, NULL);
    *out = store;
    return 0;
}

int canon_store_put(struct canon_store *store, const char *strand, const void *events, size_t size,
                    uint32_t count)
{
    const uint8_t *from = events;
    uint32_t sequence = 0;
    int status = 0;
    pthread_mutex_lock(&store->lock);
    store->scratch.used = 0;
    do {
        size_t n = size < CANON_CHUNK_RAW_MAX ? size : CANON_CHUNK_RAW_MAX;
        struct canon_chunk chunk = {
            .name = strand,
            .name_size = strlen(strand),
            .sequence = sequence++,
            .events = n == size ? count : 0,
            .flags = n == size ? CANON_CHUNK_LAST : 0,
            .raw = from,
            .raw_size = n,
        };
        status = canon_chunk_encode(&chunk, &store->scratch);
        from += n;
        size -= n;
    } while (!status && size);
    if (!status)
        status = write_all(store->file, store->scratch.data, store->scratch.used);
    pthread_mutex_unlock(&store->lock);
    return status;
}

void canon_store_close(struct canon_store *store)
{
    close(store->file);
    pthread_mutex_destroy(&store->lock);
    canon_buffer_free(&store->scratch);
    free(store);
}
