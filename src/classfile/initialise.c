/*
 * initialise.c: CANON_RULE_INITIALISE: calls before what may initialise another class.
 *
 * The class goes along as a value, by the constant that the instruction itself leads to: so it is found, or
 * not, as the instruction would find it.
 */
#include "base/assert.h"
#include "base/error.h"
#include "classfile/bytes.h"
#include "classfile/rewrite_internal.h"

#include <stdlib.h>

enum { VERSION_WITH_CLASS_VALUES = 49 };

void canon_initialise_want(const struct rule *rule, bool wanted[256])
{
    (void)rule;
    wanted[CANON_OP_NEW] = wanted[CANON_OP_GETSTATIC] = true;
    wanted[CANON_OP_PUTSTATIC] = wanted[CANON_OP_INVOKESTATIC] = true;
}

static bool declares_field(const struct canon_class *cls, const struct canon_ref *ref)
{
    for (uint32_t i = 0; i < cls->field_count; i++)
        if (canon_utf8_equal(cls->fields[i].name, ref->name) &&
            canon_utf8_equal(cls->fields[i].descriptor, ref->descriptor))
            return true;
    return false;
}

/* The constant of the class that the instruction may initialise; 0: none but its own; or an error. */
static int class_of(const struct rewriting *rw, const struct canon_insn *insn)
{
    uint32_t index = canon_insn_pool_index(insn);
    if (insn->opcode == CANON_OP_NEW) {
        if (canon_class_tag(&rw->cls, index) != CANON_CONSTANT_CLASS)
            return CANON_E_FORMAT;
        return canon_utf8_equal(canon_class_text(&rw->cls, index), rw->cls.name) ? 0 : (int)index;
    }
    struct canon_ref ref;
    int error = canon_class_ref(&rw->cls, index, &ref);
    if (error)
        return error;
    if (canon_utf8_equal(ref.owner, rw->cls.name) &&
        (insn->opcode == CANON_OP_INVOKESTATIC || declares_field(&rw->cls, &ref)))
        return 0;
    return get_u2(rw->cls.data + rw->cls.pool[index] + 1);
}

/* The number to tell of it; negative: nothing. A field's class may have it from another one. */
static int32_t number_of(struct rewriting *rw, const struct rule *rule, const struct canon_insn *insn,
                         int index)
{
    struct initialise_state *state = &rw->initialise;
    if (!state->numbers)
        state->numbers = calloc(rw->cls.pool_count, sizeof *state->numbers);
    canon_assert(state->numbers);
    bool of_field = insn->opcode == CANON_OP_GETSTATIC || insn->opcode == CANON_OP_PUTSTATIC;
    int32_t *known = &state->numbers[of_field ? canon_insn_pool_index(insn) : (uint32_t)index];
    if (!*known) {
        int32_t number = -1;
        struct canon_ref ref = {0};
        if (of_field && canon_class_ref(&rw->cls, canon_insn_pool_index(insn), &ref))
            return -1;
        struct canon_utf8 name = canon_class_text(&rw->cls, (uint32_t)index);
        bool tells = rule->row->initialises(rule->row->context, &rw->cls, name, ref.name, &number);
        *known = tells && number >= 0 ? number + 1 : -1;
    }
    return *known > 0 ? *known - 1 : -1;
}

int canon_initialise_instruction(struct rewriting *rw, struct rule *rule, const struct canon_insn *insn)
{
    if (insn->opcode != CANON_OP_NEW && insn->opcode != CANON_OP_GETSTATIC &&
        insn->opcode != CANON_OP_PUTSTATIC && insn->opcode != CANON_OP_INVOKESTATIC)
        return 0;
    if (rw->cls.major < VERSION_WITH_CLASS_VALUES)
        return 0;
    int index = class_of(rw, insn);
    if (index <= 0)
        return index;
    int32_t number = number_of(rw, rule, insn, index);
    if (number < 0)
        return 0;
    int error = rw->initialise.call.index ? 0 : canon_rewrite_call(rw, &rule->helper, &rw->initialise.call);
    if (error)
        return error;
    struct canon_snippet before;
    canon_snippet_start(&before);
    canon_snippet_constant(&before, index, 1);
    canon_rewrite_push_int(rw, &before, number);
    canon_snippet_call(&before, &rw->initialise.call);
    error = canon_editor_insert(rw->editor, rw->method, insn->pc, CANON_PLACE_BEFORE, &before);
    if (!error)
        canon_rule_hit(rule);
    return error;
}
