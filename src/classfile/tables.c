/*
 * tables.c: the exception table and the attributes of a method whose code moved.
 *
 * Adding support for an attribute that holds code offsets is a row in ATTRIBUTES and a function.
 */
#include "classfile/editor_internal.h"

#include "base/error.h"
#include "classfile/annotations.h"
#include "classfile/bytes.h"

/* Code that original handlers must not cover: exit code of wraps with the return it belongs to, islands. */
struct gap {
    uint32_t start;
    uint32_t end;
};

struct exception_writer {
    struct canon_buffer *to;
    uint32_t count;
    struct gap *gaps;
    uint32_t gap_count;
};

static int put_range(struct exception_writer *writer, uint32_t start, uint32_t end, uint32_t handler,
                     uint32_t catch_type)
{
    if (start >= end)
        return 0;
    if (++writer->count > UINT16_MAX)
        return CANON_E_LIMIT;
    uint8_t *row = canon_buffer_reserve(writer->to, 8);
    set_u2(row, start);
    set_u2(row + 2, end);
    set_u2(row + 4, handler);
    set_u2(row + 6, catch_type);
    writer->to->used += 8;
    return 0;
}

static void find_gaps(struct canon_editor *editor, const struct method_edit *edit,
                      struct exception_writer *writer)
{
    if (edit->exit_length == 0 && edit->island_count == 0)
        return;
    uint32_t count = edit->island_count;
    for (uint32_t i = 0; i < edit->item_count; i++)
        count += item_is_return(&edit->items[i]);
    writer->gaps = canon_arena_take(&editor->arena, count * sizeof *writer->gaps);
    uint32_t island = 0;
    for (uint32_t i = 0; i < edit->item_count; i++) {
        const struct item *item = &edit->items[i];
        if (item_is_return(item) && edit->exit_length)
            writer->gaps[writer->gap_count++] = (struct gap){item->start - edit->exit_length, item->end};
        for (; island < edit->island_count && edit->islands[island].after == i; island++) {
            uint32_t offset = edit->islands[island].offset;
            writer->gaps[writer->gap_count++] = (struct gap){offset, offset + ISLAND_LENGTH};
        }
    }
}

