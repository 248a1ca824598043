/*
 * rewrite.c: applying rules to one class.
 *
 * The class is looked at in this order, and left as soon as nothing can apply: its name and constants,
 * then its members, then its instructions.
 */
#include "classfile/rewrite.h"

#include "base/assert.h"
#include "base/error.h"
#include "classfile/rewrite_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* A rule met a method that it cannot be applied to: fine if it only matched by a star. */
static int cannot(const struct rule *rule)
{
    return rule_is_exact(rule) ? CANON_E_UNSUPPORTED : 0;
}

void canon_rewrite_push_int(struct rewriting *rw, struct canon_snippet *snippet, int32_t value)
{
    if (value <= INT8_MAX) {
        const uint8_t bytes[] = {CANON_OP_BIPUSH, (uint8_t)value};
        canon_snippet_bytes(snippet, bytes, sizeof bytes, 0, 1);
    } else if (value <= INT16_MAX) {
        const uint8_t bytes[] = {CANON_OP_SIPUSH, (uint8_t)(value >> 8), (uint8_t)value};
        canon_snippet_bytes(snippet, bytes, sizeof bytes, 0, 1);
    } else {
        canon_snippet_constant(snippet, canon_editor_int(rw->editor, value), 1);
    }
}

/* Wrap. */

static int class_name_constant(struct rewriting *rw)
{
    char *dotted = malloc(rw->cls.name.length + 1);
    canon_assert(dotted);
    for (uint32_t i = 0; i < rw->cls.name.length; i++)
        dotted[i] = rw->cls.name.text[i] == '/' ? '.' : rw->cls.name.text[i];
    int index = canon_editor_string(rw->editor, (struct canon_utf8){dotted, rw->cls.name.length});
    free(dotted);
    return index;
}

/* What a wrap passes to a helper, and in which local it is found. */
struct passed {
    unsigned what; /* enum canon_pass */
    int this_local;
    int argument_local;
    char argument_type;
};

static int find_passed(const struct rewriting *rw, unsigned what, struct passed *passed)
{
    bool is_static = rw->member->access & CANON_ACC_STATIC;
    *passed = (struct passed){.what = what, .this_local = is_static ? -1 : 0, .argument_local = !is_static};
    if (!(what & CANON_PASS_ARGUMENT))
        return 0;
    struct canon_utf8 rest = rw->member->descriptor, type;
    if (rest.length == 0)
        return CANON_E_FORMAT;
    rest.text++;
    rest.length--;
    int more = canon_descriptor_next(&rest, &type);
    if (more <= 0)
        return more ? more : CANON_E_UNSUPPORTED;
    passed->argument_type = type.text[0];
    return 0;
}

static void push_passed(struct rewriting *rw, struct canon_snippet *snippet, const struct passed *passed)
{
    if (passed->what & CANON_PASS_CLASS)
        canon_snippet_constant(snippet, class_name_constant(rw), 1);
    if (passed->what & CANON_PASS_THIS && passed->this_local < 0)
        canon_snippet_op(snippet, CANON_OP_ACONST_NULL);
    else if (passed->what & CANON_PASS_THIS)
        canon_snippet_load(snippet, 'L', (uint32_t)passed->this_local);
    if (passed->what & CANON_PASS_ARGUMENT)
        canon_snippet_load(snippet, passed->argument_type, (uint32_t)passed->argument_local);
}

/* Adds a kept local and a store to it; returns its number or an error. */
static int store_fresh(struct rewriting *rw, struct canon_snippet *snippet, char type)
{
    if (type != 'J' && type != 'F' && type != 'D')
        type = type == '[' || type == 'L' ? 'L' : 'I';
    int local = canon_editor_fresh_local(rw->editor, rw->method, type, true);
    if (local >= 0)
        canon_snippet_store(snippet, type, (uint32_t)local);
    return local;
}

/* The body may overwrite `this` and its arguments, so what the exit helper gets is saved on entry. */
static int save_passed(struct rewriting *rw, struct canon_snippet *entry, struct passed *passed)
{
    int local = 0;
    if (passed->what & CANON_PASS_THIS && passed->this_local >= 0) {
        canon_snippet_op(entry, CANON_OP_ALOAD_0);
        local = passed->this_local = store_fresh(rw, entry, 'L');
    }
    if (local >= 0 && passed->what & CANON_PASS_ARGUMENT) {
        canon_snippet_load(entry, passed->argument_type, (uint32_t)passed->argument_local);
        local = passed->argument_local = store_fresh(rw, entry, passed->argument_type);
    }
    return local < 0 ? local : 0;
}

