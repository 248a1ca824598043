/* layout.c: new offsets for a method's instructions, and its new code. See editor_internal.h. */
#include "classfile/editor_internal.h"

#include "base/assert.h"
#include "base/error.h"
#include "classfile/bytes.h"

enum { CODE_MAX = 65535, REACH_FORWARD = 32767, REACH_BACK = 32768, ISLAND_REACH = 30000, ISLAND_MAX = 4096 };

static const struct item *target_of(const struct method_edit *edit, const struct item *item, int32_t offset)
{
    return &edit->items[edit->item_at[item->pc + (uint32_t)offset] - 1];
}

static uint32_t original_length(const struct method_edit *edit, uint32_t number)
{
    return edit->items[number + 1].pc - edit->items[number].pc;
}

static uint32_t switch_padding(uint32_t pc)
{
    return 3 - (pc & 3);
}

/* Bytes of the instruction itself, or of what replaces it, when it starts at `at`. */
static uint32_t new_length(const struct method_edit *edit, uint32_t number, uint32_t at)
{
    const struct item *item = &edit->items[number];
    uint32_t length = original_length(edit, number);
    if (canon_opcode_kind(item->opcode) == CANON_KIND_SWITCH)
        return length - switch_padding(item->pc) + switch_padding(at);
    return item->widened ? length + 2 : length;
}

/* Gives every item its offsets, as far as lengths are known now. */
static void place_items(struct method_edit *edit)
{
    uint32_t at = edit->prologue_length;
    uint32_t island = 0;
    bool reached = true; /* by the instruction before */
    for (uint32_t i = 0; i < edit->item_count; i++) {
        struct item *item = &edit->items[i];
        uint32_t lengths[PLACE_COUNT] = {0};
        add_insert_lengths(item->first, lengths);
        if (reached)
            at += lengths[CANON_PLACE_FALLTHROUGH];
        item->label = at;
        at += lengths[CANON_PLACE_BEFORE];
        if (item_is_return(item))
            at += edit->exit_length;
        item->start = at;
        at += item->replaced ? lengths[PLACE_REPLACE] : new_length(edit, i, at);
        item->end = at;
        at += lengths[CANON_PLACE_AFTER];
        for (; island < edit->island_count && edit->islands[island].after == i; island++) {
            edit->islands[island].offset = at;
            at += ISLAND_LENGTH;
        }
        reached = item_falls_through(item);
    }
    struct item *end = &edit->items[edit->item_count];
    end->label = end->start = end->end = at;
    edit->body_end = at;
}

static bool reaches(uint32_t from, uint32_t to)
{
    int64_t distance = (int64_t)to - from;
    return distance >= -REACH_BACK && distance <= REACH_FORWARD;
}

static bool island_in_reach(const struct item *item, uint32_t offset)
{
    int64_t distance = (int64_t)offset - item->start;
    return distance >= -ISLAND_REACH && distance <= ISLAND_REACH;
}

/* An island there is for the target, near the item: its number, or -1. */
static int find_island(const struct method_edit *edit, const struct item *item, uint32_t target)
{
    for (uint32_t i = 0; i < edit->island_count; i++)
        if (edit->islands[i].target == target && island_in_reach(item, edit->islands[i].offset))
            return (int)i;
    return -1;
}

/* The item to put an island behind: the nearest one that control does not run past. */
static int find_shore(const struct method_edit *edit, uint32_t number)
{
    const struct item *item = &edit->items[number];
    for (uint32_t i = number; i < edit->item_count && island_in_reach(item, edit->items[i].end); i++)
        if (!item_falls_through(&edit->items[i]))
            return (int)i;
    for (uint32_t i = number; i-- > 0 && island_in_reach(item, edit->items[i].end);)
        if (!item_falls_through(&edit->items[i]))
            return (int)i;
    return -1;
}

static int add_island(struct canon_editor *editor, struct method_edit *edit, uint32_t after, uint32_t target)
{
    if (edit->island_count == ISLAND_MAX)
        return CANON_E_LIMIT;
    if (!edit->islands)
        edit->islands = canon_arena_take(&editor->arena, ISLAND_MAX * sizeof *edit->islands);
    uint32_t at = edit->island_count++;
    for (; at > 0 && edit->islands[at - 1].after > after; at--)
        edit->islands[at] = edit->islands[at - 1];
    edit->islands[at] = (struct island){.after = after, .target = target, .offset = edit->items[after].end};
    for (uint32_t i = 0; i < edit->item_count; i++)
        if (edit->items[i].island > at)
            edit->items[i].island++;
    return (int)at;
}

