/* heavy.c: see heavy.h. */
#include "heavy.h"

#include "base/error.h"
#include "classfile/code.h"
#include "classfile/editor.h"

enum { ENTER, EXIT, BEFORE, HELD, RELEASE, AFTER, READ, WRITE, SAME, HELPER_COUNT };

static const struct {
    const char *name;
    const char *descriptor;
} HELPERS[HELPER_COUNT] = {
    [ENTER] = {"enter", "(Ljava/lang/String;)J"},
    [EXIT] = {"exit", "(J)V"},
    [BEFORE] = {"before", "(Ljava/lang/Object;)V"}, /* monitorenter */
    [HELD] = {"held", "(Ljava/lang/Object;)V"},
    [RELEASE] = {"release", "(Ljava/lang/Object;)V"}, /* monitorexit */
    [AFTER] = {"after", "(Ljava/lang/Object;)V"},
    [READ] = {"reading", "(Ljava/lang/Object;)V"},
    [WRITE] = {"writing", "(Ljava/lang/Object;)V"},
    [SAME] = {"same", "(Ljava/lang/Object;)Ljava/lang/Object;"},
};

struct heavy {
    enum heavy_mode mode;
    const struct canon_class *cls;
    struct canon_editor *editor;
    struct canon_call calls[HELPER_COUNT];
    int name_constant;
    /* the method at hand */
    uint16_t method;
    const struct canon_member *member;
    int news;         /* objects made and not yet initialised, in a constructor */
    bool initialised; /* `this` is */
};

static int insert(struct heavy *heavy, const struct canon_insn *insn, enum canon_place place,
                  const struct canon_snippet *snippet)
{
    return canon_editor_insert(heavy->editor, heavy->method, insn->pc, place, snippet);
}

static int wrap_all(struct heavy *heavy)
{
    struct canon_snippet entry, exit;
    int token = canon_editor_fresh_local(heavy->editor, heavy->method, 'J', true);
    if (token < 0)
        return token;
    canon_snippet_start(&entry);
    canon_snippet_constant(&entry, heavy->name_constant, 1);
    canon_snippet_call(&entry, &heavy->calls[ENTER]);
    canon_snippet_store(&entry, 'J', (uint32_t)token);
    canon_snippet_start(&exit);
    canon_snippet_load(&exit, 'J', (uint32_t)token);
    canon_snippet_call(&exit, &heavy->calls[EXIT]);
    return canon_editor_wrap(heavy->editor, heavy->method, &entry, &exit);
}

static int wrap_synchronized(struct heavy *heavy)
{
    int lock = canon_editor_fresh_local(heavy->editor, heavy->method, 'L', true);
    if (lock < 0)
        return lock;
    struct canon_snippet snippets[4];
    static const int HELPER_OF[] = {BEFORE, HELD, RELEASE, AFTER};
    for (int i = 0; i < 4; i++) {
        canon_snippet_start(&snippets[i]);
        canon_snippet_load(&snippets[i], 'L', (uint32_t)lock);
        canon_snippet_call(&snippets[i], &heavy->calls[HELPER_OF[i]]);
    }
    struct canon_monitor_code around = {&heavy->calls[SAME], &snippets[0], &snippets[1], &snippets[2],
                                        &snippets[3]};
    return canon_editor_wrap_synchronized(heavy->editor, heavy->method, (uint16_t)lock, &around);
}

/* Calls with the monitor's object before and behind the instruction. */
static int around_monitor(struct heavy *heavy, const struct canon_insn *insn)
{
    struct canon_snippet before, after;
    canon_snippet_start(&before);
    canon_snippet_op(&before, CANON_OP_DUP);
    bool enters = insn->opcode == CANON_OP_MONITORENTER;
    canon_snippet_call(&before, &heavy->calls[enters ? BEFORE : RELEASE]);
    canon_snippet_op(&before, CANON_OP_DUP); /* for the call behind the instruction */
    canon_snippet_start(&after);
    canon_snippet_call(&after, &heavy->calls[enters ? HELD : AFTER]);
    int error = insert(heavy, insn, CANON_PLACE_BEFORE, &before);
    return error ? error : insert(heavy, insn, CANON_PLACE_AFTER, &after);
}

static int around_field(struct heavy *heavy, const struct canon_insn *insn)
{
    struct canon_ref ref;
    int error = canon_class_ref(heavy->cls, canon_insn_pool_index(insn), &ref);
    if (error)
        return error;
    if (insn->opcode == CANON_OP_PUTFIELD && !heavy->initialised)
        return 0; /* `this` may not be passed on yet */
    struct canon_snippet snippet;
    canon_snippet_start(&snippet);
    bool wide = ref.descriptor.length && canon_type_slots(ref.descriptor.text[0]) == 2;
    switch (insn->opcode) {
    case CANON_OP_GETSTATIC:
    case CANON_OP_PUTSTATIC:
        canon_snippet_op(&snippet, CANON_OP_ACONST_NULL);
        break;
    case CANON_OP_GETFIELD:
        canon_snippet_op(&snippet, CANON_OP_DUP);
        break;
    default: /* the object is under the value */
        canon_snippet_op(&snippet, wide ? CANON_OP_DUP2_X1 : CANON_OP_DUP2);
        canon_snippet_op(&snippet, wide ? CANON_OP_POP2 : CANON_OP_POP);
        if (wide)
            canon_snippet_op(&snippet, CANON_OP_DUP_X2);
    }
    bool write = insn->opcode == CANON_OP_PUTFIELD || insn->opcode == CANON_OP_PUTSTATIC;
    canon_snippet_call(&snippet, &heavy->calls[write ? WRITE : READ]);
    return insert(heavy, insn, CANON_PLACE_BEFORE, &snippet);
}