static int make_entry(struct rewriting *rw, const struct rule *rule, struct passed *exit_passed, int *token,
                      struct canon_snippet *entry)
{
    struct canon_call enter;
    struct passed passed;
    canon_snippet_start(entry);
    int error = find_passed(rw, rule->row->pass, &passed);
    if (!error)
        error = find_passed(rw, rule->row->exit_pass, exit_passed);
    if (!error)
        error = canon_rewrite_call(rw, &rule->helper, &enter);
    if (!error)
        error = save_passed(rw, entry, exit_passed);
    if (error)
        return error;
    push_passed(rw, entry, &passed);
    if (entry->depth != enter.pops && !entry->error)
        return CANON_E_INVALID; /* the helper's parameters are not what is passed */
    canon_snippet_call(entry, &enter);
    *token = enter.result == 'V' ? 0 : store_fresh(rw, entry, enter.result);
    return *token < 0 ? *token : 0;
}

static int make_exit(struct rewriting *rw, const struct rule *rule, const struct passed *passed, int token,
                     struct canon_snippet *exit)
{
    struct canon_call leave;
    int error = canon_rewrite_call(rw, &rule->exit_helper, &leave);
    if (error)
        return error;
    canon_snippet_start(exit);
    if (rule->helper.signature.result != 'V')
        canon_snippet_load(exit, rule->helper.signature.result, (uint32_t)token);
    push_passed(rw, exit, passed);
    if (exit->depth != leave.pops && !exit->error)
        return CANON_E_INVALID;
    canon_snippet_call(exit, &leave);
    return 0;
}

static struct canon_utf8 result_type(struct canon_utf8 descriptor)
{
    const char *bracket = memrchr(descriptor.text, ')', descriptor.length);
    if (!bracket)
        return (struct canon_utf8){"", 0};
    return (struct canon_utf8){bracket + 1, (uint32_t)(descriptor.text + descriptor.length - bracket - 1)};
}

static bool is_reference(char type)
{
    return type == 'L' || type == '[';
}

/* A reference that a helper has returned becomes what the method returns. */
static void cast_to_result(struct rewriting *rw, const struct helper *helper, struct canon_snippet *snippet)
{
    struct canon_utf8 type = result_type(rw->member->descriptor);
    if (canon_utf8_equal(type, result_type(canon_utf8_from(helper->descriptor))))
        return;
    if (type.text[0] == 'L') {
        type.text++;
        type.length -= 2;
    }
    canon_snippet_class_op(snippet, CANON_OP_CHECKCAST, canon_editor_class(rw->editor, type));
}

/* What comes first in the method's own code, and what becomes of an exception that leaves it. */
static int make_catch(struct rewriting *rw, const struct rule *rule, int token, struct canon_snippet *entered,
                      struct canon_snippet *caught)
{
    struct canon_signature signature;
    struct canon_call enter, catch;
    int error = canon_signature_parse(rw->member->descriptor, &signature);
    if (!error)
        error = canon_rewrite_call(rw, &rule->entered_helper, &enter);
    if (!error)
        error = canon_rewrite_call(rw, &rule->caught_helper, &catch);
    if (error)
        return error;
    if (!is_reference(signature.result))
        return CANON_E_UNSUPPORTED;
    canon_snippet_start(entered);
    canon_snippet_load(entered, 'L', (uint32_t)token);
    canon_snippet_call(entered, &enter);
    canon_snippet_start(caught);
    canon_snippet_load(caught, 'L', (uint32_t)token);
    canon_snippet_call(caught, &catch);
    cast_to_result(rw, &rule->caught_helper, caught);
    canon_snippet_op(caught, CANON_OP_ARETURN);
    return 0;
}

static int wrap_method(struct rewriting *rw, struct rule *rule)
{
    if (!rw->member->code || canon_utf8_is(rw->member->name, "<init>"))
        return cannot(rule);
    struct canon_snippet entry, entered, exit, caught;
    struct passed passed;
    int token;
    bool catches = rule->row->caught_helper;
    int error = make_entry(rw, rule, &passed, &token, &entry);
    if (!error)
        error = make_exit(rw, rule, &passed, token, &exit);
    if (!error && catches)
        error = make_catch(rw, rule, token, &entered, &caught);
    if (!error)
        error = catches ? canon_editor_wrap_catching(rw->editor, rw->method, &entry, &entered, &exit, &caught)
                        : canon_editor_wrap(rw->editor, rw->method, &entry, &exit);
    if (!error)
        canon_rule_hit(rule);
    return error;
}

/* Result. */