static int use_island(struct canon_editor *editor, struct method_edit *edit, uint32_t number, uint32_t target)
{
    int island = find_island(edit, &edit->items[number], target);
    if (island < 0) {
        int shore = find_shore(edit, number);
        if (shore < 0)
            return CANON_E_LIMIT;
        island = add_island(editor, edit, (uint32_t)shore, target);
        if (island < 0)
            return island;
    }
    edit->items[number].island = (uint32_t)island + 1;
    return 0;
}

/* Looks for short branches that do not reach, and gives them longer forms: 1 when there were any. */
static int lengthen_branches(struct canon_editor *editor, struct method_edit *edit)
{
    int changed = 0;
    for (uint32_t i = 0; i < edit->item_count; i++) {
        struct item *item = &edit->items[i];
        enum canon_op_kind kind = canon_opcode_kind(item->opcode);
        if (item->replaced || item->widened ||
            (kind != CANON_KIND_IF && kind != CANON_KIND_GOTO && kind != CANON_KIND_JSR))
            continue;
        const struct item *target = target_of(edit, item, get_s2(edit->code.bytes + item->pc + 1));
        uint32_t to = item->island ? edit->islands[item->island - 1].offset : target->label;
        if (reaches(item->start, to))
            continue;
        changed = 1;
        if (kind != CANON_KIND_IF) {
            item->widened = true;
            continue;
        }
        if (item->island)
            return CANON_E_LIMIT; /* so much was put in between that even the island is far now */
        int error = use_island(editor, edit, i, (uint32_t)(target - edit->items));
        if (error)
            return error;
    }
    return changed;
}

/* Lengths of prologue and exits, and where each wrap's parts are in them. */
static void place_wraps(struct method_edit *edit)
{
    uint32_t entry = 0;
    for (uint32_t i = 0; i < edit->wrap_count; i++) {
        edit->wraps[i].guard_start = entry + edit->wraps[i].entry_guarded_from;
        entry += edit->wraps[i].entry.length;
    }
    for (const struct insert *insert = edit->entry_first; insert; insert = insert->next)
        entry += insert->piece.length;
    edit->prologue_length = entry;
    uint32_t exit = 0;
    for (uint32_t i = edit->wrap_count; i-- > 0;) {
        edit->wraps[i].exit_offset = exit;
        exit += edit->wraps[i].exit.length;
    }
    edit->exit_length = exit;
}

/* Copies of handlers stand behind the body, then handlers of wraps, the innermost first. */
static void place_handlers(struct method_edit *edit)
{
    uint32_t at = edit->body_end;
    for (uint32_t i = 0; i < edit->clone_count; i++) {
        edit->clones[i].offset = at;
        at += edit->clones[i].length;
    }
    for (uint32_t i = edit->wrap_count; i-- > 0;) {
        struct wrap *wrap = &edit->wraps[i];
        wrap->handler = at;
        at += wrap->exit.length + (wrap->caught.length ? wrap->caught.length : 1); /* athrow */
        wrap->release_handler = at;
        if (wrap->release.length)
            at += wrap->release.length + 1;
    }
    edit->new_length = at;
}

int canon_layout_compute(struct canon_editor *editor, struct method_edit *edit)
{
    place_wraps(edit);
    place_items(edit);
    int changed = edit->body_end > REACH_FORWARD; /* shorter code has no far branches */
    while (changed) {
        if (edit->body_end > CODE_MAX)
            return CANON_E_LIMIT;
        changed = lengthen_branches(editor, edit);
        if (changed < 0)
            return changed;
        place_items(edit);
    }
    canon_clone_find(editor, edit);
    place_handlers(edit);
    return edit->new_length > CODE_MAX ? CANON_E_LIMIT : 0;
}

uint32_t canon_layout_boundary(const struct method_edit *edit, const struct item *item)
{
    return item == edit->items ? edit->prologue_length : item[-1].end;
}

/* Writing. */

static uint8_t *put_piece(uint8_t *to, struct piece piece)
{
    memcpy(to, piece.bytes, piece.length);
    return to + piece.length;
}

static uint8_t *put_inserts(uint8_t *to, const struct insert *insert, uint8_t place)
{
    for (; insert; insert = insert->next)
        if (insert->place == place)
            to = put_piece(to, insert->piece);
    return to;
}

static uint8_t *put_long_goto(uint8_t *to, uint8_t opcode, uint32_t from, uint32_t target)
{
    to[0] = opcode;
    set_u4(to + 1, target - from);
    return to + 5;
}

