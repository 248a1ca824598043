/* unit_classfile_editor.c: editor.h: what each edit does to the bytes of small methods. */
#include "class_builder.h"

#include "base/error.h"
#include "classfile/code.h"
#include "classfile/editor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* Code to insert that is easy to recognise. */
#define MARK_A CANON_OP_ICONST_1, CANON_OP_POP
#define MARK_B CANON_OP_ICONST_2, CANON_OP_POP

/* A class being edited, and the result. */
struct fixture {
    struct builder builder;
    struct canon_class cls;
    struct canon_editor *editor;
    uint8_t *data;
    struct canon_class result;
    struct canon_code code; /* of the result's first method */
};

/* A class with one method (II)V in which local 0 and 1 are the parameters. */
static void open_method(struct fixture *f, uint16_t major, uint16_t access, const struct builder_code *code)
{
    builder_start(&f->builder, major, "Test", "java/lang/Object");
    builder_method(&f->builder, access, "run", "(II)V", code);
    builder_finish(&f->builder);
    assert_int_equal(0, canon_class_open(&f->cls, f->builder.file.data, f->builder.file.used));
    assert_int_equal(0, canon_editor_open(&f->editor, &f->cls));
}

static void open_bytes(struct fixture *f, struct bytes bytes)
{
    struct builder_code code = {.stack = 1, .locals = 2, .bytes = bytes};
    open_method(f, 48, CANON_ACC_STATIC, &code);
}

static void finish(struct fixture *f)
{
    size_t length;
    assert_int_equal(1, canon_editor_finish(f->editor, &f->data, &length));
    assert_int_equal(0, canon_class_open(&f->result, f->data, length));
    assert_int_equal(1, canon_code_open(&f->result, &f->result.methods[0], &f->code));
}

static void close_fixture(struct fixture *f)
{
    canon_class_close(&f->result);
    free(f->data);
    canon_editor_close(f->editor);
    canon_class_close(&f->cls);
    builder_free(&f->builder);
}

static void check_bytes(struct bytes expected, const uint8_t *data, size_t length)
{
    assert_int_equal(expected.length, length);
    assert_memory_equal(expected.data, data, length);
}

static void check_code(struct fixture *f, struct bytes expected)
{
    check_bytes(expected, f->code.bytes, f->code.length);
}

static void check_exceptions(struct fixture *f, struct bytes expected)
{
    check_bytes(expected, f->code.exceptions, 8u * f->code.exception_count);
}

/* The contents of an attribute of the first method's code. */
static struct bytes attribute(struct fixture *f, const char *name)
{
    struct canon_attributes attributes = f->code.attributes;
    struct canon_attribute found;
    while (canon_attributes_next(&f->result, &attributes, &found) > 0)
        if (canon_utf8_is(found.name, name))
            return (struct bytes){found.data, found.length};
    return (struct bytes){0};
}

static void check_attribute(struct fixture *f, const char *name, struct bytes expected)
{
    struct bytes actual = attribute(f, name);
    check_bytes(expected, actual.data, actual.length);
}

static struct canon_snippet snippet_of(struct bytes bytes)
{
    struct canon_snippet snippet;
    canon_snippet_start(&snippet);
    canon_snippet_bytes(&snippet, bytes.data, (uint32_t)bytes.length, 0, 1);
    snippet.depth = 0;
    return snippet;
}

static void insert(struct fixture *f, uint32_t pc, enum canon_place place, struct bytes bytes)
{
    struct canon_snippet snippet = snippet_of(bytes);
    assert_int_equal(0, canon_editor_insert(f->editor, 0, pc, place, &snippet));
}

/* if (local 0) nop; return */
#define BRANCHY CANON_OP_ILOAD_0, CANON_OP_IFEQ, U2(4), CANON_OP_NOP, CANON_OP_RETURN

static void branches_run_what_is_put_before(void **state)
{
    (void)state;
    struct fixture f = {0};
    open_bytes(&f, BYTES(BRANCHY));
    insert(&f, 5, CANON_PLACE_BEFORE, BYTES(MARK_A));
    insert(&f, 5, CANON_PLACE_BEFORE, BYTES(MARK_B));
    finish(&f);
    check_code(&f,
               BYTES(CANON_OP_ILOAD_0, CANON_OP_IFEQ, U2(4), CANON_OP_NOP, MARK_A, MARK_B, CANON_OP_RETURN));
    assert_int_equal(2, f.code.max_stack);
    close_fixture(&f);
}

static void branches_skip_what_is_for_fallthrough(void **state)
{
    (void)state;
    struct fixture f = {0};
    open_bytes(&f, BYTES(BRANCHY));
    insert(&f, 5, CANON_PLACE_FALLTHROUGH, BYTES(MARK_A));
    insert(&f, 4, CANON_PLACE_AFTER, BYTES(MARK_B));
    finish(&f);
    check_code(&f,
               BYTES(CANON_OP_ILOAD_0, CANON_OP_IFEQ, U2(8), CANON_OP_NOP, MARK_B, MARK_A, CANON_OP_RETURN));
    close_fixture(&f);
}

