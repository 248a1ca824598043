/*
 * access.c: see access.h. One character an opcode says what it does to the operand in memory:
 *
 *   .  not one of those       u  writes        r  reads                      U, R: one byte
 *   m  by the ModRM's middle: `groups`         x  by the prefix: `vectors`
 *   w  reads two bytes        d  reads four    s  writes one byte
 */
#include "native/access.h"

#include <string.h>

static const char ONE[] = "UuRr....UuRr...." /* 00 */
                          "UuRr....UuRr...." /* 10 */
                          "UuRr....UuRr...." /* 20 */
                          "UuRr....RrRr...." /* 30 */
                          "................" /* 40 */
                          "................" /* 50 */
                          "...d.....r.r...." /* 60 */
                          "................" /* 70 */
                          "mm.mRrUuUuRr...." /* 80 */
                          "................" /* 90 */
                          "................" /* a0 */
                          "................" /* b0 */
                          "mm....mm........" /* c0 */
                          "mmmm............" /* d0 */
                          "................" /* e0 */
                          "......mm......mm" /* f0 */;

static const char TWO[] = "................" /* 00 */
                          "xx.............." /* 10 */
                          "........xx......" /* 20 */
                          "................" /* 30 */
                          "rrrrrrrrrrrrrrrr" /* 40 */
                          "................" /* 50 */
                          "..............xx" /* 60 */
                          "..............xx" /* 70 */
                          "................" /* 80 */
                          "ssssssssssssssss" /* 90 */
                          "...............r" /* a0 */
                          "Uu....Rw..m...Rw" /* b0 */
                          "Uu.u...m........" /* c0 */
                          "......x........." /* d0 */
                          "................" /* e0 */
                          "................" /* f0 */;

/* By the middle of the ModRM: u, r, or not at all. The low bit of the opcode says whether it is one byte. */
static const struct group {
    uint8_t map, from, to;
    char does[9];
    bool has_bytes;
} GROUPS[] = {
    {1, 0x80, 0x83, "uuuuuuur", true},  {1, 0xc0, 0xc1, "uuuuuuuu", true},  {1, 0xc6, 0xc7, "u.......", true},
    {1, 0xd0, 0xd3, "uuuuuuuu", true},  {1, 0xf6, 0xf7, "rruurrrr", true},  {1, 0xfe, 0xff, "uu......", true},
    {2, 0xba, 0xba, "....ruuu", false}, {2, 0xc7, 0xc7, ".u......", false},
};

/* Vector registers, by the opcode and the prefix that chooses among several (0: none). */
static const struct vector {
    uint8_t opcode, prefix;
    char does;
    uint8_t size;
    bool aligns;
} VECTORS[] = {
    {0x10, 0, 'r', 16, false},    {0x10, 0x66, 'r', 16, false}, {0x10, 0xf3, 'r', 4, false},
    {0x10, 0xf2, 'r', 8, false},  {0x11, 0, 'u', 16, false},    {0x11, 0x66, 'u', 16, false},
    {0x11, 0xf3, 'u', 4, false},  {0x11, 0xf2, 'u', 8, false},  {0x28, 0, 'r', 16, true},
    {0x28, 0x66, 'r', 16, true},  {0x29, 0, 'u', 16, true},     {0x29, 0x66, 'u', 16, true},
    {0x6e, 0x66, 'r', 4, false},  {0x6f, 0x66, 'r', 16, true},  {0x6f, 0xf3, 'r', 16, false},
    {0x7e, 0x66, 'u', 4, false},  {0x7e, 0xf3, 'r', 8, false},  {0x7f, 0x66, 'u', 16, true},
    {0x7f, 0xf3, 'u', 16, false}, {0xd6, 0x66, 'u', 8, false},
};

/* ---- what it does -------------------------------------------------------------------------------------- */

