/* method.c: collecting the edits of one method, and writing it. See editor.h. */
#include "classfile/editor_internal.h"

#include "base/error.h"
#include "classfile/bytes.h"

/* The method's edits, made when there are none yet. */
static struct method_edit *edit_of(struct canon_editor *editor, uint16_t method)
{
    if (method >= editor->cls->method_count)
        return NULL;
    struct method_edit *edit = editor->methods[method];
    if (!edit) {
        edit = canon_arena_take_zeroed(&editor->arena, sizeof *edit);
        edit->member = &editor->cls->methods[method];
        edit->number = method;
        edit->access = edit->member->access;
        editor->methods[method] = edit;
    }
    return edit;
}

static bool is_target(const struct method_edit *edit, int64_t pc)
{
    return pc >= 0 && pc < edit->code.length && edit->item_at[pc];
}

static bool switch_targets_ok(const struct method_edit *edit, uint32_t pc)
{
    const uint8_t *at = edit->code.bytes + ((pc + 4) & ~3u);
    bool table = edit->code.bytes[pc] == CANON_OP_TABLESWITCH;
    int32_t count = table ? get_s4(at + 8) - get_s4(at + 4) + 1 : get_s4(at + 4);
    if (!is_target(edit, (int64_t)pc + get_s4(at)))
        return false;
    at += 12; /* the first offset; in a lookupswitch, that of the first pair */
    for (int32_t i = 0; i < count; i++, at += table ? 4 : 8)
        if (!is_target(edit, (int64_t)pc + get_s4(at)))
            return false;
    return true;
}

static bool targets_ok(const struct method_edit *edit, const struct item *item)
{
    const uint8_t *at = edit->code.bytes + item->pc;
    switch (canon_opcode_kind(item->opcode)) {
    case CANON_KIND_IF:
    case CANON_KIND_GOTO:
    case CANON_KIND_JSR:
        return is_target(edit, (int64_t)item->pc + get_s2(at + 1));
    case CANON_KIND_GOTO_W:
    case CANON_KIND_JSR_W:
        return is_target(edit, (int64_t)item->pc + get_s4(at + 1));
    case CANON_KIND_SWITCH:
        return switch_targets_ok(edit, item->pc);
    default:
        return true;
    }
}

static bool exceptions_ok(const struct method_edit *edit)
{
    for (uint32_t i = 0; i < edit->code.exception_count; i++) {
        const uint8_t *row = edit->code.exceptions + 8 * i;
        uint32_t start = get_u2(row), end = get_u2(row + 2), handler = get_u2(row + 4);
        if (start >= end || end > edit->code.length || !edit->item_at[start] || !edit->item_at[end] ||
            !is_target(edit, handler))
            return false;
    }
    return true;
}

/* Makes the items. All instructions, branch targets and exception ranges are checked here, so that the
 * files that write the method need not. */
static int open_items(struct canon_editor *editor, struct method_edit *edit)
{
    int has = canon_code_open(editor->cls, edit->member, &edit->code);
    if (has <= 0)
        return has ? has : CANON_E_UNSUPPORTED;
    uint32_t length = edit->code.length;
    edit->item_at = canon_arena_take_zeroed(&editor->arena, (length + 1) * sizeof *edit->item_at);
    struct canon_insn insn = {0};
    uint32_t count = 0;
    int more;
    while ((more = canon_code_next(&edit->code, &insn)) > 0)
        edit->item_at[insn.pc] = ++count;
    if (more < 0)
        return more;
    edit->item_at[length] = count + 1;
    edit->item_count = count;
    edit->items = canon_arena_take_zeroed(&editor->arena, (count + 1) * sizeof *edit->items);
    edit->items[count].pc = length;
    for (uint32_t pc = 0, i = 0; pc < length; pc++) {
        if (!edit->item_at[pc])
            continue;
        edit->items[i].pc = pc;
        edit->items[i].opcode = edit->code.bytes[pc];
        if (!targets_ok(edit, &edit->items[i++]))
            return CANON_E_FORMAT;
    }
    if (!exceptions_ok(edit))
        return CANON_E_FORMAT;
    edit->max_locals = edit->code.max_locals;
    edit->has_items = true;
    return 0;
}

/* The method's edits, ready for edits of its code. */
static int code_edit_of(struct canon_editor *editor, uint16_t method, struct method_edit **result)
{
    struct method_edit *edit = edit_of(editor, method);
    if (!edit)
        return CANON_E_INVALID;
    *result = edit;
    return edit->has_items ? 0 : open_items(editor, edit);
}