static int result_method(struct rewriting *rw, struct rule *rule)
{
    struct canon_signature signature;
    int error = canon_signature_parse(rw->member->descriptor, &signature);
    if (error)
        return error;
    char wanted = rule->helper.signature.result;
    if (!rw->member->code ||
        (wanted != signature.result && !(is_reference(wanted) && is_reference(signature.result))))
        return cannot(rule);
    struct canon_call call;
    error = canon_rewrite_call(rw, &rule->helper, &call);
    if (error)
        return error;
    struct passed passed;
    error = find_passed(rw, rule->row->pass, &passed);
    if (error)
        return error;
    struct canon_snippet snippet;
    canon_snippet_start(&snippet);
    push_passed(rw, &snippet, &passed);
    if (!snippet.error && snippet.depth + canon_type_slots(wanted) != call.pops)
        return CANON_E_INVALID;
    canon_snippet_call(&snippet, &call);
    if (is_reference(wanted))
        cast_to_result(rw, &rule->helper, &snippet);
    error = canon_editor_insert_before_returns(rw->editor, rw->method, &snippet);
    if (!error)
        canon_rule_hit(rule);
    return error;
}

/* Entry. */

static int entry_method(struct rewriting *rw, struct rule *rule)
{
    if (!rw->member->code || canon_utf8_is(rw->member->name, "<init>"))
        return cannot(rule);
    struct canon_call call;
    struct passed passed;
    struct canon_snippet snippet;
    int error = find_passed(rw, rule->row->pass, &passed);
    if (!error)
        error = canon_rewrite_call(rw, &rule->helper, &call);
    if (error)
        return error;
    canon_snippet_start(&snippet);
    push_passed(rw, &snippet, &passed);
    if (!snippet.error && (snippet.depth != call.pops || call.result != 'V'))
        return CANON_E_INVALID;
    canon_snippet_call(&snippet, &call);
    error = canon_editor_insert_entry(rw->editor, rw->method, &snippet);
    if (!error)
        canon_rule_hit(rule);
    return error;
}

/* Override. */

static int override_class(struct rewriting *rw, struct rule *rule)
{
    struct canon_call call;
    int error = canon_rewrite_call(rw, &rule->helper, &call);
    if (error)
        return error;
    int super = canon_editor_ref(rw->editor, CANON_CONSTANT_METHODREF, canon_class_super_name(&rw->cls),
                                 canon_utf8_from(rule->row->name), canon_utf8_from(rule->row->descriptor));
    if (super < 0)
        return super;
    const uint8_t call_super[] = {CANON_OP_INVOKESPECIAL, (uint8_t)(super >> 8), (uint8_t)super};
    struct canon_snippet code;
    canon_snippet_start(&code);
    canon_snippet_op(&code, CANON_OP_ALOAD_0);
    canon_snippet_bytes(&code, call_super, sizeof call_super, 1, 1);
    canon_snippet_op(&code, CANON_OP_ALOAD_0);
    canon_snippet_call(&code, &call);
    canon_snippet_op(&code, CANON_OP_ARETURN);
    error = canon_editor_add_method(rw->editor, CANON_ACC_PUBLIC, rule->row->name, rule->row->descriptor,
                                    &code, 1);
    if (!error)
        canon_rule_hit(rule);
    return error;
}

/* Field. */

bool canon_counts_as_volatile(const struct canon_rule *row, const struct canon_class *cls,
                              const struct canon_member *field)
{
    return field->access & CANON_ACC_VOLATILE || (row->as_volatile && !(field->access & CANON_ACC_FINAL) &&
                                                  row->as_volatile(row->context, cls->name, field->name));
}

static bool has_volatile_field(const struct canon_rule *row, const struct canon_class *cls)
{
    bool has = false;
    if (canon_utf8_is(cls->name, "java/lang/ref/Reference"))
        return false; /* the collectors know its layout, and crash with another one */
    for (uint32_t i = 0; i < cls->field_count && !has; i++)
        has = !(cls->fields[i].access & CANON_ACC_STATIC) &&
              canon_counts_as_volatile(row, cls, &cls->fields[i]);
    return has && !(cls->access & CANON_ACC_INTERFACE);
}

static int field_class(struct rewriting *rw, struct rule *rule)
{
    if (rule->row->flags & CANON_RULE_IF_VOLATILE && !has_volatile_field(rule->row, &rw->cls))
        return 0;
    int error = canon_editor_add_field(rw->editor, rule->row->access, rule->row->name, rule->row->descriptor);
    if (!error)
        canon_rule_hit(rule);
    return error;
}

