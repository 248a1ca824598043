/* unit_classfile_rewrite.c: rewrite.h: which rules apply to what, and the code they make. */
#include "class_builder.h"

#include "base/error.h"
#include "classfile/code.h"
#include "classfile/rewrite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* A class and what rules made of it. */
struct fixture {
    struct builder builder;
    struct canon_rules *rules;
    struct canon_rewrite_report report;
    uint8_t *data;
    struct canon_class cls; /* the new one */
};

/* Method 0 is "static int time(Object)": calls System.nanoTime and List.size; method 1 is a constructor,
 * method 2 native, method 3 "String toString()" without code of interest. */
static void build(struct fixture *f)
{
    struct builder *b = &f->builder;
    builder_start(b, 61, "app/Main", "java/lang/Object");
    uint16_t nano = builder_ref(b, CANON_CONSTANT_METHODREF, "java/lang/System", "nanoTime", "()J");
    uint16_t size = builder_ref(b, CANON_CONSTANT_INTERFACE_METHODREF, "java/util/List", "size", "()I");
    uint16_t init = builder_ref(b, CANON_CONSTANT_METHODREF, "java/lang/Object", "<init>", "()V");
    struct builder_code time = {.stack = 2,
                                .locals = 1,
                                .bytes =
                                    BYTES(CANON_OP_INVOKESTATIC, U2(nano), CANON_OP_POP2, CANON_OP_ALOAD_0,
                                          CANON_OP_INVOKEINTERFACE, U2(size), 1, 0, CANON_OP_IRETURN)};
    builder_method(b, CANON_ACC_STATIC, "time", "(Ljava/util/List;)I", &time);
    struct builder_code constructor = {
        .stack = 1,
        .locals = 1,
        .bytes = BYTES(CANON_OP_ALOAD_0, CANON_OP_INVOKESPECIAL, U2(init), CANON_OP_RETURN)};
    builder_method(b, 0, "<init>", "()V", &constructor);
    builder_method(b, CANON_ACC_NATIVE, "read", "(I)I", NULL);
    struct builder_code text = {
        .stack = 1, .locals = 1, .bytes = BYTES(CANON_OP_ACONST_NULL, CANON_OP_ARETURN)};
    builder_method(b, 0, "toString", "()Ljava/lang/String;", &text);
    builder_finish(b);
}

static int apply(struct fixture *f, const struct canon_rule *table, size_t count)
{
    *f = (struct fixture){0};
    build(f);
    assert_int_equal(0, canon_rules_compile(&f->rules, table, count, NULL));
    size_t length = 0;
    int result = canon_rewrite_class(f->rules, f->builder.file.data, f->builder.file.used, 0, &f->data,
                                     &length, &f->report);
    if (result > 0)
        assert_int_equal(0, canon_class_open(&f->cls, f->data, length));
    else
        assert_null(f->data);
    return result;
}

#define APPLY(f, ...)                                                                                        \
    apply(f, (const struct canon_rule[]){__VA_ARGS__},                                                       \
          sizeof((const struct canon_rule[]){__VA_ARGS__}) / sizeof(struct canon_rule))

static void close_fixture(struct fixture *f)
{
    canon_class_close(&f->cls);
    free(f->data);
    canon_rules_free(f->rules);
    builder_free(&f->builder);
}

/* The calls in a method, as "owner.name+descriptor" separated by blanks; '\'' marks a string constant. */
static const char *calls_of(struct fixture *f, uint16_t method)
{
    static char text[1024];
    struct canon_code code;
    struct canon_insn insn = {0};
    size_t used = 0;
    assert_int_equal(1, canon_code_open(&f->cls, &f->cls.methods[method], &code));
    text[0] = '\0';
    while (canon_code_next(&code, &insn) > 0) {
        struct canon_ref ref;
        uint32_t index = canon_insn_pool_index(&insn);
        if (insn.opcode == CANON_OP_LDC_W) {
            struct canon_utf8 string = canon_class_text(&f->cls, index);
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "'%.*s' ", (int)string.length, string.text);
        } else if (canon_class_ref(&f->cls, index, &ref) == 0) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%.*s.%.*s%.*s ", (int)ref.owner.length,
                                     ref.owner.text, (int)ref.name.length, ref.name.text,
                                     (int)ref.descriptor.length, ref.descriptor.text);
        }
    }
    return text;
}

