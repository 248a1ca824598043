/* monitor.c: CANON_RULE_MONITOR: calls around monitorenter, monitorexit and synchronized methods. */
#include "classfile/rewrite_internal.h"

void canon_monitor_want(const struct rule *rule, bool wanted[256])
{
    (void)rule;
    wanted[CANON_OP_MONITORENTER] = wanted[CANON_OP_MONITOREXIT] = true;
}

/* Calls are made once a class, and only for a class that locks. */
static int make_calls(struct rewriting *rw, const struct rule *rule)
{
    struct monitor_calls *calls = &rw->monitor;
    if (calls->rule == rule)
        return 0;
    int error = rule->helper.owner ? canon_rewrite_call(rw, &rule->helper, &calls->entering) : 0;
    if (!error && rule->entered_helper.owner)
        error = canon_rewrite_call(rw, &rule->entered_helper, &calls->entered);
    if (!error)
        error = canon_rewrite_call(rw, &rule->exit_helper, &calls->exiting);
    calls->rule = error ? NULL : rule;
    return error;
}

static void load_and_call(struct canon_snippet *snippet, int lock, const struct canon_call *call)
{
    canon_snippet_start(snippet);
    canon_snippet_load(snippet, 'L', (uint32_t)lock);
    canon_snippet_call(snippet, call);
}

static bool locks_inside(const struct rewriting *rw)
{
    struct canon_code code;
    struct canon_insn insn = {0};
    if (canon_code_open(&rw->cls, rw->member, &code) <= 0)
        return false;
    while (canon_code_next(&code, &insn) > 0)
        if (insn.opcode == CANON_OP_MONITORENTER)
            return true;
    return false;
}

/* Whether the method locks as a whole, or is to. The JVM takes no notice of the flag of a class initialiser.
 */
static bool is_synchronized(const struct rewriting *rw, const struct canon_rule *row)
{
    const struct canon_member *member = rw->member;
    if (!member->code || (member->name.length && member->name.text[0] == '<'))
        return false;
    return member->access & CANON_ACC_SYNCHRONIZED ||
           (row->as_synchronized && row->as_synchronized(row->context, rw->cls.name, member->name));
}

int canon_monitor_method(struct rewriting *rw, struct rule *rule)
{
    if (rw->active[CANON_RULE_MONITOR] != rule || !is_synchronized(rw, rule->row))
        return 0;
    int error = make_calls(rw, rule);
    if (!error && !(rw->member->access & CANON_ACC_SYNCHRONIZED))
        error = canon_editor_change_access(rw->editor, rw->method, 0, CANON_ACC_SYNCHRONIZED);
    struct canon_call identity = {0};
    bool needs_identity = rule->identity_helper.owner && locks_inside(rw);
    if (!error && needs_identity)
        error = canon_rewrite_call(rw, &rule->identity_helper, &identity);
    if (error)
        return error;
    int lock = canon_editor_fresh_local(rw->editor, rw->method, 'L', true);
    if (lock < 0)
        return lock;
    struct canon_snippet entering, entered, exiting;
    if (rule->helper.owner)
        load_and_call(&entering, lock, &rw->monitor.entering);
    if (rule->entered_helper.owner)
        load_and_call(&entered, lock, &rw->monitor.entered);
    load_and_call(&exiting, lock, &rw->monitor.exiting);
    struct canon_monitor_code around = {.identity = needs_identity ? &identity : NULL,
                                        .before_enter = rule->helper.owner ? &entering : NULL,
                                        .after_enter = rule->entered_helper.owner ? &entered : NULL,
                                        .before_exit = &exiting};
    error = canon_editor_wrap_synchronized(rw->editor, rw->method, (uint16_t)lock, &around);
    if (!error)
        canon_rule_hit(rule);
    return error;
}

int canon_monitor_instruction(struct rewriting *rw, struct rule *rule, const struct canon_insn *insn)
{
    bool enters = insn->opcode == CANON_OP_MONITORENTER;
    bool tells_after = enters && rule->entered_helper.owner;
    if (!enters && insn->opcode != CANON_OP_MONITOREXIT)
        return 0;
    int error = make_calls(rw, rule);
    if (error)
        return error;
    struct canon_snippet before, after;
    canon_snippet_start(&before);
    if (!enters || rule->helper.owner) {
        canon_snippet_op(&before, CANON_OP_DUP);
        canon_snippet_call(&before, enters ? &rw->monitor.entering : &rw->monitor.exiting);
    }
    if (tells_after)
        canon_snippet_op(&before, CANON_OP_DUP); /* for the call behind the instruction */
    canon_snippet_start(&after);
    if (tells_after)
        canon_snippet_call(&after, &rw->monitor.entered);
    error = canon_editor_insert(rw->editor, rw->method, insn->pc, CANON_PLACE_BEFORE, &before);
    if (!error && tells_after)
        error = canon_editor_insert(rw->editor, rw->method, insn->pc, CANON_PLACE_AFTER, &after);
    if (!error)
        canon_rule_hit(rule);
    return error;
}
