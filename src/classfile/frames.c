/*
 * frames.c: stack map frames of a method whose code moved.
 *
 * Frames are stored as differences to the frame before. Two cases:
 *
 *   plain     only offsets change: each frame keeps its form, but for short ones that get too far apart.
 *   expanded  fresh locals must be added to every frame (or islands stand in between): the locals are
 *             followed from frame to frame, and a frame that changes them is written out in full. The
 *             fresh locals have numbers behind all others, so what lies between is filled with `top`.
 *
 * The JVM's implicit first frame comes from the method's descriptor. It never has fresh locals, which are
 * set by the entry code.
 */
#include "classfile/editor_internal.h"

#include "base/error.h"
#include "classfile/bytes.h"

enum type_tag {
    TYPE_TOP,
    TYPE_INTEGER,
    TYPE_FLOAT,
    TYPE_DOUBLE,
    TYPE_LONG,
    TYPE_NULL,
    TYPE_UNINITIALIZED_THIS,
    TYPE_OBJECT,        /* + class constant */
    TYPE_UNINITIALIZED, /* + offset of the `new` */
};

enum frame_kind {
    FRAME_SAME_STACK1 = 64,
    FRAME_RESERVED = 128,
    FRAME_SAME_STACK1_LONG = 247,
    FRAME_CHOP = 248,
    FRAME_SAME_LONG = 251,
    FRAME_APPEND = 252,
    FRAME_FULL = 255,
};

struct type {
    uint8_t tag;
    uint16_t data;
};

struct frames {
    struct canon_editor *editor;
    const struct method_edit *edit;
    struct canon_reader old;
    struct canon_buffer *to;
    bool expanded;
    bool must_be_full; /* the next frame cannot be a difference to the one written before */
    bool has_initial;  /* `locals` is filled in */
    int64_t old_offset;
    int64_t new_offset;
    uint32_t count;
    struct type *locals; /* of the current frame; at most code.max_locals */
    uint32_t local_count;
    uint32_t island;
    /* the frame being read */
    uint8_t kind;
    struct type *stack;
    uint32_t stack_count;
};

static uint32_t take_u2(struct frames *frames)
{
    const uint8_t *at = canon_reader_take(&frames->old, 2);
    return at ? get_u2(at) : 0;
}

static int take_type(struct frames *frames, struct type *type)
{
    type->tag = canon_reader_u8(&frames->old);
    type->data = 0;
    if (type->tag > TYPE_UNINITIALIZED)
        return CANON_E_FORMAT;
    if (type->tag >= TYPE_OBJECT)
        type->data = (uint16_t)take_u2(frames);
    if (frames->old.failed)
        return CANON_E_TRUNCATED;
    if (type->tag == TYPE_UNINITIALIZED) {
        const struct item *item = item_of_pc(frames->edit, type->data);
        if (!item)
            return CANON_E_FORMAT;
        type->data = (uint16_t)item->start;
    }
    return 0;
}

static int take_types(struct frames *frames, struct type *types, uint32_t count)
{
    int error = 0;
    for (uint32_t i = 0; i < count && !error; i++)
        error = take_type(frames, &types[i]);
    return error;
}

static uint8_t *set_type(uint8_t *to, struct type type)
{
    *to++ = type.tag;
    if (type.tag < TYPE_OBJECT)
        return to;
    set_u2(to, type.data);
    return to + 2;
}

static void put_types(struct canon_buffer *to, const struct type *types, uint32_t count)
{
    uint8_t *start = canon_buffer_reserve(to, 3 * (size_t)count);
    uint8_t *at = start;
    for (uint32_t i = 0; i < count; i++)
        at = set_type(at, types[i]);
    to->used += (size_t)(at - start);
}

static uint32_t type_slots(struct type type)
{
    return type.tag == TYPE_LONG || type.tag == TYPE_DOUBLE ? 2 : 1;
}

/* The type of a value in a frame, from its descriptor; negative: an error. */
static int type_of(struct canon_editor *editor, struct canon_utf8 descriptor, struct type *type)
{
    *type = (struct type){TYPE_INTEGER, 0};
    int index = 0;
    switch (descriptor.text[0]) {
    case 'J':
        type->tag = TYPE_LONG;
        break;
    case 'D':
        type->tag = TYPE_DOUBLE;
        break;
    case 'F':
        type->tag = TYPE_FLOAT;
        break;
    case 'L':
        descriptor.text++;
        descriptor.length -= 2;
        index = canon_editor_class(editor, descriptor);
        break;
    case '[':
        index = canon_editor_class(editor, descriptor);
        break;
    default:
        return 0;
    }
    if (index < 0)
        return index;
    if (index > 0)
        *type = (struct type){TYPE_OBJECT, (uint16_t)index};
    return 0;
}

