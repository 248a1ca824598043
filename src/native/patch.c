/*
 * patch.c: system-call instructions, and others that a replay must not do again (processor.h), are replaced
 * by jumps to trampolines.
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
#include "native/processor.h"
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
    window->to = window->site + window->size;
    if (canon_object_is_target(object, window->site))
        return false;
    const struct canon_neighbour *front;
    for (unsigned n = 1; (front = canon_neighbour(before, n)); n++) {
        window->from = front->at;
        if (!canon_insn_is_movable(&front->insn) ||
            front->insn.is_padding) /* what is behind it is jumped to */
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
    window->to = window->site + window->size;
    while (window->to - window->from < CANON_WINDOW_MIN) {
        struct canon_insn insn;
        if (canon_object_is_target(object, window->to) ||
            !canon_insn_decode(window->to, (size_t)(object->to - window->to), &insn) ||
            (over && !insn.is_padding) || canon_processor_question(window->to, &insn))
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

/* What the processor is asked: processor.h. No register is free. */
static void put_question(struct canon_code *code, uint32_t question)
{
    const void *entry = canon_entry_processor;
    CANON_CODE_PUT(code, 0xeb, sizeof entry); /* jmp behind the address */
    const uint8_t *address = code->at;
    canon_code_put(code, &entry, sizeof entry);
    CANON_CODE_PUT(code, 0x48, 0x8d, 0x64, 0x24, 0x80); /* lea -128(%rsp), %rsp */
    CANON_CODE_PUT(code, 0x68);                         /* push $question */
    canon_code_put(code, &question, sizeof question);
    CANON_CODE_PUT(code, 0xff, 0x15); /* call *address */
    canon_code_put_distance(code, address);
    CANON_CODE_PUT(code, 0x48, 0x8d, 0xa4, 0x24, 0x88, 0x00, 0x00, 0x00); /* lea 136(%rsp), %rsp */
}

/* Makes the trampoline of a window; NULL if that cannot be done. */
static const uint8_t *make_trampoline(struct canon_object *object, const struct canon_window *window,
                                      uint32_t question, bool clones)
{
    struct canon_code code = {object->trampoline, object->trampoline_end, false};
    canon_code_put_moved_range(&code, window->from, window->site);
    if (question)
        put_question(&code, question);
    else if (clones)
        put_clone(&code, object->origin);
    else
        put_call(&code, canon_entry_syscall, origin_at(object, window->site));
    canon_code_put_moved_range(&code, window->site + window->size, window->to);
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

/* An instruction that was found, and what is in front of it. */
struct site {
    const uint8_t *at;
    uint8_t size;
    uint32_t question; /* processor.h; 0: a system call */
    struct canon_neighbours before;
};

struct sites {
    struct site *list;
    size_t count, room;
};

static void patch_site(struct canon_object *object, const struct site *site)
{
    int number = site->question ? -1 : number_of(&site->before);
    bool clones = number == SYS_clone || number == SYS_clone3 || number == SYS_vfork;
    if (number == SYS_rt_sigreturn) /* finds its frame by the stack pointer; nothing to see there */
        return;
    struct canon_window window = {.site = site->at, .size = site->size};
    const uint8_t *trampoline = NULL;
    if (window_before(object, &site->before, &window) || window_behind(object, &window))
        trampoline = make_trampoline(object, &window, site->question, clones);
    if (!trampoline) {
        missed++;
        canon_log("native", CANON_LOG_INFO, "%s %d at %p is not rewritten",
                  site->question ? "a question to the processor," : "system call", number, (void *)site->at);
        return;
    }
    canon_code_divert(&window, trampoline);
    rewritten++;
}

/* Whether it is an instruction that matters; if so, it is one of the sites. */
static bool is_site(const uint8_t *at, const struct canon_insn *insn, const struct canon_neighbours *before,
                    struct sites *sites)
{
    uint32_t question = canon_processor_question(at, insn);
    if (!question && (insn->kind != CANON_INSN_SYSCALL || insn->size != 2))
        return false;
    if (sites->count == sites->room) {
        sites->room = sites->room * 2 + 64;
        sites->list = realloc(sites->list, sites->room * sizeof *sites->list);
        canon_assert(sites->list);
    }
    sites->list[sites->count++] = (struct site){at, insn->size, question, *before};
    return true;
}

/* Goes through all instructions, for jumps and for sites. */
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
        if (is_site(at, &insn, &before, sites))
            before.count = 0;
        else
            canon_neighbours_add(&before, at, &insn);
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
        patch_site(object, &sites->list[i]);
    int status = canon_code_protect(object->from, object->to, PROT_READ | PROT_EXEC);
    return status ? status : canon_code_protect(first, object->trampoline_end, PROT_READ | PROT_EXEC);
}

/* ---- few sites in much code ---------------------------------------------------------------------------- */

/*
 * Most of what a program loads has no sites of its own, but bytes that look like one: to go through
 * all instructions of libavcodec takes a quarter of a second. So only what is around such bytes is decoded,
 * from some way before them: by then instructions are found where they are, wherever one has begun to look.
 */
enum { SPARSE = 4096, BEGINNINGS = 3, AT_ONCE = 1 << 18 };
enum { ESCAPE = 0x0f, LONGEST = 3 /* bytes that are looked at */ };

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

/* syscall, rdtsc, rdtscp, rdrand and rdseed, behind their prefixes. */
static bool looks_like_site(const uint8_t *at, const uint8_t *to)
{
    uint8_t third = at + 2 < to ? at[2] : 0;
    return at[1] == 0x05 || at[1] == 0x31 || (at[1] == 0x01 && third == 0xf9) ||
           (at[1] == 0xc7 && third >= 0xf0);
}

/* Where one byte of 16 is the first of a candidate: a bit each. */
static unsigned find_among(const uint8_t *at)
{
    __m128i first = _mm_loadu_si128((const __m128i *)at), second = _mm_loadu_si128((const __m128i *)(at + 1));
    __m128i any = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(second, _mm_set1_epi8(0x05)),
                                            _mm_cmpeq_epi8(second, _mm_set1_epi8(0x31))),
                               _mm_or_si128(_mm_cmpeq_epi8(second, _mm_set1_epi8(0x01)),
                                            _mm_cmpeq_epi8(second, _mm_set1_epi8((char)0xc7))));
    __m128i escapes = _mm_cmpeq_epi8(first, _mm_set1_epi8(ESCAPE));
    return (unsigned)_mm_movemask_epi8(_mm_and_si128(escapes, any));
}