static uint8_t *put_branch(const struct method_edit *edit, const struct item *item, uint8_t *to)
{
    const uint8_t *at = edit->code.bytes + item->pc;
    enum canon_op_kind kind = canon_opcode_kind(item->opcode);
    bool is_long = kind == CANON_KIND_GOTO_W || kind == CANON_KIND_JSR_W;
    uint32_t label = target_of(edit, item, is_long ? get_s4(at + 1) : get_s2(at + 1))->label;
    if (is_long)
        return put_long_goto(to, item->opcode, item->start, label);
    if (item->widened)
        return put_long_goto(to, kind == CANON_KIND_GOTO ? CANON_OP_GOTO_W : CANON_OP_JSR_W, item->start,
                             label);
    if (item->island)
        label = edit->islands[item->island - 1].offset;
    to[0] = item->opcode;
    set_u2(to + 1, label - item->start);
    return to + 3;
}

static uint8_t *put_switch(const struct method_edit *edit, const struct item *item, uint8_t *to)
{
    const uint8_t *at = edit->code.bytes + item->pc + 1 + switch_padding(item->pc);
    bool table = item->opcode == CANON_OP_TABLESWITCH;
    int32_t count = table ? get_s4(at + 8) - get_s4(at + 4) + 1 : get_s4(at + 4);
    uint32_t padding = switch_padding(item->start);
    *to++ = item->opcode;
    memset(to, 0, padding);
    to += padding;
    set_u4(to, target_of(edit, item, get_s4(at))->label - item->start);
    uint32_t head = table ? 8 : 4; /* low and high, or the number of pairs */
    memcpy(to + 4, at + 4, head);
    to += 4 + head;
    at += 4 + head;
    for (int32_t i = 0; i < count; i++) {
        if (!table) {
            memcpy(to, at, 4); /* the value */
            to += 4;
            at += 4;
        }
        set_u4(to, target_of(edit, item, get_s4(at))->label - item->start);
        to += 4;
        at += 4;
    }
    return to;
}

static uint8_t *put_instruction(const struct method_edit *edit, uint32_t number, uint8_t *to)
{
    const struct item *item = &edit->items[number];
    if (item->replaced)
        return put_inserts(to, item->first, PLACE_REPLACE);
    switch (canon_opcode_kind(item->opcode)) {
    case CANON_KIND_IF:
    case CANON_KIND_GOTO:
    case CANON_KIND_JSR:
    case CANON_KIND_GOTO_W:
    case CANON_KIND_JSR_W:
        return put_branch(edit, item, to);
    case CANON_KIND_SWITCH:
        return put_switch(edit, item, to);
    default:
        return put_piece(to, (struct piece){edit->code.bytes + item->pc, original_length(edit, number)});
    }
}

static uint8_t *put_exits(const struct method_edit *edit, uint8_t *to)
{
    for (uint32_t i = edit->wrap_count; i-- > 0;)
        to = put_piece(to, edit->wraps[i].exit);
    return to;
}

static uint8_t *put_body(const struct method_edit *edit, uint8_t *to)
{
    uint32_t island = 0;
    bool reached = true;
    for (uint32_t i = 0; i < edit->item_count; i++) {
        const struct item *item = &edit->items[i];
        if (reached)
            to = put_inserts(to, item->first, CANON_PLACE_FALLTHROUGH);
        to = put_inserts(to, item->first, CANON_PLACE_BEFORE);
        if (item_is_return(item))
            to = put_exits(edit, to);
        to = put_instruction(edit, i, to);
        to = put_inserts(to, item->first, CANON_PLACE_AFTER);
        for (; island < edit->island_count && edit->islands[island].after == i; island++) {
            const struct island *here = &edit->islands[island];
            to = put_long_goto(to, CANON_OP_GOTO_W, here->offset, edit->items[here->target].label);
        }
        reached = item_falls_through(item);
    }
    return to;
}

void canon_layout_emit(const struct method_edit *edit, uint8_t *to)
{
    uint8_t *start = to;
    for (uint32_t i = 0; i < edit->wrap_count; i++)
        to = put_piece(to, edit->wraps[i].entry);
    to = put_inserts(to, edit->entry_first, CANON_PLACE_BEFORE);
    to = put_body(edit, to);
    for (uint32_t i = 0; i < edit->clone_count; i++)
        to = canon_clone_emit(edit, &edit->clones[i], to);
    for (uint32_t i = edit->wrap_count; i-- > 0;) {
        const struct wrap *wrap = &edit->wraps[i];
        to = put_piece(to, wrap->exit);
        if (wrap->caught.length)
            to = put_piece(to, wrap->caught);
        else
            *to++ = CANON_OP_ATHROW;
        if (wrap->release.length) {
            to = put_piece(to, wrap->release);
            *to++ = CANON_OP_ATHROW;
        }
    }
    canon_assert((uint32_t)(to - start) == edit->new_length);
}