static void fallthrough_code_that_nothing_reaches_is_left_out(void **state)
{
    (void)state;
    struct fixture f = {0};
    open_bytes(&f, BYTES(CANON_OP_GOTO, U2(4), CANON_OP_RETURN, CANON_OP_RETURN));
    insert(&f, 4, CANON_PLACE_FALLTHROUGH, BYTES(MARK_A));
    insert(&f, 3, CANON_PLACE_FALLTHROUGH, BYTES(MARK_A));
    finish(&f);
    check_code(&f, BYTES(CANON_OP_GOTO, U2(4), CANON_OP_RETURN, CANON_OP_RETURN));
    close_fixture(&f);
}

static void entry_code_is_not_repeated_by_loops(void **state)
{
    (void)state;
    struct fixture f = {0};
    open_bytes(&f, BYTES(CANON_OP_ILOAD_0, CANON_OP_IFEQ, U2(-1), CANON_OP_RETURN));
    struct canon_snippet snippet = snippet_of(BYTES(MARK_A));
    assert_int_equal(0, canon_editor_insert_entry(f.editor, 0, &snippet));
    snippet = snippet_of(BYTES(MARK_B));
    assert_int_equal(0, canon_editor_insert_before_returns(f.editor, 0, &snippet));
    finish(&f);
    check_code(&f, BYTES(MARK_A, CANON_OP_ILOAD_0, CANON_OP_IFEQ, U2(-1), MARK_B, CANON_OP_RETURN));
    close_fixture(&f);
}

static void refuses_places_that_are_none(void **state)
{
    (void)state;
    struct fixture f = {0};
    open_bytes(&f, BYTES(BRANCHY));
    struct canon_snippet snippet = snippet_of(BYTES(MARK_A));
    assert_int_equal(CANON_E_INVALID, canon_editor_insert(f.editor, 0, 5, CANON_PLACE_AFTER, &snippet));
    assert_int_equal(CANON_E_INVALID, canon_editor_insert(f.editor, 0, 2, CANON_PLACE_BEFORE, &snippet));
    assert_int_equal(CANON_E_INVALID, canon_editor_insert(f.editor, 0, 6, CANON_PLACE_BEFORE, &snippet));
    assert_int_equal(CANON_E_INVALID, canon_editor_insert(f.editor, 1, 0, CANON_PLACE_BEFORE, &snippet));
    uint8_t *data;
    size_t length;
    assert_int_equal(0, canon_editor_finish(f.editor, &data, &length)); /* so nothing was edited */
    close_fixture(&f);
}

static void refuses_branches_into_the_middle_of_instructions(void **state)
{
    (void)state;
    struct fixture f = {0};
    open_bytes(&f, BYTES(CANON_OP_GOTO, U2(1), CANON_OP_RETURN));
    struct canon_snippet snippet = snippet_of(BYTES(MARK_A));
    assert_int_equal(CANON_E_FORMAT, canon_editor_insert_entry(f.editor, 0, &snippet));
    close_fixture(&f);
}

static void redirect_makes_an_interface_call_static(void **state)
{
    (void)state;
    struct fixture f = {0};
    builder_start(&f.builder, 61, "Test", "java/lang/Object");
    uint16_t size =
        builder_ref(&f.builder, CANON_CONSTANT_INTERFACE_METHODREF, "java/util/List", "size", "()I");
    struct builder_code code = {
        .stack = 1,
        .locals = 1,
        .bytes = BYTES(CANON_OP_ACONST_NULL, CANON_OP_INVOKEINTERFACE, U2(size), 1, 0, CANON_OP_IRETURN)};
    builder_method(&f.builder, CANON_ACC_STATIC, "run", "()I", &code);
    builder_finish(&f.builder);
    assert_int_equal(0, canon_class_open(&f.cls, f.builder.file.data, f.builder.file.used));
    assert_int_equal(0, canon_editor_open(&f.editor, &f.cls));
    struct canon_call call;
    assert_int_equal(0, canon_editor_call(f.editor, "Helper", "size", "(Ljava/lang/Object;J)I", &call));
    assert_int_equal(CANON_E_INVALID,
                     canon_editor_redirect(f.editor, 0, 1, &call)); /* one argument too many */
    assert_int_equal(0, canon_editor_call(f.editor, "Helper", "size", "(Ljava/lang/Object;)I", &call));
    assert_int_equal(CANON_E_INVALID, canon_editor_redirect(f.editor, 0, 0, &call)); /* not a call */
    assert_int_equal(0, canon_editor_redirect(f.editor, 0, 1, &call));
    finish(&f);
    check_code(&f, BYTES(CANON_OP_ACONST_NULL, CANON_OP_INVOKESTATIC, U2(call.index), CANON_OP_IRETURN));
    struct canon_ref ref;
    assert_int_equal(0, canon_class_ref(&f.result, call.index, &ref));
    assert_true(canon_utf8_is(ref.owner, "Helper") && canon_utf8_is(ref.descriptor, "(Ljava/lang/Object;)I"));
    close_fixture(&f);
}

