/*
 * patch.c: system-call instructions are replaced by jumps to trampolines.
 *
 * The instruction has two bytes and a jump takes five, so neighbours go along: instructions in front of it
 * (nearly always `mov $number, %eax`, which has five bytes itself) or behind it. They are run in the
 * trampoline.
 *
 *     mov $1, %eax                       jmp trampoline                 mov $1, %eax
 *     syscall                  ->        int3, int3         with        lea -128(%rsp), %rsp
 *     cmp $-4095, %rax                   cmp $-4095, %rax               mov $origin, %r11d; call entry
 *                                                                       lea 128(%rsp), %rsp; jmp back
 *
 * No byte of a window may be jumped to, but the first: all direct jumps of the object are looked at
 * beforehand. clone and vfork return twice, the second time with nothing on the stack: their trampolines have
 * the instruction itself, and call canon before and after.
 */
#include "native/patch.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/log.h"
#include "native/code.h"
#include "native/native.h"
#include "native/racy.h"

#include <emmintrin.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TRAMPOLINE_MOST = 192 /* bytes */ };

static unsigned missed, rewritten;

unsigned canon_patch_missed(void)
{
    return missed;
}

/* ---- which bytes --------------------------------------------------------------------------------------- */

/* Instructions in front of the site. */
static bool window_before(const struct canon_object *object, const struct canon_neighbours *before,
                          struct canon_window *window)
{
    window->to = window->site + 2;
    if (canon_object_is_target(object, window->site))
        return false;
    const struct canon_neighbour *front;
    for (unsigned n = 1; (front = canon_neighbour(before, n)); n++) {
        window->from = front->at;
        if (!canon_insn_is_movable(&front->insn))
            return false;
        if (window->to - window->from >= CANON_WINDOW_MIN)
            return true;
        if (canon_object_is_target(object, window->from))
            return false;
    }
    return false;
}

/* Instructions behind it; after a return, what fills the gap up to the next function will do. */
static bool window_behind(const struct canon_object *object, struct canon_window *window)
{
    bool over = false;
    window->from = window->site;
    window->to = window->site + 2;
    while (window->to - window->from < CANON_WINDOW_MIN) {
        struct canon_insn insn;
        if (canon_object_is_target(object, window->to) ||
            !canon_insn_decode(window->to, (size_t)(object->to - window->to), &insn) ||
            (over && !insn.is_padding))
            return false;
        if (!canon_insn_is_movable(&insn) && insn.kind != CANON_INSN_BRANCH && insn.kind != CANON_INSN_JUMP)
            return false;
        over = over || *window->to == 0xc3 || insn.kind == CANON_INSN_JUMP;
        window->to += insn.size;
    }
    return true;
}

/* ---- trampolines --------------------------------------------------------------------------------------- */

static void put_call(struct canon_code *code, const void *entry, enum canon_origin origin)
{
    CANON_CODE_PUT(code, 0x48, 0x8d, 0x64, 0x24, 0x80);         /* lea -128(%rsp), %rsp */
    CANON_CODE_PUT(code, 0x41, 0xbb, (uint8_t)origin, 0, 0, 0); /* mov $origin, %r11d */
    CANON_CODE_PUT(code, 0x48, 0xb9);                           /* mov $entry, %rcx */
    canon_code_put(code, &entry, sizeof entry);
    CANON_CODE_PUT(code, 0xff, 0xd1);                                     /* call *%rcx */
    CANON_CODE_PUT(code, 0x48, 0x8d, 0xa4, 0x24, 0x80, 0x00, 0x00, 0x00); /* lea 128(%rsp), %rsp */
}

static void put_clone(struct canon_code *code, enum canon_origin origin)
{
    put_call(code, canon_entry_clone, origin);
    CANON_CODE_PUT(code, 0x45, 0x85, 0xdb); /* test %r11d, %r11d: nothing to be done? */
    CANON_CODE_PUT(code, 0x74, 0x00);       /* je behind */
    uint8_t *skip = code->at;
    CANON_CODE_PUT(code, 0x0f, 0x05);
    put_call(code, canon_entry_cloned, origin);
    if (!code->failed)
        skip[-1] = (uint8_t)(code->at - skip);
}

