/*
 * fuzz_classfile.c: no bytes make the class-file code crash, leak, or read where it must not.
 *
 * Each input is rewritten in all ways; a result must be a class again, and one that was edited with
 * nothing must survive being edited with nothing once more, unchanged.
 */
#include "fuzz.h"
#include "heavy.h"

#include "base/assert.h"
#include "classfile/rewrite.h"

#include <stdlib.h>

static struct canon_rules *rules(void)
{
    static const struct canon_rule TABLE[] = {
        {CANON_RULE_REDIRECT, "*", "*", NULL, .helper = "H.call", .flags = CANON_RULE_SUPER_CALLS},
        {CANON_RULE_WRAP, "*", "*", NULL,
         .helper = "H.enter(Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/Object;",
         .pass = CANON_PASS_CLASS | CANON_PASS_THIS,
         .exit_helper = "H.exit(Ljava/lang/Object;Ljava/lang/Object;)V", .exit_pass = CANON_PASS_THIS},
        {CANON_RULE_RESULT, "*", "*", NULL, .helper = "H.same(Ljava/lang/Object;)Ljava/lang/Object;"},
        {CANON_RULE_RESULT, "*", "*", NULL, .helper = "H.same(I)I"},
        {CANON_RULE_ENTRY, "*", "*", NULL, .helper = "H.entry(Ljava/lang/Object;)V", .pass = CANON_PASS_THIS},
        {CANON_RULE_OVERRIDE, "*", "added", "()Ljava/lang/Object;",
         .helper = "H.got(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"},
        {CANON_RULE_FIELD, "*", "added", "J", .access = 0x1082},
    };
    static struct canon_rules *compiled;
    if (!compiled)
        canon_assert(canon_rules_compile(&compiled, TABLE, sizeof TABLE / sizeof TABLE[0], NULL) == 0);
    return compiled;
}

static void check_class(const uint8_t *data, size_t length)
{
    struct canon_class cls;
    canon_assert(canon_class_open(&cls, data, length) == 0);
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
    struct canon_rewrite_report report;
    if (canon_rewrite_class(rules(), data, length, CANON_REWRITE_LEAVE_TOO_BIG, &result, &result_length,
                            &report) > 0) {
        check_class(result, result_length);
        free(result);
    }
    return 0;
}