static int add_local(struct frames *frames, struct type type)
{
    if (frames->local_count >= frames->edit->code.max_locals)
        return CANON_E_FORMAT;
    frames->locals[frames->local_count++] = type;
    return 0;
}

/* The implicit frame at the method's start. */
static int make_initial(struct frames *frames)
{
    const struct canon_member *member = frames->edit->member;
    const struct canon_class *cls = frames->editor->cls;
    frames->has_initial = true;
    int error = 0;
    if (!(member->access & CANON_ACC_STATIC)) {
        struct type receiver = {TYPE_OBJECT, cls->this_index};
        if (canon_utf8_is(member->name, "<init>") && !canon_utf8_is(cls->name, "java/lang/Object"))
            receiver = (struct type){TYPE_UNINITIALIZED_THIS, 0};
        error = add_local(frames, receiver);
    }
    struct canon_utf8 rest = member->descriptor;
    if (rest.length == 0 || rest.text[0] != '(')
        return CANON_E_FORMAT;
    rest.text++;
    rest.length--;
    struct canon_utf8 descriptor;
    int more;
    while (!error && (more = canon_descriptor_next(&rest, &descriptor)) != 0) {
        struct type type;
        error = more < 0 ? more : type_of(frames->editor, descriptor, &type);
        if (!error)
            error = add_local(frames, type);
    }
    return error;
}

static uint32_t next_delta(struct frames *frames, uint32_t offset)
{
    uint32_t delta = (uint32_t)(offset - frames->new_offset - 1);
    frames->new_offset = offset;
    frames->count++;
    return delta;
}

/* A type that many frames name: looked up once a class. */
static int common_type(struct frames *frames, const char *name, int *index, struct type *type)
{
    if (*index == 0)
        *index = canon_editor_class(frames->editor, canon_utf8_from(name));
    *type = (struct type){TYPE_OBJECT, (uint16_t)*index};
    return *index < 0 ? *index : 0;
}

static int kept_type(struct frames *frames, const struct kept_local *local, struct type *type)
{
    if (local->type == 'L')
        return common_type(frames, "java/lang/Object", &frames->editor->object_class, type);
    return type_of(frames->editor, (struct canon_utf8){&local->type, 1}, type);
}

/* `top`s from the end of the frame's own locals on, and the first `kept` fresh locals between them. */
static int put_fresh_locals(struct frames *frames, uint32_t slots, uint32_t kept, uint32_t *count)
{
    for (uint32_t i = 0; i < kept; i++) {
        const struct kept_local *local = &frames->edit->kept[i];
        uint32_t tops = local->local - slots;
        memset(canon_buffer_reserve(frames->to, tops), TYPE_TOP, tops);
        frames->to->used += tops;
        struct type type;
        int error = kept_type(frames, local, &type);
        if (error)
            return error;
        put_types(frames->to, &type, 1);
        *count += tops + 1;
        slots = local->local + canon_type_slots(local->type);
    }
    return 0;
}

static int put_full(struct frames *frames, uint32_t offset, const struct type *locals, uint32_t local_count,
                    uint32_t kept, const struct type *stack, uint32_t stack_count)
{
    put_u1(frames->to, FRAME_FULL);
    put_u2(frames->to, next_delta(frames, offset));
    size_t count_at = frames->to->used;
    put_u2(frames->to, 0);
    put_types(frames->to, locals, local_count);
    uint32_t slots = 0;
    for (uint32_t i = 0; i < local_count; i++)
        slots += type_slots(locals[i]);
    if (slots > frames->edit->code.max_locals)
        return CANON_E_FORMAT;
    uint32_t count = local_count;
    int error = put_fresh_locals(frames, slots, kept, &count);
    if (error)
        return error;
    set_u2(frames->to->data + count_at, count);
    put_u2(frames->to, stack_count);
    put_types(frames->to, stack, stack_count);
    return count > UINT16_MAX ? CANON_E_LIMIT : 0;
}