static void redirects_calls(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(
        1, APPLY(&f, {CANON_RULE_REDIRECT, "java/lang/System", "nanoTime", "()J", .helper = "H.nano()J"},
                 {CANON_RULE_REDIRECT, "*", "size", "()I", .helper = "H.size(Ljava/lang/Object;)I"}));
    assert_string_equal("H.nano()J H.size(Ljava/lang/Object;)I ", calls_of(&f, 0));
    assert_int_equal(1, canon_rules_hits(f.rules, 0));
    assert_int_equal(1, canon_rules_hits(f.rules, 1));
    close_fixture(&f);
}

static void makes_the_helpers_descriptor_from_the_calls(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(1, APPLY(&f, {CANON_RULE_REDIRECT, "java/*", "*", NULL, .helper = "H.any"}));
    assert_string_equal("H.any()J H.any(Ljava/util/List;)I ", calls_of(&f, 0));
    assert_string_equal("java/lang/Object.<init>()V ", calls_of(&f, 1)); /* never constructors */
    close_fixture(&f);
}

static void the_first_redirect_counts(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(
        1, APPLY(&f, {CANON_RULE_REDIRECT, "*", "nano*", NULL, .helper = "H.first()J"},
                 {CANON_RULE_REDIRECT, "java/lang/System", "nanoTime", "()J", .helper = "H.second()J"}));
    assert_string_equal("H.first()J java/util/List.size()I ", calls_of(&f, 0));
    close_fixture(&f);
}

/* Adds a method handle constant. */
static uint16_t add_handle(struct builder *b, uint8_t kind, uint16_t ref)
{
    const uint8_t handle[] = {CANON_CONSTANT_METHOD_HANDLE, kind, U2(ref)};
    canon_buffer_put(&b->pool, handle, sizeof handle);
    return b->pool_count++;
}

static void redirects_method_references(void **state)
{
    (void)state;
    struct builder b;
    builder_start(&b, 61, "app/Main", "java/lang/Object");
    uint16_t size = builder_ref(&b, CANON_CONSTANT_INTERFACE_METHODREF, "java/util/List", "size", "()I");
    uint16_t hash = builder_ref(&b, CANON_CONSTANT_METHODREF, "java/lang/Object", "hashCode", "()I");
    uint16_t handles[] = {add_handle(&b, CANON_HANDLE_INTERFACE, size),
                          add_handle(&b, CANON_HANDLE_VIRTUAL, hash),
                          add_handle(&b, CANON_HANDLE_SPECIAL, hash)}; /* super::hashCode stays */
    builder_finish(&b);
    const struct canon_rule table[] = {{CANON_RULE_REDIRECT, "*", "size", NULL, .helper = "H.size"},
                                       {CANON_RULE_REDIRECT, "*", "hashCode", NULL, .helper = "H.hash"}};
    struct canon_rules *rules;
    uint8_t *data;
    size_t length;
    struct canon_class cls;
    assert_int_equal(0, canon_rules_compile(&rules, table, 2, NULL));
    assert_int_equal(1, canon_rewrite_class(rules, b.file.data, b.file.used, 0, &data, &length, NULL));
    assert_int_equal(0, canon_class_open(&cls, data, length));
    static const char *const owners[] = {"H", "H", "java/lang/Object"};
    static const uint8_t kinds[] = {CANON_HANDLE_STATIC, CANON_HANDLE_STATIC, CANON_HANDLE_SPECIAL};
    for (int i = 0; i < 3; i++) {
        const uint8_t *handle = cls.data + cls.pool[handles[i]];
        struct canon_ref ref;
        assert_int_equal(kinds[i], handle[1]);
        assert_int_equal(0, canon_class_ref(&cls, (uint32_t)(handle[2] << 8 | handle[3]), &ref));
        assert_true(canon_utf8_is(ref.owner, owners[i]));
    }
    canon_class_close(&cls);
    free(data);
    canon_rules_free(rules);
    builder_free(&b);
}

static bool owner_is(void *context, struct canon_utf8 owner)
{
    return canon_utf8_is(owner, context);
}

