/* test_heap_rules.c: what of a heap counts, and what classes are called. */
#include "jvm/heap_rules.h"

#include "support.h"

#include <stdlib.h>

static void is_called(const char *signature, const char *expected)
{
    char *name = canon_heap_class_name(signature);
    assert_string_equal(name, expected);
    free(name);
}

static void names_have_no_numbers_of_the_jvm(void **state)
{
    (void)state;
    is_called("Ljava/util/HashMap$Node;", "java.util.HashMap$Node");
    is_called("LMain;", "Main");
    is_called("[[I", "int[][]");
    is_called("[Lorg/example/Main;", "org.example.Main[]");
    is_called("Lorg/example/Main$$Lambda$14.0x00007f1234;", "org.example.Main$$Lambda");
    is_called("Lorg/example/Main$$Lambda.0x00007f1234;", "org.example.Main$$Lambda");
    is_called("[Lorg/example/Main$$Lambda.0x00007f1234;", "org.example.Main$$Lambda[]");
    is_called("Lorg/example/Hidden.0x00007f1234;", "org.example.Hidden");
    is_called("Ljdk/proxy1/$Proxy12;", "jdk.proxy1.$Proxy");
    is_called("Ljava/lang/invoke/LambdaForm$DMH.0x1;", "java.lang.invoke.");
}

static void fields_of_the_program_count(void **state)
{
    (void)state;
    assert_true(canon_heap_field_counts("Lorg/example/Main;", "counter", 'I'));
    assert_true(canon_heap_field_counts("Lorg/example/Main;", "canonical", 'I'));
    assert_true(canon_heap_field_counts("Ljava/util/HashMap;", "table", 'I'));
    assert_true(canon_heap_field_counts("Ljava/nio/Buffer;", "position", 'I'));
    assert_true(canon_heap_field_counts("Lorg/example/Buffer;", "address", 'J'));
    assert_true(canon_heap_field_counts("Ljava/net/InetAddress$InetAddressHolder;", "address", 'I'));
    assert_true(canon_heap_field_counts("Ljava/nio/Buffer;", "addres", 'J'));
    assert_true(canon_heap_field_counts("Ljava/lang/Thread;", "name", 'I'));
    assert_true(canon_heap_field_counts("Ljava/lang/reflect/Proxy;", "h", 'I'));
}

static void fields_of_the_jvm_do_not(void **state)
{
    (void)state;
    assert_false(canon_heap_field_counts("Ljava/lang/ref/Reference;", "referent", 'I'));
    assert_false(canon_heap_field_counts("Ljava/nio/Buffer;", "address", 'J'));
    assert_false(canon_heap_field_counts("Lsun/java2d/cmm/Profile;", "nativePtr", 'J'));
    assert_false(canon_heap_field_counts("Ljava/lang/Thread;", "eetop", 'I'));
    assert_false(canon_heap_field_counts("Ljava/lang/Thread;", "nam", 'I'));
    assert_false(canon_heap_field_counts("Ljava/lang/Thread;", "", 'I'));
    assert_false(canon_heap_field_counts("Ljava/lang/String;", "hash", 'I'));
    assert_false(canon_heap_field_counts("Ljava/lang/ClassLoader;", "classes", 'I'));
    assert_false(canon_heap_field_counts("Ljava/lang/reflect/Method;", "slot", 'I'));
}

static void static_fields_of_generated_classes_do_not_count(void **state)
{
    (void)state;
    assert_true(canon_heap_has_statics("Lorg/example/Main;"));
    assert_false(canon_heap_has_statics("[Lorg/example/Main;"));
    assert_false(canon_heap_has_statics("Lorg/example/Main$$Lambda.0x1;"));
    assert_false(canon_heap_has_statics("Ljdk/proxy1/$Proxy12;"));
    assert_false(canon_heap_has_statics("Ljdk/internal/reflect/GeneratedMethodAccessor1;"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_have_no_numbers_of_the_jvm),
        cmocka_unit_test(fields_of_the_program_count),
        cmocka_unit_test(fields_of_the_jvm_do_not),
        cmocka_unit_test(static_fields_of_generated_classes_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