/* The function that programs make system calls with which libc has no name for. */
static enum canon_origin origin_at(const struct canon_object *object, const uint8_t *site)
{
    enum { SIZE = 64 };
    const uint8_t *function = (const uint8_t *)syscall;
    return site >= function && site < function + SIZE ? CANON_ORIGIN_FUNCTION : object->origin;
}

/* Makes the trampoline of a window; NULL if that cannot be done. */
static const uint8_t *make_trampoline(struct canon_object *object, const struct canon_window *window,
                                      bool clones)
{
    struct canon_code code = {object->trampoline, object->trampoline_end, false};
    canon_code_put_moved_range(&code, window->from, window->site);
    if (clones)
        put_clone(&code, object->origin);
    else
        put_call(&code, canon_entry_syscall, origin_at(object, window->site));
    canon_code_put_moved_range(&code, window->site + 2, window->to);
    CANON_CODE_PUT(&code, 0xe9);
    canon_code_put_distance(&code, window->to);
    if (code.failed)
        return NULL;
    const uint8_t *made = object->trampoline;
    object->trampoline = code.at;
    return made;
}

/* ---- sites --------------------------------------------------------------------------------------------- */

/* The number of the call, if a constant was loaded just before; else -1. */
static int number_of(const struct canon_neighbours *before)
{
    const struct canon_neighbour *front;
    for (unsigned n = 1; (front = canon_neighbour(before, n)); n++)
        if (front->insn.sets_eax)
            return front->insn.eax;
    return -1;
}

static void patch_site(struct canon_object *object, const struct canon_neighbours *before,
                       const uint8_t *site)
{
    int number = number_of(before);
    bool clones = number == SYS_clone || number == SYS_clone3 || number == SYS_vfork;
    if (number == SYS_rt_sigreturn) /* finds its frame by the stack pointer; nothing to see there */
        return;
    struct canon_window window = {.site = site};
    const uint8_t *trampoline = NULL;
    if (window_before(object, before, &window) || window_behind(object, &window))
        trampoline = make_trampoline(object, &window, clones);
    if (!trampoline) {
        missed++;
        canon_log("native", CANON_LOG_INFO, "system call %d at %p is not rewritten", number, (void *)site);
        return;
    }
    canon_code_divert(&window, trampoline);
    rewritten++;
}

/* System-call instructions that were found, each with what is in front of it. */
struct sites {
    struct site {
        const uint8_t *at;
        struct canon_neighbours before;
    } * list;
    size_t count, room;
};

static void add_site(struct sites *sites, const uint8_t *at, const struct canon_neighbours *before)
{
    if (sites->count == sites->room) {
        sites->room = sites->room * 2 + 64;
        sites->list = realloc(sites->list, sites->room * sizeof *sites->list);
        canon_assert(sites->list);
    }
    sites->list[sites->count++] = (struct site){at, *before};
}

/* Goes through all instructions, for jumps and for system calls. */
static void sweep(struct canon_object *object, struct sites *sites)
{
    struct canon_neighbours before = {.count = 0};
    for (const uint8_t *at = object->from; at < object->to;) {
        struct canon_insn insn;
        if (!canon_insn_decode(at, (size_t)(object->to - at), &insn)) {
            before.count = 0;
            at++;
            continue;
        }
        canon_object_note_jump(object, at, &insn);
        if (insn.kind == CANON_INSN_SYSCALL && insn.size == 2) {
            add_site(sites, at, &before);
            before.count = 0;
        } else {
            canon_neighbours_add(&before, at, &insn);
        }
        at += insn.size;
    }
}

