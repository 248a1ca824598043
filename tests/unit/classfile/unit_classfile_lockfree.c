/* unit_classfile_lockfree.c: lockfree.h on classes with some constants and fields. */
#include "class_builder.h"

#include "classfile/lockfree.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define ARRAY "[Ljava/lang/Object;"

static void start(struct builder *b)
{
    builder_start(b, 61, "a/Table", "a/Base");
}

static void calls(struct builder *b, const char *owner, const char *name, const char *descriptor)
{
    builder_ref(b, CANON_CONSTANT_METHODREF, owner, name, descriptor);
}

static bool is_lock_free(struct builder *b)
{
    struct canon_class cls;
    builder_finish(b);
    assert_int_equal(0, canon_class_open(&cls, b->file.data, b->file.used));
    bool is = canon_class_is_lock_free(&cls);
    canon_class_close(&cls);
    builder_free(b);
    return is;
}

static void a_class_that_swaps_and_has_an_array_is_lock_free(void **state)
{
    struct builder b;
    (void)state;
    start(&b);
    calls(&b, "sun/misc/Unsafe", "compareAndSwapInt", "(Ljava/lang/Object;JII)Z");
    builder_field(&b, CANON_ACC_VOLATILE, "table", ARRAY);
    assert_true(is_lock_free(&b));
    start(&b);
    calls(&b, "java/lang/invoke/VarHandle", "compareAndSet", "(" ARRAY "ILjava/lang/Object;)Z");
    calls(&b, "java/lang/invoke/MethodHandles", "arrayElementVarHandle",
          "(Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;");
    assert_true(is_lock_free(&b));
    start(&b);
    calls(&b, "a/Table", "casBase", "(JJ)Z");
    builder_ref(&b, CANON_CONSTANT_FIELDREF, "a/Table", "cells", ARRAY); /* of a/Base */
    assert_true(is_lock_free(&b));
}

static void one_without_either_is_not(void **state)
{
    struct builder b;
    (void)state;
    start(&b);
    calls(&b, "sun/misc/Unsafe", "compareAndSwapInt", "(Ljava/lang/Object;JII)Z");
    builder_field(&b, 0, "table", ARRAY);
    builder_ref(&b, CANON_CONSTANT_FIELDREF, "a/Table", "table", ARRAY);
    assert_false(is_lock_free(&b));
    start(&b);
    calls(&b, "a/Strings", "caseless", "(C)Z");
    calls(&b, "a/Strings", "compareAndSet", "(II)Z");
    builder_field(&b, CANON_ACC_VOLATILE, "table", ARRAY);
    assert_false(is_lock_free(&b));
}

/* A class with fields `first` and `second`, and the constant "second": which are found. */
static void find_fields(const char *call, uint16_t access, bool *found)
{
    struct builder b;
    struct canon_class cls;
    start(&b);
    builder_field(&b, 0, "first", "J");
    builder_field(&b, access, "second", "J");
    builder_string(&b, "second");
    calls(&b, "a/Access", call, "(Ljava/lang/Class;Ljava/lang/String;)J");
    builder_finish(&b);
    assert_int_equal(0, canon_class_open(&cls, b.file.data, b.file.used));
    canon_class_offset_fields(&cls, found);
    canon_class_close(&cls);
    builder_free(&b);
}

static void fields_whose_offset_is_asked_for_are_found(void **state)
{
    (void)state;
    bool found[2] = {false, false};
    find_fields("objectFieldOffset", 0, found);
    assert_false(found[0]);
    assert_true(found[1]);
    bool kept[2] = {true, false};
    find_fields("fieldOffset", 0, kept);
    assert_true(kept[0]); /* was found before */
    assert_true(kept[1]);
}

static void others_are_not(void **state)
{
    (void)state;
    bool found[2] = {false, false};
    find_fields("lookUp", 0, found);
    find_fields("objectFieldOffset", CANON_ACC_FINAL, found);
    find_fields("objectFieldOffset", CANON_ACC_STATIC, found);
    assert_false(found[0] || found[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_class_that_swaps_and_has_an_array_is_lock_free),
        cmocka_unit_test(one_without_either_is_not),
        cmocka_unit_test(fields_whose_offset_is_asked_for_are_found),
        cmocka_unit_test(others_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