/* Reads the kind of the next frame and its offset in the old code; leaves the rest to be read. */
static int take_frame_head(struct frames *frames, uint32_t *label)
{
    frames->kind = canon_reader_u8(&frames->old);
    uint32_t delta;
    if (frames->kind < FRAME_SAME_STACK1)
        delta = frames->kind;
    else if (frames->kind < FRAME_RESERVED)
        delta = frames->kind - FRAME_SAME_STACK1;
    else if (frames->kind < FRAME_SAME_STACK1_LONG)
        return CANON_E_FORMAT;
    else
        delta = take_u2(frames);
    if (frames->old.failed)
        return CANON_E_TRUNCATED;
    frames->old_offset += delta + 1;
    if (frames->old_offset >= frames->edit->code.length)
        return CANON_E_FORMAT;
    const struct item *item = item_of_pc(frames->edit, (uint32_t)frames->old_offset);
    if (!item)
        return CANON_E_FORMAT;
    *label = item->label;
    return 0;
}

/* A frame that is the one before with `stack` on it. */
static void put_same(struct frames *frames, uint32_t offset, const struct type *stack, uint32_t stack_count)
{
    uint32_t delta = next_delta(frames, offset);
    uint32_t short_kind = stack_count ? FRAME_SAME_STACK1 : 0;
    if (delta < 64) {
        put_u1(frames->to, short_kind + delta);
    } else {
        put_u1(frames->to, stack_count ? FRAME_SAME_STACK1_LONG : FRAME_SAME_LONG);
        put_u2(frames->to, delta);
    }
    put_types(frames->to, stack, stack_count);
}

/* Applies what the frame says about locals, and reads its stack. Sets `changed` when locals differ from
 * those of the frame before. */
static int take_frame_rest(struct frames *frames, bool *changed)
{
    uint8_t kind = frames->kind;
    uint32_t more_locals = 0;
    int error = 0;
    frames->stack_count = 0;
    *changed = kind >= FRAME_CHOP && kind != FRAME_SAME_LONG;
    if (kind == FRAME_FULL) {
        frames->has_initial = true;
        frames->local_count = 0;
        more_locals = take_u2(frames);
    } else if (!frames->has_initial) {
        error = make_initial(frames);
    }
    if (kind >= FRAME_CHOP && kind < FRAME_SAME_LONG) {
        uint32_t chopped = FRAME_SAME_LONG - kind;
        if (chopped > frames->local_count)
            return CANON_E_FORMAT;
        frames->local_count -= chopped;
    } else if (kind >= FRAME_APPEND && kind < FRAME_FULL) {
        more_locals = kind - FRAME_SAME_LONG;
    }
    if (!error && more_locals > frames->edit->code.max_locals - frames->local_count)
        error = CANON_E_FORMAT;
    if (!error)
        error = take_types(frames, frames->locals + frames->local_count, more_locals);
    if (error)
        return error;
    frames->local_count += more_locals;
    if (kind == FRAME_FULL)
        frames->stack_count = take_u2(frames);
    else if ((kind >= FRAME_SAME_STACK1 && kind < FRAME_RESERVED) || kind == FRAME_SAME_STACK1_LONG)
        frames->stack_count = 1;
    if (frames->stack_count > frames->edit->code.max_stack)
        return CANON_E_FORMAT;
    return take_types(frames, frames->stack, frames->stack_count);
}

static int expand_frame(struct frames *frames, uint32_t offset)
{
    bool changed;
    int error = take_frame_rest(frames, &changed);
    if (error)
        return error;
    if (changed || frames->must_be_full) {
        frames->must_be_full = false;
        return put_full(frames, offset, frames->locals, frames->local_count, frames->edit->kept_count,
                        frames->stack, frames->stack_count);
    }
    put_same(frames, offset, frames->stack, frames->stack_count);
    return 0;
}

/* Passes `count` types on. */
static int copy_types(struct frames *frames, uint32_t count)
{
    int error = 0;
    for (uint32_t i = 0; i < count && !error; i++) {
        struct type type;
        error = take_type(frames, &type);
        if (!error)
            put_types(frames->to, &type, 1);
    }
    return error;
}

static int copy_full(struct frames *frames)
{
    int error = 0;
    for (int part = 0; part < 2 && !error; part++) { /* locals, then stack */
        uint32_t count = take_u2(frames);
        put_u2(frames->to, count);
        error = copy_types(frames, count);
    }
    return error;
}

static int copy_frame(struct frames *frames, uint32_t offset)
{
    uint8_t kind = frames->kind;
    if (kind < FRAME_SAME_STACK1 || kind == FRAME_SAME_LONG) {
        put_same(frames, offset, NULL, 0);
        return 0;
    }
    if (kind <= FRAME_SAME_STACK1_LONG) {
        struct type type;
        int error = take_type(frames, &type);
        if (!error)
            put_same(frames, offset, &type, 1);
        return error;
    }
    put_u1(frames->to, kind);
    put_u2(frames->to, next_delta(frames, offset));
    if (kind == FRAME_FULL)
        return copy_full(frames);
    return kind < FRAME_SAME_LONG ? 0 : copy_types(frames, kind - FRAME_SAME_LONG);
}