static void asks_for_owners(void **state)
{
    (void)state;
    struct fixture f;
    static char list[] = "java/util/List", set[] = "java/util/Set";
    assert_int_equal(0, APPLY(&f, {CANON_RULE_REDIRECT, "*", "size", NULL, .helper = "H.size",
                                   .owner_matches = owner_is, .context = set}));
    close_fixture(&f);
    assert_int_equal(1, APPLY(&f, {CANON_RULE_REDIRECT, "*", "size", NULL, .helper = "H.size",
                                   .owner_matches = owner_is, .context = list}));
    close_fixture(&f);
}

static void a_helper_that_does_not_fit_is_an_error(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(CANON_E_INVALID,
                     APPLY(&f, {CANON_RULE_REDIRECT, "*", "size", NULL, .helper = "H.size(J)I"}));
    assert_string_equal("app/Main.time(Ljava/util/List;)I", f.report.where);
    close_fixture(&f);
    assert_int_equal(CANON_E_INVALID, APPLY(&f, {CANON_RULE_WRAP, "*", "time", NULL, .helper = "H.enter(I)V",
                                                 .exit_helper = "H.exit()V"}));
    close_fixture(&f);
}

static void wraps_methods_and_passes_what_is_asked_for(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(
        1, APPLY(&f, {CANON_RULE_WRAP, "app/Main", "time", NULL,
                      .helper = "H.enter(Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;)J",
                      .pass = CANON_PASS_CLASS | CANON_PASS_THIS | CANON_PASS_ARGUMENT,
                      .exit_helper = "H.exit(JLjava/lang/Object;)V", .exit_pass = CANON_PASS_ARGUMENT}));
    assert_string_equal("'app.Main' H.enter(Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;)J "
                        "java/lang/System.nanoTime()J java/util/List.size()I "
                        "H.exit(JLjava/lang/Object;)V H.exit(JLjava/lang/Object;)V ",
                        calls_of(&f, 0));
    struct canon_code code;
    assert_int_equal(1, canon_code_open(&f.cls, &f.cls.methods[0], &code));
    /* the argument is saved for the exit, then passed; a static method has no `this` */
    const uint8_t entry[] = {CANON_OP_ALOAD_0, CANON_OP_ASTORE_1};
    assert_memory_equal(entry, code.bytes, 2);
    assert_int_equal(CANON_OP_ACONST_NULL, code.bytes[5]);
    assert_int_equal(4, code.max_locals);
    close_fixture(&f);
}

static void a_wrap_may_keep_the_method_from_running_and_answer_for_it(void **state)
{
    (void)state;
    struct fixture f;
    const struct canon_rule rule = {CANON_RULE_WRAP,
                                    "app/Main",
                                    "toString",
                                    NULL,
                                    .helper = "H.enter(Ljava/lang/Object;)Ljava/lang/Object;",
                                    .pass = CANON_PASS_THIS,
                                    .entered_helper = "H.entered(Ljava/lang/Object;)V",
                                    .exit_helper = "H.exit(Ljava/lang/Object;)V",
                                    .caught_helper = "H.caught(Ljava/lang/Throwable;Ljava/lang/Object;)"
                                                     "Ljava/lang/Object;"};
    assert_int_equal(1, apply(&f, &rule, 1));
    assert_string_equal("H.enter(Ljava/lang/Object;)Ljava/lang/Object; H.entered(Ljava/lang/Object;)V "
                        "H.exit(Ljava/lang/Object;)V H.exit(Ljava/lang/Object;)V "
                        "H.caught(Ljava/lang/Throwable;Ljava/lang/Object;)Ljava/lang/Object; ",
                        calls_of(&f, 3));
    struct canon_code code;
    assert_int_equal(1, canon_code_open(&f.cls, &f.cls.methods[3], &code));
    /* what it makes of the exception is cast back, and returned */
    assert_int_equal(CANON_OP_ARETURN, code.bytes[code.length - 1]);
    assert_int_equal(CANON_OP_CHECKCAST, code.bytes[code.length - 4]);
    /* `entered` is in the try, `enter` is not */
    assert_int_equal(1, code.exception_count);
    assert_int_equal(5, code.exceptions[1]);
    close_fixture(&f);
    struct canon_rule other = rule;
    other.name = "time"; /* it returns a number */
    other.pass = CANON_PASS_ARGUMENT;
    assert_int_equal(CANON_E_UNSUPPORTED, apply(&f, &other, 1));
    close_fixture(&f);
}

