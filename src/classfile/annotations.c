/* annotations.c: see annotations.h. The contents are copied, then walked and patched in place. */
#include "classfile/annotations.h"

#include "classfile/bytes.h"

enum { NESTING_MAX = 32 };

struct walk {
    struct canon_reader reader; /* over the copy, so what it points at may be written */
    const struct method_edit *edit;
    const uint16_t *first_row;
};

static uint32_t take_u1(struct walk *walk)
{
    return canon_reader_u8(&walk->reader);
}

static uint32_t take_u2(struct walk *walk)
{
    const uint8_t *at = canon_reader_take(&walk->reader, 2);
    return at ? get_u2(at) : 0;
}

/* Replaces the two bytes just taken. */
static void patch_u2(struct walk *walk, uint32_t value)
{
    if (!walk->reader.failed)
        set_u2((uint8_t *)walk->reader.at - 2, value);
}

static void fail(struct walk *walk)
{
    walk->reader.failed = true;
}

static void patch_variable(struct walk *walk)
{
    for (uint32_t count = take_u2(walk); count > 0 && !walk->reader.failed; count--) {
        uint32_t pc = take_u2(walk);
        const struct item *start = item_of_pc(walk->edit, pc);
        if (start)
            patch_u2(walk, start->label);
        const struct item *end = item_of_pc(walk->edit, pc + take_u2(walk));
        if (!start || !end || end < start)
            fail(walk);
        else
            patch_u2(walk, end->label - start->label);
        take_u2(walk); /* the variable */
    }
}

static void patch_offset(struct walk *walk)
{
    const struct item *item = item_of_pc(walk->edit, take_u2(walk));
    if (item)
        patch_u2(walk, item->start);
    else
        fail(walk);
}

static void patch_catch(struct walk *walk)
{
    uint32_t row = take_u2(walk);
    if (row < walk->edit->code.exception_count)
        patch_u2(walk, walk->first_row[row]);
    else
        fail(walk);
}

static void patch_target(struct walk *walk)
{
    uint32_t target = take_u1(walk);
    switch (target) {
    case 0x40:
    case 0x41: /* local variable, resource variable */
        patch_variable(walk);
        break;
    case 0x42: /* exception parameter */
        patch_catch(walk);
        break;
    case 0x43:
    case 0x44:
    case 0x45:
    case 0x46: /* instanceof, new, method references */
        patch_offset(walk);
        break;
    case 0x47:
    case 0x48:
    case 0x49:
    case 0x4A:
    case 0x4B: /* casts and type arguments */
        patch_offset(walk);
        take_u1(walk);
        break;
    default: /* the other targets cannot be in code */
        fail(walk);
    }
}

static void skip_annotation(struct walk *walk, int depth);

static void skip_value(struct walk *walk, int depth)
{
    if (depth > NESTING_MAX) {
        fail(walk);
        return;
    }
    switch (take_u1(walk)) {
    case 'e':
        take_u2(walk);
        take_u2(walk);
        break;
    case '@':
        skip_annotation(walk, depth + 1);
        break;
    case '[':
        for (uint32_t count = take_u2(walk); count > 0 && !walk->reader.failed; count--)
            skip_value(walk, depth + 1);
        break;
    default: /* a constant or a class */
        take_u2(walk);
    }
}

static void skip_annotation(struct walk *walk, int depth)
{
    take_u2(walk); /* type */
    for (uint32_t count = take_u2(walk); count > 0 && !walk->reader.failed; count--) {
        take_u2(walk); /* name */
        skip_value(walk, depth);
    }
}

int canon_annotations_write(const struct method_edit *edit, const struct canon_attribute *old,
                            const uint16_t *first_row, struct canon_buffer *to)
{
    canon_buffer_put(to, old->data, old->length);
    struct walk walk = {.edit = edit, .first_row = first_row};
    walk.reader = canon_reader_over(to->data + to->used - old->length, old->length);
    for (uint32_t count = take_u2(&walk); count > 0 && !walk.reader.failed; count--) {
        patch_target(&walk);
        canon_reader_take(&walk.reader, 2 * (size_t)take_u1(&walk)); /* the path into the type */
        skip_annotation(&walk, 0);
    }
    return !walk.reader.failed && canon_reader_left(&walk.reader) == 0;
}