static void switches_are_padded_anew(void **state)
{
    (void)state;
    struct fixture f = {0};
    open_bytes(&f, BYTES(CANON_OP_ILOAD_0, CANON_OP_TABLESWITCH, 0, 0, U4(19), U4(1), U4(1), U4(20),
                         CANON_OP_RETURN, CANON_OP_NOP, CANON_OP_RETURN));
    insert(&f, 0, CANON_PLACE_BEFORE, BYTES(CANON_OP_NOP));
    insert(&f, 21, CANON_PLACE_BEFORE, BYTES(MARK_A));
    finish(&f);
    check_code(&f, BYTES(CANON_OP_NOP, CANON_OP_ILOAD_0, CANON_OP_TABLESWITCH, 0, U4(18), U4(1), U4(1),
                         U4(19), CANON_OP_RETURN, MARK_A, CANON_OP_NOP, CANON_OP_RETURN));
    close_fixture(&f);
    f = (struct fixture){0};
    open_bytes(&f, BYTES(CANON_OP_ILOAD_0, CANON_OP_LOOKUPSWITCH, 0, 0, U4(19), U4(1), U4(-7), U4(20),
                         CANON_OP_RETURN, CANON_OP_NOP, CANON_OP_RETURN));
    insert(&f, 20, CANON_PLACE_BEFORE, BYTES(MARK_A));
    finish(&f);
    check_code(&f, BYTES(CANON_OP_ILOAD_0, CANON_OP_LOOKUPSWITCH, 0, 0, U4(19), U4(1), U4(-7), U4(22), MARK_A,
                         CANON_OP_RETURN, CANON_OP_NOP, CANON_OP_RETURN));
    close_fixture(&f);
}

/* synchronized (local 0) { } as javac writes it; the handler is at 5. */
#define LOCKING                                                                                              \
    CANON_OP_ALOAD_0, CANON_OP_MONITORENTER, CANON_OP_ALOAD_0, CANON_OP_MONITOREXIT, CANON_OP_RETURN,        \
        CANON_OP_ASTORE_1, CANON_OP_ALOAD_0, CANON_OP_MONITOREXIT, CANON_OP_ALOAD_1, CANON_OP_ATHROW
#define LOCKING_RANGES U2(2), U2(4), U2(5), U2(0), U2(5), U2(8), U2(5), U2(0)

static void handlers_cover_code_after_enter_but_not_after_exit(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct builder_code code = {
        .stack = 1, .locals = 2, .bytes = BYTES(LOCKING), .exceptions = BYTES(LOCKING_RANGES)};
    open_method(&f, 48, CANON_ACC_STATIC, &code);
    insert(&f, 1, CANON_PLACE_AFTER, BYTES(MARK_A));
    insert(&f, 3, CANON_PLACE_AFTER, BYTES(MARK_B));
    finish(&f);
    check_code(&f, BYTES(CANON_OP_ALOAD_0, CANON_OP_MONITORENTER, MARK_A, CANON_OP_ALOAD_0,
                         CANON_OP_MONITOREXIT, MARK_B, CANON_OP_RETURN, CANON_OP_ASTORE_1, CANON_OP_ALOAD_0,
                         CANON_OP_MONITOREXIT, CANON_OP_ALOAD_1, CANON_OP_ATHROW));
    check_exceptions(&f, BYTES(U2(2), U2(6), U2(9), U2(0), U2(9), U2(12), U2(9), U2(0)));
    close_fixture(&f);
}

static void a_releasing_handler_with_code_in_it_gets_a_copy_without(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct builder_code code = {
        .stack = 1, .locals = 2, .bytes = BYTES(LOCKING), .exceptions = BYTES(LOCKING_RANGES)};
    open_method(&f, 48, CANON_ACC_STATIC, &code);
    insert(&f, 7, CANON_PLACE_BEFORE, BYTES(MARK_A));
    insert(&f, 9, CANON_PLACE_BEFORE, BYTES(MARK_B));
    finish(&f);
    check_code(&f, BYTES(CANON_OP_ALOAD_0, CANON_OP_MONITORENTER, CANON_OP_ALOAD_0, CANON_OP_MONITOREXIT,
                         CANON_OP_RETURN, CANON_OP_ASTORE_1, CANON_OP_ALOAD_0, MARK_A, CANON_OP_MONITOREXIT,
                         CANON_OP_ALOAD_1, MARK_B, CANON_OP_ATHROW, /* 14: */ CANON_OP_ASTORE_1,
                         CANON_OP_ALOAD_0, CANON_OP_MONITOREXIT, CANON_OP_ALOAD_1, MARK_B, CANON_OP_ATHROW));
    check_exceptions(
        &f, BYTES(U2(2), U2(4), U2(5), U2(0), U2(5), U2(10), U2(14), U2(0), U2(14), U2(17), U2(14), U2(0)));
    close_fixture(&f);
}

static void debug_tables_move(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct builder_code code = {
        .stack = 1,
        .locals = 2,
        .bytes = BYTES(BRANCHY),
        /* the last row points into an instruction, which JVMs allow */
        .lines = BYTES(U2(3), U2(0), U2(10), U2(4), U2(11), U2(3), U2(12)),
        .variables = BYTES(U2(2), U2(0), U2(6), U2(1), U2(1), U2(0), U2(4), U2(1), U2(1), U2(1), U2(1))};
    open_method(&f, 48, CANON_ACC_STATIC, &code);
    insert(&f, 0, CANON_PLACE_BEFORE, BYTES(MARK_A));
    insert(&f, 4, CANON_PLACE_BEFORE, BYTES(MARK_B));
    finish(&f);
    check_attribute(&f, "LineNumberTable", BYTES(U2(3), U2(0), U2(10), U2(6), U2(11), U2(3), U2(12)));
    check_attribute(&f, "LocalVariableTable",
                    BYTES(U2(2), U2(0), U2(10), U2(1), U2(1), U2(0), U2(6), U2(3), U2(1), U2(1), U2(1)));
    close_fixture(&f);
}