/* What a kind does with a rule whose owner is the class; with a method that name and descriptor match; and
 * with the instructions it wants of such a method, of which the first matching row gets to see them.
 * Redirects and arounds are about what instructions refer to instead: see find_sites and
 * redirect_instruction. */
static const struct kind {
    int (*apply_class)(struct rewriting *rw, struct rule *rule);
    int (*apply_method)(struct rewriting *rw, struct rule *rule);
    void (*want)(const struct rule *rule, bool wanted[256]);
    int (*apply_instruction)(struct rewriting *rw, struct rule *rule, const struct canon_insn *insn);
} KINDS[CANON_RULE_KIND_COUNT] = {
    [CANON_RULE_WRAP] = {.apply_method = wrap_method},
    [CANON_RULE_RESULT] = {.apply_method = result_method},
    [CANON_RULE_ENTRY] = {.apply_method = entry_method},
    [CANON_RULE_OVERRIDE] = {.apply_class = override_class},
    [CANON_RULE_FIELD] = {.apply_class = field_class},
    [CANON_RULE_MONITOR] = {.apply_method = canon_monitor_method,
                            .want = canon_monitor_want,
                            .apply_instruction = canon_monitor_instruction},
    [CANON_RULE_LOOP] = {.want = canon_loop_want, .apply_instruction = canon_loop_instruction},
    [CANON_RULE_INITIALISE] = {.want = canon_initialise_want,
                               .apply_instruction = canon_initialise_instruction},
    [CANON_RULE_ACCESS] = {.want = canon_access_want, .apply_instruction = canon_access_instruction},
};

/* Collects the rules whose owner is the class. False: the class is not to be rewritten. */
static bool find_live(struct rewriting *rw)
{
    const struct rule_index *classes = &rw->rules->classes;
    struct rule *lists[] = {classes->by_key[rule_key(rw->cls.name)], classes->loose};
    for (int i = 0; i < 2; i++)
        for (struct rule *rule = lists[i]; rule; rule = rule->next) {
            if (!canon_rule_owner_matches(rule, rw->cls.name))
                continue;
            if (rule->row->kind == CANON_RULE_SKIP)
                return false;
            if (!rw->live)
                rw->live = malloc(rw->rules->count * sizeof *rw->live);
            canon_assert(rw->live);
            uint32_t at = rw->live_count++;
            for (; at > 0 && rw->live[at - 1]->number > rule->number; at--)
                rw->live[at] = rw->live[at - 1];
            rw->live[at] = rule;
        }
    return true;
}

/* Drops the rules that turn out not to be about this class. */
static void look_at_class(struct rewriting *rw)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rw->live_count; i++) {
        const struct canon_rule *row = rw->live[i]->row;
        if (!row->class_matches || row->class_matches(row->context, &rw->cls))
            rw->live[kept++] = rw->live[i];
    }
    rw->live_count = kept;
}

static bool owns_helper(const struct rewriting *rw)
{
    for (size_t i = 0; i < rw->rules->helper_owner_count; i++)
        if (canon_utf8_is(rw->cls.name, rw->rules->helper_owners[i]))
            return true;
    return false;
}

static bool matches_method(const struct rewriting *rw, const struct rule *rule)
{
    return pattern_matches(&rule->name, rw->member->name) &&
           pattern_matches(&rule->descriptor, rw->member->descriptor);
}

/* `void finalize() {}`: instances of such a class are not finalizable, and must not become so. */
static bool is_empty_finalize(const struct rewriting *rw)
{
    struct canon_code code;
    return canon_utf8_is(rw->member->name, "finalize") && canon_utf8_is(rw->member->descriptor, "()V") &&
           canon_code_open(&rw->cls, rw->member, &code) > 0 && code.length == 1;
}

static int apply_to_instruction(struct rewriting *rw, const struct canon_insn *insn)
{
    int error = 0;
    if (rw->sites && canon_opcode_kind(insn->opcode) == CANON_KIND_INVOKE)
        error = canon_calls_instruction(rw, insn);
    for (int i = 0; i < CANON_RULE_KIND_COUNT && !error; i++)
        if (rw->active[i])
            error = KINDS[i].apply_instruction(rw, rw->active[i], insn);
    return error;
}

/* Collects the instructions that are of interest. False: none is. */
static bool want_instructions(struct rewriting *rw)
{
    bool wants = rw->sites != NULL;
    for (int i = 0; i < 256 && wants; i++)
        rw->wanted[i] = canon_opcode_kind((uint8_t)i) == CANON_KIND_INVOKE;
    for (uint32_t i = 0; i < rw->live_count; i++) {
        const struct kind *kind = &KINDS[rw->live[i]->row->kind];
        if (kind->want)
            kind->want(rw->live[i], rw->wanted);
        wants |= kind->want != NULL;
    }
    return wants;
}

