/*
 * decode.c: see decode.h. One character an opcode says what follows it:
 *
 *   .  nothing                M  ModRM                      P  it is a prefix         x  no instruction
 *   b  1 byte                 B  ModRM and 1 byte           R  REX prefix
 *   v  4 bytes, 2 with 66     V  ModRM and 4 or 2 bytes     q  4 bytes, 8 with REX.W
 *   w  2 bytes                e  3 bytes                    o  8 bytes (an address)
 *   j  1 byte: a jump         J  4 bytes: a jump            g  ModRM, and b or v for some (test)
 *   E  second opcode map      8  third map: M               A  fourth map: B
 *   Z  EVEX                   Y  VEX, 3 bytes               y  VEX, 2 bytes
 */
#include "native/decode.h"

#include <string.h>

static const char ONE[] = "MMMMbvxxMMMMbvxE" /* 00 */
                          "MMMMbvxxMMMMbvxx" /* 10 */
                          "MMMMbvPxMMMMbvPx" /* 20 */
                          "MMMMbvPxMMMMbvPx" /* 30 */
                          "RRRRRRRRRRRRRRRR" /* 40 */
                          "................" /* 50 */
                          "xxZMPPPPvVbB...." /* 60 */
                          "jjjjjjjjjjjjjjjj" /* 70 */
                          "BVxBMMMMMMMMMMMM" /* 80 */
                          "..........x....." /* 90 */
                          "oooo....bv......" /* a0 */
                          "bbbbbbbbqqqqqqqq" /* b0 */
                          "BBw.YyBVe.w..bx." /* c0 */
                          "MMMMxxx.MMMMMMMM" /* d0 */
                          "jjjjbbbbJJxj...." /* e0 */
                          "P.PP..gg......MM" /* f0 */;

static const char TWO[] = "MMMMx.....x.xM.B" /* 00 */
                          "MMMMMMMMMMMMMMMM" /* 10 */
                          "MMMMxxxxMMMMMMMM" /* 20 */
                          "........8xAxxxxx" /* 30 */
                          "MMMMMMMMMMMMMMMM" /* 40 */
                          "MMMMMMMMMMMMMMMM" /* 50 */
                          "MMMMMMMMMMMMMMMM" /* 60 */
                          "BBBBMMM.MMMMMMMM" /* 70 */
                          "JJJJJJJJJJJJJJJJ" /* 80 */
                          "MMMMMMMMMMMMMMMM" /* 90 */
                          "...MBMxx...MBMMM" /* a0 */
                          "MMMMMMMMMMBMMMMM" /* b0 */
                          "MMBMBBBM........" /* c0 */
                          "MMMMMMMMMMMMMMMM" /* d0 */
                          "MMMMMMMMMMMMMMMM" /* e0 */
                          "MMMMMMMMMMMMMMMM" /* f0 */;

struct cursor {
    const uint8_t *code;
    size_t size, at;
    bool wide, narrow; /* REX.W; 66 */
    bool vector;       /* VEX or EVEX */
    int map;           /* 1 to 4: which table `opcode` is from */
    uint8_t opcode, modrm;
};

static uint8_t peek(const struct cursor *c, size_t ahead)
{
    return c->at + ahead < c->size ? c->code[c->at + ahead] : 0;
}

/* Passes over ModRM, SIB and displacement; notes where a displacement relative to the instruction is. */
static void pass_modrm(struct cursor *c, struct canon_insn *insn)
{
    c->modrm = peek(c, 0);
    insn->modrm_at = (uint8_t)c->at;
    int mod = c->modrm >> 6, rm = c->modrm & 7;
    bool sib = mod != 3 && rm == 4;
    int base = sib ? peek(c, 1) & 7 : rm;
    c->at += 1 + sib;
    if (mod == 0 && base == 5) {
        if (!sib) {
            insn->kind = CANON_INSN_RIP;
            insn->field = (uint8_t)c->at;
        }
        c->at += 4;
    } else if (mod == 1) {
        c->at += 1;
    } else if (mod == 2) {
        c->at += 4;
    }
}

/* VEX and EVEX name the map in their second byte; `length` is that of the prefix. */
static char pass_vector_prefix(struct cursor *c, int length, int map)
{
    c->at += (size_t)length - 1;
    c->opcode = peek(c, 0);
    c->at++;
    c->map = map + 1;
    c->vector = true;
    if (map == 1)
        return c->opcode == 0x77 && length < 4 ? '.' : TWO[c->opcode] == 'B' ? 'B' : 'M';
    return map == 2 || map == 5 || map == 6 ? 'M' : map == 3 ? 'B' : 'x';
}