static void stars_pass_over_what_cannot_be_wrapped_but_names_do_not(void **state)
{
    (void)state;
    struct fixture f;
    const struct canon_rule rule = {CANON_RULE_WRAP,           "*", "*", NULL, .helper = "H.enter()V",
                                    .exit_helper = "H.exit()V"};
    assert_int_equal(1, apply(&f, &rule, 1));
    assert_int_equal(2, canon_rules_hits(f.rules, 0)); /* time and toString */
    assert_string_equal("java/lang/Object.<init>()V ", calls_of(&f, 1));
    close_fixture(&f);
    static const char *const names[] = {"<init>", "read"};
    for (int i = 0; i < 2; i++) {
        struct canon_rule exact = rule;
        exact.owner = "app/Main";
        exact.name = names[i];
        assert_int_equal(CANON_E_UNSUPPORTED, apply(&f, &exact, 1));
        close_fixture(&f);
    }
}

static void replaces_results_and_casts_them_back(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(1, APPLY(&f, {CANON_RULE_RESULT, "app/Main", "toString", NULL,
                                   .helper = "H.same(Ljava/lang/Object;)Ljava/lang/Object;"}));
    struct canon_code code;
    assert_int_equal(1, canon_code_open(&f.cls, &f.cls.methods[3], &code));
    assert_int_equal(8, code.length);
    assert_int_equal(CANON_OP_INVOKESTATIC, code.bytes[1]);
    assert_int_equal(CANON_OP_CHECKCAST, code.bytes[4]);
    struct canon_insn cast = {.at = code.bytes + 4, .opcode = CANON_OP_CHECKCAST};
    assert_true(canon_utf8_is(canon_class_text(&f.cls, canon_insn_pool_index(&cast)), "java/lang/String"));
    close_fixture(&f);
    assert_int_equal(1, APPLY(&f, {CANON_RULE_RESULT, "app/Main", "*", NULL, .helper = "H.same(I)I"}));
    assert_string_equal("java/lang/System.nanoTime()J java/util/List.size()I H.same(I)I ", calls_of(&f, 0));
    assert_int_equal(1, canon_rules_hits(f.rules, 0));
    close_fixture(&f);
}

static void calls_helpers_on_entry(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(1, APPLY(&f, {CANON_RULE_ENTRY, "app/Main", "*", NULL,
                                   .helper = "H.entry(Ljava/lang/Object;)V", .pass = CANON_PASS_THIS}));
    assert_string_equal("H.entry(Ljava/lang/Object;)V java/lang/System.nanoTime()J java/util/List.size()I ",
                        calls_of(&f, 0));
    assert_string_equal("java/lang/Object.<init>()V ", calls_of(&f, 1));
    assert_int_equal(2, canon_rules_hits(f.rules, 0));
    close_fixture(&f);
    assert_int_equal(CANON_E_INVALID,
                     APPLY(&f, {CANON_RULE_ENTRY, "app/Main", "time", NULL, .helper = "H.entry()I"}));
    close_fixture(&f);
}

static void overrides_methods(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(1,
                     APPLY(&f, {CANON_RULE_OVERRIDE, "app/Main", "get", "()Ljava/lang/Object;",
                                .helper = "H.got(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"}));
    assert_int_equal(5, f.cls.method_count);
    assert_true(canon_utf8_is(f.cls.methods[4].name, "get"));
    assert_string_equal("java/lang/Object.get()Ljava/lang/Object; "
                        "H.got(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object; ",
                        calls_of(&f, 4));
    close_fixture(&f);
}

static void tells_constructors_results(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(1, APPLY(&f, {CANON_RULE_RESULT, "app/Main", "<init>", NULL,
                                   .helper = "H.made(Ljava/lang/Object;)V", .pass = CANON_PASS_THIS}));
    assert_string_equal("java/lang/Object.<init>()V H.made(Ljava/lang/Object;)V ", calls_of(&f, 1));
    close_fixture(&f);
}

static void adds_fields(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(1, APPLY(&f, {CANON_RULE_FIELD, "app/*", "extra", "J", .access = 0x1082}));
    assert_int_equal(1, f.cls.field_count);
    assert_int_equal(0x1082, f.cls.fields[0].access);
    close_fixture(&f);
}

