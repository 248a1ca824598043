/*
 * access.c: CANON_RULE_ACCESS: calls in front of and behind accesses to fields and elements of arrays.
 *
 *   getfield   dup; read(o); getfield; done()
 *   putfield   a copy of the object from under the value; write(o); putfield; done()
 *   getstatic  getstatic; pop; readStatic(hash); getstatic; done()
 *   putstatic  getstatic; pop; writeStatic(hash); putstatic; done()
 *   iaload     dup2; readArray(array, index); iaload; done()
 *   iastore    a copy of both from under the value; writeArray(array, index); iastore; done()
 *
 * The first getstatic initialises the class. A row that only wants to hear of plain accesses (`plain`) has
 * plain, plainStatic or plainElement called in front of these, and nothing behind.
 */
#include "base/assert.h"
#include "base/error.h"
#include "classfile/bytes.h"
#include "classfile/constructor.h"
#include "classfile/rewrite_internal.h"

#include <stdlib.h>

/* Each of the first five is followed by the one with a site. */
enum helper_number {
    READ = 0,
    WRITE = 2,
    READ_STATIC = 4,
    WRITE_STATIC = 6,
    DONE = 8,
    READ_ARRAY = 10,
    WRITE_ARRAY,
    PLAIN,
    PLAIN_STATIC,
    PLAIN_ELEMENT,
};

static const struct {
    const char *name;
    const char *descriptor;
} HELPERS[ACCESS_HELPER_COUNT] = {
    [READ] = {"read", "(Ljava/lang/Object;)V"},
    [READ + 1] = {"read", "(Ljava/lang/Object;I)V"},
    [WRITE] = {"write", "(Ljava/lang/Object;)V"},
    [WRITE + 1] = {"write", "(Ljava/lang/Object;I)V"},
    [READ_STATIC] = {"readStatic", "(I)V"},
    [READ_STATIC + 1] = {"readStatic", "(II)V"},
    [WRITE_STATIC] = {"writeStatic", "(I)V"},
    [WRITE_STATIC + 1] = {"writeStatic", "(II)V"},
    [DONE] = {"done", "()V"},
    [DONE + 1] = {"done", "(I)V"},
    [READ_ARRAY] = {"readArray", "(Ljava/lang/Object;I)V"},
    [WRITE_ARRAY] = {"writeArray", "(Ljava/lang/Object;I)V"},
    [PLAIN] = {"plain", "(Ljava/lang/Object;I)V"},
    [PLAIN_STATIC] = {"plainStatic", "(I)V"},
    [PLAIN_ELEMENT] = {"plainElement", "(Ljava/lang/Object;II)V"},
};

int32_t canon_field_hash(struct canon_utf8 name, struct canon_utf8 descriptor)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (uint32_t i = 0; i < name.length; i++)
        hash = (hash ^ (uint8_t)name.text[i]) * 16777619u;
    for (uint32_t i = 0; i < descriptor.length; i++)
        hash = (hash ^ (uint8_t)descriptor.text[i]) * 16777619u;
    return (int32_t)(hash & INT32_MAX);
}

static bool is_array_load(uint8_t opcode)
{
    return opcode >= CANON_OP_IALOAD && opcode <= CANON_OP_SALOAD;
}

static bool is_array_store(uint8_t opcode)
{
    return opcode >= CANON_OP_IASTORE && opcode <= CANON_OP_SASTORE;
}

void canon_access_want(const struct rule *rule, bool wanted[256])
{
    bool all = rule->row->flags & CANON_RULE_ALL_ACCESSES;
    for (int i = 0; i < 256; i++) {
        uint8_t opcode = (uint8_t)i;
        wanted[i] |= canon_opcode_kind(opcode) == CANON_KIND_FIELD ||
                     (all && (is_array_load(opcode) || is_array_store(opcode)));
    }
}

void canon_access_free(struct access_state *state)
{
    free(state->fields);
    free(state->own);
}