/* What follows the opcode, which is passed over. */
static char pass_opcode(struct cursor *c)
{
    for (;;) {
        c->opcode = peek(c, 0);
        char what = ONE[c->opcode];
        c->at++;
        c->map = 1;
        switch (what) {
        case 'P':
            c->narrow = c->narrow || c->opcode == 0x66;
            if (c->at > 14)
                return 'x';
            continue;
        case 'R':
            c->wide = c->opcode & 8;
            if (ONE[peek(c, 0)] == 'P' || ONE[peek(c, 0)] == 'R')
                c->wide = false; /* only the last prefix may be one of these */
            continue;
        case 'y':
            return pass_vector_prefix(c, 2, 1);
        case 'Y':
            return pass_vector_prefix(c, 3, peek(c, 0) & 31);
        case 'Z':
            return pass_vector_prefix(c, 4, peek(c, 0) & 7);
        case 'E':
            break;
        default:
            return what;
        }
        c->opcode = peek(c, 0);
        what = TWO[c->opcode];
        c->at++;
        c->map = 2;
        if (what != '8' && what != 'A')
            return what;
        c->map = what == '8' ? 3 : 4;
        c->opcode = peek(c, 0);
        c->at++;
        return what == '8' ? 'M' : 'B';
    }
}

static void pass_operands(struct cursor *c, char what, struct canon_insn *insn)
{
    size_t value = c->narrow ? 2 : 4;
    if (what == 'M' || what == 'B' || what == 'V' || what == 'g')
        pass_modrm(c, insn);
    switch (what) {
    case 'b':
    case 'B':
    case 'j':
        c->at += 1;
        break;
    case 'v':
    case 'V':
        c->at += value;
        break;
    case 'q':
        c->at += c->wide ? 8 : value;
        break;
    case 'w':
        c->at += 2;
        break;
    case 'e':
        c->at += 3;
        break;
    case 'o':
        c->at += 8;
        break;
    case 'J':
        c->at += 4;
        break;
    case 'g':
        if ((c->modrm >> 3 & 7) < 2)
            c->at += c->opcode == 0xf6 ? 1 : value;
        break;
    default:
        break;
    }
}

/* Where a jump goes, and which kind it is. */
static void describe_jump(const struct cursor *c, char what, struct canon_insn *insn)
{
    int32_t far = 0;
    if (what == 'J')
        memcpy(&far, c->code + c->at - 4, 4);
    insn->has_target = true;
    insn->target = (int64_t)c->at + (what == 'J' ? far : (int8_t)c->code[c->at - 1]);
    bool conditional = c->map == 2 || (c->opcode & 0xf0) == 0x70;
    insn->kind = conditional                              ? CANON_INSN_BRANCH
                 : c->opcode == 0xe9 || c->opcode == 0xeb ? CANON_INSN_JUMP
                                                          : CANON_INSN_FIXED;
    insn->condition = c->opcode & 15;
}

static void describe(const struct cursor *c, char what, struct canon_insn *insn)
{
    const uint8_t *code = c->code;
    if (what == 'j' || what == 'J')
        describe_jump(c, what, insn);
    else if (c->map == 2 && c->opcode == 0x05)
        insn->kind = CANON_INSN_SYSCALL;
    else if (c->map == 1 && c->opcode == 0xff && (c->modrm >> 3 & 7) >= 2 && (c->modrm >> 3 & 7) <= 5)
        insn->kind = CANON_INSN_FIXED; /* indirect calls and jumps */
    insn->is_padding =
        (c->map == 1 && (c->opcode == 0x90 || c->opcode == 0xcc)) || (c->map == 2 && c->opcode == 0x1f);
    if (c->size < 5)
        return;
    if (code[0] == 0xb8) {
        insn->sets_eax = true;
        memcpy(&insn->eax, code + 1, 4);
    } else if (c->size >= 7 && memcmp(code, "\x48\xc7\xc0", 3) == 0) {
        insn->sets_eax = true;
        memcpy(&insn->eax, code + 3, 4);
    }
}

bool canon_insn_decode(const uint8_t *code, size_t size, struct canon_insn *insn)
{
    struct cursor c = {.code = code, .size = size};
    *insn = (struct canon_insn){.kind = CANON_INSN_PLAIN};
    char what = pass_opcode(&c);
    if (what == 'x')
        return false;
    insn->map = c.vector || c.map > 2 ? 0 : (uint8_t)c.map;
    insn->opcode_at = (uint8_t)(c.at - 1);
    pass_operands(&c, what, insn);
    if (c.at > size || c.at > 15)
        return false;
    insn->size = (uint8_t)c.at;
    describe(&c, what, insn);
    return true;
}
