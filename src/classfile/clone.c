/* clone.c: copies of handlers that release monitors. See struct clone in editor_internal.h. */
#include "classfile/editor_internal.h"

#include "classfile/bytes.h"

static uint32_t item_length(const struct method_edit *edit, uint32_t number)
{
    return edit->items[number + 1].pc - edit->items[number].pc;
}

/* A handler up to its athrow, if it is straight-line code; sets `last`. */
static bool find_last(const struct method_edit *edit, struct clone *clone)
{
    for (uint32_t i = clone->first; i < edit->item_count; i++) {
        const struct item *item = &edit->items[i];
        enum canon_op_kind kind = canon_opcode_kind(item->opcode);
        clone->last = i;
        if (kind == CANON_KIND_THROW && !item->replaced)
            return true;
        if (kind >= CANON_KIND_IF && !item->replaced)
            return false;
    }
    return false;
}

/* Something was inserted where the handler covers itself, and it does release a monitor there. */
static bool is_needed(const struct method_edit *edit, const struct clone *clone)
{
    bool inserted = false, releases = false;
    for (uint32_t i = clone->first; i < clone->guarded_end; i++) {
        inserted |= edit->items[i].first != NULL;
        releases |= edit->items[i].opcode == CANON_OP_MONITOREXIT && !edit->items[i].replaced;
    }
    return inserted && releases;
}

static void inserted_lengths(const struct method_edit *edit, const struct clone *clone, uint32_t number,
                             uint32_t lengths[PLACE_COUNT])
{
    const struct item *item = &edit->items[number];
    add_insert_lengths(item->first, lengths);
    if (number < clone->guarded_end)
        lengths[CANON_PLACE_FALLTHROUGH] = lengths[CANON_PLACE_BEFORE] = lengths[CANON_PLACE_AFTER] = 0;
    if (!item->replaced)
        lengths[PLACE_REPLACE] = item_length(edit, number);
}

uint32_t canon_clone_boundary(const struct method_edit *edit, const struct clone *clone, uint32_t number)
{
    uint32_t at = clone->offset;
    uint32_t after = 0; /* what was put AFTER an item is on the far side of the boundary */
    for (uint32_t i = clone->first; i < number; i++) {
        uint32_t lengths[PLACE_COUNT] = {0};
        inserted_lengths(edit, clone, i, lengths);
        at += after + lengths[CANON_PLACE_FALLTHROUGH] + lengths[CANON_PLACE_BEFORE] + lengths[PLACE_REPLACE];
        after = lengths[CANON_PLACE_AFTER];
    }
    return at;
}

void canon_clone_find(struct canon_editor *editor, struct method_edit *edit)
{
    for (uint32_t i = 0; i < edit->code.exception_count; i++) {
        const uint8_t *row = edit->code.exceptions + 8 * i;
        uint32_t start = get_u2(row), end = get_u2(row + 2), handler = get_u2(row + 4);
        if (handler < start || handler >= end || canon_clone_of(edit, item_of_pc(edit, handler)))
            continue;
        struct clone clone = {.first = edit->item_at[handler] - 1, .guarded_end = edit->item_at[end] - 1};
        if (!find_last(edit, &clone))
            continue;
        if (clone.guarded_end > clone.last)
            clone.guarded_end = clone.last;
        if (!is_needed(edit, &clone))
            continue;
        if (!edit->clones)
            edit->clones =
                canon_arena_take(&editor->arena, edit->code.exception_count * sizeof *edit->clones);
        clone.length = canon_clone_boundary(edit, &clone, clone.last + 1);
        edit->clones[edit->clone_count++] = clone;
    }
}

const struct clone *canon_clone_of(const struct method_edit *edit, const struct item *handler)
{
    for (uint32_t i = 0; i < edit->clone_count; i++)
        if (&edit->items[edit->clones[i].first] == handler)
            return &edit->clones[i];
    return NULL;
}

static uint8_t *put(uint8_t *to, const uint8_t *bytes, uint32_t length)
{
    memcpy(to, bytes, length);
    return to + length;
}

static uint8_t *put_inserts(uint8_t *to, const struct item *item, uint8_t place)
{
    for (const struct insert *insert = item->first; insert; insert = insert->next)
        if (insert->place == place)
            to = put(to, insert->piece.bytes, insert->piece.length);
    return to;
}

uint8_t *canon_clone_emit(const struct method_edit *edit, const struct clone *clone, uint8_t *to)
{
    for (uint32_t i = clone->first; i <= clone->last; i++) {
        const struct item *item = &edit->items[i];
        bool bare = i < clone->guarded_end;
        if (!bare) {
            to = put_inserts(to, item, CANON_PLACE_FALLTHROUGH);
            to = put_inserts(to, item, CANON_PLACE_BEFORE);
        }
        if (item->replaced)
            to = put_inserts(to, item, PLACE_REPLACE);
        else
            to = put(to, edit->code.bytes + item->pc, item_length(edit, i));
        if (!bare)
            to = put_inserts(to, item, CANON_PLACE_AFTER);
    }
    return to;
}