/* Constructors and class initialisers. */
static bool is_initialiser(const struct rewriting *rw)
{
    return rw->member->name.length && rw->member->name.text[0] == '<';
}

/* Calls a helper; `site` is -1 or its last argument. */
static void call(struct rewriting *rw, struct canon_snippet *snippet, const struct rule *rule, int number,
                 int32_t site)
{
    struct access_state *state = &rw->access;
    if (state->rule != rule) {
        memset(state->calls, 0, sizeof state->calls);
        state->rule = rule;
    }
    if (site >= 0) {
        canon_rewrite_push_int(rw, snippet, site);
        number++;
    }
    struct canon_call *made = &state->calls[number];
    int error = 0;
    if (!made->index)
        error = canon_editor_call(rw->editor, rule->helper.owner, HELPERS[number].name,
                                  HELPERS[number].descriptor, made);
    if (error && !snippet->error)
        snippet->error = error;
    if (!error)
        canon_snippet_call(snippet, made);
}

static int surround(struct rewriting *rw, struct rule *rule, uint32_t pc, const struct canon_snippet *before,
                    int32_t site)
{
    struct canon_snippet after;
    canon_snippet_start(&after);
    call(rw, &after, rule, DONE, site);
    int error = canon_rewrite_surround(rw, pc, before, &after);
    if (!error)
        canon_rule_hit(rule);
    return error;
}

/* What fields are. */

/* The field if the class itself declares it. */
static const struct canon_member *own_field(struct rewriting *rw, const struct canon_ref *ref, int32_t hash)
{
    const struct canon_class *cls = &rw->cls;
    if (!canon_utf8_equal(ref->owner, cls->name))
        return NULL;
    if (!rw->access.own) {
        rw->access.own = malloc((cls->field_count + 1u) * sizeof *rw->access.own);
        canon_assert(rw->access.own);
        for (uint32_t i = 0; i < cls->field_count; i++)
            rw->access.own[i] = canon_field_hash(cls->fields[i].name, cls->fields[i].descriptor);
    }
    for (uint32_t i = 0; i < cls->field_count; i++) {
        const struct canon_member *field = &cls->fields[i];
        if (rw->access.own[i] == hash && canon_utf8_equal(field->name, ref->name) &&
            canon_utf8_equal(field->descriptor, ref->descriptor))
            return field;
    }
    return NULL;
}

static enum canon_field_kind kind_of(struct rewriting *rw, const struct rule *rule,
                                     const struct canon_ref *ref, bool is_static, struct access_field *field)
{
    const struct canon_member *own = own_field(rw, ref, field->hash);
    if (own)
        return canon_counts_as_volatile(rule->row, &rw->cls, own) ? CANON_FIELD_ORDERED
               : own->access & CANON_ACC_FINAL                    ? CANON_FIELD_FINAL
                                                                  : CANON_FIELD_PLAIN;
    if (!rule->row->field)
        return CANON_FIELD_PLAIN;
    return rule->row->field(rule->row->context, &rw->cls, ref, is_static, &field->site);
}

static int look_at_field(struct rewriting *rw, const struct rule *rule, uint32_t index, bool is_static,
                         struct access_field *field)
{
    struct canon_ref ref;
    int error = canon_class_ref(&rw->cls, index, &ref);
    if (error)
        return error;
    if (ref.tag != CANON_CONSTANT_FIELDREF || ref.descriptor.length == 0)
        return CANON_E_FORMAT;
    *field = (struct access_field){.rule = rule,
                                   .site = -1,
                                   .hash = canon_field_hash(ref.name, ref.descriptor),
                                   .type = ref.descriptor.text[0]};
    enum canon_field_kind kind = kind_of(rw, rule, &ref, is_static, field);
    bool all = rule->row->flags & CANON_RULE_ALL_ACCESSES;
    if (kind == CANON_FIELD_UNKNOWN && all && !rule->row->plain)
        kind = CANON_FIELD_ORDERED; /* whatever it turns out to be */
    if (kind != CANON_FIELD_UNKNOWN)
        field->site = -1;
    else if (field->site < 0)
        return CANON_E_INVALID;
    field->plain = kind == CANON_FIELD_PLAIN;
    field->told = kind == CANON_FIELD_ORDERED || kind == CANON_FIELD_UNKNOWN || (field->plain && all);
    return 0;
}