/* Keeps a copy of a snippet, and counts its stack. */
static int keep(struct canon_editor *editor, struct method_edit *edit, const struct canon_snippet *snippet,
                struct piece *piece)
{
    if (snippet->error)
        return snippet->error;
    uint8_t *bytes = canon_arena_take(&editor->arena, snippet->length);
    memcpy(bytes, snippet->bytes, snippet->length);
    *piece = (struct piece){bytes, snippet->length};
    if ((uint32_t)snippet->max_depth > edit->extra_stack)
        edit->extra_stack = (uint32_t)snippet->max_depth;
    edit->code_changed = true;
    editor->any_method = true;
    return 0;
}

static void add_insert(struct canon_editor *editor, struct insert **first, struct insert **last,
                       struct piece piece, uint8_t place)
{
    struct insert *insert = canon_arena_take(&editor->arena, sizeof *insert);
    *insert = (struct insert){.piece = piece, .place = place};
    if (*last)
        (*last)->next = insert;
    else
        *first = insert;
    *last = insert;
}

static int find_item(struct canon_editor *editor, uint16_t method, uint32_t pc, struct method_edit **edit,
                     struct item **item)
{
    int error = code_edit_of(editor, method, edit);
    if (error)
        return error;
    *item = item_of_pc(*edit, pc);
    return *item && pc < (*edit)->code.length ? 0 : CANON_E_INVALID;
}

int canon_editor_insert(struct canon_editor *editor, uint16_t method, uint32_t pc, enum canon_place place,
                        const struct canon_snippet *snippet)
{
    struct method_edit *edit;
    struct item *item;
    struct piece piece;
    int error = find_item(editor, method, pc, &edit, &item);
    if (error)
        return error;
    if (place == CANON_PLACE_AFTER && !item_falls_through(item))
        return CANON_E_INVALID;
    error = keep(editor, edit, snippet, &piece);
    if (error)
        return error;
    add_insert(editor, &item->first, &item->last, piece, (uint8_t)place);
    return 0;
}

int canon_editor_replace(struct canon_editor *editor, uint16_t method, uint32_t pc,
                         const struct canon_snippet *snippet)
{
    struct method_edit *edit;
    struct item *item;
    struct piece piece;
    int error = find_item(editor, method, pc, &edit, &item);
    if (error)
        return error;
    if (item->replaced)
        return CANON_E_INVALID;
    error = keep(editor, edit, snippet, &piece);
    if (error)
        return error;
    if (piece.length == 0) {
        /* Two stack map frames must not meet at one offset, so an instruction never vanishes. */
        static const uint8_t nop[] = {CANON_OP_NOP};
        piece = (struct piece){nop, 1};
    }
    add_insert(editor, &item->first, &item->last, piece, PLACE_REPLACE);
    item->replaced = true;
    return 0;
}

int canon_method_check_call(struct canon_utf8 descriptor, bool has_receiver, const struct canon_call *call)
{
    struct canon_signature signature;
    int error = canon_signature_parse(descriptor, &signature);
    if (error)
        return error;
    uint32_t pops = signature.slots + (has_receiver ? 1u : 0u);
    return pops == call->pops && canon_type_slots(signature.result) == call->pushes ? 0 : CANON_E_INVALID;
}

int canon_editor_redirect(struct canon_editor *editor, uint16_t method, uint32_t pc,
                          const struct canon_call *call)
{
    struct method_edit *edit;
    struct item *item;
    int error = find_item(editor, method, pc, &edit, &item);
    if (error)
        return error;
    if (canon_opcode_kind(item->opcode) != CANON_KIND_INVOKE || item->opcode == CANON_OP_INVOKEDYNAMIC)
        return CANON_E_INVALID;
    struct canon_ref ref;
    error = canon_class_ref(editor->cls, get_u2(edit->code.bytes + pc + 1), &ref);
    if (!error)
        error = canon_method_check_call(ref.descriptor, item->opcode != CANON_OP_INVOKESTATIC, call);
    if (error)
        return error;
    if (ref.name.length && ref.name.text[0] == '<')
        return CANON_E_UNSUPPORTED; /* an object that is not initialised cannot be passed on */
    struct canon_snippet snippet;
    canon_snippet_start(&snippet);
    canon_snippet_call(&snippet, call);
    return canon_editor_replace(editor, method, pc, &snippet);
}