static void passes_over_classes(void **state)
{
    (void)state;
    struct fixture f;
    const struct canon_rule field = {CANON_RULE_FIELD, "*", "extra", "J", .access = 0};
    assert_int_equal(0, APPLY(&f, {CANON_RULE_FIELD, "app/Other", "extra", "J", .access = 0}));
    close_fixture(&f);
    assert_int_equal(0, APPLY(&f, field, {.kind = CANON_RULE_SKIP, .owner = "app/*"}));
    close_fixture(&f);
    /* a class that owns a helper */
    assert_int_equal(0, APPLY(&f, field, {CANON_RULE_REDIRECT, "*", "x", NULL, .helper = "app/Main.x"}));
    close_fixture(&f);
}

static void leaves_empty_finalizers_empty(void **state)
{
    (void)state;
    struct builder b;
    builder_start(&b, 61, "java/lang/Object", NULL);
    struct builder_code code = {.locals = 1, .bytes = BYTES(CANON_OP_RETURN)};
    builder_method(&b, 0, "finalize", "()V", &code);
    builder_finish(&b);
    const struct canon_rule rule = {CANON_RULE_WRAP,           "*", "*", NULL, .helper = "H.enter()V",
                                    .exit_helper = "H.exit()V"};
    struct canon_rules *rules;
    assert_int_equal(0, canon_rules_compile(&rules, &rule, 1, NULL));
    uint8_t *data;
    size_t length;
    assert_int_equal(0, canon_rewrite_class(rules, b.file.data, b.file.used, 0, &data, &length, NULL));
    canon_rules_free(rules);
    builder_free(&b);
}

static void refuses_rows_without_sense(void **state)
{
    (void)state;
    static const struct canon_rule bad[] = {
        {CANON_RULE_REDIRECT, "a", "b", "()V", .helper = NULL},
        {CANON_RULE_REDIRECT, "a", "b", "()V", .helper = "noDot"},
        {CANON_RULE_REDIRECT, "a", "b", "()V", .helper = "H.bad(descriptor"},
        {CANON_RULE_WRAP, "a", "b", "()V", .helper = "H.enter()V"},
        {CANON_RULE_WRAP, "a", "b", "()V", .helper = "H.enter()V", .exit_helper = "H.exit()I"},
        {CANON_RULE_WRAP, "a", "b", "()V", .helper = "H.enter()V", .exit_helper = "H.exit()V",
         .entered_helper = "H.entered(La;)V", .caught_helper = "H.caught(La;La;)La;"}, /* without a token */
        {CANON_RULE_WRAP, "a", "b", "()V", .helper = "H.enter()La;", .exit_helper = "H.exit(La;)V",
         .entered_helper = "H.entered(La;)V", .caught_helper = "H.caught(La;)La;"},
        {CANON_RULE_RESULT, "a", "b", "()V", .helper = "H.same(I)J"},
        {CANON_RULE_RESULT, "a", "b", "()V", .helper = "H.same"},
        {CANON_RULE_FIELD, "a", "*", "J", .access = 0},
        {CANON_RULE_KIND_COUNT, "a", "b", "c", .access = 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct canon_rule table[] = {{CANON_RULE_FIELD, "a", "b", "J", .access = 0}, bad[i]};
        struct canon_rules *rules = NULL;
        size_t row = 99;
        assert_int_equal(CANON_E_INVALID, canon_rules_compile(&rules, table, 2, &row));
        assert_int_equal(1, row);
        assert_null(rules);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redirects_calls),
        cmocka_unit_test(makes_the_helpers_descriptor_from_the_calls),
        cmocka_unit_test(the_first_redirect_counts),
        cmocka_unit_test(redirects_method_references),
        cmocka_unit_test(asks_for_owners),
        cmocka_unit_test(a_helper_that_does_not_fit_is_an_error),
        cmocka_unit_test(wraps_methods_and_passes_what_is_asked_for),
        cmocka_unit_test(a_wrap_may_keep_the_method_from_running_and_answer_for_it),
        cmocka_unit_test(stars_pass_over_what_cannot_be_wrapped_but_names_do_not),
        cmocka_unit_test(replaces_results_and_casts_them_back),
        cmocka_unit_test(calls_helpers_on_entry),
        cmocka_unit_test(overrides_methods),
        cmocka_unit_test(tells_constructors_results),
        cmocka_unit_test(adds_fields),
        cmocka_unit_test(passes_over_classes),
        cmocka_unit_test(leaves_empty_finalizers_empty),
        cmocka_unit_test(refuses_rows_without_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