/* What the row has to say of a field reference; NULL: an error. */
static const struct access_field *find_field(struct rewriting *rw, const struct rule *rule,
                                             const struct canon_insn *insn, int *error)
{
    uint32_t index = canon_insn_pool_index(insn);
    *error = index < rw->cls.pool_count ? 0 : CANON_E_FORMAT;
    if (*error)
        return NULL;
    if (!rw->access.fields)
        rw->access.fields = calloc(rw->cls.pool_count, sizeof *rw->access.fields);
    canon_assert(rw->access.fields);
    struct access_field *field = &rw->access.fields[index];
    bool is_static = insn->opcode == CANON_OP_GETSTATIC || insn->opcode == CANON_OP_PUTSTATIC;
    if (field->rule != rule)
        *error = look_at_field(rw, rule, index, is_static, field);
    return *error ? NULL : field;
}

/* Whether a constructor has not called another one yet: 1, 0 or an error. */
static int is_early(struct rewriting *rw, uint32_t pc)
{
    if (!canon_utf8_is(rw->member->name, "<init>"))
        return 0;
    if (!rw->early) {
        int error = canon_constructor_early(&rw->cls, rw->member, &rw->early);
        if (error)
            return error;
    }
    return rw->early[pc];
}

/* Code. */

/* From o, value to o, value, o. */
static void copy_object_under(struct canon_snippet *snippet, char type)
{
    if (canon_type_slots(type) == 1) {
        canon_snippet_op(snippet, CANON_OP_DUP2);
        canon_snippet_op(snippet, CANON_OP_POP);
    } else {
        canon_snippet_op(snippet, CANON_OP_DUP2_X1);
        canon_snippet_op(snippet, CANON_OP_POP2);
        canon_snippet_op(snippet, CANON_OP_DUP_X2);
    }
}

static void static_access(struct rewriting *rw, const struct canon_insn *insn,
                          const struct access_field *field, struct canon_snippet *before)
{
    canon_snippet_field(before, CANON_OP_GETSTATIC, (int)canon_insn_pool_index(insn), field->type);
    canon_snippet_op(before, canon_type_slots(field->type) == 2 ? CANON_OP_POP2 : CANON_OP_POP);
    canon_rewrite_push_int(rw, before, field->hash);
    call(rw, before, field->rule, insn->opcode == CANON_OP_GETSTATIC ? READ_STATIC : WRITE_STATIC,
         field->site);
}

/* Tells of a plain access; what the helper gets before the number is on the stack. */
static void tell_plain(struct rewriting *rw, struct canon_snippet *before, const struct rule *rule,
                       int32_t number, int helper)
{
    canon_rewrite_push_int(rw, before, number);
    call(rw, before, rule, helper, -1);
}

/* A plain field, with a row that only wants to hear of it. */
static int plain_access(struct rewriting *rw, struct rule *rule, const struct canon_insn *insn,
                        const struct access_field *field, struct canon_snippet *before)
{
    struct canon_ref ref;
    bool writes = insn->opcode == CANON_OP_PUTFIELD || insn->opcode == CANON_OP_PUTSTATIC;
    int error = canon_class_ref(&rw->cls, canon_insn_pool_index(insn), &ref);
    int32_t number = error ? -1 : rule->row->plain(rule->row->context, &rw->cls, rw->member, &ref, writes);
    if (error || number < 0)
        return error;
    bool is_static = insn->opcode == CANON_OP_GETSTATIC || insn->opcode == CANON_OP_PUTSTATIC;
    if (insn->opcode == CANON_OP_GETFIELD)
        canon_snippet_op(before, CANON_OP_DUP);
    else if (insn->opcode == CANON_OP_PUTFIELD)
        copy_object_under(before, field->type);
    tell_plain(rw, before, rule, number, is_static ? PLAIN_STATIC : PLAIN);
    return 0;
}

