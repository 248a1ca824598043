/* rules.c: checking and compiling the table of rewrite.h. */
#include "classfile/rules_internal.h"

#include "base/error.h"

#include <stdlib.h>

static int make_pattern(const char *text, struct pattern *pattern)
{
    if (!text)
        text = "*";
    const char *star = strchr(text, '*');
    *pattern = (struct pattern){.text = canon_utf8_from(text), .suffix = {"", 0}, .star = star != NULL};
    if (!star)
        return 0;
    pattern->text.length = (uint32_t)(star - text);
    pattern->suffix = canon_utf8_from(star + 1);
    return strchr(star + 1, '*') ? CANON_E_INVALID : 0;
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

/* A helper with so many slots of parameters and this result. */
static int parse_exact(const char *text, uint16_t slots, char result, struct helper *helper)
{
    int error = parse_helper(text, true, helper);
    if (!error && (helper->signature.slots != slots || helper->signature.result != result))
        error = CANON_E_INVALID;
    return error;
}

static int compile_wrap(struct rule *rule)
{
    int error = parse_helper(rule->row->helper, true, &rule->helper);
    if (!error)
        error = parse_helper(rule->row->exit_helper, true, &rule->exit_helper);
    if (!error && rule->exit_helper.signature.result != 'V')
        error = CANON_E_INVALID;
    if (error || !rule->row->caught_helper)
        return error;
    error = parse_exact(rule->row->entered_helper, 1, 'V', &rule->entered_helper);
    if (!error)
        error = parse_exact(rule->row->caught_helper, 2, 'L', &rule->caught_helper);
    if (!error && rule->helper.signature.result != 'L')
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

static int compile_monitor(struct rule *rule)
{
    int error = rule->row->helper ? parse_exact(rule->row->helper, 1, 'V', &rule->helper) : 0;
    if (!rule->row->helper && !rule->row->entered_helper)
        error = CANON_E_INVALID;
    if (!error && rule->row->entered_helper)
        error = parse_exact(rule->row->entered_helper, 1, 'V', &rule->entered_helper);
    if (!error)
        error = parse_exact(rule->row->exit_helper, 1, 'V', &rule->exit_helper);
    if (!error && rule->row->identity_helper)
        error = parse_exact(rule->row->identity_helper, 1, 'L', &rule->identity_helper);
    return error;
}

/* The helper is a class here: what is called there is in access.c. */
static int compile_access(struct rule *rule)
{
    const char *owner = rule->row->helper;
    if (!owner || !*owner || strpbrk(owner, ".("))
        return CANON_E_INVALID;
    rule->helper.owner = strdup(owner);
    return rule->helper.owner ? 0 : CANON_E_NOMEM;
}

static int compile_around(struct rule *rule)
{
    int error = parse_exact(rule->row->helper, 3, 'V', &rule->helper);
    return error ? error : parse_exact(rule->row->exit_helper, 0, 'V', &rule->exit_helper);
}

static int compile_patterns(struct rule *rule)
{
    int error = make_pattern(rule->row->owner, &rule->owner);
    if (!error)
        error = make_pattern(rule->row->name, &rule->name);
    if (!error)
        error = make_pattern(rule->row->descriptor, &rule->descriptor);
    return error;
}

static int compile_rule(struct rule *rule)
{
    int error = compile_patterns(rule);
    if (error)
        return error;
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
        if (rule->name.star || rule->descriptor.star)
            return CANON_E_INVALID;
        return parse_helper(rule->row->helper, true, &rule->helper);
    case CANON_RULE_FIELD:
        return rule->name.star || rule->descriptor.star ? CANON_E_INVALID : 0;
    case CANON_RULE_MONITOR:
        return compile_monitor(rule);
    case CANON_RULE_INITIALISE:
        return rule->row->initialises ? parse_exact(rule->row->helper, 2, 'V', &rule->helper)
                                      : CANON_E_INVALID;
    case CANON_RULE_ACCESS:
        return compile_access(rule);
    case CANON_RULE_AROUND:
        return compile_around(rule);
    case CANON_RULE_LOOP:
        return parse_exact(rule->row->helper, 0, 'V', &rule->helper);
    case CANON_RULE_SKIP:
        return 0;
    default:
        return CANON_E_INVALID;
    }
}

static void add_to_index(struct rule_index *index, const struct pattern *pattern, struct rule *rule)
{
    struct rule **list = pattern->star ? &index->loose : &index->by_key[rule_key(pattern->text)];
    while (*list)
        list = &(*list)->next;
    *list = rule;
    index->empty = false;
}

static void index_rule(struct canon_rules *rules, struct rule *rule)
{
    if (!rule_is_about_calls(rule))
        add_to_index(&rules->classes, &rule->owner, rule);
    else if (rule->name.star && !rule->owner.star)
        add_to_index(&rules->calls_by_owner, &rule->owner, rule);
    else
        add_to_index(&rules->calls, &rule->name, rule);
}

static void add_helper_owner(struct canon_rules *rules, const struct helper *helper)
{
    if (!helper->owner)
        return;
    for (size_t i = 0; i < rules->helper_owner_count; i++)
        if (strcmp(rules->helper_owners[i], helper->owner) == 0)
            return;
    rules->helper_owners[rules->helper_owner_count++] = helper->owner;
}

enum { HELPERS_A_RULE = 5 };

static void helpers_of(struct rule *rule, struct helper *helpers[HELPERS_A_RULE])
{
    helpers[0] = &rule->helper;
    helpers[1] = &rule->exit_helper;
    helpers[2] = &rule->entered_helper;
    helpers[3] = &rule->identity_helper;
    helpers[4] = &rule->caught_helper;
}

static int compile_rows(struct canon_rules *rules, const struct canon_rule *table, size_t count,
                        size_t *bad_row)
{
    for (size_t i = 0; i < count; i++) {
        struct rule *rule = &rules->rules[i];
        struct helper *helpers[HELPERS_A_RULE];
        rules->count = i + 1;
        rule->row = &table[i];
        rule->number = (uint16_t)i;
        int error = compile_rule(rule);
        if (error) {
            if (bad_row)
                *bad_row = i;
            return error;
        }
        index_rule(rules, rule);
        helpers_of(rule, helpers);
        for (int k = 0; k < HELPERS_A_RULE; k++)
            add_helper_owner(rules, helpers[k]);
    }
    return 0;
}

int canon_rules_compile(struct canon_rules **result, const struct canon_rule *table, size_t count,
                        size_t *bad_row)
{
    if (count > UINT16_MAX - 1)
        return CANON_E_LIMIT;
    struct canon_rules *rules = calloc(1, sizeof *rules);
    if (!rules)
        return CANON_E_NOMEM;
    size_t space = count ? count : 1;
    rules->rules = calloc(space, sizeof *rules->rules);
    rules->helper_owners = calloc(space * HELPERS_A_RULE, sizeof *rules->helper_owners);
    rules->calls.empty = rules->calls_by_owner.empty = rules->classes.empty = true;
    int error =
        rules->rules && rules->helper_owners ? compile_rows(rules, table, count, bad_row) : CANON_E_NOMEM;
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
        struct helper *helpers[HELPERS_A_RULE];
        helpers_of(&rules->rules[i], helpers);
        for (int k = 0; k < HELPERS_A_RULE; k++)
            free_helper(helpers[k]);
    }
    free(rules->helper_owners);
    free(rules->rules);
    free(rules);
}

void canon_rules_watch(struct canon_rules *rules, void (*seen)(const struct canon_class *cls))
{
    rules->seen = seen;
}

uint64_t canon_rules_hits(const struct canon_rules *rules, size_t row)
{
    return row < rules->count ? atomic_load_explicit(&rules->rules[row].hits, memory_order_relaxed) : 0;
}