/* Forgets about the method before; the first row of each kind that wants instructions gets those of this one.
 */
static void start_method(struct rewriting *rw)
{
    free(rw->early);
    rw->early = NULL;
    rw->spill_count = 0;
    memset(rw->active, 0, sizeof rw->active);
    for (uint32_t i = rw->live_count; i-- > 0;) {
        enum canon_rule_kind kind = rw->live[i]->row->kind;
        if (KINDS[kind].want && matches_method(rw, rw->live[i]))
            rw->active[kind] = rw->live[i];
    }
}

static int apply_to_method(struct rewriting *rw, bool with_instructions)
{
    int error = 0;
    if (is_empty_finalize(rw))
        return 0;
    start_method(rw);
    for (uint32_t i = 0; i < rw->live_count && !error; i++) {
        const struct kind *kind = &KINDS[rw->live[i]->row->kind];
        if (kind->apply_method && matches_method(rw, rw->live[i]))
            error = kind->apply_method(rw, rw->live[i]);
    }
    struct canon_code code;
    if (error || !with_instructions)
        return error;
    int more = canon_code_open(&rw->cls, rw->member, &code);
    if (more <= 0)
        return more;
    struct canon_insn insn = {0};
    while (!error && (more = canon_code_next(&code, &insn)) > 0)
        if (rw->wanted[insn.opcode])
            error = apply_to_instruction(rw, &insn);
    return error ? error : more;
}

static int apply_to_class(struct rewriting *rw)
{
    int error = 0;
    for (uint32_t i = 0; i < rw->live_count && !error; i++) {
        const struct kind *kind = &KINDS[rw->live[i]->row->kind];
        if (kind->apply_class)
            error = kind->apply_class(rw, rw->live[i]);
    }
    if (!error && rw->sites)
        error = canon_calls_handles(rw);
    bool with_instructions = want_instructions(rw);
    for (uint32_t i = 0; i < rw->cls.method_count && !error; i++) {
        rw->method = (uint16_t)i;
        rw->member = &rw->cls.methods[i];
        error = apply_to_method(rw, with_instructions);
    }
    if (!error)
        rw->member = NULL;
    return error;
}

static int rewrite_open_class(struct rewriting *rw, unsigned options, uint8_t **new_data, size_t *new_length,
                              struct canon_rewrite_report *report)
{
    int result = canon_class_open_members(&rw->cls);
    if (!result)
        result = canon_editor_open(&rw->editor, &rw->cls);
    if (result)
        return result;
    if (rw->rules->seen)
        rw->rules->seen(&rw->cls);
    look_at_class(rw);
    if (options & CANON_REWRITE_LEAVE_TOO_BIG)
        canon_editor_leave_too_big(rw->editor);
    result = apply_to_class(rw);
    if (!result) {
        result = canon_editor_finish(rw->editor, new_data, new_length);
        rw->member = canon_editor_failed_method(rw->editor);
    }
    report->left_alone = canon_editor_left_alone(rw->editor);
    return result;
}

static void say_where(const struct rewriting *rw, struct canon_rewrite_report *report)
{
    int used =
        snprintf(report->where, sizeof report->where, "%.*s", (int)rw->cls.name.length, rw->cls.name.text);
    if (rw->member && used > 0 && (size_t)used < sizeof report->where)
        snprintf(report->where + used, sizeof report->where - (size_t)used, ".%.*s%.*s",
                 (int)rw->member->name.length, rw->member->name.text, (int)rw->member->descriptor.length,
                 rw->member->descriptor.text);
}

int canon_rewrite_class(struct canon_rules *rules, const void *data, size_t length, unsigned options,
                        uint8_t **new_data, size_t *new_length, struct canon_rewrite_report *report)
{
    struct canon_rewrite_report unused;
    if (!report)
        report = &unused;
    report->left_alone = 0;
    report->where[0] = '\0';
    struct rewriting rw = {.rules = rules};
    int result = canon_class_open_pool(&rw.cls, data, length);
    if (result)
        return result;
    if (find_live(&rw)) {
        canon_calls_find(&rw);
        if ((rw.live_count || rw.sites) && !owns_helper(&rw))
            result = rewrite_open_class(&rw, options, new_data, new_length, report);
    }
    if (result < 0)
        say_where(&rw, report);
    canon_editor_close(rw.editor);
    canon_access_free(&rw.access);
    free(rw.initialise.numbers);
    free(rw.early);
    free(rw.live);
    free(rw.sites);
    canon_class_close(&rw.cls);
    return result;
}
