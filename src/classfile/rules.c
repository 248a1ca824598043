/* rules.c: checking and compiling the table of rewrite.h. */
#include "classfile/rules_internal.h"

#include "base/error.h"

#include <stdlib.h>

static struct pattern make_pattern(const char *text)
{
    struct pattern pattern = {.text = canon_utf8_from(text ? text : "*")};
    if (pattern.text.length && pattern.text.text[pattern.text.length - 1] == '*') {
        pattern.prefix = true;
        pattern.text.length--;
    }
    return pattern;
}

bool canon_rule_owner_matches(const struct rule *rule, struct canon_utf8 owner)
{
    return pattern_matches(&rule->owner, owner) &&
           (!rule->row->owner_matches || rule->row->owner_matches(rule->row->context, owner));
}

/* Takes "owner.name(parameters)result" apart. */
static int parse_helper(const char *text, bool descriptor_needed, struct helper *helper)
{
    if (!text)
        return CANON_E_INVALID;
    helper->owner = strdup(text);
    if (!helper->owner)
        return CANON_E_NOMEM;
    char *dot = strchr(helper->owner, '.');
    if (!dot || dot == helper->owner)
        return CANON_E_INVALID;
    helper->name = dot + 1;
    char *bracket = strchr(helper->name, '(');
    if (bracket == helper->name || (!bracket && descriptor_needed))
        return CANON_E_INVALID;
    *dot = '\0';
    if (!bracket)
        return 0;
    /* The name must end where the descriptor starts, so the latter moves to a copy. */
    helper->descriptor = strdup(bracket);
    if (!helper->descriptor)
        return CANON_E_NOMEM;
    *bracket = '\0';
    return canon_signature_parse(canon_utf8_from(helper->descriptor), &helper->signature) ? CANON_E_INVALID
                                                                                          : 0;
}

static int compile_wrap(struct rule *rule)
{
    int error = parse_helper(rule->row->helper, true, &rule->helper);
    if (!error)
        error = parse_helper(rule->row->exit_helper, true, &rule->exit_helper);
    if (!error && rule->exit_helper.signature.result != 'V')
        error = CANON_E_INVALID;
    return error;
}

static int compile_result(struct rule *rule)
{
    int error = parse_helper(rule->row->helper, true, &rule->helper);
    const struct canon_signature *signature = &rule->helper.signature;
    if (!error && (!rule->row->pass && signature->slots != canon_type_slots(signature->result)))
        error = CANON_E_INVALID;
    return error;
}

static int compile_rule(struct rule *rule)
{
    rule->owner = make_pattern(rule->row->owner);
    rule->name = make_pattern(rule->row->name);
    rule->descriptor = make_pattern(rule->row->descriptor);
    switch (rule->row->kind) {
    case CANON_RULE_REDIRECT:
        return parse_helper(rule->row->helper, false, &rule->helper);
    case CANON_RULE_WRAP:
        return compile_wrap(rule);
    case CANON_RULE_RESULT:
        return compile_result(rule);
    case CANON_RULE_ENTRY:
        return parse_helper(rule->row->helper, true, &rule->helper);
    case CANON_RULE_OVERRIDE:
        if (rule->name.prefix || rule->descriptor.prefix)
            return CANON_E_INVALID;
        return parse_helper(rule->row->helper, true, &rule->helper);
    case CANON_RULE_FIELD:
        return rule->name.prefix || rule->descriptor.prefix ? CANON_E_INVALID : 0;
    case CANON_RULE_SKIP:
        return 0;
    default:
        return CANON_E_INVALID;
    }
}

static void add_to_index(struct rule_index *index, const struct pattern *pattern, struct rule *rule)
{
    struct rule **list = pattern->prefix ? &index->loose : &index->by_key[rule_key(pattern->text)];
    while (*list)
        list = &(*list)->next;
    *list = rule;
    index->empty = false;
}

int canon_rules_compile(struct canon_rules **result, const struct canon_rule *table, size_t count,
                        size_t *bad_row)
{
    if (count > UINT16_MAX - 1)
        return CANON_E_LIMIT;
    struct canon_rules *rules = calloc(1, sizeof *rules);
    if (!rules)
        return CANON_E_NOMEM;
    rules->rules = calloc(count ? count : 1, sizeof *rules->rules);
    rules->calls.empty = rules->classes.empty = true;
    int error = rules->rules ? 0 : CANON_E_NOMEM;
    for (size_t i = 0; i < count && !error; i++) {
        struct rule *rule = &rules->rules[i];
        rules->count = i + 1;
        rule->row = &table[i];
        rule->number = (uint16_t)i;
        error = compile_rule(rule);
        if (error && bad_row)
            *bad_row = i;
        if (rule->row->kind == CANON_RULE_REDIRECT)
            add_to_index(&rules->calls, &rule->name, rule);
        else
            add_to_index(&rules->classes, &rule->owner, rule);
    }
    if (error) {
        canon_rules_free(rules);
        return error;
    }
    *result = rules;
    return 0;
}

static void free_helper(struct helper *helper)
{
    free(helper->owner);
    free(helper->descriptor);
}

void canon_rules_free(struct canon_rules *rules)
{
    if (!rules)
        return;
    for (size_t i = 0; i < rules->count; i++) {
        free_helper(&rules->rules[i].helper);
        free_helper(&rules->rules[i].exit_helper);
    }
    free(rules->rules);
    free(rules);
}

uint64_t canon_rules_hits(const struct canon_rules *rules, size_t row)
{
    return row < rules->count ? atomic_load_explicit(&rules->rules[row].hits, memory_order_relaxed) : 0;
}