static int field_access(struct rewriting *rw, struct rule *rule, const struct canon_insn *insn)
{
    int error;
    const struct access_field *field = find_field(rw, rule, insn, &error);
    if (!field)
        return error;
    if (!field->told || (field->plain && is_initialiser(rw)))
        return 0;
    struct canon_snippet before;
    canon_snippet_start(&before);
    bool plain = rule->row->plain && !is_initialiser(rw);
    if (field->plain && plain) {
        error = plain_access(rw, rule, insn, field, &before);
        return error ? error : canon_rewrite_before(rw, insn->pc, &before);
    }
    if (insn->opcode == CANON_OP_GETFIELD) {
        canon_snippet_op(&before, CANON_OP_DUP);
        call(rw, &before, rule, READ, field->site);
    } else if (insn->opcode == CANON_OP_PUTFIELD) {
        int early = is_early(rw, insn->pc);
        if (early)
            return early < 0 ? early : 0;
        copy_object_under(&before, field->type);
        call(rw, &before, rule, WRITE, field->site);
    } else {
        static_access(rw, insn, field, &before);
    }
    if (field->site >= 0 && plain && (error = plain_access(rw, rule, insn, field, &before)))
        return error;
    return surround(rw, rule, insn->pc, &before, field->site);
}

static int array_access(struct rewriting *rw, struct rule *rule, const struct canon_insn *insn)
{
    if (is_initialiser(rw))
        return 0;
    struct canon_snippet before;
    canon_snippet_start(&before);
    bool plain = rule->row->plain;
    int32_t number =
        plain ? rule->row->plain(rule->row->context, &rw->cls, rw->member, NULL, is_array_store(insn->opcode))
              : 0;
    if (number < 0)
        return 0;
    if (is_array_load(insn->opcode)) {
        canon_snippet_op(&before, CANON_OP_DUP2);
        if (plain) {
            tell_plain(rw, &before, rule, number, PLAIN_ELEMENT);
            return canon_rewrite_before(rw, insn->pc, &before);
        }
        call(rw, &before, rule, READ_ARRAY, -1);
        return surround(rw, rule, insn->pc, &before, -1);
    }
    /* From array, index, value to array, index, value, array, index. */
    if (insn->opcode == CANON_OP_LASTORE || insn->opcode == CANON_OP_DASTORE) {
        canon_snippet_op(&before, CANON_OP_DUP2_X2);
        canon_snippet_op(&before, CANON_OP_POP2);
        canon_snippet_op(&before, CANON_OP_DUP2_X2);
    } else {
        canon_snippet_op(&before, CANON_OP_DUP_X2);
        canon_snippet_op(&before, CANON_OP_POP);
        canon_snippet_op(&before, CANON_OP_DUP2_X1);
    }
    if (plain) {
        tell_plain(rw, &before, rule, number, PLAIN_ELEMENT);
        return canon_rewrite_before(rw, insn->pc, &before);
    }
    call(rw, &before, rule, WRITE_ARRAY, -1);
    return surround(rw, rule, insn->pc, &before, -1);
}

int canon_access_instruction(struct rewriting *rw, struct rule *rule, const struct canon_insn *insn)
{
    if (canon_opcode_kind(insn->opcode) == CANON_KIND_FIELD)
        return field_access(rw, rule, insn);
    bool is_array = is_array_load(insn->opcode) || is_array_store(insn->opcode);
    return is_array && rule->row->flags & CANON_RULE_ALL_ACCESSES ? array_access(rw, rule, insn) : 0;
}
