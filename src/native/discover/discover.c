/*
 * discover.c: libcanon-discover.so, in a program that `canon discover` runs under helgrind.
 *
 * helgrind takes atomic instructions for reads, so that two of them never race, and neither does one with a
 * plain read of what it writes. Under valgrind one thread runs at a time, and no instruction is ever divided:
 * so the prefix that makes one atomic is not needed there, and is replaced by one that means nothing. Then
 * helgrind sees a read and a write. Libraries that it knows, libc above all, are left alone.
 *
 * Where everything lies goes to a file: a line a library, its base and its path.
 */
#include "launch/protocol.h"
#include "native/decode.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LOCK = 0xf0, NOTHING = 0x3e /* the segment that is meant anyway */, MOST = 4096 };

static uintptr_t done[MOST]; /* bases of those that were looked at */
static int done_count;
static char places[4096];

static bool is_left_alone(const char *path)
{
    static const char *const NAMES[] = {"ld-linux",  "libc.so",   "libpthread",
                                        "vgpreload", "libcanon-", "linux-vdso"};
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strncmp(base, NAMES[i], strlen(NAMES[i])) == 0)
            return true;
    return false;
}

/* The prefix need not be the first one. */
static void unlock(uint8_t *at, const struct canon_insn *insn)
{
    for (uint8_t i = 0; i < insn->opcode_at; i++)
        if (at[i] == LOCK)
            at[i] = NOTHING;
}

static void unlock_code(uint8_t *from, uint8_t *to)
{
    uintptr_t page = (uintptr_t)from & ~(uintptr_t)4095;
    if (mprotect((void *)page, (uintptr_t)to - page, PROT_READ | PROT_WRITE | PROT_EXEC))
        return;
    struct canon_insn insn;
    for (uint8_t *at = from; at < to; at += insn.size) {
        if (!canon_insn_decode(at, (size_t)(to - at), &insn))
            insn.size = 1;
        else if (insn.map)
            unlock(at, &insn);
    }
    mprotect((void *)page, (uintptr_t)to - page, PROT_READ | PROT_EXEC);
}

static void tell(uintptr_t base, const char *path)
{
    char line[4200], own[4096] = "";
    if (!*path && readlink("/proc/self/exe", own, sizeof own - 1) > 0)
        path = own;
    int length = snprintf(line, sizeof line, "%lx %s\n", (unsigned long)base, path);
    int file = open(places, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0 || length >= (int)sizeof line || write(file, line, (size_t)length) != length)
        fprintf(stderr, "canon: cannot write to %s\n", places);
    if (file >= 0)
        close(file);
}

static int look(struct dl_phdr_info *info, size_t size, void *nothing)
{
    (void)size, (void)nothing;
    for (int i = 0; i < done_count; i++)
        if (done[i] == info->dlpi_addr)
            return 0;
    if (is_left_alone(info->dlpi_name) || done_count == MOST)
        return 0;
    done[done_count++] = info->dlpi_addr;
    tell(info->dlpi_addr, info->dlpi_name);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint8_t *from = (uint8_t *)(info->dlpi_addr + segment->p_vaddr);
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_X)
            unlock_code(from, from + segment->p_filesz);
    }
    return 0;
}

__attribute__((constructor)) static void start(void)
{
    const char *folder = getenv(CANON_ENV_DISCOVER);
    if (!folder)
        return;
    snprintf(places, sizeof places, "%s/places.%d", folder, (int)getpid());
    dl_iterate_phdr(look, NULL);
}

/* Libraries that come later. */
__attribute__((visibility("default"))) void *dlopen(const char *name, int flags)
{
    static void *(*real)(const char *, int);
    if (!real)
        real = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    void *library = real(name, flags);
    if (library && *places)
        dl_iterate_phdr(look, NULL);
    return library;
}

/* valgrind keeps descriptors for itself and refuses to set their number; servers give up then. */
__attribute__((visibility("default"))) int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit)
{
    return syscall(SYS_setrlimit, resource, limit) && resource != RLIMIT_NOFILE ? -1 : 0;
}

int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *limit)
    __attribute__((alias("setrlimit"), visibility("default")));