static void type_annotations_move(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct builder_code code = {
        .stack = 1,
        .locals = 2,
        .bytes = BYTES(BRANCHY),
        .exceptions = BYTES(U2(0), U2(4), U2(5), U2(0)),
        .annotations = BYTES(U2(3),                                                       /* */
                             0x44, U2(4), 0, U2(1), U2(1), U2(1), '[', U2(1), 'I', U2(1), /* new at 4 */
                             0x40, U2(1), U2(4), U2(2), U2(0), 0, U2(1), U2(0), /* variable in 4..6 */
                             0x42, U2(0), 1, 0, 0, U2(1), U2(0))};              /* exception row 0 */
    open_method(&f, 48, CANON_ACC_STATIC, &code);
    insert(&f, 4, CANON_PLACE_BEFORE, BYTES(MARK_A));
    finish(&f);
    check_attribute(&f, "RuntimeVisibleTypeAnnotations",
                    BYTES(U2(3),                                                       /* */
                          0x44, U2(6), 0, U2(1), U2(1), U2(1), '[', U2(1), 'I', U2(1), /* the instruction */
                          0x40, U2(1), U2(4), U2(4), U2(0), 0, U2(1), U2(0),           /* */
                          0x42, U2(0), 1, 0, 0, U2(1), U2(0)));
    close_fixture(&f);
}

static void frames_move_and_change_form(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct builder_code code = {.stack = 2,
                                .locals = 2,
                                .bytes = BYTES(BRANCHY),
                                .frames =
                                    BYTES(U2(2), 64 + 4, 8, U2(4), 255, U2(0), U2(1), 1, U2(1), 8, U2(0))};
    open_method(&f, 61, CANON_ACC_STATIC, &code);
    for (int i = 0; i < 40; i++)
        insert(&f, 0, CANON_PLACE_BEFORE, BYTES(MARK_A));
    insert(&f, 4, CANON_PLACE_BEFORE, BYTES(MARK_B));
    finish(&f);
    /* Uninitialized types name the instruction itself, frames the place that branches go to. */
    check_attribute(&f, "StackMapTable",
                    BYTES(U2(2), 247, U2(84), 8, U2(86), 255, U2(2), U2(1), 1, U2(1), 8, U2(80)));
    close_fixture(&f);
}

/* Wraps the first method: `lconst_1; lstore token` in front, `lload token; pop2` behind. */
static void wrap_with_token(struct fixture *f, uint32_t expected_local)
{
    int token = canon_editor_fresh_local(f->editor, 0, 'J', true);
    assert_int_equal(expected_local, token);
    struct canon_snippet entry, exit;
    canon_snippet_start(&entry);
    canon_snippet_op(&entry, CANON_OP_LCONST_1);
    canon_snippet_store(&entry, 'J', (uint32_t)token);
    canon_snippet_start(&exit);
    canon_snippet_load(&exit, 'J', (uint32_t)token);
    canon_snippet_op(&exit, CANON_OP_POP2);
    assert_int_equal(0, canon_editor_wrap(f->editor, 0, &entry, &exit));
}

static uint16_t constant_named(const struct canon_class *cls, const char *name)
{
    for (uint16_t i = 1; i < cls->pool_count; i++)
        if (canon_class_tag(cls, i) == CANON_CONSTANT_CLASS && canon_utf8_is(canon_class_text(cls, i), name))
            return i;
    return 0;
}

static void wrap_is_a_try_finally_with_its_token_in_every_frame(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct builder_code code = {.stack = 1, .locals = 2, .bytes = BYTES(BRANCHY), .frames = BYTES(U2(1), 5)};
    open_method(&f, 61, CANON_ACC_STATIC, &code);
    wrap_with_token(&f, 2);
    finish(&f);
    check_code(&f, BYTES(CANON_OP_LCONST_1, CANON_OP_LSTORE_2, CANON_OP_ILOAD_0, CANON_OP_IFEQ, U2(4),
                         CANON_OP_NOP,
                         /* 7: */ CANON_OP_LLOAD_2, CANON_OP_POP2, CANON_OP_RETURN,
                         /* 10: */ CANON_OP_LLOAD_2, CANON_OP_POP2, CANON_OP_ATHROW));
    check_exceptions(&f, BYTES(U2(2), U2(7), U2(10), U2(0)));
    uint16_t throwable = constant_named(&f.result, "java/lang/Throwable");
    check_attribute(&f, "StackMapTable",
                    BYTES(U2(2), 255, U2(7), U2(3), 1, 1, 4, U2(0), /* int, int, long */
                          255, U2(2), U2(3), 0, 0, 4, U2(1), 7, U2(throwable)));
    assert_int_equal(3, f.code.max_stack);
    assert_int_equal(4, f.code.max_locals);
    close_fixture(&f);
}

static void wrap_keeps_the_bodys_handlers_off_its_exit_code(void **state)
{
    (void)state;
    struct fixture f = {0};
    /* try { return; } catch { return; } */
    struct builder_code code = {.stack = 1,
                                .locals = 2,
                                .bytes = BYTES(CANON_OP_NOP, CANON_OP_RETURN, CANON_OP_POP, CANON_OP_RETURN),
                                .exceptions = BYTES(U2(0), U2(2), U2(2), U2(0))};
    open_method(&f, 48, CANON_ACC_STATIC, &code);
    wrap_with_token(&f, 2);
    finish(&f);
    /* 0 entry, 2 nop, 3 exit, 5 return, 6 pop, 7 exit, 9 return, 10 handler */
    check_exceptions(&f, BYTES(U2(2), U2(3), U2(6), U2(0), /* the body's */
                               U2(2), U2(3), U2(10), U2(0), U2(6), U2(7), U2(10), U2(0)));
    assert_null(attribute(&f, "StackMapTable").data); /* too old a class to have one */
    close_fixture(&f);
}