/* Those that begin before `end`. memmem takes a nanosecond a byte, which is too long for 100 MB. */
static void find_in(const uint8_t *from, const uint8_t *end, const uint8_t *to, size_t offset,
                    struct candidates *candidates)
{
    const uint8_t *at = from;
    for (; to - at > 16 && end - at >= 16; at += 16)
        for (unsigned found = find_among(at); found; found &= found - 1) {
            const uint8_t *one = at + __builtin_ctz(found);
            if (looks_like_site(one, to))
                add_candidate(candidates, offset + (size_t)(one - from));
        }
    for (; at < end && to - at >= 2; at++)
        if (*at == ESCAPE && looks_like_site(at, to))
            add_candidate(candidates, offset + (size_t)(at - from));
}

/* False: the file does not have it. */
static bool find_in_file(const struct canon_object *object, uint8_t *buffer, struct candidates *candidates)
{
    size_t size = (size_t)(object->to - object->from);
    for (size_t done = 0; done < size; done += AT_ONCE) {
        size_t here = size - done < AT_ONCE ? size - done : AT_ONCE;
        size_t wanted = size - done < AT_ONCE + LONGEST ? size - done : AT_ONCE + LONGEST;
        long n = canon_raw_syscall(SYS_pread64, object->file, (long)buffer, (long)wanted,
                                   (long)(object->offset + done), 0, 0);
        if (n != (long)wanted)
            return false;
        find_in(buffer, buffer + here, buffer + wanted, done, candidates);
    }
    return true;
}

/* In the file, if there is one: pages of code that nobody needs would count as memory of the program. */
static void find_candidates(const struct canon_object *object, struct candidates *candidates)
{
    uint8_t *buffer = object->file >= 0 ? malloc(AT_ONCE + LONGEST) : NULL;
    if (!buffer || !find_in_file(object, buffer, candidates)) {
        candidates->count = 0;
        find_in(object->from, object->to, object->to, 0, candidates);
    }
    free(buffer);
}

/* Where instructions begin that were decoded, up to a candidate: a bit a byte from `from` on. */
struct trail {
    const uint8_t *from;
    uint64_t bits[CANON_AROUND / 64 + 1];
};

static bool is_on(const struct trail *trail, const uint8_t *at)
{
    return trail->bits[(at - trail->from) / 64] >> (at - trail->from) % 64 & 1;
}

/*
 * Where the instruction of a candidate begins, if one decodes from `from` on; NULL: it is in another one.
 * With a trail, and an instruction that is on it, it is where `known` says.
 */