static void start_reading(struct frames *frames, const struct canon_attribute *old)
{
    frames->old = canon_reader_over(old->data, old->length);
    take_u2(frames); /* the count; the caller knows it */
    frames->old_offset = -1;
    frames->has_initial = false;
    frames->local_count = 0;
}

/* Puts the frame of an item at another offset, too: that of an island is that of its target, that of a copied
 * handler that of the handler. Both are rare, so the table is simply read again from its start. */
static int put_copy(struct frames *frames, const struct canon_attribute *old, uint32_t item, uint32_t offset)
{
    struct frames reading = *frames;
    struct canon_editor *editor = frames->editor;
    reading.locals = canon_arena_take(&editor->arena, frames->edit->code.max_locals * sizeof(struct type));
    start_reading(&reading, old);
    uint32_t wanted = frames->edit->items[item].label;
    for (uint32_t label = UINT32_MAX; label != wanted;) {
        bool changed;
        int error = take_frame_head(&reading, &label);
        if (!error)
            error = take_frame_rest(&reading, &changed);
        if (error)
            return error;
    }
    frames->must_be_full = true;
    return put_full(frames, offset, reading.locals, reading.local_count, frames->edit->kept_count,
                    reading.stack, reading.stack_count);
}

static int put_islands_before(struct frames *frames, const struct canon_attribute *old, uint32_t offset)
{
    const struct method_edit *edit = frames->edit;
    int error = 0;
    for (; !error && frames->island < edit->island_count; frames->island++) {
        const struct island *island = &edit->islands[frames->island];
        if (island->offset >= offset)
            break;
        error = put_copy(frames, old, island->target, island->offset);
    }
    return error;
}

static int put_body_frames(struct frames *frames, const struct canon_attribute *old)
{
    if (old->length < 2)
        return CANON_E_TRUNCATED;
    uint32_t count = get_u2(old->data);
    start_reading(frames, old);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t label;
        int error = take_frame_head(frames, &label);
        if (!error)
            error = put_islands_before(frames, old, label);
        if (!error)
            error = frames->expanded ? expand_frame(frames, label) : copy_frame(frames, label);
        if (error)
            return error;
    }
    if (frames->old.failed || canon_reader_left(&frames->old))
        return CANON_E_FORMAT;
    int error = put_islands_before(frames, old, UINT32_MAX);
    for (uint32_t i = 0; i < frames->edit->clone_count && !error; i++)
        error = put_copy(frames, old, frames->edit->clones[i].first, frames->edit->clones[i].offset);
    return error;
}

static int put_handler_frame(struct frames *frames, uint32_t offset, uint32_t kept)
{
    struct type thrown;
    int error = common_type(frames, "java/lang/Throwable", &frames->editor->throwable_class, &thrown);
    return error ? error : put_full(frames, offset, NULL, 0, kept, &thrown, 1);
}

static int put_handler_frames(struct frames *frames)
{
    int error = 0;
    for (uint32_t i = frames->edit->wrap_count; i-- > 0 && !error;) {
        const struct wrap *wrap = &frames->edit->wraps[i];
        error = put_handler_frame(frames, wrap->handler, wrap->kept_count);
        if (!error && wrap->release.length)
            error = put_handler_frame(frames, wrap->release_handler, wrap->kept_count);
    }
    return error;
}

int canon_frames_write(struct canon_editor *editor, struct method_edit *edit,
                       const struct canon_attribute *old, struct canon_buffer *to)
{
    struct frames frames = {.editor = editor, .edit = edit, .to = to, .new_offset = -1};
    frames.expanded = edit->kept_count || edit->island_count;
    frames.must_be_full = edit->kept_count > 0;
    if (frames.expanded || edit->clone_count) {
        frames.locals = canon_arena_take(&editor->arena, edit->code.max_locals * sizeof(struct type));
        frames.stack = canon_arena_take(&editor->arena, edit->code.max_stack * sizeof(struct type));
    }
    size_t count_at = to->used;
    put_u2(to, 0);
    int error = old ? put_body_frames(&frames, old) : 0;
    if (!error)
        error = put_handler_frames(&frames);
    if (error)
        return error;
    if (frames.count > UINT16_MAX)
        return CANON_E_LIMIT;
    set_u2(to->data + count_at, frames.count);
    return frames.count > 0;
}
