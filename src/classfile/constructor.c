/*
 * constructor.c: see constructor.h.
 *
 * `this` gets initialised by a call of <init>, as other new objects do. Between two stack map frames control
 * runs straight on, and a frame says whether `this` is initialised, and how many other objects are not. So
 * the instructions are followed from frame to frame: a call of <init> for which no `new` is open is the one
 * for `this`.
 *
 * Classes that are too old for frames are taken as if control ran straight through all of the code, which is
 * how compilers write constructors.
 */
#include "classfile/constructor.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/error.h"
#include "classfile/bytes.h"

#include <stdlib.h>

enum { TYPE_UNINITIALIZED_THIS = 6, TYPE_OBJECT = 7, TYPE_UNINITIALIZED = 8, NEW_MAX = 16 };

struct scan {
    const struct canon_class *cls;
    const struct canon_code *code;
    bool early;    /* at this point */
    uint32_t news; /* objects that were made and not yet initialised */
    struct canon_reader frames;
    uint32_t frames_left;
    int64_t frame_pc; /* of the frame that was read last */
    int64_t next_pc;  /* where it counts; the code's length: there is no other */
    uint8_t *locals;  /* the types there; at most code->max_locals */
    uint32_t local_count;
    uint16_t new_pcs[NEW_MAX]; /* of the objects on its stack that are not initialised */
    uint32_t new_count;
};

static uint32_t take_u2(struct scan *scan)
{
    const uint8_t *at = canon_reader_take(&scan->frames, 2);
    return at ? get_u2(at) : 0;
}

static uint8_t take_type(struct scan *scan, uint16_t *data)
{
    uint8_t tag = canon_reader_u8(&scan->frames);
    *data = tag == TYPE_OBJECT || tag == TYPE_UNINITIALIZED ? (uint16_t)take_u2(scan) : 0;
    return tag;
}

static int take_locals(struct scan *scan, uint32_t count)
{
    uint16_t unused;
    if (count > scan->code->max_locals - scan->local_count)
        return CANON_E_FORMAT;
    for (uint32_t i = 0; i < count; i++)
        scan->locals[scan->local_count++] = take_type(scan, &unused);
    return 0;
}

/* Objects that are not initialised are on the stack once or twice each. */
static void take_stack(struct scan *scan, uint32_t count)
{
    scan->new_count = 0;
    for (uint32_t i = 0; i < count && !scan->frames.failed; i++) {
        uint16_t pc;
        bool is_new = take_type(scan, &pc) == TYPE_UNINITIALIZED;
        for (uint32_t k = 0; k < scan->new_count && k < NEW_MAX && is_new; k++)
            is_new = scan->new_pcs[k] != pc;
        if (is_new && scan->new_count < NEW_MAX)
            scan->new_pcs[scan->new_count] = pc;
        scan->new_count += is_new;
    }
}

/* Reads what a frame says about locals and stack. */
static int take_frame_types(struct scan *scan, uint8_t kind)
{
    uint32_t stack = (kind >= 64 && kind < 128) || kind == 247;
    int error = 0;
    if (kind >= 248 && kind < 251) {
        if (251u - kind > scan->local_count)
            return CANON_E_FORMAT;
        scan->local_count -= 251u - kind;
    } else if (kind >= 252 && kind < 255) {
        error = take_locals(scan, kind - 251u);
    } else if (kind == 255) {
        scan->local_count = 0;
        error = take_locals(scan, take_u2(scan));
        stack = take_u2(scan);
    }
    take_stack(scan, error ? 0 : stack);
    return error ? error : scan->frames.failed ? CANON_E_TRUNCATED : 0;
}

static int take_frame(struct scan *scan)
{
    scan->next_pc = scan->code->length;
    if (scan->frames_left == 0)
        return 0;
    scan->frames_left--;
    uint8_t kind = canon_reader_u8(&scan->frames);
    uint32_t delta = kind < 64 ? kind : kind < 128 ? kind - 64u : take_u2(scan);
    if (kind >= 128 && kind < 247)
        return CANON_E_FORMAT;
    scan->frame_pc += delta + 1;
    scan->next_pc = scan->frame_pc;
    return take_frame_types(scan, kind);
}

