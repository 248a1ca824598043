/*
 * vdso.c: the functions of the vDSO, which answer without the kernel, jump to functions of canon's.
 */
#include "base/error.h"
#include "native/native.h"
#include "native/patch.h"
#include "native/stack.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

static void ask_kernel(void *frame)
{
    canon_native_syscall(frame, CANON_ORIGIN_VDSO);
}

static long ask(long number, long a, long b, long c)
{
    struct canon_frame frame = {.rax = number, .rdi = a, .rsi = b, .rdx = c};
    canon_stack_call(ask_kernel, &frame);
    return frame.rax;
}

static long ask_clock_gettime(long clock, long time, long unused)
{
    (void)unused;
    return ask(SYS_clock_gettime, clock, time, 0);
}

static long ask_clock_getres(long clock, long resolution, long unused)
{
    (void)unused;
    return ask(SYS_clock_getres, clock, resolution, 0);
}

static long ask_gettimeofday(long time, long zone, long unused)
{
    (void)unused;
    return ask(SYS_gettimeofday, time, zone, 0);
}

static long ask_time(long time, long unused, long unused2)
{
    (void)unused, (void)unused2;
    return ask(SYS_time, time, 0, 0);
}

static long ask_getcpu(long cpu, long node, long unused)
{
    (void)unused;
    return ask(SYS_getcpu, cpu, node, 0);
}

static long ask_getrandom(long buffer, long size, long flags)
{
    return ask(SYS_getrandom, buffer, size, flags);
}

static const struct {
    const char *name;
    long (*function)(long, long, long);
    long number;
} FUNCTIONS[] = {
    {"__vdso_clock_gettime", ask_clock_gettime, SYS_clock_gettime},
    {"__vdso_clock_getres", ask_clock_getres, 0},
    {"__vdso_gettimeofday", ask_gettimeofday, SYS_gettimeofday},
    {"__vdso_time", ask_time, 0},
    {"__vdso_getcpu", ask_getcpu, 0},
    {"__vdso_getrandom", ask_getrandom, 0},
};
enum { COUNT = sizeof FUNCTIONS / sizeof *FUNCTIONS };

/* Those of FUNCTIONS, as they were. */
static void *before[COUNT];

static void redirect(const uint8_t *base, size_t size, uint8_t *at, const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(FUNCTIONS[i].name, name) == 0)
            before[i] = canon_patch_detour(base, base + size, at, (const void *)FUNCTIONS[i].function);
}

long (*canon_vdso_real(long number))(long, long)
{
    for (size_t i = 0; i < COUNT; i++)
        if (FUNCTIONS[i].number == number)
            return (long (*)(long, long))before[i];
    return NULL;
}

/* How many symbols there are: with DT_HASH it says so; with the GNU's hash table the chains tell. */
static uint32_t symbol_count(const uint32_t *hash, const uint32_t *gnu)
{
    if (hash)
        return hash[1];
    if (!gnu)
        return 0;
    const uint32_t *buckets = gnu + 4 + gnu[2] * 2, *chains = buckets + gnu[0];
    uint32_t last = 0;
    for (uint32_t i = 0; i < gnu[0]; i++)
        last = buckets[i] > last ? buckets[i] : last;
    while (last >= gnu[1] && !(chains[last - gnu[1]] & 1))
        last++;
    return last + 1;
}

int canon_patch_vdso(void)
{
    uint8_t *base = (uint8_t *)getauxval(AT_SYSINFO_EHDR);
    if (!base)
        return 0;
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)base;
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(base + header->e_phoff);
    const Elf64_Dyn *dynamic = NULL;
    size_t size = 4096;
    for (int i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type == PT_DYNAMIC)
            dynamic = (const Elf64_Dyn *)(base + segments[i].p_offset);
        if (segments[i].p_type == PT_LOAD)
            size = (segments[i].p_memsz + 4095) & ~(size_t)4095;
    }
    const Elf64_Sym *symbols = NULL;
    const char *strings = NULL;
    const uint32_t *hash = NULL, *gnu = NULL;
    for (; dynamic && dynamic->d_tag; dynamic++) {
        void *at = base + dynamic->d_un.d_ptr;
        symbols = dynamic->d_tag == DT_SYMTAB ? at : symbols;
        strings = dynamic->d_tag == DT_STRTAB ? at : strings;
        hash = dynamic->d_tag == DT_HASH ? at : hash;
        gnu = dynamic->d_tag == DT_GNU_HASH ? at : gnu;
    }
    if (!symbols || !strings ||
        canon_raw_syscall(SYS_mprotect, (long)base, (long)size, PROT_READ | PROT_WRITE | PROT_EXEC, 0, 0, 0))
        return CANON_E_UNSUPPORTED;
    for (uint32_t i = 1; i < symbol_count(hash, gnu); i++)
        if (symbols[i].st_value)
            redirect(base, size, base + symbols[i].st_value, strings + symbols[i].st_name);
    canon_raw_syscall(SYS_mprotect, (long)base, (long)size, PROT_READ | PROT_EXEC, 0, 0, 0);
    return 0;
}
