/*
 * fuzz_classfile.c: no bytes make the class-file code crash, leak, or read where it must not.
 *
 * Each input is rewritten in all ways; a result must be a class again, and one that was edited with
 * nothing must survive being edited with nothing once more, unchanged.
 */
#include "fuzz.h"
#include "heavy.h"

#include "base/assert.h"
#include "classfile/lazy.h"
#include "classfile/lockfree.h"
#include "classfile/rewrite.h"

#include <stdlib.h>

#define OBJECT "(Ljava/lang/Object;)V"

/* Every kind, one after the other. */
static enum canon_field_kind any_kind(void *context, const struct canon_class *cls,
                                      const struct canon_ref *ref, bool is_static, int32_t *site)
{
    (void)context, (void)cls, (void)is_static;
    *site = canon_field_hash(ref->name, ref->descriptor) >> (ref->owner.length & 31);
    return (enum canon_field_kind)(*site & 3);
}

static const struct canon_rule EVERYTHING[] = {
    {CANON_RULE_AROUND, "*", "*", NULL, .helper = "H.before(Ljava/lang/Object;J)V",
     .exit_helper = "H.behind()V"},
    {CANON_RULE_REDIRECT, "*", "*", NULL, .helper = "H.call", .flags = CANON_RULE_SUPER_CALLS},
    {CANON_RULE_WRAP, "*", "*", NULL,
     .helper = "H.enter(Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/Object;",
     .pass = CANON_PASS_CLASS | CANON_PASS_THIS,
     .exit_helper = "H.exit(Ljava/lang/Object;Ljava/lang/Object;)V", .exit_pass = CANON_PASS_THIS},
    {CANON_RULE_RESULT, "*", "*", NULL, .helper = "H.same(Ljava/lang/Object;)Ljava/lang/Object;"},
    {CANON_RULE_RESULT, "*", "*", NULL, .helper = "H.same(I)I"},
    {CANON_RULE_ENTRY, "*", "*", NULL, .helper = "H.entry" OBJECT, .pass = CANON_PASS_THIS},
    {CANON_RULE_OVERRIDE, "*", "added", "()Ljava/lang/Object;",
     .helper = "H.got(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"},
    {CANON_RULE_FIELD, "*", "added", "J", .access = 0x1082},
    {CANON_RULE_MONITOR, "*", "*", NULL, .helper = "H.entering" OBJECT, .entered_helper = "H.entered" OBJECT,
     .exit_helper = "H.exiting" OBJECT, .identity_helper = "H.same(Ljava/lang/Object;)Ljava/lang/Object;"},
    {CANON_RULE_ACCESS, "*", "*", NULL, .helper = "H", .field = any_kind},
};

static const struct canon_rule ORDER[] = {
    {CANON_RULE_AROUND, "*", "s*p", NULL, .helper = "H.before(Ljava/lang/Object;J)V",
     .exit_helper = "H.behind()V", .except = "ClassSeeds$Jumps"},
    {CANON_RULE_FIELD, "*", "added", "J", .access = 0x1082, .flags = CANON_RULE_IF_VOLATILE},
    {CANON_RULE_ACCESS, "*", "<init>", NULL, .helper = "H", .field = any_kind},
    {CANON_RULE_ACCESS, "*", "*", NULL, .helper = "H", .flags = CANON_RULE_ALL_ACCESSES},
    {CANON_RULE_MONITOR, "*", "*", NULL, .helper = "H.entering" OBJECT, .entered_helper = "H.entered" OBJECT,
     .exit_helper = "H.exiting" OBJECT},
};

static void check_class(const uint8_t *data, size_t length)
{
    struct canon_class cls;
    canon_assert(canon_class_open(&cls, data, length) == 0);
    bool *found = calloc(cls.field_count + 1u, sizeof *found);
    canon_assert(found);
    canon_class_lazy_fields(&cls, CANON_LAZY_ALL, found);
    canon_class_offset_fields(&cls, found);
    free(found);
    canon_class_is_lock_free(&cls);
    canon_class_close(&cls);
}

static void edit_with_nothing(const uint8_t *data, size_t length)
{
    uint8_t *once = NULL, *twice = NULL;
    size_t once_length = 0, twice_length = 0;
    uint32_t left_alone;
    if (heavy_rewrite(HEAVY_NOTHING, data, length, "H", &once, &once_length, &left_alone) > 0) {
        canon_assert(
            heavy_rewrite(HEAVY_NOTHING, once, once_length, "H", &twice, &twice_length, &left_alone) == 1);
        canon_assert(once_length == twice_length && memcmp(once, twice, once_length) == 0);
    }
    free(once);
    free(twice);
}

static struct canon_rules *compile(const struct canon_rule *table, size_t count)
{
    struct canon_rules *compiled = NULL;
    canon_assert(canon_rules_compile(&compiled, table, count, NULL) == 0);
    return compiled;
}

static void rewrite_by(struct canon_rules *rules, const uint8_t *data, size_t length)
{
    uint8_t *result = NULL;
    size_t result_length = 0;
    struct canon_rewrite_report report;
    if (canon_rewrite_class(rules, data, length, CANON_REWRITE_LEAVE_TOO_BIG, &result, &result_length,
                            &report) > 0) {
        check_class(result, result_length);
        free(result);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    uint8_t *result = NULL;
    size_t result_length = 0;
    uint32_t left_alone;
    edit_with_nothing(data, length);
    for (int mode = HEAVY_CALLS; mode <= HEAVY_NOPS; mode++) {
        if (heavy_rewrite((enum heavy_mode)mode, data, length, "H", &result, &result_length, &left_alone) >
            0) {
            check_class(result, result_length);
            free(result);
        }
    }
    static struct canon_rules *everything, *order;
    if (!order) {
        everything = compile(EVERYTHING, sizeof EVERYTHING / sizeof EVERYTHING[0]);
        order = compile(ORDER, sizeof ORDER / sizeof ORDER[0]);
    }
    rewrite_by(everything, data, length);
    rewrite_by(order, data, length);
    return 0;
}