static int around_with_nops(struct heavy *heavy, const struct canon_insn *insn)
{
    struct canon_snippet nop;
    canon_snippet_start(&nop);
    canon_snippet_op(&nop, CANON_OP_NOP);
    int error = insert(heavy, insn, CANON_PLACE_BEFORE, &nop);
    if (!error)
        error = insert(heavy, insn, CANON_PLACE_FALLTHROUGH, &nop);
    if (!error && canon_opcode_falls_through(insn->opcode))
        error = insert(heavy, insn, CANON_PLACE_AFTER, &nop);
    return error;
}

/* A constructor's first call of <init> for which it made no object initialises `this`. */
static int follow_new(struct heavy *heavy, const struct canon_insn *insn)
{
    if (insn->opcode == CANON_OP_NEW)
        heavy->news++;
    if (insn->opcode != CANON_OP_INVOKESPECIAL)
        return 0;
    struct canon_ref ref;
    int error = canon_class_ref(heavy->cls, canon_insn_pool_index(insn), &ref);
    if (!error && canon_utf8_is(ref.name, "<init>") && heavy->news-- == 0) {
        heavy->initialised = true;
        heavy->news = 0;
    }
    return error;
}

static int edit_instruction(struct heavy *heavy, const struct canon_insn *insn)
{
    int error = heavy->mode == HEAVY_NOPS ? around_with_nops(heavy, insn) : 0;
    if (error)
        return error;
    if (insn->opcode == CANON_OP_MONITORENTER || insn->opcode == CANON_OP_MONITOREXIT)
        return around_monitor(heavy, insn);
    if (canon_opcode_kind(insn->opcode) == CANON_KIND_FIELD)
        return around_field(heavy, insn);
    return heavy->initialised ? 0 : follow_new(heavy, insn);
}

static int edit_method(struct heavy *heavy)
{
    struct canon_code code;
    int more = canon_code_open(heavy->cls, heavy->member, &code);
    if (more <= 0)
        return more;
    struct canon_snippet nothing;
    canon_snippet_start(&nothing);
    int error = canon_editor_insert_entry(heavy->editor, heavy->method, &nothing);
    if (error || heavy->mode == HEAVY_NOTHING)
        return error;
    if (canon_utf8_is(heavy->member->name, "finalize") && code.length == 1)
        return 0;
    bool constructor = canon_utf8_is(heavy->member->name, "<init>");
    heavy->initialised = !constructor;
    heavy->news = 0;
    if (!constructor)
        error = wrap_all(heavy);
    if (!error && heavy->member->access & CANON_ACC_SYNCHRONIZED && !constructor)
        error = wrap_synchronized(heavy);
    struct canon_insn insn = {0};
    while (!error && (more = canon_code_next(&code, &insn)) > 0)
        error = edit_instruction(heavy, &insn);
    return error ? error : more;
}

static int edit_class(struct heavy *heavy, const char *helper)
{
    int error = 0;
    if (heavy->mode != HEAVY_NOTHING) {
        for (int i = 0; i < HELPER_COUNT && !error; i++)
            error = canon_editor_call(heavy->editor, helper, HELPERS[i].name, HELPERS[i].descriptor,
                                      &heavy->calls[i]);
        heavy->name_constant = canon_editor_string(heavy->editor, heavy->cls->name);
    }
    for (uint32_t i = 0; i < heavy->cls->method_count && !error; i++) {
        heavy->method = (uint16_t)i;
        heavy->member = &heavy->cls->methods[i];
        error = edit_method(heavy);
    }
    return error;
}

int heavy_rewrite(enum heavy_mode mode, const void *data, size_t length, const char *helper,
                  uint8_t **new_data, size_t *new_length, uint32_t *left_alone)
{
    struct canon_class cls;
    int result = canon_class_open(&cls, data, length);
    if (result)
        return result;
    struct heavy heavy = {.mode = mode, .cls = &cls};
    result = canon_editor_open(&heavy.editor, &cls);
    if (!result) {
        canon_editor_leave_too_big(heavy.editor);
        result = edit_class(&heavy, helper);
        if (!result)
            result = canon_editor_finish(heavy.editor, new_data, new_length);
        *left_alone = canon_editor_left_alone(heavy.editor);
    }
    canon_editor_close(heavy.editor);
    canon_class_close(&cls);
    return result;
}