static void wraps_nest(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct builder_code code = {.stack = 0, .locals = 2, .bytes = BYTES(CANON_OP_NOP, CANON_OP_RETURN)};
    open_method(&f, 61, CANON_ACC_STATIC, &code);
    wrap_with_token(&f, 2);
    wrap_with_token(&f, 4);
    finish(&f);
    check_code(
        &f, BYTES(CANON_OP_LCONST_1, CANON_OP_LSTORE_2, CANON_OP_LCONST_1, CANON_OP_LSTORE, 4, CANON_OP_NOP,
                  /* 6: */ CANON_OP_LLOAD, 4, CANON_OP_POP2, CANON_OP_LLOAD_2, CANON_OP_POP2, CANON_OP_RETURN,
                  /* 12: */ CANON_OP_LLOAD, 4, CANON_OP_POP2, CANON_OP_ATHROW,
                  /* 16: */ CANON_OP_LLOAD_2, CANON_OP_POP2, CANON_OP_ATHROW));
    check_exceptions(&f, BYTES(U2(5), U2(6), U2(12), U2(0), /* inner */
                               U2(2), U2(9), U2(16), U2(0), U2(12), U2(16), U2(16), U2(0)));
    uint16_t throwable = constant_named(&f.result, "java/lang/Throwable");
    check_attribute(&f, "StackMapTable", /* the outer handler cannot count on the inner token */
                    BYTES(U2(2), 255, U2(12), U2(4), 0, 0, 4, 4, U2(1), 7, U2(throwable), /* */
                          255, U2(3), U2(3), 0, 0, 4, U2(1), 7, U2(throwable)));
    assert_int_equal(3, f.code.max_stack); /* the exception and a long */
    close_fixture(&f);
}

static void synchronized_becomes_bytecode(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct builder_code code = {.stack = 0, .locals = 2, .bytes = BYTES(CANON_OP_NOP, CANON_OP_RETURN)};
    open_method(&f, 61, CANON_ACC_STATIC | CANON_ACC_SYNCHRONIZED, &code);
    int lock = canon_editor_fresh_local(f.editor, 0, 'L', true);
    struct canon_snippet a = snippet_of(BYTES(MARK_A)), b = snippet_of(BYTES(MARK_B));
    struct canon_monitor_code around = {
        .before_enter = &a, .after_enter = &b, .before_exit = &a, .after_exit = &b};
    assert_int_equal(0, canon_editor_wrap_synchronized(f.editor, 0, (uint16_t)lock, &around));
    finish(&f);
    assert_int_equal(CANON_ACC_STATIC, f.result.methods[0].access);
    check_code(&f, BYTES(CANON_OP_LDC_W, U2(f.cls.this_index), CANON_OP_ASTORE_2, MARK_A, CANON_OP_ALOAD_2,
                         CANON_OP_MONITORENTER, /* 8: */ MARK_B, CANON_OP_NOP,
                         /* 11: */ MARK_A, CANON_OP_ALOAD_2, CANON_OP_MONITOREXIT, MARK_B, CANON_OP_RETURN,
                         /* 18: */ MARK_A, CANON_OP_ALOAD_2, CANON_OP_MONITOREXIT, MARK_B, CANON_OP_ATHROW,
                         /* 25: */ CANON_OP_ALOAD_2, CANON_OP_MONITOREXIT, CANON_OP_ATHROW));
    check_exceptions(&f, BYTES(U2(8), U2(11), U2(18), U2(0), U2(11), U2(15), U2(25), U2(0), /* */
                               U2(18), U2(22), U2(25), U2(0), U2(25), U2(27), U2(25), U2(0)));
    close_fixture(&f);
}

static void old_classes_lock_by_name(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct builder_code code = {.stack = 0, .locals = 2, .bytes = BYTES(CANON_OP_RETURN)};
    open_method(&f, 48, CANON_ACC_STATIC | CANON_ACC_SYNCHRONIZED, &code);
    int lock = canon_editor_fresh_local(f.editor, 0, 'L', true);
    struct canon_monitor_code nothing = {0};
    assert_int_equal(0, canon_editor_wrap_synchronized(f.editor, 0, (uint16_t)lock, &nothing));
    finish(&f);
    /* class constants came later: Class.forName("Test") */
    assert_int_equal(CANON_OP_LDC_W, f.code.bytes[0]);
    assert_int_equal(CANON_OP_INVOKESTATIC, f.code.bytes[3]);
    struct canon_insn load = {.at = f.code.bytes, .opcode = CANON_OP_LDC_W};
    struct canon_insn call = {.at = f.code.bytes + 3, .opcode = CANON_OP_INVOKESTATIC};
    assert_int_equal(CANON_CONSTANT_STRING, canon_class_tag(&f.result, canon_insn_pool_index(&load)));
    assert_true(canon_utf8_is(canon_class_text(&f.result, canon_insn_pool_index(&load)), "Test"));
    struct canon_ref ref;
    assert_int_equal(0, canon_class_ref(&f.result, canon_insn_pool_index(&call), &ref));
    assert_true(canon_utf8_is(ref.name, "forName"));
    assert_null(attribute(&f, "StackMapTable").data);
    close_fixture(&f);
}