/* Control may come here from elsewhere: the frame tells. */
static int meet_frame(struct scan *scan)
{
    scan->early = false;
    scan->news = scan->new_count;
    for (uint32_t i = 0; i < scan->local_count; i++) {
        scan->early |= scan->locals[i] == TYPE_UNINITIALIZED_THIS;
        scan->news += scan->locals[i] == TYPE_UNINITIALIZED;
    }
    return take_frame(scan);
}

/* The frame at the start, which is not in the table; and the first one that is. */
static int start_frames(struct scan *scan, const struct canon_member *constructor)
{
    if (scan->code->max_locals == 0)
        return CANON_E_FORMAT;
    scan->locals[scan->local_count++] = TYPE_UNINITIALIZED_THIS;
    struct canon_utf8 type, rest = constructor->descriptor;
    if (rest.length == 0)
        return CANON_E_FORMAT;
    rest.text++;
    rest.length--;
    int more;
    while ((more = canon_descriptor_next(&rest, &type)) > 0) {
        if (scan->local_count == scan->code->max_locals)
            return CANON_E_FORMAT;
        scan->locals[scan->local_count++] = 0;
    }
    if (more < 0)
        return more;
    struct canon_attributes attributes = scan->code->attributes;
    struct canon_attribute attribute;
    scan->frame_pc = -1;
    while (scan->cls->major >= 50 && (more = canon_attributes_next(scan->cls, &attributes, &attribute)) > 0) {
        if (!canon_utf8_is(attribute.name, "StackMapTable"))
            continue;
        scan->frames = canon_reader_over(attribute.data, attribute.length);
        scan->frames_left = take_u2(scan);
        break;
    }
    return more < 0 ? more : take_frame(scan);
}

static int follow(struct scan *scan, const struct canon_insn *insn)
{
    if (insn->opcode == CANON_OP_NEW)
        scan->news++;
    if (insn->opcode != CANON_OP_INVOKESPECIAL || !scan->early)
        return 0;
    struct canon_ref ref;
    int error = canon_class_ref(scan->cls, canon_insn_pool_index(insn), &ref);
    if (error || !canon_utf8_is(ref.name, "<init>"))
        return error;
    if (scan->news)
        scan->news--;
    else if (canon_utf8_equal(ref.owner, scan->cls->name) ||
             canon_utf8_equal(ref.owner, canon_class_super_name(scan->cls)))
        scan->early = false;
    return 0;
}

static int scan_code(struct scan *scan, const struct canon_member *constructor, bool *early)
{
    struct canon_insn insn = {0};
    int error = start_frames(scan, constructor);
    int more = 0;
    while (!error && (more = canon_code_next(scan->code, &insn)) > 0) {
        if (insn.pc > scan->next_pc)
            return CANON_E_FORMAT; /* a frame inside an instruction */
        if (insn.pc == scan->next_pc)
            error = meet_frame(scan);
        early[insn.pc] = scan->early;
        if (!error)
            error = follow(scan, &insn);
    }
    return error ? error : more;
}

int canon_constructor_early(const struct canon_class *cls, const struct canon_member *constructor,
                            bool **early)
{
    struct canon_code code;
    int has = canon_code_open(cls, constructor, &code);
    if (has <= 0)
        return has ? has : CANON_E_INVALID;
    struct scan scan = {.cls = cls, .code = &code, .early = true};
    scan.locals = malloc(code.max_locals + 1u);
    *early = calloc(code.length, sizeof **early);
    canon_assert(scan.locals && *early);
    int error = scan_code(&scan, constructor, *early);
    free(scan.locals);
    if (error) {
        free(*early);
        *early = NULL;
    }
    return error;
}