/* All jumps are known by now. */
static int patch_sites(struct canon_object *object, const struct sites *sites)
{
    size_t size = (sites->count * TRAMPOLINE_MOST + 4095) & ~(size_t)4095;
    uint8_t *first = object->trampoline = canon_code_map_near(object->from, size);
    if (!first || canon_code_protect(object->from, object->to, PROT_READ | PROT_WRITE | PROT_EXEC))
        return CANON_E_UNSUPPORTED;
    object->trampoline_end = first + size;
    for (size_t i = 0; i < sites->count; i++)
        patch_site(object, &sites->list[i].before, sites->list[i].at);
    int status = canon_code_protect(object->from, object->to, PROT_READ | PROT_EXEC);
    return status ? status : canon_code_protect(first, object->trampoline_end, PROT_READ | PROT_EXEC);
}

/* ---- few sites in much code ---------------------------------------------------------------------------- */

/*
 * Most of what a program loads has no system calls of its own, but bytes that look like one: to go through
 * all instructions of libavcodec takes a quarter of a second. So only what is around such bytes is decoded,
 * from some way before them: by then instructions are found where they are, wherever one has begun to look.
 */
enum { SPARSE = 4096, BEGINNINGS = 3, AT_ONCE = 1 << 18 };
static const uint8_t SYSCALL[] = {0x0f, 0x05};

/* Where such bytes are: offsets in the code. */
struct candidates {
    uint32_t *list;
    size_t count, room;
};

static void add_candidate(struct candidates *candidates, size_t offset)
{
    if (candidates->count == candidates->room) {
        candidates->room = candidates->room * 2 + 64;
        candidates->list = realloc(candidates->list, candidates->room * sizeof *candidates->list);
        canon_assert(candidates->list);
    }
    candidates->list[candidates->count++] = (uint32_t)offset;
}

/* memmem takes a nanosecond a byte, which is too long for the 100 MB that some programs load. */
static const uint8_t *next_candidate(const uint8_t *at, const uint8_t *to)
{
    const __m128i first = _mm_set1_epi8(SYSCALL[0]), second = _mm_set1_epi8(SYSCALL[1]);
    for (; to - at > 16; at += 16) {
        __m128i here = _mm_loadu_si128((const __m128i *)at),
                next = _mm_loadu_si128((const __m128i *)(at + 1));
        int found =
            _mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(here, first), _mm_cmpeq_epi8(next, second)));
        if (found)
            return at + __builtin_ctz((unsigned)found);
    }
    return at < to ? memmem(at, (size_t)(to - at), SYSCALL, sizeof SYSCALL) : NULL;
}

static void find_in(const uint8_t *from, size_t size, size_t offset, struct candidates *candidates)
{
    for (const uint8_t *at = from; (at = next_candidate(at, from + size)); at++)
        add_candidate(candidates, offset + (size_t)(at - from));
}

/* False: the file does not have it. */
static bool find_in_file(const struct canon_object *object, uint8_t *buffer, struct candidates *candidates)
{
    size_t size = (size_t)(object->to - object->from), done = 0;
    while (done + 1 < size) {
        size_t wanted = size - done < AT_ONCE ? size - done : AT_ONCE;
        long n = canon_raw_syscall(SYS_pread64, object->file, (long)buffer, (long)wanted,
                                   (long)(object->offset + done), 0, 0);
        if (n != (long)wanted)
            return false;
        find_in(buffer, wanted, done, candidates);
        done += wanted - 1; /* the last byte may be the first of two */
    }
    return true;
}

/* In the file, if there is one: pages of code that nobody needs would count as memory of the program. */
static void find_candidates(const struct canon_object *object, struct candidates *candidates)
{
    uint8_t *buffer = object->file >= 0 ? malloc(AT_ONCE) : NULL;
    if (!buffer || !find_in_file(object, buffer, candidates)) {
        candidates->count = 0;
        find_in(object->from, (size_t)(object->to - object->from), 0, candidates);
    }
    free(buffer);
}