static void malformed_type_annotations_are_left_out(void **state)
{
    (void)state;
    const struct bytes bad[] = {
        BYTES(U2(1), 0x44, U2(2), 0, U2(1), U2(0)), /* inside an instruction */
        BYTES(U2(1), 0x42, U2(7), 0, U2(1), U2(0)), /* no such exception row */
        BYTES(U2(1), 0x44, U2(4), 0, U2(1), U2(1)), /* ends too early */
        BYTES(U2(1), 0x99, U2(4), 0, U2(1), U2(0)), /* no such target */
        BYTES(U2(0), 0),                            /* too long */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct fixture f = {0};
        struct builder_code code = {.stack = 1, .locals = 2, .bytes = BYTES(BRANCHY), .annotations = bad[i]};
        open_method(&f, 48, CANON_ACC_STATIC, &code);
        insert(&f, 4, CANON_PLACE_BEFORE, BYTES(MARK_A));
        finish(&f);
        assert_null(attribute(&f, "RuntimeVisibleTypeAnnotations").data);
        close_fixture(&f);
    }
}

/* Edits a method with the given StackMapTable: what comes of it. */
static int edit_frames(struct bytes frames)
{
    struct fixture f = {0};
    struct builder_code code = {.stack = 1, .locals = 2, .bytes = BYTES(BRANCHY), .frames = frames};
    open_method(&f, 61, CANON_ACC_STATIC, &code);
    wrap_with_token(&f, 2);
    size_t length;
    int result = canon_editor_finish(f.editor, &f.data, &length);
    close_fixture(&f);
    return result;
}

static void malformed_frames_are_an_error(void **state)
{
    (void)state;
    assert_int_equal(1, edit_frames(BYTES(U2(1), 251, U2(5))));
    assert_int_equal(CANON_E_TRUNCATED, edit_frames(BYTES(U2(1))));
    assert_int_equal(CANON_E_FORMAT, edit_frames(BYTES(U2(1), 2)));             /* inside an instruction */
    assert_int_equal(CANON_E_FORMAT, edit_frames(BYTES(U2(1), 6)));             /* behind the code */
    assert_int_equal(CANON_E_FORMAT, edit_frames(BYTES(U2(1), 130)));           /* no such form */
    assert_int_equal(CANON_E_FORMAT, edit_frames(BYTES(U2(1), 5, 0)));          /* too long */
    assert_int_equal(CANON_E_FORMAT, edit_frames(BYTES(U2(1), 248, U2(5))));    /* takes away 3 locals of 2 */
    assert_int_equal(CANON_E_FORMAT, edit_frames(BYTES(U2(1), 252, U2(5), 1))); /* a third local */
    assert_int_equal(CANON_E_FORMAT, edit_frames(BYTES(U2(1), 64 + 5, 9)));     /* no such type */
    assert_int_equal(CANON_E_FORMAT, edit_frames(BYTES(U2(1), 64 + 5, 8, U2(2)))); /* no `new` there */
    assert_int_equal(CANON_E_FORMAT, /* two longs in two locals */
                     edit_frames(BYTES(U2(1), 255, U2(5), U2(2), 4, 4, U2(0))));
    assert_int_equal(CANON_E_FORMAT, /* more on the stack than the method says */
                     edit_frames(BYTES(U2(1), 255, U2(5), U2(0), U2(2), 1, 1)));
}

static void methods_that_cannot_be_wrapped_are_refused(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct builder_code code = {.locals = 1, .bytes = BYTES(CANON_OP_RETURN)};
    builder_start(&f.builder, 61, "Test", "java/lang/Object");
    builder_method(&f.builder, 0, "<init>", "()V", &code);
    builder_method(&f.builder, CANON_ACC_ABSTRACT, "none", "()V", NULL);
    builder_method(&f.builder, 0, "plain", "()V", &code);
    builder_finish(&f.builder);
    assert_int_equal(0, canon_class_open(&f.cls, f.builder.file.data, f.builder.file.used));
    assert_int_equal(0, canon_editor_open(&f.editor, &f.cls));
    struct canon_snippet nothing;
    canon_snippet_start(&nothing);
    assert_int_equal(CANON_E_UNSUPPORTED, canon_editor_wrap(f.editor, 0, &nothing, &nothing));
    assert_int_equal(CANON_E_UNSUPPORTED, canon_editor_wrap(f.editor, 1, &nothing, &nothing));
    struct canon_monitor_code none = {0};
    assert_int_equal(CANON_E_INVALID, canon_editor_wrap_synchronized(f.editor, 2, 1, &none));
    close_fixture(&f);
}

/* Code that is `head`, then `padding` nops, then `tail`. */
static struct bytes long_code(struct bytes head, size_t padding, struct bytes tail)
{
    size_t length = head.length + padding + tail.length;
    uint8_t *data = malloc(length);
    memcpy(data, head.data, head.length);
    memset(data + head.length, CANON_OP_NOP, padding);
    memcpy(data + head.length + padding, tail.data, tail.length);
    return (struct bytes){data, length};
}

