/* unit_classfile_reader.c: class.h and code.h on classes made by hand, good and bad. */
#include "class_builder.h"

#include "base/error.h"
#include "classfile/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define assert_text(expected, actual) assert_true(canon_utf8_is(actual, expected))

static void build_sample(struct builder *b, uint16_t major)
{
    builder_start(b, major, "a/Sample", "a/Base");
    b->interface = builder_class(b, "java/lang/Runnable");
    builder_field(b, CANON_ACC_VOLATILE, "count", "J");
    uint16_t ref = builder_ref(b, CANON_CONSTANT_INTERFACE_METHODREF, "java/util/List", "size", "()I");
    struct builder_code code = {.stack = 1,
                                .locals = 1,
                                .bytes = BYTES(CANON_OP_ALOAD_0, CANON_OP_INVOKEINTERFACE, U2(ref), 1, 0,
                                               CANON_OP_POP, CANON_OP_RETURN)};
    builder_method(b, CANON_ACC_PUBLIC, "run", "()V", &code);
    builder_method(b, CANON_ACC_NATIVE, "other", "(IJ)[D", NULL);
    builder_finish(b);
}

static void reads_names_members_and_references(void **state)
{
    (void)state;
    struct builder b;
    struct canon_class cls;
    build_sample(&b, 61);
    assert_int_equal(0, canon_class_open(&cls, b.file.data, b.file.used));
    assert_text("a/Sample", cls.name);
    assert_text("a/Base", canon_class_super_name(&cls));
    assert_int_equal(1, cls.interface_count);
    assert_text("java/lang/Runnable", canon_class_interface(&cls, 0));
    assert_text("", canon_class_interface(&cls, 1));
    assert_int_equal(1, cls.field_count);
    assert_text("count", cls.fields[0].name);
    assert_int_equal(CANON_ACC_VOLATILE, cls.fields[0].access);
    assert_int_equal(2, cls.method_count);
    assert_text("(IJ)[D", cls.methods[1].descriptor);
    struct canon_code code;
    assert_int_equal(0, canon_code_open(&cls, &cls.methods[1], &code));
    assert_int_equal(1, canon_code_open(&cls, &cls.methods[0], &code));
    struct canon_insn insn = {0};
    assert_int_equal(1, canon_code_next(&code, &insn));
    assert_int_equal(0, canon_insn_pool_index(&insn));
    assert_int_equal(1, canon_code_next(&code, &insn));
    struct canon_ref ref;
    assert_int_equal(0, canon_class_ref(&cls, canon_insn_pool_index(&insn), &ref));
    assert_text("java/util/List", ref.owner);
    assert_text("size", ref.name);
    assert_text("()I", ref.descriptor);
    assert_int_equal(CANON_E_FORMAT, canon_class_ref(&cls, cls.this_index, &ref));
    assert_int_equal(CANON_E_FORMAT, canon_class_ref(&cls, 60000, &ref));
    canon_class_close(&cls);
    builder_free(&b);
}

static void refuses_every_truncation(void **state)
{
    (void)state;
    struct builder b;
    struct canon_class cls;
    build_sample(&b, 61);
    for (size_t length = 0; length < b.file.used; length++) {
        uint8_t *copy = malloc(length + 1); /* exact, so that a sanitizer sees reads behind it */
        memcpy(copy, b.file.data, length);
        copy = realloc(copy, length ? length : 1);
        assert_true(canon_class_open(&cls, copy, length) < 0);
        free(copy);
    }
    uint8_t more[4096] = {0};
    memcpy(more, b.file.data, b.file.used);
    assert_int_equal(CANON_E_FORMAT, canon_class_open(&cls, more, b.file.used + 1));
    builder_free(&b);
}

/* No byte can be changed such that more than an error code comes of it. */
static void survives_every_changed_byte(void **state)
{
    (void)state;
    struct builder b;
    build_sample(&b, 61);
    for (size_t at = 0; at < b.file.used; at++) {
        static const uint8_t values[] = {0, 1, 0x7f, 0xff};
        uint8_t original = b.file.data[at];
        for (size_t i = 0; i < sizeof values; i++) {
            struct canon_class cls;
            b.file.data[at] = values[i];
            if (canon_class_open(&cls, b.file.data, b.file.used) == 0)
                canon_class_close(&cls);
        }
        b.file.data[at] = original;
    }
    builder_free(&b);
}

static int open_version(uint16_t major)
{
    struct builder b;
    struct canon_class cls;
    build_sample(&b, major);
    int result = canon_class_open(&cls, b.file.data, b.file.used);
    if (result == 0)
        canon_class_close(&cls);
    builder_free(&b);
    return result;
}