/* False: from one place on it is an instruction, and from another it is not. */
static bool judge(const struct canon_object *object, const uint8_t *at, struct sites *sites)
{
    const uint8_t *from = canon_object_beginning(object, at);
    struct canon_neighbours before, other;
    struct canon_insn insn;
    bool is_site = canon_object_arrives(object, from, at, &before);
    for (int i = 1; i < BEGINNINGS && from > object->from; i++)
        if (canon_object_arrives(object, from + i, at, &other) != is_site)
            return false;
    is_site = is_site && canon_insn_decode(at, (size_t)(object->to - at), &insn) &&
              insn.kind == CANON_INSN_SYSCALL && insn.size == 2;
    if (is_site)
        add_site(sites, at, &before);
    return true;
}

/* False: it cannot be told like this. */
static bool look_around(struct canon_object *object, const struct candidates *candidates, struct sites *sites)
{
    if (candidates->count > (size_t)(object->to - object->from) / SPARSE + 1)
        return false; /* to decode all of it is less */
    for (size_t i = 0; i < candidates->count; i++)
        if (!judge(object, object->from + candidates->list[i], sites))
            return false;
    if (sites->count)
        canon_object_note_far_jumps(object);
    for (size_t i = 0; i < sites->count; i++)
        canon_object_note_near_jumps(object, sites->list[i].at);
    return true;
}

static int patch_found(struct canon_object *object, const struct candidates *candidates)
{
    struct sites sites = {0};
    object->targets = calloc(1, (size_t)(object->to - object->from) / 8 + 1);
    if (!object->targets)
        return CANON_E_NOMEM;
    if (!look_around(object, candidates, &sites)) {
        sites.count = 0;
        sweep(object, &sites);
    }
    int status = sites.count ? patch_sites(object, &sites) : 0;
    free(sites.list);
    free(object->targets);
    return status;
}

static int patch_code(struct canon_object *object)
{
    struct candidates candidates = {0};
    find_candidates(object, &candidates);
    int status = candidates.count ? patch_found(object, &candidates) : 0;
    free(candidates.list);
    return status;
}

/* ---- functions ----------------------------------------------------------------------------------------- */

enum { DETOUR = 12 }; /* bytes: mov $function, %rax; jmp *%rax */

/* The instructions at the beginning that have to make room; NULL if one cannot be moved. */
static const uint8_t *detour_end(const struct canon_object *object, const uint8_t *at)
{
    const uint8_t *end = at;
    while (end - at < DETOUR) {
        struct canon_insn insn;
        if ((end > at && canon_object_is_target(object, end)) ||
            !canon_insn_decode(end, (size_t)(object->to - end), &insn) || !canon_insn_is_movable(&insn) ||
            *end == 0xc3)
            return NULL;
        end += insn.size;
    }
    return end;
}

/* What does the work of the function from now on. */
static void *move_beginning(struct canon_object *object, const uint8_t *at)
{
    object->targets = calloc(1, (size_t)(object->to - object->from) / 8 + 1);
    if (!object->targets)
        return NULL;
    struct sites sites = {0};
    sweep(object, &sites);
    free(sites.list);
    const uint8_t *end = detour_end(object, at);
    free(object->targets);
    uint8_t *made = end ? canon_code_map_near(object->from, 4096) : NULL;
    if (!made)
        return NULL;
    struct canon_code code = {made, made + 4096, false};
    canon_code_put_moved_range(&code, at, end);
    CANON_CODE_PUT(&code, 0xe9);
    canon_code_put_distance(&code, end);
    return code.failed || canon_code_protect(made, made + 4096, PROT_READ | PROT_EXEC) ? NULL : made;
}

void *canon_patch_detour(const uint8_t *from, const uint8_t *to, uint8_t *at, const void *function)
{
    struct canon_object object = {.from = from, .to = to};
    void *before = move_beginning(&object, at);
    struct canon_code code = {at, at + DETOUR, false};
    CANON_CODE_PUT(&code, 0x48, 0xb8);
    canon_code_put(&code, &function, sizeof function);
    CANON_CODE_PUT(&code, 0xff, 0xe0);
    return before;
}

