/*
 * around.c: CANON_RULE_AROUND: calls in front of and behind calls like Unsafe.compareAndSetInt(Object, long,
 * int, int).
 *
 * The object and the number are under the other arguments, so those are put aside in local variables. A
 * variable that held a reference is null afterwards: it would keep an object alive.
 */
#include "classfile/rewrite_internal.h"

#define PARAMETERS "(Ljava/lang/Object;J"

bool canon_around_fits(const struct canon_ref *ref)
{
    return ref->descriptor.length > sizeof PARAMETERS - 1 &&
           memcmp(ref->descriptor.text, PARAMETERS, sizeof PARAMETERS - 1) == 0;
}

/* The local that the value number `position` is put aside in, or an error. All calls of a method share them.
 */
static int spill(struct rewriting *rw, uint32_t position)
{
    while (rw->spill_count <= position) {
        int local = canon_editor_fresh_local(rw->editor, rw->method, 'J', false);
        if (local < 0)
            return local;
        rw->spills[rw->spill_count++] = (uint16_t)local;
    }
    return rw->spills[position];
}

/* The types of what comes behind the object and the number, one character each; how many, or an error. */
static int types_above(const struct canon_ref *ref, char types[SPILL_MAX])
{
    struct canon_utf8 type, rest = {ref->descriptor.text + sizeof PARAMETERS - 1,
                                    ref->descriptor.length - (uint32_t)(sizeof PARAMETERS - 1)};
    int count = 0, more;
    while ((more = canon_descriptor_next(&rest, &type)) > 0) {
        if (count == SPILL_MAX - 1)
            return CANON_E_UNSUPPORTED;
        types[count++] = type.text[0];
    }
    return more < 0 ? more : count;
}

static int make_before(struct rewriting *rw, const struct site *site, const char *types, int count,
                       struct canon_snippet *before)
{
    int last = spill(rw, (uint32_t)count);
    if (last < 0)
        return last;
    const uint16_t *spills = rw->spills;
    canon_snippet_start(before);
    for (int i = count; i-- > 0;)
        canon_snippet_store(before, types[i], spills[i + 1]);
    canon_snippet_store(before, 'J', spills[0]);
    canon_snippet_op(before, CANON_OP_DUP);
    canon_snippet_load(before, 'J', spills[0]);
    canon_snippet_call(before, &site->call);
    canon_snippet_load(before, 'J', spills[0]);
    for (int i = 0; i < count; i++)
        canon_snippet_load(before, types[i], spills[i + 1]);
    for (int i = 0; i < count; i++) {
        if (types[i] != 'L' && types[i] != '[')
            continue;
        canon_snippet_op(before, CANON_OP_ACONST_NULL);
        canon_snippet_store(before, 'L', spills[i + 1]);
    }
    return 0;
}

int canon_around_instruction(struct rewriting *rw, struct site *site, const struct canon_insn *insn)
{
    if (insn->opcode == CANON_OP_INVOKESPECIAL)
        return 0;
    struct canon_ref ref;
    struct canon_snippet before, after;
    char types[SPILL_MAX];
    int error = canon_class_ref(&rw->cls, canon_insn_pool_index(insn), &ref);
    if (error)
        return error;
    int count = types_above(&ref, types);
    if (count < 0)
        return count;
    if (!site->call.index) {
        error = canon_rewrite_call(rw, &site->rule->helper, &site->call);
        if (!error)
            error = canon_rewrite_call(rw, &site->rule->exit_helper, &site->exit_call);
    }
    if (!error)
        error = make_before(rw, site, types, count, &before);
    if (error)
        return error;
    canon_snippet_start(&after);
    canon_snippet_call(&after, &site->exit_call);
    error = canon_rewrite_surround(rw, insn->pc, &before, &after);
    if (!error)
        canon_rule_hit(site->rule);
    return error;
}
