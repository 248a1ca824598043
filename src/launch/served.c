/*
 * served.c: files that C code reads before any Java runs, and that may be gone at replay: whether a source
 * file is there, the manifest of `-jar`, the jars of `-javaagent`. open and stat are interposed for them;
 * everything else passes.
 */
#include "launch/launch_internal.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Not from the headers: those declare the functions below with types that differ from name to name. */
enum { FLAG_CREAT = 0100, FLAG_TMPFILE = 020200000, FLAG_CLOEXEC = 02000000, MEMFD_CLOEXEC = 1 };
int memfd_create(const char *name, unsigned flags);

typedef int (*open_fn)(const char *, int, ...);

/* A jar with nothing but an empty manifest: all that the launcher itself needs of `-jar`. */
static int open_stub_jar(void)
{
    static const unsigned char JAR[] = {
#include "launch/stub_jar.inc"
    };
    int fd = memfd_create("canon-jar", MEMFD_CLOEXEC);
    if (fd >= 0 && write(fd, JAR, sizeof JAR) == (ssize_t)sizeof JAR)
        lseek(fd, 0, SEEK_SET);
    return fd;
}

/* The file in which the jar of a -javaagent is kept; false if `path` is none. */
static bool agent_jar(const char *path, char *kept, size_t size)
{
    const struct canon_process *recorded = &canon_launch.recorded;
    int number = 0;
    for (size_t i = 0; i < recorded->count; i++) {
        if (recorded->entries[i].item != CANON_PROCESS_AGENT_JAR)
            continue;
        number++;
        if (strcmp(recorded->entries[i].text, path) == 0) {
            snprintf(kept, size, "%s/agent-%d.jar", canon_launch.part, number);
            return true;
        }
    }
    return false;
}

static int open_or_serve(open_fn real_open, const char *path, int flags, unsigned mode)
{
    char kept[PATH_MAX + 32];
    if (!canon_launch.recorded.count || !path)
        return real_open(path, flags, mode);
    const char *jar = canon_process_text(&canon_launch.recorded, CANON_PROCESS_JAR);
    if (jar && canon_launch.in_launcher && strcmp(jar, path) == 0)
        return open_stub_jar();
    if (agent_jar(path, kept, sizeof kept))
        return real_open(kept, FLAG_CLOEXEC);
    return real_open(path, flags, mode);
}

/* Whether stat of `path`, which failed, is to be answered all the same; `path` becomes what is there. */
static bool serve_stat(const char **path, char *kept, size_t size)
{
    const struct canon_process *recorded = &canon_launch.recorded;
    if (agent_jar(*path, kept, size)) {
        *path = kept;
        return true;
    }
    for (size_t i = 0; canon_launch.in_launcher && i < recorded->count; i++)
        if (recorded->entries[i].item == CANON_PROCESS_FILE &&
            strcmp(recorded->entries[i].text, *path) == 0) {
            snprintf(kept, size, "%s/process.chunks", canon_launch.part); /* any regular file will do */
            *path = kept;
            return true;
        }
    return false;
}

/* After a stat of `path`: whether to try again with another path. */
static bool stat_again(int status, const char **path, char *kept, size_t size)
{
    if (status == 0 && canon_launch.in_launcher && canon_launch.recording)
        canon_process_add(&canon_launch.found, CANON_PROCESS_FILE, *path);
    return status != 0 && canon_launch.recorded.count && *path && serve_stat(path, kept, size);
}

#define OPEN(name)                                                                                           \
    EXPORT int name(const char *path, int flags, ...);                                                       \
    int name(const char *path, int flags, ...)                                                               \
    {                                                                                                        \
        static open_fn real_open;                                                                            \
        if (!real_open)                                                                                      \
            real_open = (open_fn)dlvsym(RTLD_NEXT, #name, "GLIBC_2.2.5");                                    \
        va_list args;                                                                                        \
        va_start(args, flags);                                                                               \
        unsigned mode = flags & (FLAG_CREAT | FLAG_TMPFILE) ? va_arg(args, unsigned) : 0;                    \
        va_end(args);                                                                                        \
        return open_or_serve(real_open, path, flags, mode);                                                  \
    }
OPEN(open)
OPEN(open64)

/* The names of one function through the ages of libc; on x86-64 their structures are the same. */
#define STAT(name)                                                                                           \
    EXPORT int name(const char *path, void *about);                                                          \
    int name(const char *path, void *about)                                                                  \
    {                                                                                                        \
        static int (*real_stat)(const char *, void *);                                                       \
        char kept[PATH_MAX + 32];                                                                            \
        if (!real_stat)                                                                                      \
            real_stat = (int (*)(const char *, void *))dlvsym(RTLD_NEXT, #name, "GLIBC_2.33");               \
        int status = real_stat(path, about);                                                                 \
        return stat_again(status, &path, kept, sizeof kept) ? real_stat(path, about) : status;               \
    }
STAT(stat)
STAT(stat64)

#define XSTAT(name)                                                                                          \
    EXPORT int name(int version, const char *path, void *about);                                             \
    int name(int version, const char *path, void *about)                                                     \
    {                                                                                                        \
        static int (*real_stat)(int, const char *, void *);                                                  \
        char kept[PATH_MAX + 32];                                                                            \
        if (!real_stat)                                                                                      \
            real_stat = (int (*)(int, const char *, void *))dlvsym(RTLD_NEXT, #name, "GLIBC_2.2.5");         \
        int status = real_stat(version, path, about);                                                        \
        return stat_again(status, &path, kept, sizeof kept) ? real_stat(version, path, about) : status;      \
    }
XSTAT(__xstat)
XSTAT(__xstat64)