/* The first gap that ends behind `offset`. */
static uint32_t first_gap_after(const struct exception_writer *writer, uint32_t offset)
{
    uint32_t low = 0, high = writer->gap_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (writer->gaps[middle].end <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A range without the gaps in it. */
static int put_range_around_gaps(struct exception_writer *writer, uint32_t start, uint32_t end,
                                 uint32_t handler, uint32_t catch_type)
{
    uint32_t gap = first_gap_after(writer, start);
    for (; gap < writer->gap_count && writer->gaps[gap].start < end; gap++) {
        int error = put_range(writer, start, writer->gaps[gap].start, handler, catch_type);
        if (error)
            return error;
        start = writer->gaps[gap].end;
    }
    return put_range(writer, start, end, handler, catch_type);
}

static uint32_t lower(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t higher(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static int put_original_range(const struct method_edit *edit, struct exception_writer *writer,
                              const uint8_t *row)
{
    uint32_t start = canon_layout_boundary(edit, item_of_pc(edit, get_u2(row)));
    uint32_t end = canon_layout_boundary(edit, item_of_pc(edit, get_u2(row + 2)));
    const struct item *handler = item_of_pc(edit, get_u2(row + 4));
    uint32_t catch_type = get_u2(row + 6);
    const struct clone *clone = canon_clone_of(edit, handler);
    if (!clone)
        return put_range_around_gaps(writer, start, end, handler->label, catch_type);
    /* What the handler covers of itself goes to its copy. */
    uint32_t own_start = canon_layout_boundary(edit, handler);
    uint32_t own_end = edit->items[clone->last].end;
    int error = put_range_around_gaps(writer, start, lower(end, own_start), handler->label, catch_type);
    if (!error)
        error = put_range_around_gaps(writer, higher(start, own_start), lower(end, own_end), clone->offset,
                                      catch_type);
    if (!error)
        error = put_range_around_gaps(writer, higher(start, own_end), end, handler->label, catch_type);
    return error;
}

/* A copy of a handler is covered as the handler is in the original. */
static int put_clone_ranges(const struct method_edit *edit, struct exception_writer *writer,
                            const struct clone *clone)
{
    for (uint32_t i = 0; i < edit->code.exception_count; i++) {
        const uint8_t *row = edit->code.exceptions + 8 * i;
        uint32_t start = higher(edit->item_at[get_u2(row)] - 1, clone->first);
        uint32_t end = lower(edit->item_at[get_u2(row + 2)] - 1, clone->last + 1);
        if (start >= end)
            continue;
        const struct item *handler = item_of_pc(edit, get_u2(row + 4));
        bool itself = handler == &edit->items[clone->first];
        int error = put_range(writer, canon_clone_boundary(edit, clone, start),
                              canon_clone_boundary(edit, clone, end), itself ? clone->offset : handler->label,
                              get_u2(row + 6));
        if (error)
            return error;
    }
    return 0;
}

/* The try of one wrap: everything from its entry to its handler, but for its exit code. */
static int put_wrap_ranges(const struct method_edit *edit, struct exception_writer *writer,
                           const struct wrap *wrap)
{
    uint32_t start = wrap->guard_start;
    int error = 0;
    for (uint32_t i = 0; i < edit->item_count && !error; i++) {
        const struct item *item = &edit->items[i];
        if (!item_is_return(item))
            continue;
        uint32_t exit = item->start - edit->exit_length + wrap->exit_offset;
        error = put_range(writer, start, exit, wrap->handler, 0);
        if (!error)
            error = put_range(writer, exit, exit + wrap->exit_guarded, wrap->release_handler, 0);
        start = item->end;
    }
    if (!error)
        error = put_range(writer, start, wrap->handler, wrap->handler, 0);
    if (!error)
        error =
            put_range(writer, wrap->handler, wrap->handler + wrap->exit_guarded, wrap->release_handler, 0);
    if (!error) /* as javac does it: what covers a monitorexit in a handler is the handler itself */
        error = put_range(writer, wrap->release_handler, wrap->release_handler + wrap->release.length,
                          wrap->release_handler, 0);
    return error;
}

/* Fills `first_row`: old row -> first of the new ones. */
static int write_exceptions(struct canon_editor *editor, const struct method_edit *edit,
                            struct canon_buffer *to, uint16_t *first_row)
{
    struct exception_writer writer = {.to = to};
    find_gaps(editor, edit, &writer);
    size_t count_at = to->used;
    put_u2(to, 0);
    for (uint32_t i = 0; i < edit->code.exception_count; i++) {
        first_row[i] = (uint16_t)writer.count;
        int error = put_original_range(edit, &writer, edit->code.exceptions + 8 * i);
        if (error)
            return error;
    }
    for (uint32_t i = 0; i < edit->clone_count; i++) {
        int error = put_clone_ranges(edit, &writer, &edit->clones[i]);
        if (error)
            return error;
    }
    for (uint32_t i = edit->wrap_count; i-- > 0;) {
        int error = put_wrap_ranges(edit, &writer, &edit->wraps[i]);
        if (error)
            return error;
    }
    set_u2(to->data + count_at, writer.count);
    return 0;
}

/* Attributes. */

struct table_context {
    struct canon_editor *editor;
    struct method_edit *edit;
    const uint16_t *first_row;
    bool wrote_frames;
};

/* The new label of a pc in a debug table. The JVM does not demand that those point at the start of
 * instructions, so take the instruction that the pc is in. The start stays the start: what was put
 * there counts as the first line. False: out of the code. */
static bool map_debug_pc(const struct method_edit *edit, uint32_t pc, uint32_t *label)
{
    if (pc > edit->code.length)
        return false;
    if (pc == 0) {
        *label = 0;
        return true;
    }
    uint32_t low = 0, high = edit->item_count;
    if (edit->item_at[pc]) {
        low = edit->item_at[pc] - 1;
    } else {
        while (high - low > 1) {
            uint32_t middle = (low + high) / 2;
            if (edit->items[middle].pc <= pc)
                low = middle;
            else
                high = middle;
        }
    }
    *label = edit->items[low].label;
    return true;
}

static int write_line_numbers(struct table_context *context, const struct canon_attribute *old,
                              struct canon_buffer *to)
{
    uint32_t count = old->length < 2 ? 0 : get_u2(old->data);
    if (old->length != 2 + 4 * count)
        return CANON_E_FORMAT;
    uint8_t *row = canon_buffer_reserve(to, old->length);
    memcpy(row, old->data, old->length);
    to->used += old->length;
    row += 2;
    for (uint32_t i = 0; i < count; i++, row += 4) {
        uint32_t label;
        if (!map_debug_pc(context->edit, get_u2(row), &label))
            return CANON_E_FORMAT;
        set_u2(row, label);
    }
    return 1;
}

static int write_local_variables(struct table_context *context, const struct canon_attribute *old,
                                 struct canon_buffer *to)
{
    uint32_t count = old->length < 2 ? 0 : get_u2(old->data);
    if (old->length != 2 + 10 * count)
        return CANON_E_FORMAT;
    uint8_t *row = canon_buffer_reserve(to, old->length);
    memcpy(row, old->data, old->length);
    to->used += old->length;
    row += 2;
    for (uint32_t i = 0; i < count; i++, row += 10) {
        uint32_t start, end;
        if (!map_debug_pc(context->edit, get_u2(row), &start) ||
            !map_debug_pc(context->edit, (uint32_t)get_u2(row) + get_u2(row + 2), &end))
            return CANON_E_FORMAT;
        set_u2(row, start);
        set_u2(row + 2, end - start);
    }
    return 1;
}

static int write_frames(struct table_context *context, const struct canon_attribute *old,
                        struct canon_buffer *to)
{
    if (context->editor->cls->major < 50)
        return 0; /* the JVM does not look at them there */
    if (context->wrote_frames)
        return CANON_E_FORMAT;
    context->wrote_frames = true;
    return canon_frames_write(context->editor, context->edit, old, to);
}

static int write_type_annotations(struct table_context *context, const struct canon_attribute *old,
                                  struct canon_buffer *to)
{
    return canon_annotations_write(context->edit, old, context->first_row, to);
}

static int drop(struct table_context *context, const struct canon_attribute *old, struct canon_buffer *to)
{
    (void)context, (void)old, (void)to;
    return 0;
}

/* `write` puts the attribute's new contents: 1, or 0 to leave the attribute out, or an error. */
static const struct {
    const char *name;
    int (*write)(struct table_context *context, const struct canon_attribute *old, struct canon_buffer *to);
} ATTRIBUTES[] = {
    {"LineNumberTable", write_line_numbers},
    {"LocalVariableTable", write_local_variables},
    {"LocalVariableTypeTable", write_local_variables},
    {"StackMapTable", write_frames},
    {"RuntimeVisibleTypeAnnotations", write_type_annotations},
    {"RuntimeInvisibleTypeAnnotations", write_type_annotations},
    {"StackMap", drop},            /* of Java ME */
    {"CharacterRangeTable", drop}, /* source columns, written by javac -Xjcov */
};

static int copy(const struct canon_attribute *old, struct canon_buffer *to)
{
    canon_buffer_put(to, old->data, old->length);
    return 1;
}

static int write_contents(struct table_context *context, const struct canon_attribute *old,
                          struct canon_buffer *to)
{
    for (size_t i = 0; i < sizeof ATTRIBUTES / sizeof ATTRIBUTES[0]; i++)
        if (canon_utf8_is(old->name, ATTRIBUTES[i].name))
            return ATTRIBUTES[i].write(context, old, to);
    return copy(old, to);
}

/* Puts one attribute, header included: 1, 0 when it was left out, or an error. */
static int write_attribute(struct table_context *context, const struct canon_attribute *old,
                           struct canon_buffer *to)
{
    size_t start = to->used;
    canon_buffer_put(to, old->start, 6);
    int wrote = write_contents(context, old, to);
    if (wrote <= 0) {
        to->used = start;
        return wrote;
    }
    set_u4(to->data + start + 2, (uint32_t)(to->used - start - 6));
    return 1;
}

/* Wraps need frames for their handlers; a method that had none gets a table. */
static int add_frames(struct table_context *context, struct canon_buffer *to)
{
    if (context->wrote_frames || context->editor->cls->major < 50 || !context->edit->wrap_count)
        return 0;
    int name = canon_editor_utf8(context->editor, canon_utf8_from("StackMapTable"));
    if (name < 0)
        return name;
    put_u2(to, (uint32_t)name);
    size_t length_at = to->used;
    put_u4(to, 0);
    int wrote = canon_frames_write(context->editor, context->edit, NULL, to);
    if (wrote > 0)
        set_u4(to->data + length_at, (uint32_t)(to->used - length_at - 4));
    return wrote;
}

int canon_tables_write(struct canon_editor *editor, struct method_edit *edit, struct canon_buffer *to)
{
    uint16_t *first_row = canon_arena_take(&editor->arena, edit->code.exception_count * sizeof *first_row);
    int error = write_exceptions(editor, edit, to, first_row);
    if (error)
        return error;
    struct table_context context = {.editor = editor, .edit = edit, .first_row = first_row};
    struct canon_attributes attributes = edit->code.attributes;
    struct canon_attribute attribute;
    size_t count_at = to->used;
    uint32_t count = 0;
    put_u2(to, 0);
    int more;
    while ((more = canon_attributes_next(editor->cls, &attributes, &attribute)) > 0) {
        int wrote = write_attribute(&context, &attribute, to);
        if (wrote < 0)
            return wrote;
        count += (uint32_t)wrote;
    }
    if (more < 0)
        return more;
    if (attributes.at != attributes.end)
        return CANON_E_FORMAT;
    int added = add_frames(&context, to);
    if (added < 0)
        return added;
    count += (uint32_t)added;
    set_u2(to->data + count_at, count);
    return count > UINT16_MAX ? CANON_E_LIMIT : 0;
}