struct parts {
    bool narrow, wide, lock, segment, address; /* prefixes */
    uint8_t repeat;                            /* f2, f3 or 0 */
    uint8_t rex, prefixes;                     /* how many bytes are in front of rex */
    uint8_t opcode, mod, middle, rm;
};

static void take_apart(const uint8_t *code, const struct canon_insn *insn, struct parts *parts)
{
    *parts = (struct parts){.opcode = code[insn->opcode_at]};
    uint8_t end = (uint8_t)(insn->opcode_at - (insn->map == 2));
    for (uint8_t i = 0; i < end; i++) {
        uint8_t byte = code[i];
        bool is_rex = (byte & 0xf0) == 0x40;
        parts->rex = is_rex ? byte : 0; /* counts only directly in front of the opcode */
        parts->prefixes = (uint8_t)(is_rex ? i : i + 1);
        parts->narrow = parts->narrow || byte == 0x66;
        parts->address = parts->address || byte == 0x67;
        parts->lock = parts->lock || byte == 0xf0;
        parts->segment = parts->segment || byte == 0x64 || byte == 0x65;
        if (byte == 0xf2 || byte == 0xf3)
            parts->repeat = byte;
    }
    parts->wide = parts->rex & 8;
    uint8_t modrm = code[insn->modrm_at];
    parts->mod = modrm >> 6;
    parts->middle = modrm >> 3 & 7;
    parts->rm = modrm & 7;
}

static char by_group(uint8_t map, const struct parts *parts, bool *byte)
{
    for (size_t i = 0; i < sizeof GROUPS / sizeof *GROUPS; i++) {
        const struct group *group = &GROUPS[i];
        if (group->map != map || parts->opcode < group->from || parts->opcode > group->to)
            continue;
        *byte = group->has_bytes && !(parts->opcode & 1);
        return group->does[parts->middle];
    }
    return '.';
}

static bool by_vector(const struct parts *parts, struct canon_access *access)
{
    uint8_t prefix = parts->repeat ? parts->repeat : parts->narrow ? 0x66 : 0;
    for (size_t i = 0; i < sizeof VECTORS / sizeof *VECTORS; i++) {
        const struct vector *vector = &VECTORS[i];
        if (vector->opcode != parts->opcode || vector->prefix != prefix)
            continue;
        bool moves = parts->opcode == 0x6e || (parts->opcode == 0x7e && prefix == 0x66);
        access->kind = vector->does == 'r' ? CANON_ACCESS_LOAD : CANON_ACCESS_WRITE;
        access->size = moves && parts->wide ? 8 : vector->size;
        access->aligns = vector->aligns;
        return true;
    }
    return false;
}

bool canon_access_of(const uint8_t *code, const struct canon_insn *insn, struct canon_access *access)
{
    struct parts parts;
    *access = (struct canon_access){.kind = CANON_ACCESS_NONE};
    if (!insn->map || !insn->modrm_at)
        return false;
    take_apart(code, insn, &parts);
    if (parts.mod == 3 || parts.segment || parts.address)
        return false;
    char does = insn->map == 1 ? ONE[parts.opcode] : TWO[parts.opcode];
    if (does == 'x')
        return by_vector(&parts, access);
    uint8_t size = parts.wide ? 8 : parts.narrow ? 2 : 4;
    bool byte = does == 'U' || does == 'R' || does == 's';
    if (does == 'm')
        does = by_group(insn->map, &parts, &byte);
    if (insn->map == 2 && parts.opcode == 0xc7)
        size = parts.wide ? 16 : 8; /* cmpxchg8b, cmpxchg16b */
    if (does == '.' || (parts.repeat && !parts.lock))
        return false;
    access->size = byte ? 1 : does == 'w' ? 2 : does == 'd' ? 4 : size;
    bool writes = does == 'u' || does == 'U' || does == 's';
    access->kind = writes ? CANON_ACCESS_WRITE : CANON_ACCESS_LOAD;
    bool exchanges = insn->map == 1 && (parts.opcode == 0x86 || parts.opcode == 0x87);
    access->locked = parts.lock || exchanges;
    return true;
}