/* ---- objects ------------------------------------------------------------------------------------------- */

static enum canon_origin origin_of(const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    if (strncmp(base, "ld-linux", 8) == 0 || strncmp(base, "ld-2.", 5) == 0)
        return CANON_ORIGIN_LOADER;
    return strncmp(base, "libc.so", 7) == 0 || strncmp(base, "libc-2.", 7) == 0 ? CANON_ORIGIN_LIBC
                                                                                : CANON_ORIGIN_OTHER;
}

static int patch_segments(const struct dl_phdr_info *info, int file)
{
    int status = 0;
    for (int i = 0; i < info->dlpi_phnum && !status; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        const uint8_t *from = (const uint8_t *)info->dlpi_addr + segment->p_vaddr;
        const uint8_t *to = from + segment->p_filesz;
        const uint8_t *self = (const uint8_t *)canon_raw_syscall;
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || (self >= from && self < to))
            continue;
        struct canon_object object = {.from = from,
                                      .to = to,
                                      .origin = origin_of(info->dlpi_name),
                                      .file = file,
                                      .offset = segment->p_offset};
        status = patch_code(&object);
        if (!status)
            canon_racy_patch(&object);
    }
    return status;
}

static int patch_object(struct dl_phdr_info *info, size_t size, void *result)
{
    (void)size;
    if (strncmp(info->dlpi_name, "linux-vdso", 10) == 0)
        return 0;
    const char *path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    int file = (int)canon_raw_syscall(SYS_open, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
    int status = *(int *)result = patch_segments(info, file);
    if (file >= 0)
        canon_raw_syscall(SYS_close, file, 0, 0, 0, 0, 0);
    return status != 0;
}

void canon_patch_mapped(const uint8_t *from, size_t size, int file, size_t offset)
{
    struct canon_object object = {.from = from, .to = from + size, .origin = CANON_ORIGIN_OTHER, .file = -1};
    unsigned before = missed;
    if (patch_code(&object))
        canon_role_note(CANON_NOTE_LIMIT,
                        "system calls of a library that was loaded later are not rewritten");
    if (missed > before)
        canon_role_note(CANON_NOTE_LIMIT,
                        "some system calls of a library that was loaded later could not be rewritten");
    object.file = file;
    object.offset = offset;
    canon_racy_patch(&object);
}

int canon_patch_objects(void)
{
    int status = 0;
    dl_iterate_phdr(patch_object, &status);
    canon_log("native", CANON_LOG_INFO, "%u system calls are rewritten, %u are not", rewritten, missed);
    return status;
}

/* ---- atomic instructions ------------------------------------------------------------------------------- */

static unsigned count_atomics(const uint8_t *at, const uint8_t *end)
{
    enum { LOCK = 0xf0 }; /* the prefix */
    unsigned count = 0;
    for (struct canon_insn insn; at < end; at += insn.size) {
        if (!canon_insn_decode(at, (size_t)(end - at), &insn))
            insn.size = 1;
        count += insn.size > 1 && *at == LOCK;
    }
    return count;
}

/* The loader would have a list, and a lock that a thread may have that does not run any more. */
unsigned canon_patch_atomics(void)
{
    const ElfW(Phdr) *segments = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    uintptr_t base = 0;
    unsigned count = 0;
    for (unsigned long i = 0; segments && i < getauxval(AT_PHNUM); i++) {
        const uint8_t *from = (const uint8_t *)base + segments[i].p_vaddr;
        if (segments[i].p_type == PT_PHDR)
            base = (uintptr_t)segments - segments[i].p_vaddr;
        else if (segments[i].p_type == PT_LOAD && segments[i].p_flags & PF_X)
            count += count_atomics(from, from + segments[i].p_filesz);
    }
    return count;
}