static void knows_its_versions(void **state)
{
    (void)state;
    assert_int_equal(CANON_E_VERSION, open_version(44));
    assert_int_equal(0, open_version(45));
    assert_int_equal(0, open_version(69));
    assert_int_equal(CANON_E_VERSION, open_version(70));
}

static void refuses_constants_of_the_wrong_kind(void **state)
{
    (void)state;
    struct builder b;
    struct canon_class cls;
    builder_start(&b, 61, "Test", NULL);
    uint16_t name = builder_utf8(&b, "name");
    uint8_t bad[] = {CANON_CONSTANT_METHODREF, U2(name), U2(name)};
    canon_buffer_put(&b.pool, bad, sizeof bad);
    b.pool_count++;
    builder_finish(&b);
    assert_int_equal(CANON_E_FORMAT, canon_class_open(&cls, b.file.data, b.file.used));
    builder_free(&b);
}

/* Walks code: the number of instructions, or an error. */
static int walk(struct bytes bytes)
{
    struct canon_code code = {.bytes = bytes.data, .length = (uint32_t)bytes.length};
    struct canon_insn insn = {0};
    int count = 0, more;
    while ((more = canon_code_next(&code, &insn)) > 0)
        count++;
    return more < 0 ? more : count;
}

static void walks_instructions_of_variable_length(void **state)
{
    (void)state;
    assert_int_equal(2, walk(BYTES(CANON_OP_WIDE, CANON_OP_IINC, 1, 0, 0, 5, CANON_OP_RETURN)));
    assert_int_equal(2, walk(BYTES(CANON_OP_WIDE, CANON_OP_ALOAD, 1, 0, CANON_OP_RETURN)));
    /* one nop in front, so two bytes of padding */
    assert_int_equal(3, walk(BYTES(CANON_OP_NOP, CANON_OP_TABLESWITCH, 0, 0, U4(27), U4(5), U4(7), U4(27),
                                   U4(27), U4(27), CANON_OP_RETURN)));
    assert_int_equal(3, walk(BYTES(CANON_OP_NOP, CANON_OP_LOOKUPSWITCH, 0, 0, U4(27), U4(1), U4(-5), U4(27),
                                   CANON_OP_RETURN)));
}

static void refuses_malformed_instructions(void **state)
{
    (void)state;
    assert_int_equal(CANON_E_FORMAT, walk(BYTES(0xfe)));
    assert_int_equal(CANON_E_FORMAT, walk(BYTES(CANON_OP_GOTO, 0)));
    assert_int_equal(CANON_E_FORMAT, walk(BYTES(CANON_OP_WIDE)));
    assert_int_equal(CANON_E_FORMAT, walk(BYTES(CANON_OP_WIDE, CANON_OP_NOP, 0, 0)));
    /* more cases than there are bytes; high below low; a negative number of pairs */
    assert_int_equal(CANON_E_FORMAT,
                     walk(BYTES(CANON_OP_TABLESWITCH, 0, 0, 0, U4(0), U4(0), U4(0x7fffffff))));
    assert_int_equal(CANON_E_FORMAT,
                     walk(BYTES(CANON_OP_TABLESWITCH, 0, 0, 0, U4(0), U4(0x80000000), U4(0x7fffffff))));
    assert_int_equal(CANON_E_FORMAT, walk(BYTES(CANON_OP_TABLESWITCH, 0, 0, 0, U4(0), U4(1), U4(0), U4(0))));
    assert_int_equal(CANON_E_FORMAT, walk(BYTES(CANON_OP_LOOKUPSWITCH, 0, 0, 0, U4(0), U4(-1))));
}

static void parses_descriptors(void **state)
{
    (void)state;
    struct canon_signature s;
    assert_int_equal(0, canon_signature_parse(canon_utf8_from("(IJ[[JLa/B;D)V"), &s));
    assert_int_equal(7, s.slots);
    assert_int_equal('V', s.result);
    assert_int_equal(0, canon_signature_parse(canon_utf8_from("()[La/B;"), &s));
    assert_int_equal('[', s.result);
    static const char *const bad[] = {"",     "()",    "(",     "(V)V", "(I",   "I",
                                      "()VV", "(L;)V", "(La)V", "([)V", "()II", "(Q)V"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(CANON_E_FORMAT, canon_signature_parse(canon_utf8_from(bad[i]), &s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_names_members_and_references),
        cmocka_unit_test(refuses_every_truncation),
        cmocka_unit_test(survives_every_changed_byte),
        cmocka_unit_test(knows_its_versions),
        cmocka_unit_test(refuses_constants_of_the_wrong_kind),
        cmocka_unit_test(walks_instructions_of_variable_length),
        cmocka_unit_test(refuses_malformed_instructions),
        cmocka_unit_test(parses_descriptors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
