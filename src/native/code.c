/* code.c: see code.h. */
#include "native/code.h"

#include "base/error.h"
#include "native/native.h"

#include <emmintrin.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* ---- looking at it ------------------------------------------------------------------------------------- */

void canon_neighbours_add(struct canon_neighbours *before, const uint8_t *at, const struct canon_insn *insn)
{
    struct canon_neighbour *latest = &before->last[before->count++ % CANON_NEIGHBOURS];
    latest->at = at;
    latest->insn = *insn;
}

enum { BEHIND = 192 };

bool canon_object_arrives(const struct canon_object *object, const uint8_t *from, const uint8_t *to,
                          struct canon_neighbours *before)
{
    struct canon_insn insn;
    for (before->count = 0; from < to; from += insn.size) {
        if (canon_insn_decode(from, (size_t)(object->to - from), &insn)) {
            canon_neighbours_add(before, from, &insn);
        } else {
            insn.size = 1;
            before->count = 0;
        }
    }
    return from == to;
}

const uint8_t *canon_object_beginning(const struct canon_object *object, const uint8_t *at)
{
    return at - object->from > CANON_AROUND ? at - CANON_AROUND : object->from;
}

/* ---- targets ------------------------------------------------------------------------------------------- */

/* call, jmp, jcc */
static void note_far_jump(struct canon_object *object, const uint8_t *at)
{
    unsigned head = *at == 0xe8 || *at == 0xe9 ? 1 : *at == 0x0f && (at[1] & 0xf0) == 0x80 ? 2 : 0;
    if (!head)
        return;
    int32_t distance;
    memcpy(&distance, at + head, 4);
    struct canon_insn insn = {.has_target = true, .target = (int64_t)distance + head + 4};
    canon_object_note_jump(object, at, &insn);
}

void canon_object_note_far_jumps(struct canon_object *object)
{
    enum { LONGEST = 6 };
    const uint8_t *at = object->from;
    for (; object->to - at >= 16 + LONGEST; at += 16) {
        __m128i here = _mm_loadu_si128((const __m128i *)at);
        __m128i jumps =
            _mm_or_si128(_mm_cmpeq_epi8(_mm_or_si128(here, _mm_set1_epi8(1)), _mm_set1_epi8((char)0xe9)),
                         _mm_cmpeq_epi8(here, _mm_set1_epi8(0x0f)));
        for (unsigned found = (unsigned)_mm_movemask_epi8(jumps); found; found &= found - 1)
            note_far_jump(object, at + __builtin_ctz(found));
    }
    for (; object->to - at >= LONGEST; at++)
        note_far_jump(object, at);
}

void canon_object_note_near_jumps(struct canon_object *object, const uint8_t *site)
{
    const uint8_t *to = object->to - site > BEHIND ? site + BEHIND : object->to;
    struct canon_insn insn;
    for (const uint8_t *at = canon_object_beginning(object, site); at < to; at += insn.size) {
        if (canon_insn_decode(at, (size_t)(object->to - at), &insn))
            canon_object_note_jump(object, at, &insn);
        else
            insn.size = 1;
    }
}

/* ---- writing code -------------------------------------------------------------------------------------- */

void canon_code_put(struct canon_code *code, const void *bytes, size_t size)
{
    if (size > (size_t)(code->end - code->at)) {
        code->failed = true;
        return;
    }
    memcpy(code->at, bytes, size);
    code->at += size;
}

void canon_code_put_distance(struct canon_code *code, const uint8_t *target)
{
    int64_t distance = target - (code->at + 4);
    int32_t narrow = (int32_t)distance;
    code->failed = code->failed || distance != narrow;
    canon_code_put(code, &narrow, sizeof narrow);
}

void canon_code_put_jump(struct canon_code *code, const uint8_t *target)
{
    CANON_CODE_PUT(code, 0xe9);
    canon_code_put_distance(code, target);
}

void canon_code_put_moved(struct canon_code *code, const uint8_t *at, const struct canon_insn *insn)
{
    if (insn->kind == CANON_INSN_BRANCH) {
        CANON_CODE_PUT(code, 0x0f, 0x80 | insn->condition);
        canon_code_put_distance(code, at + insn->target);
    } else if (insn->kind == CANON_INSN_JUMP) {
        CANON_CODE_PUT(code, 0xe9);
        canon_code_put_distance(code, at + insn->target);
    } else if (insn->kind == CANON_INSN_RIP) {
        int32_t distance;
        memcpy(&distance, at + insn->field, 4);
        canon_code_put(code, at, insn->field);
        const uint8_t *target = at + insn->size + distance;
        /* Bytes behind the displacement count, too. */
        canon_code_put_distance(code, target - (insn->size - insn->field - 4));
        canon_code_put(code, at + insn->field + 4, insn->size - insn->field - 4u);
    } else {
        canon_code_put(code, at, insn->size);
    }
}

void canon_code_put_moved_range(struct canon_code *code, const uint8_t *from, const uint8_t *to)
{
    struct canon_insn insn;
    for (; from < to && canon_insn_decode(from, (size_t)(to - from), &insn); from += insn.size)
        canon_code_put_moved(code, from, &insn);
    code->failed = code->failed || from != to;
}

static uint8_t *map_at(uintptr_t wanted, size_t size)
{
    long at = canon_raw_syscall(SYS_mmap, (long)wanted, (long)size, PROT_READ | PROT_WRITE | PROT_EXEC,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    return at == (long)wanted ? (uint8_t *)at : NULL;
}

/* Below the code; or, if that lies at the bottom, far above it: the program's data, which grow, are between.
 */
uint8_t *canon_code_map_near(const uint8_t *code, size_t size)
{
    enum { STEP = 16 << 20, TRIES = 100, ABOVE = 1 << 30, TRIES_ABOVE = 30 };
    uintptr_t page = (uintptr_t)code & ~(uintptr_t)4095;
    uint8_t *made = NULL;
    for (uintptr_t i = 1; i <= TRIES && !made && page > i * STEP; i++)
        made = map_at(page - i * STEP, size);
    for (uintptr_t i = 0; i < TRIES_ABOVE && !made; i++)
        made = map_at(page + ABOVE + i * STEP, size);
    return made;
}

int canon_code_protect(const uint8_t *from, const uint8_t *to, int protection)
{
    uintptr_t first = (uintptr_t)from & ~(uintptr_t)4095;
    return canon_raw_syscall(SYS_mprotect, (long)first, (long)((uintptr_t)to - first), protection, 0, 0, 0)
               ? CANON_E_UNSUPPORTED
               : 0;
}

void canon_code_divert(const struct canon_window *window, const uint8_t *trampoline)
{
    uint8_t *at = (uint8_t *)window->from;
    struct canon_code code = {at, at + CANON_WINDOW_MIN, false};
    canon_code_put_jump(&code, trampoline);
    memset(at + CANON_WINDOW_MIN, 0xcc, (size_t)(window->to - window->from) - CANON_WINDOW_MIN);
}