int canon_editor_insert_entry(struct canon_editor *editor, uint16_t method,
                              const struct canon_snippet *snippet)
{
    struct method_edit *edit;
    struct piece piece;
    int error = code_edit_of(editor, method, &edit);
    if (!error)
        error = keep(editor, edit, snippet, &piece);
    if (error)
        return error;
    add_insert(editor, &edit->entry_first, &edit->entry_last, piece, CANON_PLACE_BEFORE);
    return 0;
}

int canon_editor_insert_before_returns(struct canon_editor *editor, uint16_t method,
                                       const struct canon_snippet *snippet)
{
    struct method_edit *edit;
    struct piece piece;
    int error = code_edit_of(editor, method, &edit);
    if (!error)
        error = keep(editor, edit, snippet, &piece);
    if (error)
        return error;
    for (uint32_t i = 0; i < edit->item_count; i++) {
        struct item *item = &edit->items[i];
        if (item_is_return(item))
            add_insert(editor, &item->first, &item->last, piece, CANON_PLACE_BEFORE);
    }
    return 0;
}

int canon_editor_fresh_local(struct canon_editor *editor, uint16_t method, char type, bool kept)
{
    struct method_edit *edit;
    int error = code_edit_of(editor, method, &edit);
    if (error)
        return error;
    uint32_t local = edit->max_locals;
    if (local + canon_type_slots(type) > UINT16_MAX || edit->kept_count == KEPT_MAX)
        return CANON_E_LIMIT;
    edit->max_locals += canon_type_slots(type);
    if (kept)
        edit->kept[edit->kept_count++] = (struct kept_local){(uint16_t)local, type};
    return (int)local;
}

/* Opens a method for another wrap. */
static int add_wrap(struct canon_editor *editor, uint16_t method, struct method_edit **edit,
                    struct wrap **wrap)
{
    int error = code_edit_of(editor, method, edit);
    if (error)
        return error;
    if (canon_utf8_is((*edit)->member->name, "<init>"))
        return CANON_E_UNSUPPORTED; /* no handler may see an object that is not initialised */
    if ((*edit)->wrap_count == WRAP_MAX)
        return CANON_E_LIMIT;
    *wrap = &(*edit)->wraps[(*edit)->wrap_count];
    (*wrap)->kept_count = (*edit)->kept_count;
    return 0;
}

int canon_editor_wrap(struct canon_editor *editor, uint16_t method, const struct canon_snippet *entry,
                      const struct canon_snippet *exit)
{
    struct method_edit *edit;
    struct wrap *wrap;
    int error = add_wrap(editor, method, &edit, &wrap);
    if (!error)
        error = keep(editor, edit, entry, &wrap->entry);
    if (!error)
        error = keep(editor, edit, exit, &wrap->exit);
    if (error)
        return error;
    wrap->entry_guarded_from = wrap->entry.length;
    edit->wrap_count++;
    return 0;
}

int canon_editor_wrap_catching(struct canon_editor *editor, uint16_t method,
                               const struct canon_snippet *entry, const struct canon_snippet *entered,
                               const struct canon_snippet *exit, const struct canon_snippet *caught)
{
    struct method_edit *edit;
    struct wrap *wrap;
    struct canon_snippet both = *entry;
    canon_snippet_append(&both, entered);
    int error = add_wrap(editor, method, &edit, &wrap);
    if (!error)
        error = keep(editor, edit, &both, &wrap->entry);
    if (!error)
        error = keep(editor, edit, exit, &wrap->exit);
    if (!error)
        error = keep(editor, edit, caught, &wrap->caught);
    if (error)
        return error;
    wrap->entry_guarded_from = entry->length;
    edit->wrap_count++;
    return 0;
}

/* Loads the object that a synchronized method locks. */
static void load_lock_object(struct canon_editor *editor, const struct method_edit *edit,
                             struct canon_snippet *snippet)
{
    if (!(edit->access & CANON_ACC_STATIC)) {
        canon_snippet_op(snippet, CANON_OP_ALOAD_0);
    } else if (editor->cls->major >= 49) {
        canon_snippet_constant(snippet, editor->cls->this_index, 1);
    } else { /* class constants came with version 49 */
        struct canon_utf8 name = editor->cls->name;
        char *dotted = canon_arena_take(&editor->arena, name.length);
        for (uint32_t i = 0; i < name.length; i++)
            dotted[i] = name.text[i] == '/' ? '.' : name.text[i];
        struct canon_call for_name;
        int error = canon_editor_call(editor, "java/lang/Class", "forName",
                                      "(Ljava/lang/String;)Ljava/lang/Class;", &for_name);
        canon_snippet_constant(snippet, canon_editor_string(editor, (struct canon_utf8){dotted, name.length}),
                               1);
        if (error)
            snippet->error = error;
        else
            canon_snippet_call(snippet, &for_name);
    }
}

