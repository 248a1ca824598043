/*
 * calls.c: rules about calls, wherever they are: CANON_RULE_REDIRECT, and which calls CANON_RULE_AROUND is
 * about.
 *
 * A class names what it calls by constants. Those are looked at first; without one that a rule applies to, no
 * instruction need be.
 */
#include "base/assert.h"
#include "classfile/bytes.h"
#include "classfile/rewrite_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* "(I)V" called on an object of class a/B is "(La/B;I)V" as a static method. Malloc'd. */
static char *static_descriptor(const struct canon_ref *ref, bool has_receiver)
{
    size_t size = ref->owner.length + ref->descriptor.length + 4;
    char *text = malloc(size);
    canon_assert(text);
    const char *format = "(L%.*s;%.*s";
    if (!has_receiver || ref->owner.text[0] == '[')
        format = "(%.*s%.*s";
    int parameters = ref->descriptor.length ? (int)ref->descriptor.length - 1 : 0;
    snprintf(text, size, format, has_receiver ? (int)ref->owner.length : 0, ref->owner.text, parameters,
             ref->descriptor.text + 1);
    return text;
}

static int make_site_call(struct rewriting *rw, struct site *site, uint32_t index, bool has_receiver)
{
    const struct helper *helper = &site->rule->helper;
    if (helper->descriptor)
        return canon_rewrite_call(rw, helper, &site->call);
    struct canon_ref ref;
    int error = canon_class_ref(&rw->cls, index, &ref);
    if (error)
        return error;
    char *descriptor = static_descriptor(&ref, has_receiver);
    error = canon_editor_call(rw->editor, helper->owner, helper->name, descriptor, &site->call);
    free(descriptor);
    return error;
}

int canon_calls_instruction(struct rewriting *rw, const struct canon_insn *insn)
{
    uint32_t index = get_u2(insn->at + 1);
    if (index >= rw->cls.pool_count || !rw->sites[index].rule)
        return 0;
    struct site *site = &rw->sites[index];
    if (site->rule->row->kind == CANON_RULE_AROUND)
        return canon_around_instruction(rw, site, insn);
    if (insn->opcode == CANON_OP_INVOKESPECIAL && !(site->rule->row->flags & CANON_RULE_SUPER_CALLS))
        return 0;
    int error = 0;
    if (!site->call.index)
        error = make_site_call(rw, site, index, insn->opcode != CANON_OP_INVOKESTATIC);
    if (!error)
        error = canon_editor_redirect(rw->editor, rw->method, insn->pc, &site->call);
    if (!error)
        canon_rule_hit(site->rule);
    return error;
}

/* Method references in lambdas name what they call by a constant. */
static int redirect_handle(struct rewriting *rw, uint32_t index)
{
    const uint8_t *handle = rw->cls.data + rw->cls.pool[index];
    uint8_t kind = handle[1];
    uint32_t ref = get_u2(handle + 2);
    struct site *site = &rw->sites[ref];
    if (!site->rule || site->rule->row->kind != CANON_RULE_REDIRECT ||
        (kind != CANON_HANDLE_VIRTUAL && kind != CANON_HANDLE_STATIC && kind != CANON_HANDLE_INTERFACE))
        return 0;
    int error = 0;
    if (!site->call.index)
        error = make_site_call(rw, site, ref, kind != CANON_HANDLE_STATIC);
    if (!error)
        error = canon_editor_redirect_handle(rw->editor, index, &site->call);
    if (!error)
        canon_rule_hit(site->rule);
    return error;
}

int canon_calls_handles(struct rewriting *rw)
{
    int error = 0;
    for (uint32_t i = 1; i < rw->cls.pool_count && !error; i++)
        if (canon_class_tag(&rw->cls, i) == CANON_CONSTANT_METHOD_HANDLE)
            error = redirect_handle(rw, i);
    return error;
}

static bool matches_call(const struct rewriting *rw, const struct rule *rule, const struct canon_ref *ref)
{
    const struct canon_rule *row = rule->row;
    return pattern_matches(&rule->name, ref->name) && pattern_matches(&rule->descriptor, ref->descriptor) &&
           canon_rule_owner_matches(rule, ref->owner) &&
           (row->kind != CANON_RULE_AROUND || canon_around_fits(ref)) &&
           (!row->except || !canon_utf8_is(rw->cls.name, row->except));
}

static struct rule *find_call_rule(const struct rewriting *rw, const struct canon_ref *ref)
{
    const struct canon_rules *rules = rw->rules;
    struct rule *found = NULL;
    struct rule *lists[] = {rules->calls.by_key[rule_key(ref->name)],
                            rules->calls_by_owner.by_key[rule_key(ref->owner)], rules->calls.loose};
    for (int i = 0; i < 3; i++)
        for (struct rule *rule = lists[i]; rule; rule = rule->next) {
            if (!matches_call(rw, rule, ref))
                continue;
            if (!found || rule->number < found->number)
                found = rule;
            break; /* lists are in the table's order */
        }
    return found;
}

/* Whether rules for a method reference may exist; looks at no more than it needs to. */
static bool may_have_rule(const struct rewriting *rw, uint32_t index)
{
    const struct canon_class *cls = &rw->cls;
    const struct canon_rules *rules = rw->rules;
    const uint8_t *ref = cls->data + cls->pool[index];
    const uint8_t *name_and_type = cls->data + cls->pool[get_u2(ref + 3)];
    struct canon_utf8 name = canon_class_text(cls, get_u2(name_and_type + 1));
    if (name.length == 0 || name.text[0] == '<')
        return false;
    return rules->calls.loose || rules->calls.by_key[rule_key(name)] ||
           (!rules->calls_by_owner.empty &&
            rules->calls_by_owner.by_key[rule_key(canon_class_text(cls, get_u2(ref + 1)))]);
}

void canon_calls_find(struct rewriting *rw)
{
    const struct canon_class *cls = &rw->cls;
    if (rw->rules->calls.empty && rw->rules->calls_by_owner.empty)
        return;
    for (uint32_t i = 1; i < cls->pool_count; i++) {
        uint8_t tag = canon_class_tag(cls, i);
        if (tag != CANON_CONSTANT_METHODREF && tag != CANON_CONSTANT_INTERFACE_METHODREF)
            continue;
        if (!may_have_rule(rw, i))
            continue;
        struct canon_ref ref;
        canon_class_ref(cls, i, &ref);
        struct rule *rule = find_call_rule(rw, &ref);
        if (!rule)
            continue;
        if (!rw->sites)
            rw->sites = calloc(cls->pool_count, sizeof *rw->sites);
        canon_assert(rw->sites);
        rw->sites[i].rule = rule;
    }
}
