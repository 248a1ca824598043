/* loop.c: CANON_RULE_LOOP: a call in front of every branch that may go back. */
#include "classfile/bytes.h"
#include "classfile/rewrite_internal.h"

void canon_loop_want(const struct rule *rule, bool wanted[256])
{
    (void)rule;
    for (int i = 0; i < 256; i++) {
        enum canon_op_kind kind = canon_opcode_kind((uint8_t)i);
        wanted[i] |= kind == CANON_KIND_IF || kind == CANON_KIND_GOTO || kind == CANON_KIND_GOTO_W ||
                     kind == CANON_KIND_SWITCH;
    }
}

/* The length of the instruction has been checked, so all targets are in it. */
static bool switch_goes_back(const struct canon_insn *insn)
{
    const uint8_t *at = insn->at + (((insn->pc + 4) & ~3u) - insn->pc);
    bool table = insn->opcode == CANON_OP_TABLESWITCH;
    int32_t count = table ? get_s4(at + 8) - get_s4(at + 4) + 1 : get_s4(at + 4);
    bool back = get_s4(at) <= 0;
    at += 12; /* the first offset; in a lookupswitch, that of the first pair */
    for (int32_t i = 0; i < count && !back; i++, at += table ? 4 : 8)
        back = get_s4(at) <= 0;
    return back;
}

static bool goes_back(const struct canon_insn *insn)
{
    switch (canon_opcode_kind(insn->opcode)) {
    case CANON_KIND_IF:
    case CANON_KIND_GOTO:
        return get_s2(insn->at + 1) <= 0;
    case CANON_KIND_GOTO_W:
        return get_s4(insn->at + 1) <= 0;
    case CANON_KIND_SWITCH:
        return switch_goes_back(insn);
    default:
        return false;
    }
}

int canon_loop_instruction(struct rewriting *rw, struct rule *rule, const struct canon_insn *insn)
{
    if (!goes_back(insn))
        return 0;
    int error = 0;
    if (rw->loop.rule != rule) {
        error = canon_rewrite_call(rw, &rule->helper, &rw->loop.call);
        rw->loop.rule = error ? NULL : rule;
    }
    struct canon_snippet before;
    canon_snippet_start(&before);
    canon_snippet_call(&before, &rw->loop.call);
    if (!error)
        error = canon_editor_insert(rw->editor, rw->method, insn->pc, CANON_PLACE_BEFORE, &before);
    if (!error)
        canon_rule_hit(rule);
    return error;
}