static void monitor_op(struct canon_snippet *snippet, uint16_t lock, enum canon_op opcode)
{
    canon_snippet_load(snippet, 'L', lock);
    canon_snippet_op(snippet, opcode);
}

int canon_editor_wrap_synchronized(struct canon_editor *editor, uint16_t method, uint16_t lock,
                                   const struct canon_monitor_code *around)
{
    struct method_edit *edit;
    struct wrap *wrap;
    int error = add_wrap(editor, method, &edit, &wrap);
    if (error)
        return error;
    if (!(edit->access & CANON_ACC_SYNCHRONIZED))
        return CANON_E_INVALID;
    struct canon_snippet entry, exit, release;
    canon_snippet_start(&entry);
    load_lock_object(editor, edit, &entry);
    if (around->identity)
        canon_snippet_call(&entry, around->identity);
    canon_snippet_store(&entry, 'L', lock);
    if (around->before_enter)
        canon_snippet_append(&entry, around->before_enter);
    monitor_op(&entry, lock, CANON_OP_MONITORENTER);
    wrap->entry_guarded_from = entry.length;
    if (around->after_enter)
        canon_snippet_append(&entry, around->after_enter);

    canon_snippet_start(&exit);
    if (around->before_exit)
        canon_snippet_append(&exit, around->before_exit);
    monitor_op(&exit, lock, CANON_OP_MONITOREXIT);
    wrap->exit_guarded = exit.length;
    if (around->after_exit)
        canon_snippet_append(&exit, around->after_exit);

    canon_snippet_start(&release);
    monitor_op(&release, lock, CANON_OP_MONITOREXIT);
    error = keep(editor, edit, &entry, &wrap->entry);
    if (!error)
        error = keep(editor, edit, &exit, &wrap->exit);
    if (!error)
        error = keep(editor, edit, &release, &wrap->release);
    if (error)
        return error;
    edit->access &= (uint16_t)~CANON_ACC_SYNCHRONIZED;
    edit->wrap_count++;
    return 0;
}

int canon_editor_change_access(struct canon_editor *editor, uint16_t method, uint16_t clear, uint16_t set)
{
    struct method_edit *edit = edit_of(editor, method);
    if (!edit)
        return CANON_E_INVALID;
    edit->access = (uint16_t)((edit->access & ~clear) | set);
    if (edit->access != edit->member->access)
        editor->any_method = true;
    return 0;
}

static int write_code(struct canon_editor *editor, struct method_edit *edit, struct canon_buffer *to)
{
    int error = canon_layout_compute(editor, edit);
    if (error)
        return error;
    /* A handler has the exception on the stack besides what its code needs. */
    uint32_t stack = edit->code.max_stack;
    if (edit->wrap_count && stack == 0)
        stack = 1;
    stack += edit->extra_stack;
    if (stack > UINT16_MAX)
        return CANON_E_LIMIT;
    canon_buffer_put(to, editor->cls->data + edit->member->code, 2); /* the attribute's name */
    size_t length_at = to->used;
    put_u4(to, 0);
    put_u2(to, stack);
    put_u2(to, edit->max_locals);
    put_u4(to, edit->new_length);
    canon_layout_emit(edit, canon_buffer_reserve(to, edit->new_length));
    to->used += edit->new_length;
    error = canon_tables_write(editor, edit, to);
    if (error)
        return error;
    set_u4(to->data + length_at, (uint32_t)(to->used - length_at - 4));
    return 0;
}

int canon_method_write(struct canon_editor *editor, struct method_edit *edit, struct canon_buffer *to)
{
    const uint8_t *data = editor->cls->data;
    const struct canon_member *member = edit->member;
    put_u2(to, edit->access);
    if (!edit->code_changed) {
        canon_buffer_put(to, data + member->offset + 2, member->end - member->offset - 2);
        return 0;
    }
    canon_buffer_put(to, data + member->offset + 2, member->code - member->offset - 2);
    int error = write_code(editor, edit, to);
    if (error)
        return error;
    uint32_t after_code = member->code + 6 + get_u4(data + member->code + 2);
    canon_buffer_put(to, data + after_code, member->end - after_code);
    return 0;
}
