/* unit_classfile_lazy.c: lazy.h on methods that test fields, set them, or both. */
#include "class_builder.h"

#include "classfile/lazy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define TABLE "Ljava/util/Map;"

/* A class with one field and one static method of this code; whether the field is taken for lazy. */
static bool is_lazy_of(enum canon_lazy which, uint16_t access, const char *descriptor, const char *method,
                       struct bytes (*code_of)(uint16_t field))
{
    struct builder b;
    struct canon_class cls;
    bool lazy = false;
    builder_start(&b, 61, "a/Sample", "java/lang/Object");
    builder_field(&b, access, "table", descriptor);
    uint16_t field = builder_ref(&b, CANON_CONSTANT_FIELDREF, "a/Sample", "table", descriptor);
    struct builder_code code = {.stack = 2, .locals = 2, .bytes = code_of(field)};
    builder_method(&b, CANON_ACC_STATIC, method, "()V", &code);
    builder_finish(&b);
    free((void *)code.bytes.data);
    assert_int_equal(0, canon_class_open(&cls, b.file.data, b.file.used));
    canon_class_lazy_fields(&cls, which, &lazy);
    canon_class_close(&cls);
    builder_free(&b);
    return lazy;
}

static bool is_lazy(uint16_t access, const char *descriptor, const char *method,
                    struct bytes (*code_of)(uint16_t field))
{
    return is_lazy_of(CANON_LAZY_ALL, access, descriptor, method, code_of);
}

static struct bytes kept(const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length);
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    return (struct bytes){copy, length};
}

#define CODE(name, ...)                                                                                      \
    static struct bytes name(uint16_t field)                                                                 \
    {                                                                                                        \
        const uint8_t bytes[] = {__VA_ARGS__, CANON_OP_RETURN};                                              \
        return kept(bytes, sizeof bytes);                                                                    \
    }
#define GET CANON_OP_GETSTATIC, U2(field)
#define PUT(constant) constant, CANON_OP_PUTSTATIC, U2(field)

CODE(tests_and_sets, GET, CANON_OP_IFNONNULL, U2(7), PUT(CANON_OP_ACONST_NULL))
CODE(tests_a_copy_and_sets, GET, CANON_OP_DUP, CANON_OP_ASTORE_0, CANON_OP_IFNONNULL, U2(7),
     PUT(CANON_OP_ACONST_NULL))
CODE(locks_tests_and_sets, CANON_OP_MONITORENTER, GET, CANON_OP_IFNONNULL, U2(7), PUT(CANON_OP_ACONST_NULL))
CODE(only_tests, GET, CANON_OP_IFNONNULL, U2(3))
CODE(only_sets, PUT(CANON_OP_ACONST_NULL))
CODE(sets_a_flag, GET, CANON_OP_IFNE, U2(7), PUT(CANON_OP_ICONST_1))
CODE(sets_a_number, GET, CANON_OP_IFNE, U2(7), PUT(CANON_OP_ILOAD_0))

static void a_field_that_is_tested_and_set_is_lazy(void **state)
{
    (void)state;
    assert_true(is_lazy(0, TABLE, "get", tests_and_sets));
    assert_true(is_lazy(0, TABLE, "get", tests_a_copy_and_sets));
    assert_true(is_lazy(0, "Z", "get", sets_a_flag));
}

static void some_are_likely_to_be_shared(void **state)
{
    (void)state;
    assert_true(is_lazy_of(CANON_LAZY_SHARED, CANON_ACC_STATIC, TABLE, "get", tests_and_sets));
    assert_true(is_lazy_of(CANON_LAZY_SHARED, 0, TABLE, "get", locks_tests_and_sets));
    assert_false(is_lazy_of(CANON_LAZY_SHARED, 0, TABLE, "get", tests_and_sets));
    assert_false(is_lazy_of(CANON_LAZY_NONE, CANON_ACC_STATIC, TABLE, "get", locks_tests_and_sets));
}

static void others_are_not(void **state)
{
    (void)state;
    assert_false(is_lazy(0, TABLE, "get", only_tests));
    assert_false(is_lazy(0, TABLE, "get", only_sets));
    assert_false(is_lazy(0, "I", "hash", sets_a_number));
    assert_false(is_lazy(0, TABLE, "<clinit>", tests_and_sets));
    assert_false(is_lazy(CANON_ACC_VOLATILE, TABLE, "get", tests_and_sets));
    assert_false(is_lazy(CANON_ACC_FINAL, TABLE, "get", tests_and_sets));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_that_is_tested_and_set_is_lazy),
        cmocka_unit_test(some_are_likely_to_be_shared),
        cmocka_unit_test(others_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
