/*
 * archive_finish.c: an archive that a JVM has just written gets its place (cli.h, launch/archive.h), without
 * the objects that are in there: those would bring hash codes with them and spare the JVM steps of its start,
 * so that a program could see, and a replay would have to do, other things than without an archive.
 */
#include "cli/cli.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* The beginning of an archive, as the JVM's include/cds.h has it since version 13; before, the choice of
 * the collector is enough to have no objects. */
struct region {
    int32_t crc, read_only, allow_exec, is_heap, is_bitmap, mapped_from_file;
    uint64_t file_offset, mapping_offset, used;
    uint64_t others[6];
};
enum { MAGIC = (int)0xf00baba2, OLD_VERSION = 12, KNOWN_VERSION = 20, MOST_REGIONS = 8, CRC_FROM = 16 };
struct header {
    int32_t magic, crc, version;
    uint32_t size, base_name_offset, base_name_size;
    struct region regions[MOST_REGIONS];
};

static const char UNKNOWN[] = "archives of this JVM are not known yet";

/* The JVM leaves a region empty, too, if its collector cannot have objects in an archive. */
static const char *empty_heap(int fd)
{
    struct header header;
    struct stat about;
    if (fstat(fd, &about) || pread(fd, &header, sizeof header, 0) != sizeof header || header.magic != MAGIC)
        return "the JVM has written something else than an archive";
    if (header.version <= OLD_VERSION)
        return NULL;
    if (header.version > KNOWN_VERSION || header.size < sizeof header || header.size > 1 << 16)
        return UNKNOWN;
    if (header.regions[0].read_only || !header.regions[1].read_only || !header.regions[2].is_bitmap)
        return UNKNOWN;
    int heap = 0;
    while (heap < MOST_REGIONS && header.regions[heap].is_heap != 1)
        heap++;
    if (heap == MOST_REGIONS)
        return NULL;
    uint64_t size = (uint64_t)about.st_size, offset = header.regions[heap].file_offset;
    if (offset > size || header.regions[heap].used > size - offset)
        return UNKNOWN;
    header.regions[heap].used = 0;
    char *whole = malloc(header.size);
    bool written = whole && pread(fd, whole, header.size, 0) == (ssize_t)header.size;
    if (written) {
        memcpy(whole, &header, sizeof header);
        header.crc = (int32_t)crc32(0, (const Bytef *)whole + CRC_FROM, header.size - CRC_FROM);
        memcpy(whole, &header, sizeof header);
        written = pwrite(fd, whole, header.size, 0) == (ssize_t)header.size;
    }
    free(whole);
    return written ? NULL : "the archive cannot be written";
}

const char *canon_archive_finish(const char *made, const char *directory)
{
    char path[PATH_MAX];
    const char *slash = strrchr(made, '/'), *problem = NULL;
    snprintf(path, sizeof path, "%s/%s", directory, slash ? slash + 1 : made);
    chmod(made, 0600);
    int fd = open(made, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return "the JVM has written no archive";
    problem = empty_heap(fd);
    if (!problem && (fchmod(fd, 0400) || fsync(fd) || rename(made, path)))
        problem = "the archive cannot be put in its place";
    close(fd);
    return problem;
}
