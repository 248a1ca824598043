/* pack.c: see pack.h. Chunks stay what they are, one by one; only how they are stored changes. */
#include "trace/pack.h"

#include "base/error.h"
#include "trace/chunk.h"
#include "trace/reader.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEVEL = 3 };

static bool has_suffix(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

static int pack_chunk(const struct canon_chunk_place *place, struct canon_buffer *raw, FILE *to)
{
    const struct canon_chunk_header *header = &place->header;
    raw->used = 0;
    int status = canon_chunk_decode(place, raw);
    struct canon_chunk chunk = {
        .name = place->name,
        .name_size = header->name_size,
        .sequence = header->sequence,
        .events = header->events,
        .flags = (uint16_t)(header->flags & ~CANON_CHUNK_ZSTD),
        .raw = raw->data,
        .raw_size = raw->used,
        .level = LEVEL,
    };
    struct canon_buffer out = {0};
    if (!status)
        status = canon_chunk_encode(&chunk, &out);
    if (!status && fwrite(out.data, 1, out.used, to) != out.used)
        status = CANON_E_IO;
    canon_buffer_free(&out);
    return status;
}

/* The bytes of a whole file of chunks, which the reader has looked at before. */
static int pack_bytes(const uint8_t *bytes, size_t size, FILE *to)
{
    struct canon_reader file = canon_reader_over(bytes, size);
    struct canon_buffer raw = {0};
    const uint8_t *header = canon_reader_take(&file, sizeof(struct canon_file_header));
    int status = header && fwrite(header, sizeof(struct canon_file_header), 1, to) == 1 ? 0 : CANON_E_IO;
    while (!status && canon_reader_left(&file)) {
        struct canon_chunk_place place;
        status = canon_chunk_locate(&file, &place);
        if (!status)
            status = pack_chunk(&place, &raw, to);
    }
    canon_buffer_free(&raw);
    return status;
}

static int pack_open_file(int from, const char *path, uint64_t *before, uint64_t *after)
{
    char fresh[4200];
    struct stat about;
    snprintf(fresh, sizeof fresh, "%s.new", path);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
    if (!to || fstat(from, &about)) {
        if (fd >= 0)
            to ? fclose(to) : close(fd);
        return CANON_E_IO;
    }
    size_t size = (size_t)about.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, from, 0);
    int status = bytes == MAP_FAILED ? CANON_E_IO : pack_bytes(bytes, size, to);
    if (bytes != MAP_FAILED)
        munmap(bytes, size);
    if (!status && (fflush(to) || fsync(fd) || fstat(fd, &about)))
        status = CANON_E_IO;
    if (fclose(to) && !status)
        status = CANON_E_IO;
    if (!status && rename(fresh, path))
        status = CANON_E_IO;
    if (status) {
        unlink(fresh);
        return status;
    }
    *before += size;
    *after += (uint64_t)about.st_size;
    return 0;
}

static int pack_file(const char *part, const char *name, uint64_t *before, uint64_t *after)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", part, name) >= sizeof path)
        return CANON_E_LIMIT;
    int from = open(path, O_RDONLY | O_CLOEXEC);
    int status = from < 0 ? CANON_E_IO : pack_open_file(from, path, before, after);
    if (from >= 0)
        close(from);
    return status;
}

/* Whether the part is whole: nobody writes to it any more. */
static int check_part(const char *part)
{
    struct canon_trace *trace;
    char problem[512];
    int status = canon_trace_open(part, &trace, problem, sizeof problem);
    if (status)
        return status;
    status = canon_trace_is_torn(trace) ? CANON_E_TRUNCATED : 0;
    canon_trace_close(trace);
    return status;
}

int canon_part_pack(const char *part, uint64_t *before, uint64_t *after)
{
    int status = check_part(part);
    DIR *folder = status ? NULL : opendir(part);
    if (!status && !folder)
        status = CANON_E_IO;
    for (struct dirent *entry; !status && (entry = readdir(folder));)
        if (has_suffix(entry->d_name, ".chunks"))
            status = pack_file(part, entry->d_name, before, after);
    if (folder)
        closedir(folder);
    return status;
}