static void far_gotos_and_jsrs_get_wide(void **state)
{
    (void)state;
    static const uint8_t pairs[][2] = {{CANON_OP_GOTO, CANON_OP_GOTO_W}, {CANON_OP_JSR, CANON_OP_JSR_W}};
    for (int i = 0; i < 2; i++) {
        struct fixture f = {0};
        struct bytes bytes = long_code(BYTES(pairs[i][0], U2(32767)), 32764, BYTES(CANON_OP_RETURN));
        open_bytes(&f, bytes);
        insert(&f, 3, CANON_PLACE_BEFORE, BYTES(MARK_A));
        finish(&f);
        check_bytes(BYTES(pairs[i][1], U4(32771), MARK_A, CANON_OP_NOP), f.code.bytes, 8);
        assert_int_equal(32772, f.code.length);
        close_fixture(&f);
        free((void *)bytes.data);
    }
}

static void far_conditions_go_by_an_island(void **state)
{
    (void)state;
    struct fixture f = {0};
    /* 0 iload_0, 1 ifeq 32768, 4 goto 7, 7 nops, 32768 return */
    struct bytes bytes = long_code(BYTES(CANON_OP_ILOAD_0, CANON_OP_IFEQ, U2(32767), CANON_OP_GOTO, U2(3)),
                                   32761, BYTES(CANON_OP_RETURN));
    struct builder_code code = {
        .stack = 1, .locals = 3, .bytes = bytes, .frames = BYTES(U2(2), 7, 252, U2(32760), 0)};
    open_method(&f, 61, CANON_ACC_STATIC, &code);
    insert(&f, 7, CANON_PLACE_BEFORE, BYTES(MARK_A));
    finish(&f);
    /* 7 is the island, 12 what was at 7; the return moved by 7 to 32775 */
    check_bytes(BYTES(CANON_OP_ILOAD_0, CANON_OP_IFEQ, U2(6), CANON_OP_GOTO, U2(8), CANON_OP_GOTO_W,
                      U4(32768), MARK_A),
                f.code.bytes, 14);
    check_attribute(&f, "StackMapTable",
                    BYTES(U2(3), 255, U2(7), U2(3), 1, 1, 0, U2(0), /* the target's frame: int, int, top */
                          255, U2(4), U2(2), 1, 1, U2(0),           /* what was `same` as the first */
                          255, U2(32762), U2(3), 1, 1, 0, U2(0)));
    close_fixture(&f);
    free((void *)bytes.data);
}

static void code_that_gets_too_long_is_an_error_or_left_alone(void **state)
{
    (void)state;
    for (int leave = 0; leave < 2; leave++) {
        struct fixture f = {0};
        struct bytes bytes = long_code(BYTES(CANON_OP_NOP), 65533, BYTES(CANON_OP_RETURN));
        open_bytes(&f, bytes);
        if (leave)
            canon_editor_leave_too_big(f.editor);
        insert(&f, 7, CANON_PLACE_BEFORE, BYTES(MARK_A));
        uint8_t *data = NULL;
        size_t length = 0;
        int result = canon_editor_finish(f.editor, &data, &length);
        assert_int_equal(leave ? 1 : CANON_E_LIMIT, result);
        assert_int_equal(leave, canon_editor_left_alone(f.editor));
        if (leave)
            check_bytes((struct bytes){f.builder.file.data, f.builder.file.used}, data, length);
        else
            assert_ptr_equal(&f.cls.methods[0], canon_editor_failed_method(f.editor));
        free(data);
        close_fixture(&f);
        free((void *)bytes.data);
    }
}

static void added_constants_are_shared(void **state)
{
    (void)state;
    struct fixture f = {0};
    open_bytes(&f, BYTES(CANON_OP_RETURN));
    struct canon_utf8 object = canon_utf8_from("java/lang/Object");
    int added = canon_editor_class(f.editor, object);
    assert_int_not_equal(f.cls.super_index, added); /* not with the class's own */
    assert_int_equal(added, canon_editor_class(f.editor, object));
    int number = canon_editor_long(f.editor, -5);
    assert_int_equal(number + 2, canon_editor_int(f.editor, -5)); /* a long takes two */
    assert_int_equal(number, canon_editor_long(f.editor, -5));
    int string = canon_editor_string(f.editor, object);
    assert_int_equal(string, canon_editor_string(f.editor, object));
    assert_int_not_equal(string, added);
    int field = canon_editor_ref(f.editor, CANON_CONSTANT_FIELDREF, object, object, object);
    assert_int_equal(field, canon_editor_ref(f.editor, CANON_CONSTANT_FIELDREF, object, object, object));
    assert_int_not_equal(field, canon_editor_ref(f.editor, CANON_CONSTANT_METHODREF, object, object, object));
    assert_int_equal(CANON_E_INVALID,
                     canon_editor_ref(f.editor, CANON_CONSTANT_STRING, object, object, object));
    close_fixture(&f);
}