/* ---- the same elsewhere -------------------------------------------------------------------------------- */

enum { REX = 0x40, REX_W = 8, REX_R = 4, REX_X = 2, REX_B = 1, RSP = 4, RBP = 5, RDI = 7 };

/* Whether it has the stack pointer for its other operand. */
static bool uses_stack_pointer(const struct canon_insn *insn, const struct parts *parts)
{
    char does = insn->map == 1 ? ONE[parts->opcode] : TWO[parts->opcode];
    bool byte = does == 'R' || does == 'U' || does == 's';
    return does != 'm' && does != 'x' && !(byte && !parts->rex) && parts->middle == RSP &&
           !(parts->rex & REX_R);
}

/* Where the operands end: what comes behind are constants. */
static size_t operands_end(const uint8_t *code, const struct canon_insn *insn, const struct parts *parts)
{
    size_t at = insn->modrm_at + 1u;
    bool sib = parts->rm == RSP;
    uint8_t base = sib ? code[at] & 7 : parts->rm;
    at += sib;
    return at + (parts->mod == 1 ? 1u : parts->mod == 2 || base == RBP ? 4u : 0u);
}

size_t canon_access_from_stack(const uint8_t *code, const struct canon_insn *insn,
                               const struct canon_access *access, uint8_t *made)
{
    struct parts parts;
    take_apart(code, insn, &parts);
    if (uses_stack_pointer(insn, &parts))
        return 0;
    size_t n = 0, end = operands_end(code, insn, &parts);
    memcpy(made, code, insn->opcode_at + 1u);
    n = insn->opcode_at + 1u;
    if (parts.rex)
        made[parts.prefixes] &= (uint8_t) ~(REX_X | REX_B);
    if (access->aligns) { /* the same, of any address: movups, movdqu */
        if (parts.opcode == 0x28)
            made[n - 1] = 0x10;
        for (size_t i = 0; parts.opcode == 0x6f && i < n - 1; i++)
            made[i] = made[i] == 0x66 ? 0xf3 : made[i];
    }
    made[n++] = (uint8_t)(parts.middle << 3 | RSP); /* (%rsp) */
    made[n++] = RSP << 3 | RSP;
    memcpy(made + n, code + end, insn->size - end);
    return n + insn->size - end;
}

size_t canon_access_address(const uint8_t *code, const struct canon_insn *insn, int32_t lowered,
                            uint8_t *made, size_t *field, int64_t *target)
{
    struct parts parts;
    take_apart(code, insn, &parts);
    const uint8_t *at = code + insn->modrm_at + 1;
    size_t n = 0;
    uint8_t sib = parts.rm == RSP ? *at++ : 0;
    uint8_t base = parts.rm == RSP ? sib & 7 : parts.rm;
    int32_t distance = 0;
    if (parts.mod == 1)
        distance = (int8_t)*at;
    else if (parts.mod == 2 || (parts.mod == 0 && base == RBP))
        memcpy(&distance, at, 4);
    *field = 0;
    made[n++] = (uint8_t)(REX | REX_W | (parts.rex & (REX_X | REX_B)));
    made[n++] = 0x8d;
    if (parts.mod == 0 && parts.rm == RBP) { /* relative to the instruction */
        *target = insn->size + (int64_t)distance;
        *field = n + 1;
    } else if (base == RSP && !(parts.rex & REX_B)) {
        if (distance > INT32_MAX - lowered)
            return 0;
        distance += lowered;
    }
    uint8_t mod = parts.mod == 0 && base == RBP ? 0 : 2; /* four bytes in any case */
    made[n++] = (uint8_t)(mod << 6 | RDI << 3 | parts.rm);
    if (parts.rm == RSP)
        made[n++] = sib;
    memcpy(made + n, &distance, 4);
    return n + 4;
}
