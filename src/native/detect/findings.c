/* findings.c: see findings.h. */
#include "native/detect/findings.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const KINDS[] = {
#define X(name, text) [CANON_FINDING_##name] = (text),
    CANON_FINDING_KINDS(X)
#undef X
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

const char *canon_finding_text(enum canon_finding_kind kind)
{
    return (unsigned)kind < KIND_COUNT ? KINDS[kind] : "?";
}

void canon_trouble_write(const struct canon_trouble *trouble, char *text, size_t size)
{
    snprintf(text, size, "%s: block %d:%llu of %llu bytes, at byte %lld", canon_finding_text(trouble->kind),
             trouble->lane, (unsigned long long)trouble->number, (unsigned long long)trouble->size,
             (long long)trouble->at);
}

bool canon_trouble_read(const char *text, struct canon_trouble *trouble)
{
    unsigned long long number, size;
    long long at;
    int lane, kind = 0;
    const char *rest = strchr(text, ':');
    if (!rest)
        return false;
    size_t length = (size_t)(rest - text);
    while (kind < KIND_COUNT && (strlen(KINDS[kind]) != length || memcmp(KINDS[kind], text, length) != 0))
        kind++;
    if (kind == KIND_COUNT ||
        sscanf(rest, ": block %d:%llu of %llu bytes, at byte %lld", &lane, &number, &size, &at) != 4)
        return false;
    *trouble = (struct canon_trouble){
        .kind = (enum canon_finding_kind)kind, .lane = lane, .number = number, .size = size, .at = at};
    return true;
}

static struct canon_findings *map(int fd)
{
    void *memory = mmap(NULL, sizeof(struct canon_findings), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* The descriptor stays open as long as canon runs: the path leads through it. */
struct canon_findings *canon_findings_make(char *path, size_t size)
{
    int fd = memfd_create("canon-findings", MFD_CLOEXEC);
    struct canon_findings *findings = fd < 0 || ftruncate(fd, sizeof(struct canon_findings)) ? NULL : map(fd);
    snprintf(path, size, "/proc/%d/fd/%d", (int)getpid(), fd);
    if (!findings && fd >= 0)
        close(fd);
    return findings;
}

struct canon_findings *canon_findings_open(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    struct canon_findings *findings = fd < 0 ? NULL : map(fd);
    if (fd >= 0)
        close(fd);
    return findings;
}