static void too_many_constants_are_an_error(void **state)
{
    (void)state;
    struct fixture f = {0};
    open_bytes(&f, BYTES(CANON_OP_RETURN));
    int result = 0;
    for (int i = 0; result >= 0; i++) {
        assert_true(i < 70000);
        result = canon_editor_int(f.editor, i);
    }
    assert_int_equal(CANON_E_LIMIT, result);
    struct canon_snippet snippet;
    canon_snippet_start(&snippet);
    canon_snippet_constant(&snippet, canon_editor_int(f.editor, 99999), 1);
    canon_snippet_op(&snippet, CANON_OP_POP);
    assert_int_equal(CANON_E_LIMIT, canon_editor_insert_entry(f.editor, 0, &snippet));
    assert_true(canon_editor_int(f.editor, 7) > 0); /* what is there is still found */
    close_fixture(&f);
}

static void members_can_be_added_and_flags_changed(void **state)
{
    (void)state;
    struct fixture f = {0};
    open_bytes(&f, BYTES(CANON_OP_RETURN));
    struct canon_snippet body;
    canon_snippet_start(&body);
    canon_snippet_load(&body, 'J', 0);
    canon_snippet_op(&body, CANON_OP_LRETURN);
    assert_int_equal(0, canon_editor_add_field(f.editor, CANON_ACC_TRANSIENT, "extra", "J"));
    assert_int_equal(0, canon_editor_add_method(f.editor, CANON_ACC_STATIC, "same", "(J)J", &body, 2));
    assert_int_equal(0, canon_editor_change_access(f.editor, 0, CANON_ACC_STATIC, CANON_ACC_FINAL));
    finish(&f);
    assert_int_equal(1, f.result.field_count);
    assert_true(canon_utf8_is(f.result.fields[0].name, "extra"));
    assert_int_equal(CANON_ACC_FINAL, f.result.methods[0].access);
    assert_int_equal(2, f.result.method_count);
    assert_int_equal(1, canon_code_open(&f.result, &f.result.methods[1], &f.code));
    check_code(&f, BYTES(CANON_OP_LLOAD_0, CANON_OP_LRETURN));
    assert_int_equal(2, f.code.max_stack);
    close_fixture(&f);
}

static void a_class_without_edits_is_not_copied(void **state)
{
    (void)state;
    struct fixture f = {0};
    open_bytes(&f, BYTES(CANON_OP_RETURN));
    uint8_t *data = NULL;
    size_t length;
    canon_editor_int(f.editor, 1);
    canon_editor_change_access(f.editor, 0, CANON_ACC_FINAL, CANON_ACC_STATIC); /* as it was */
    assert_int_equal(0, canon_editor_finish(f.editor, &data, &length));
    assert_null(data);
    close_fixture(&f);
}

static void snippets_count_their_stack(void **state)
{
    (void)state;
    struct canon_snippet s;
    canon_snippet_start(&s);
    canon_snippet_op(&s, CANON_OP_DUP2_X1); /* three become five */
    canon_snippet_op(&s, CANON_OP_POP2);
    canon_snippet_load(&s, 'D', 300);
    assert_int_equal(2, s.depth);
    assert_int_equal(2, s.max_depth);
    check_bytes(BYTES(CANON_OP_DUP2_X1, CANON_OP_POP2, CANON_OP_WIDE, CANON_OP_DLOAD, U2(300)), s.bytes,
                s.length);
    canon_snippet_op(&s, CANON_OP_GOTO);
    assert_int_equal(CANON_E_INVALID, s.error); /* it has operands */
    canon_snippet_start(&s);
    for (int i = 0; i <= CANON_SNIPPET_MAX; i++)
        canon_snippet_op(&s, CANON_OP_NOP);
    assert_int_equal(CANON_E_LIMIT, s.error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_run_what_is_put_before),
        cmocka_unit_test(branches_skip_what_is_for_fallthrough),
        cmocka_unit_test(fallthrough_code_that_nothing_reaches_is_left_out),
        cmocka_unit_test(entry_code_is_not_repeated_by_loops),
        cmocka_unit_test(refuses_places_that_are_none),
        cmocka_unit_test(refuses_branches_into_the_middle_of_instructions),
        cmocka_unit_test(redirect_makes_an_interface_call_static),
        cmocka_unit_test(switches_are_padded_anew),
        cmocka_unit_test(handlers_cover_code_after_enter_but_not_after_exit),
        cmocka_unit_test(a_releasing_handler_with_code_in_it_gets_a_copy_without),
        cmocka_unit_test(debug_tables_move),
        cmocka_unit_test(type_annotations_move),
        cmocka_unit_test(frames_move_and_change_form),
        cmocka_unit_test(wrap_is_a_try_finally_with_its_token_in_every_frame),
        cmocka_unit_test(wrap_keeps_the_bodys_handlers_off_its_exit_code),
        cmocka_unit_test(wraps_nest),
        cmocka_unit_test(synchronized_becomes_bytecode),
        cmocka_unit_test(old_classes_lock_by_name),
        cmocka_unit_test(malformed_type_annotations_are_left_out),
        cmocka_unit_test(malformed_frames_are_an_error),
        cmocka_unit_test(methods_that_cannot_be_wrapped_are_refused),
        cmocka_unit_test(far_gotos_and_jsrs_get_wide),
        cmocka_unit_test(far_conditions_go_by_an_island),
        cmocka_unit_test(code_that_gets_too_long_is_an_error_or_left_alone),
        cmocka_unit_test(added_constants_are_shared),
        cmocka_unit_test(too_many_constants_are_an_error),
        cmocka_unit_test(members_can_be_added_and_flags_changed),
        cmocka_unit_test(a_class_without_edits_is_not_copied),
        cmocka_unit_test(snippets_count_their_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