static const uint8_t *beginning_of(const struct canon_object *object, const uint8_t *from,
                                   const uint8_t *candidate, const struct trail *trail, const uint8_t *known)
{
    struct canon_insn insn;
    for (const uint8_t *at = from; at <= candidate; at += insn.size) {
        if (is_on(trail, at))
            return known;
        if (!canon_insn_decode(at, (size_t)(object->to - at), &insn))
            insn.size = 1;
        else if (at + insn.size > candidate)
            return insn.map == 2 && at + insn.opcode_at == candidate + 1 ? at : NULL;
    }
    return NULL;
}

/* The same from the trail's beginning on, which it makes. */
static const uint8_t *follow(const struct canon_object *object, const uint8_t *candidate, struct trail *trail,
                             struct canon_neighbours *before, struct canon_insn *insn)
{
    before->count = 0;
    for (const uint8_t *at = trail->from; at <= candidate; at += insn->size) {
        trail->bits[(at - trail->from) / 64] |= UINT64_C(1) << (at - trail->from) % 64;
        if (!canon_insn_decode(at, (size_t)(object->to - at), insn)) {
            insn->size = 1;
            before->count = 0;
        } else if (at + insn->size > candidate) {
            return insn->map == 2 && at + insn->opcode_at == candidate + 1 ? at : NULL;
        } else {
            canon_neighbours_add(before, at, insn);
        }
    }
    return NULL;
}

/* False: from one place on it is an instruction, and from another it is not. */
static bool judge(const struct canon_object *object, const uint8_t *candidate, struct sites *sites)
{
    struct trail trail = {.from = canon_object_beginning(object, candidate)};
    struct canon_neighbours before;
    struct canon_insn insn;
    const uint8_t *at = follow(object, candidate, &trail, &before, &insn);
    for (int i = 1; i < BEGINNINGS && trail.from > object->from; i++)
        if (beginning_of(object, trail.from + i, candidate, &trail, at) != at)
            return false;
    if (at)
        is_site(at, &insn, &before, sites);
    return true;
}

/* Targets matter where windows may be: to write down all of a large library's takes long. */
static void only_around(struct canon_object *object, const struct sites *sites)
{
    enum { REACH = 64, PAGE = 4096 };
    size_t size = (size_t)(object->to - object->from);
    object->pages = calloc(1, size / PAGE / 8 + 1);
    for (size_t i = 0; object->pages && i < sites->count; i++) {
        size_t at = (size_t)(sites->list[i].at - object->from);
        size_t first = (at > REACH ? at - REACH : 0) / PAGE;
        size_t last = (at + REACH < size ? at + REACH : size) / PAGE;
        object->pages[first / 8] |= (uint8_t)(1 << first % 8);
        object->pages[last / 8] |= (uint8_t)(1 << last % 8);
    }
}

/* False: it cannot be told like this. */
static bool look_around(struct canon_object *object, const struct candidates *candidates, struct sites *sites)
{
    if (candidates->count > (size_t)(object->to - object->from) / SPARSE + 1)
        return false; /* to decode all of it is less */
    for (size_t i = 0; i < candidates->count; i++)
        if (!judge(object, object->from + candidates->list[i], sites))
            return false;
    if (sites->count) {
        only_around(object, sites);
        canon_object_note_far_jumps(object);
    }
    for (size_t i = 0; i < sites->count; i++)
        canon_object_note_near_jumps(object, sites->list[i].at);
    return true;
}

static bool asks(const struct sites *sites)
{
    size_t i = 0;
    while (i < sites->count && !sites->list[i].question)
        i++;
    return i < sites->count;
}

/* Questions are anywhere in code, not in functions made for them: too little is known of what jumps there. */
static void leave_questions(struct sites *sites)
{
    size_t kept = 0;
    for (size_t i = 0; i < sites->count; i++)
        if (sites->list[i].question)
            missed++;
        else
            sites->list[kept++] = sites->list[i];
    sites->count = kept;
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
    if (asks(&sites) && !canon_object_note_data_jumps(object))
        leave_questions(&sites);
    int status = sites.count ? patch_sites(object, &sites) : 0;
    free(sites.list);
    free(object->targets);
    free(object->pages);
    object->pages = NULL;
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
    struct canon_object object = {
        .from = from, .to = from + size, .origin = CANON_ORIGIN_OTHER, .file = file, .offset = offset};
    unsigned before = missed;
    if (patch_code(&object))
        canon_role_note(CANON_NOTE_LIMIT,
                        "system calls of a library that was loaded later are not rewritten");
    if (missed > before)
        canon_role_note(CANON_NOTE_LIMIT, "some instructions that ask the system or the processor, of a "
                                          "library that was loaded later, could not be rewritten");
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
