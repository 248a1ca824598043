/* files.c: see files.h. */
#include "files.h"

#include "trace/format.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static const char *const NAMES[] = {"a.chunks", "b.chunks", "c.chunks", "a.live", "b.live", "meta.json"};
enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };

size_t files_split(uint8_t *data, size_t size, struct input_file files[FILES_MOST])
{
    size_t count = 0;
    while (size >= FILES_HEAD && count < FILES_MOST) {
        size_t length = data[1] | (size_t)data[2] << 8 | (size_t)data[3] << 16, left = size - FILES_HEAD;
        if (length > left)
            length = left;
        files[count++] = (struct input_file){NAMES[data[0] % NAME_COUNT], data + FILES_HEAD, length};
        data += FILES_HEAD + length;
        size -= FILES_HEAD + length;
    }
    return count;
}

uint8_t files_name_byte(const char *name)
{
    for (uint8_t i = 0; i < NAME_COUNT; i++)
        if (strcmp(NAMES[i], name) == 0)
            return i;
    abort();
}

/* As chunk.c computes them; make_seeds looks whether that is still so. */
static void mend_chunk(uint8_t *chunk, struct canon_chunk_header *header)
{
    const uint8_t *name = chunk + sizeof *header;
    header->header_checksum = (uint32_t)XXH3_64bits(header, offsetof(struct canon_chunk_header, checksum));
    XXH64_hash_t seed = XXH3_64bits_withSeed(name, header->name_size, header->header_checksum);
    header->checksum = XXH3_64bits_withSeed(name + header->name_size, header->stored_size, seed);
    memcpy(chunk, header, sizeof *header);
}

void files_mend_chunks(uint8_t *bytes, size_t size)
{
    const size_t head = sizeof(struct canon_file_header);
    if (size >= head && memcmp(bytes, CANON_FILE_MAGIC, 8) == 0) {
        bytes += head;
        size -= head;
    }
    struct canon_chunk_header header;
    while (size >= sizeof header) {
        memcpy(&header, bytes, sizeof header);
        size_t whole = sizeof header + header.name_size + (size_t)header.stored_size;
        if (header.magic != CANON_CHUNK_MAGIC || whole > size)
            return;
        mend_chunk(bytes, &header);
        bytes += whole;
        size -= whole;
    }
}

void files_mend(uint8_t *data, size_t size)
{
    struct input_file files[FILES_MOST];
    size_t count = files_split(data, size, files);
    for (size_t i = 0; i < count; i++)
        files_mend_chunks(files[i].bytes, files[i].size);
}

/* ---- on disk ----------------------------------------------------------------------------------------- */

static char directory[64];

static void remove_directory(void)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/1", directory);
    rmdir(path);
    rmdir(directory);
}

const char *files_directory(void)
{
    if (*directory)
        return directory;
    snprintf(directory, sizeof directory, "%s/canon-fuzz-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(directory)) {
        perror(directory);
        abort();
    }
    atexit(remove_directory);
    return directory;
}

static const char *path_of(const char *folder, const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s/%s", files_directory(), folder, name);
    return path;
}

void files_write(const char *folder, const struct input_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int fd = open(path_of(folder, files[i].name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (fd < 0 || write(fd, files[i].bytes, files[i].size) != (ssize_t)files[i].size) {
            perror(path_of(folder, files[i].name));
            abort();
        }
        close(fd);
    }
}

void files_remove(const char *folder, const struct input_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        unlink(path_of(folder, files[i].name));
}
