/* unit_classfile_order.c: rewrite.h: the rules about what orders threads, monitors, fields, who initialises
 * classes: what code they make. */
#include "class_builder.h"

#include "base/error.h"
#include "classfile/code.h"
#include "classfile/rewrite.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* A class and what rules made of it. */
struct fixture {
    struct builder builder;
    struct canon_rules *rules;
    uint8_t *data;
    struct canon_class cls; /* the new one */
    struct canon_code code; /* of the method that was listed last */
};

static void start(struct fixture *f)
{
    *f = (struct fixture){0};
    builder_start(&f->builder, 61, "app/Main", "app/Super");
}

static int apply(struct fixture *f, const struct canon_rule *table, size_t count)
{
    if (!f->builder.file.used)
        builder_finish(&f->builder);
    assert_int_equal(0, canon_rules_compile(&f->rules, table, count, NULL));
    size_t length = 0;
    int result =
        canon_rewrite_class(f->rules, f->builder.file.data, f->builder.file.used, 0, &f->data, &length, NULL);
    if (result > 0)
        assert_int_equal(0, canon_class_open(&f->cls, f->data, length));
    return result;
}

#define APPLY(f, ...)                                                                                        \
    apply(f, (const struct canon_rule[]){__VA_ARGS__},                                                       \
          sizeof((const struct canon_rule[]){__VA_ARGS__}) / sizeof(struct canon_rule))

static void close_result(struct fixture *f)
{
    canon_class_close(&f->cls);
    free(f->data);
    canon_rules_free(f->rules);
    f->cls = (struct canon_class){0};
    f->data = NULL;
    f->rules = NULL;
}

static void close_fixture(struct fixture *f)
{
    close_result(f);
    builder_free(&f->builder);
}

static uint16_t field(struct fixture *f, const char *owner, const char *name, const char *descriptor)
{
    return builder_ref(&f->builder, CANON_CONSTANT_FIELDREF, owner, name, descriptor);
}

static void method(struct fixture *f, uint16_t access, const char *name, struct bytes bytes)
{
    struct builder_code code = {.stack = 6, .locals = 3, .bytes = bytes};
    builder_method(&f->builder, access, name, "()V", &code);
}

static const char *const MNEMONICS[256] = {
#define X(number, name, length, kind, pops, pushes) [number] = #name,
    CANON_OPCODES(X)
#undef X
};

/* A method's code as text: mnemonics; what field accesses and calls of helpers refer to instead of them,
 * without owner; operands that are numbers. */
static const char *listing(struct fixture *f, uint16_t number)
{
    static char text[2048];
    struct canon_insn insn = {0};
    size_t used = 0;
    assert_int_equal(1, canon_code_open(&f->cls, &f->cls.methods[number], &f->code));
    text[0] = '\0';
    while (canon_code_next(&f->code, &insn) > 0) {
        char word[32];
        struct canon_ref ref;
        const char *mnemonic = MNEMONICS[insn.opcode];
        size_t i = 0;
        for (; mnemonic[i]; i++)
            word[i] = (char)tolower(mnemonic[i]);
        word[i] = '\0';
        bool has_ref = canon_class_ref(&f->cls, canon_insn_pool_index(&insn), &ref) == 0;
        if (has_ref && insn.opcode == CANON_OP_INVOKESTATIC)
            used += (size_t)snprintf(text + used, sizeof text - used, "%.*s%.*s ", (int)ref.name.length,
                                     ref.name.text, (int)ref.descriptor.length, ref.descriptor.text);
        else if (has_ref)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s:%.*s ", word, (int)ref.name.length,
                                     ref.name.text);
        else if (insn.opcode == CANON_OP_BIPUSH)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s:%d ", word, insn.at[1]);
        else if (insn.opcode == CANON_OP_SIPUSH)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s:%d ", word,
                                     insn.at[1] << 8 | insn.at[2]);
        else if (canon_opcode_kind(insn.opcode) == CANON_KIND_LOCAL)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s:%d ", word, insn.at[1]);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, "%s ", word);
    }
    if (used)
        text[used - 1] = '\0';
    return text;
}

#define O "(Ljava/lang/Object;)V"
#define OI "(Ljava/lang/Object;I)V"
#define OJ "(Ljava/lang/Object;J)V"

#define MONITOR                                                                                              \
    CANON_RULE_MONITOR, "*", "*", NULL, .helper = "H.entering" O, .entered_helper = "H.entered" O,           \
                                        .exit_helper = "H.exiting" O,                                        \
                                        .identity_helper = "H.same(Ljava/lang/Object;)Ljava/lang/Object;"
#define ACCESS CANON_RULE_ACCESS, "*", "*", NULL, .helper = "H"

/* Monitors. */

/* synchronized (o) {} as javac writes it: 0 aload_0, dup, astore_1, 3 monitorenter, 4 aload_1, 5 monitorexit,
 * 6 goto 14, 9 astore_2, aload_1, 11 monitorexit, aload_2, athrow, 14 return */
#define LOCKED_BLOCK                                                                                         \
    CANON_OP_ALOAD_0, CANON_OP_DUP, CANON_OP_ASTORE_1, CANON_OP_MONITORENTER, CANON_OP_ALOAD_1,              \
        CANON_OP_MONITOREXIT, CANON_OP_GOTO, U2(8), CANON_OP_ASTORE_2, CANON_OP_ALOAD_1,                     \
        CANON_OP_MONITOREXIT, CANON_OP_ALOAD_2, CANON_OP_ATHROW, CANON_OP_RETURN
#define LOCKED_BLOCK_HANDLERS U2(4), U2(6), U2(9), U2(0), U2(9), U2(12), U2(9), U2(0)

static void add_locked_block(struct fixture *f, uint16_t access, const char *name)
{
    uint16_t object = builder_class(&f->builder, "java/lang/Object");
    uint16_t throwable = builder_class(&f->builder, "java/lang/Throwable");
    struct builder_code code = {.stack = 2,
                                .locals = 3,
                                .bytes = BYTES(LOCKED_BLOCK),
                                .exceptions = BYTES(LOCKED_BLOCK_HANDLERS),
                                .frames = BYTES(U2(2), 255, U2(9), U2(2), 7, U2(object), 7, U2(object), U2(1),
                                                7, U2(throwable), 250, U2(4))};
    builder_method(&f->builder, access, name, "(Ljava/lang/Object;)V", &code);
}

static void monitors_are_told_of(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    add_locked_block(&f, CANON_ACC_STATIC, "locks");
    assert_int_equal(1, APPLY(&f, {MONITOR}));
    /* the handler's copy, without the call, is at the end */
    assert_string_equal("aload_0 dup astore_1 dup entering" O " dup monitorenter entered" O
                        " aload_1 dup exiting" O " monitorexit goto astore_2 aload_1 dup exiting" O
                        " monitorexit aload_2 athrow return astore_2 aload_1 monitorexit aload_2 athrow",
                        listing(&f, 0));
    assert_int_equal(3, canon_rules_hits(f.rules, 0));
    assert_int_equal(3, f.code.max_stack);
    /* 9 is entered(), 18 the goto: what is called while the monitor is held is covered by the handler at 21
     */
    assert_true(f.code.exception_count >= 3);
    assert_memory_equal(((const uint8_t[]){U2(9), U2(18), U2(21), U2(0)}), f.code.exceptions, 8);
    close_fixture(&f);
}

static void monitors_may_be_told_of_before_only(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    add_locked_block(&f, CANON_ACC_STATIC, "locks");
    method(&f, CANON_ACC_SYNCHRONIZED, "run", BYTES(CANON_OP_RETURN));
    assert_int_equal(1, APPLY(&f, {CANON_RULE_MONITOR, "*", "*", NULL, .helper = "H.entering" O,
                                   .exit_helper = "H.exiting" O}));
    assert_string_equal("aload_0 dup astore_1 dup entering" O " monitorenter aload_1 dup exiting" O
                        " monitorexit goto astore_2 aload_1 dup exiting" O
                        " monitorexit aload_2 athrow return astore_2 aload_1 monitorexit aload_2 athrow",
                        listing(&f, 0));
    /* 8 is behind monitorenter, 14 the goto */
    assert_memory_equal(((const uint8_t[]){U2(8), U2(14), U2(17), U2(0)}), f.code.exceptions, 8);
    assert_non_null(strstr(listing(&f, 1), "entering" O " aload_3 monitorenter aload_3 exiting" O));
    close_fixture(&f);
}

static void synchronized_methods_lock_by_themselves(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    method(&f, CANON_ACC_SYNCHRONIZED, "run", BYTES(CANON_OP_RETURN));
    method(&f, CANON_ACC_SYNCHRONIZED | CANON_ACC_STATIC, "runStatic", BYTES(CANON_OP_RETURN));
    builder_method(&f.builder, CANON_ACC_SYNCHRONIZED | CANON_ACC_NATIVE, "read", "()V", NULL);
    add_locked_block(&f, CANON_ACC_STATIC | CANON_ACC_SYNCHRONIZED, "both");
    method(&f, CANON_ACC_SYNCHRONIZED | CANON_ACC_STATIC, "<clinit>", BYTES(CANON_OP_RETURN));
    assert_int_equal(1, APPLY(&f, {MONITOR}));
#define BODY(load)                                                                                           \
    load " astore_3 aload_3 entering" O " aload_3 monitorenter aload_3 entered" O " aload_3 exiting" O       \
         " aload_3 monitorexit return aload_3 exiting" O " aload_3 monitorexit athrow aload_3 monitorexit "  \
         "athrow"
    assert_string_equal(BODY("aload_0"), listing(&f, 0));
    assert_string_equal(BODY("ldc_w"), listing(&f, 1));
    for (int i = 0; i < 5; i++)
        assert_int_equal(i == 2 || i == 4, (f.cls.methods[i].access & CANON_ACC_SYNCHRONIZED) != 0);
    /* Only a method that locks in its body, too, hides from the JIT compilers what it locks. */
    static const char both[] =
        "ldc_w same(Ljava/lang/Object;)Ljava/lang/Object; astore_3 aload_3 entering" O " ";
    assert_memory_equal(both, listing(&f, 3), sizeof both - 1);
    assert_string_equal("return", listing(&f, 4)); /* the JVM does not lock there either */
    close_fixture(&f);
}

static void the_first_monitor_row_counts(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    method(&f, CANON_ACC_SYNCHRONIZED, "run", BYTES(CANON_OP_RETURN));
    method(&f, CANON_ACC_STATIC, "other", BYTES(CANON_OP_ACONST_NULL, CANON_OP_MONITOREXIT, CANON_OP_RETURN));
    assert_int_equal(1, APPLY(&f,
                              {CANON_RULE_MONITOR, "*", "run", NULL, .helper = "H.a" O,
                               .entered_helper = "H.b" O, .exit_helper = "H.c" O},
                              {MONITOR}));
    assert_non_null(strstr(listing(&f, 0), "aload_3 b" O));
    assert_null(strstr(listing(&f, 0), "entered"));
    assert_string_equal("aconst_null dup exiting" O " monitorexit return", listing(&f, 1));
    assert_int_equal(1, canon_rules_hits(f.rules, 0));
    assert_int_equal(1, canon_rules_hits(f.rules, 1));
    close_fixture(&f);
}

/* Fields. */

static void volatile_fields_are_told_of(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    builder_field(&f.builder, CANON_ACC_VOLATILE, "v", "I");
    builder_field(&f.builder, CANON_ACC_VOLATILE, "w", "J");
    builder_field(&f.builder, 0, "p", "I");
    uint16_t v = field(&f, "app/Main", "v", "I"), w = field(&f, "app/Main", "w", "J"),
             p = field(&f, "app/Main", "p", "I"), other = field(&f, "app/Other", "v", "I");
    method(&f, 0, "gets",
           BYTES(CANON_OP_ALOAD_0, CANON_OP_GETFIELD, U2(v), CANON_OP_POP, CANON_OP_ALOAD_0,
                 CANON_OP_GETFIELD, U2(p), CANON_OP_POP, CANON_OP_ACONST_NULL, CANON_OP_GETFIELD, U2(other),
                 CANON_OP_POP, CANON_OP_RETURN));
    method(&f, 0, "puts",
           BYTES(CANON_OP_ALOAD_0, CANON_OP_ICONST_1, CANON_OP_PUTFIELD, U2(v), CANON_OP_ALOAD_0,
                 CANON_OP_LCONST_1, CANON_OP_PUTFIELD, U2(w), CANON_OP_ALOAD_0, CANON_OP_ICONST_1,
                 CANON_OP_PUTFIELD, U2(p), CANON_OP_RETURN));
    assert_int_equal(1, APPLY(&f, {ACCESS}));
    assert_string_equal("aload_0 dup read" O " getfield:v done()V pop aload_0 getfield:p pop "
                        "aconst_null getfield:v pop return",
                        listing(&f, 0));
    assert_int_equal(7, f.code.max_stack);
    assert_string_equal("aload_0 iconst_1 dup2 pop write" O " putfield:v done()V "
                        "aload_0 lconst_1 dup2_x1 pop2 dup_x2 write" O " putfield:w done()V "
                        "aload_0 iconst_1 putfield:p return",
                        listing(&f, 1));
    assert_int_equal(8, f.code.max_stack);
    assert_int_equal(3, canon_rules_hits(f.rules, 0));
    close_fixture(&f);
}

static void static_fields_have_their_class_initialised_and_are_told_by_hash(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    builder_field(&f.builder, CANON_ACC_VOLATILE | CANON_ACC_STATIC, "s", "J");
    uint16_t s = field(&f, "app/Main", "s", "J");
    method(&f, CANON_ACC_STATIC, "run",
           BYTES(CANON_OP_GETSTATIC, U2(s), CANON_OP_PUTSTATIC, U2(s), CANON_OP_RETURN));
    assert_int_equal(1, APPLY(&f, {ACCESS}));
    assert_string_equal("getstatic:s pop2 ldc_w readStatic(I)V getstatic:s done()V "
                        "getstatic:s pop2 ldc_w writeStatic(I)V putstatic:s done()V return",
                        listing(&f, 0));
    struct canon_utf8 name = canon_utf8_from("s"), type = canon_utf8_from("J");
    int32_t hash = canon_field_hash(name, type);
    assert_true(hash >= 0);
    assert_int_not_equal(hash, canon_field_hash(name, canon_utf8_from("I")));
    const uint8_t *constant = f.cls.data + f.cls.pool[f.code.bytes[5] << 8 | f.code.bytes[6]];
    assert_memory_equal(((const uint8_t[]){CANON_CONSTANT_INTEGER, U4(hash)}), constant, 5);
    close_fixture(&f);
}

/* What the callback was asked for, and its answers. */
struct asked {
    int count;
    int statics;
    enum canon_field_kind kind;
    int32_t site;
};

static enum canon_field_kind answer(void *context, const struct canon_class *cls, const struct canon_ref *ref,
                                    bool is_static, int32_t *site)
{
    struct asked *asked = context;
    assert_true(canon_utf8_is(cls->name, "app/Main"));
    assert_true(canon_utf8_is(ref->owner, "app/Other") || canon_utf8_is(ref->name, "inherited"));
    asked->count++;
    asked->statics += is_static;
    *site = asked->site;
    return asked->kind;
}

/* Method 0 reads Other.x twice and writes it once, method 1 does so with a static one; method 2 reads a field
 * that the class does not declare. */
static void start_with_others(struct fixture *f)
{
    start(f);
    uint16_t x = field(f, "app/Other", "x", "D"), s = field(f, "app/Other", "s", "I"),
             inherited = field(f, "app/Main", "inherited", "I");
    method(f, 0, "fields",
           BYTES(CANON_OP_ALOAD_0, CANON_OP_GETFIELD, U2(x), CANON_OP_ALOAD_0, CANON_OP_GETFIELD, U2(x),
                 CANON_OP_PUTFIELD, U2(x), CANON_OP_RETURN));
    method(f, 0, "statics", BYTES(CANON_OP_GETSTATIC, U2(s), CANON_OP_PUTSTATIC, U2(s), CANON_OP_RETURN));
    method(f, 0, "inherited", BYTES(CANON_OP_ALOAD_0, CANON_OP_GETFIELD, U2(inherited), CANON_OP_RETURN));
}

static void other_fields_are_asked_for_once(void **state)
{
    (void)state;
    static const enum canon_field_kind kinds[] = {CANON_FIELD_PLAIN, CANON_FIELD_FINAL, CANON_FIELD_ORDERED,
                                                  CANON_FIELD_UNKNOWN};
    for (int i = 0; i < 4; i++) {
        struct fixture f;
        struct asked asked = {.kind = kinds[i], .site = 300};
        start_with_others(&f);
        assert_int_equal(i >= 2, APPLY(&f, {ACCESS, .field = answer, .context = &asked}));
        assert_int_equal(3, asked.count);
        assert_int_equal(1, asked.statics);
        if (kinds[i] == CANON_FIELD_ORDERED)
            assert_string_equal("aload_0 dup read" O " getfield:inherited done()V return", listing(&f, 2));
        close_fixture(&f);
    }
}

static void unknown_fields_are_told_with_their_site(void **state)
{
    (void)state;
    struct fixture f;
    struct asked asked = {.kind = CANON_FIELD_UNKNOWN, .site = 300};
    start_with_others(&f);
    assert_int_equal(1, APPLY(&f, {ACCESS, .field = answer, .context = &asked}));
#define AT "sipush:300 "
    assert_string_equal("aload_0 dup " AT "read" OI " getfield:x " AT "done(I)V "
                        "aload_0 dup " AT "read" OI " getfield:x " AT "done(I)V "
                        "dup2_x1 pop2 dup_x2 " AT "write" OI " putfield:x " AT "done(I)V return",
                        listing(&f, 0));
    assert_string_equal("getstatic:s pop ldc_w " AT "readStatic(II)V getstatic:s " AT "done(I)V "
                        "getstatic:s pop ldc_w " AT "writeStatic(II)V putstatic:s " AT "done(I)V return",
                        listing(&f, 1));
    close_result(&f);
    asked.site = 7;
    assert_int_equal(1, APPLY(&f, {ACCESS, .field = answer, .context = &asked}));
    assert_string_equal("aload_0 dup bipush:7 read" OI " getfield:inherited bipush:7 done(I)V return",
                        listing(&f, 2));
    close_result(&f);
    asked.site = 70000;
    assert_int_equal(1, APPLY(&f, {ACCESS, .field = answer, .context = &asked}));
    assert_string_equal("aload_0 dup ldc_w read" OI " getfield:inherited ldc_w done(I)V return",
                        listing(&f, 2));
    close_result(&f);
    asked.site = -1;
    assert_int_equal(CANON_E_INVALID, APPLY(&f, {ACCESS, .field = answer, .context = &asked}));
    close_fixture(&f);
}

/* Method 0 writes v, calls super(new Super(), 1) and writes v again. */
static void constructors_say_nothing_before_they_called_another(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    builder_field(&f.builder, CANON_ACC_VOLATILE, "v", "I");
    uint16_t v = field(&f, "app/Main", "v", "I"), super = builder_class(&f.builder, "app/Super"),
             init = builder_ref(&f.builder, CANON_CONSTANT_METHODREF, "app/Super", "<init>", "()V");
    method(&f, 0, "<init>",
           BYTES(CANON_OP_ALOAD_0, CANON_OP_ICONST_1, CANON_OP_PUTFIELD, U2(v), CANON_OP_NEW, U2(super),
                 CANON_OP_DUP, CANON_OP_INVOKESPECIAL, U2(init), CANON_OP_ALOAD_0, CANON_OP_ICONST_2,
                 CANON_OP_PUTFIELD, U2(v), CANON_OP_ALOAD_0, CANON_OP_INVOKESPECIAL, U2(init),
                 CANON_OP_ALOAD_0, CANON_OP_ICONST_3, CANON_OP_PUTFIELD, U2(v), CANON_OP_RETURN));
    assert_int_equal(1, APPLY(&f, {ACCESS}));
    assert_string_equal(
        "aload_0 iconst_1 putfield:v new dup invokespecial:<init> aload_0 iconst_2 putfield:v "
        "aload_0 invokespecial:<init> "
        "aload_0 iconst_3 dup2 pop write" O " putfield:v done()V return",
        listing(&f, 0));
    close_fixture(&f);
}

/* A constructor whose blocks are not in the order in which they run; only frames tell where `this` is an
 * object: 0 goto 12, 3 putfield (late), 8 return, 12 aload_0, super(), goto 3. And the other way round: where
 * `this` is not an object, although a call that looks like super() comes before in the text. */
static void frames_tell_where_this_is_an_object(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    builder_field(&f.builder, CANON_ACC_VOLATILE, "v", "I");
    uint16_t v = field(&f, "app/Main", "v", "I"), main_class = f.builder.this_index,
             super = builder_class(&f.builder, "app/Super"),
             init = builder_ref(&f.builder, CANON_CONSTANT_METHODREF, "app/Super", "<init>", "()V");
#define PUT(number) CANON_OP_ALOAD_0, CANON_OP_ICONST_##number, CANON_OP_PUTFIELD, U2(v)
    struct builder_code late = {
        .stack = 2,
        .locals = 1,
        .bytes = BYTES(CANON_OP_GOTO, U2(9), PUT(1), CANON_OP_RETURN, CANON_OP_ALOAD_0,
                       CANON_OP_INVOKESPECIAL, U2(init), CANON_OP_GOTO, U2((uint16_t)-10)),
        .frames = BYTES(U2(2), 255, U2(3), U2(1), 7, U2(main_class), U2(0), 255, U2(5), U2(1), 6, U2(0))};
    builder_method(&f.builder, 0, "<init>", "()V", &late);
    /* 0 goto 20, 3 dup, Super.<init>, pop, v = 1, super(), goto 26, 20 new, goto 3, 26 v = 2, return */
    struct builder_code early = {
        .stack = 2,
        .locals = 1,
        .bytes = BYTES(CANON_OP_GOTO, U2(20), CANON_OP_DUP, CANON_OP_INVOKESPECIAL, U2(init), CANON_OP_POP,
                       PUT(1), CANON_OP_ALOAD_0, CANON_OP_INVOKESPECIAL, U2(init), CANON_OP_GOTO, U2(9),
                       CANON_OP_NEW, U2(super), CANON_OP_GOTO, U2((uint16_t)-20), PUT(2), CANON_OP_RETURN),
        .frames = BYTES(U2(3), 255, U2(3), U2(1), 6, U2(1), 8, U2(20), 255, U2(16), U2(1), 6, U2(0), 255,
                        U2(5), U2(1), 7, U2(main_class), U2(0))};
    builder_method(&f.builder, 0, "<init>", "()V", &early);
    assert_int_equal(1, APPLY(&f, {ACCESS}));
    assert_string_equal("goto aload_0 iconst_1 dup2 pop write" O " putfield:v done()V return aload_0 "
                        "invokespecial:<init> goto",
                        listing(&f, 0));
    assert_string_equal("goto dup invokespecial:<init> pop aload_0 iconst_1 putfield:v aload_0 "
                        "invokespecial:<init> goto new goto "
                        "aload_0 iconst_2 dup2 pop write" O " putfield:v done()V return",
                        listing(&f, 1));
    close_fixture(&f);
}

static void all_accesses_are_told_of(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    builder_field(&f.builder, 0, "p", "I");
    builder_field(&f.builder, CANON_ACC_FINAL, "c", "I");
    uint16_t p = field(&f, "app/Main", "p", "I"), c = field(&f, "app/Main", "c", "I");
#define USE_FIELDS                                                                                           \
    CANON_OP_ALOAD_0, CANON_OP_GETFIELD, U2(p), CANON_OP_POP, CANON_OP_ALOAD_0, CANON_OP_GETFIELD, U2(c),    \
        CANON_OP_POP
#define USE_ARRAYS                                                                                           \
    CANON_OP_ALOAD_1, CANON_OP_ICONST_0, CANON_OP_BALOAD, CANON_OP_POP, CANON_OP_ALOAD_1, CANON_OP_ICONST_0, \
        CANON_OP_ACONST_NULL, CANON_OP_AASTORE, CANON_OP_ALOAD_1, CANON_OP_ICONST_0, CANON_OP_DCONST_0,      \
        CANON_OP_DASTORE
    method(&f, 0, "run", BYTES(USE_FIELDS, CANON_OP_RETURN));
    method(&f, 0, "arrays", BYTES(USE_ARRAYS, CANON_OP_RETURN));
    method(&f, 0, "<init>", BYTES(USE_FIELDS, USE_ARRAYS, CANON_OP_RETURN));
    assert_int_equal(1, APPLY(&f, {ACCESS, .flags = CANON_RULE_ALL_ACCESSES}));
    assert_string_equal("aload_0 dup read" O " getfield:p done()V pop aload_0 getfield:c pop return",
                        listing(&f, 0));
    assert_string_equal("aload_1 iconst_0 dup2 readArray" OI " baload done()V pop "
                        "aload_1 iconst_0 aconst_null dup_x2 pop dup2_x1 writeArray" OI " aastore done()V "
                        "aload_1 iconst_0 dconst_0 dup2_x2 pop2 dup2_x2 writeArray" OI " dastore done()V "
                        "return",
                        listing(&f, 1));
    assert_null(strstr(listing(&f, 2), O));
    assert_null(strstr(listing(&f, 2), OI));
    assert_int_equal(4, canon_rules_hits(f.rules, 0));
    close_result(&f);
    assert_int_equal(0, APPLY(&f, {ACCESS})); /* none of that without the flag */
    close_fixture(&f);
}

static void all_accesses_of_others_are_told_of_unless_they_are_final(void **state)
{
    (void)state;
    static const struct {
        enum canon_field_kind kind;
        int result;
        const char *code;
    } CASES[] = {
        {CANON_FIELD_PLAIN, 1, "aload_0 dup read" O " getfield:inherited done()V return"},
        {CANON_FIELD_ORDERED, 1, "aload_0 dup read" O " getfield:inherited done()V return"},
        /* No class is asked later what it is: a plain one of another class counts, too. */
        {CANON_FIELD_UNKNOWN, 1, "aload_0 dup read" O " getfield:inherited done()V return"},
        {CANON_FIELD_FINAL, 0, NULL},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct fixture f;
        struct asked asked = {.kind = CASES[i].kind, .site = 9};
        start_with_others(&f);
        assert_int_equal(CASES[i].result, APPLY(&f, {ACCESS, .flags = CANON_RULE_ALL_ACCESSES,
                                                     .field = answer, .context = &asked}));
        if (CASES[i].code)
            assert_string_equal(CASES[i].code, listing(&f, 2));
        close_fixture(&f);
    }
}

static void volatile_fields_are_told_of_in_constructors_too(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    builder_field(&f.builder, CANON_ACC_VOLATILE | CANON_ACC_STATIC, "s", "I");
    builder_field(&f.builder, CANON_ACC_STATIC, "p", "I");
    uint16_t s = field(&f, "app/Main", "s", "I"), p = field(&f, "app/Main", "p", "I");
    method(&f, CANON_ACC_STATIC, "<clinit>",
           BYTES(CANON_OP_ICONST_1, CANON_OP_PUTSTATIC, U2(s), CANON_OP_ICONST_1, CANON_OP_PUTSTATIC, U2(p),
                 CANON_OP_RETURN));
    assert_int_equal(1, APPLY(&f, {ACCESS, .flags = CANON_RULE_ALL_ACCESSES}));
    assert_string_equal("iconst_1 getstatic:s pop ldc_w writeStatic(I)V putstatic:s done()V iconst_1 "
                        "putstatic:p return",
                        listing(&f, 0));
    close_fixture(&f);
}

/* An access in front of a far target: the branch has to get wide. */
static void branches_over_accesses_get_wide(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    builder_field(&f.builder, CANON_ACC_VOLATILE, "v", "I");
    uint16_t v = field(&f, "app/Main", "v", "I");
    enum { LENGTH = 32768 };
    static uint8_t bytes[LENGTH];
    memset(bytes, CANON_OP_NOP, sizeof bytes);
    const uint8_t head[] = {CANON_OP_GOTO,     U2(32767), CANON_OP_ALOAD_0,
                            CANON_OP_GETFIELD, U2(v),     CANON_OP_POP};
    memcpy(bytes, head, sizeof head);
    bytes[32767] = CANON_OP_RETURN;
    method(&f, 0, "far", (struct bytes){bytes, sizeof bytes});
    assert_int_equal(1, APPLY(&f, {ACCESS}));
    assert_int_equal(1, canon_code_open(&f.cls, &f.cls.methods[0], &f.code));
    assert_int_equal(LENGTH + 2 + 4 + 3, f.code.length);
    assert_int_equal(CANON_OP_GOTO_W, f.code.bytes[0]);
    assert_memory_equal(((const uint8_t[]){U4(32767 + 2 + 4 + 3)}), f.code.bytes + 1, 4);
    close_fixture(&f);
}

/* Calls. */

#define AROUND(name)                                                                                         \
    CANON_RULE_AROUND, "x/Unsafe", name, NULL, .helper = "H.before" OJ, .exit_helper = "H.behind()V"

static uint16_t unsafe_method(struct fixture *f, const char *name, const char *descriptor)
{
    return builder_ref(&f->builder, CANON_CONSTANT_METHODREF, "x/Unsafe", name, descriptor);
}

static void calls_are_surrounded(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    uint16_t get = unsafe_method(&f, "getIntVolatile", "(Ljava/lang/Object;J)I"),
             cas = unsafe_method(&f, "compareAndSetLong", "(Ljava/lang/Object;JJJ)Z"),
             swap = unsafe_method(&f, "compareAndSetReference",
                                  "(Ljava/lang/Object;JLjava/lang/Object;[Ljava/lang/Object;)Z"),
             plain = unsafe_method(&f, "getInt", "(Ljava/lang/Object;J)I"),
             address = unsafe_method(&f, "getAddressVolatile", "(J)J");
    method(&f, 0, "get", BYTES(CANON_OP_INVOKEVIRTUAL, U2(get), CANON_OP_RETURN));
    method(&f, 0, "cas", BYTES(CANON_OP_INVOKEVIRTUAL, U2(cas), CANON_OP_RETURN));
    method(&f, 0, "swap", BYTES(CANON_OP_INVOKEVIRTUAL, U2(swap), CANON_OP_RETURN));
    method(&f, 0, "others",
           BYTES(CANON_OP_INVOKEVIRTUAL, U2(plain), CANON_OP_INVOKEVIRTUAL, U2(address),
                 CANON_OP_INVOKESPECIAL, U2(get), CANON_OP_RETURN));
    method(&f, 0, "shares", BYTES(CANON_OP_INVOKEVIRTUAL, U2(get), CANON_OP_INVOKEVIRTUAL, U2(cas)));
    assert_int_equal(1, APPLY(&f, {AROUND("get*Volatile")}, {AROUND("compareAndSet*")}));
    assert_string_equal("lstore_3 dup lload_3 before" OJ " lload_3 invokevirtual:getIntVolatile behind()V "
                        "return",
                        listing(&f, 0));
    assert_int_equal(5, f.code.max_locals);
    assert_string_equal("lstore:7 lstore:5 lstore_3 dup lload_3 before" OJ " lload_3 lload:5 lload:7 "
                        "invokevirtual:compareAndSetLong behind()V return",
                        listing(&f, 1));
    /* nothing stays alive because it was put aside */
    assert_string_equal("astore:7 astore:5 lstore_3 dup lload_3 before" OJ " lload_3 aload:5 aload:7 "
                        "aconst_null astore:5 aconst_null astore:7 "
                        "invokevirtual:compareAndSetReference behind()V return",
                        listing(&f, 2));
    assert_string_equal("invokevirtual:getInt invokevirtual:getAddressVolatile "
                        "invokespecial:getIntVolatile return",
                        listing(&f, 3));
    listing(&f, 4);
    assert_int_equal(9, f.code.max_locals);
    assert_int_equal(2, canon_rules_hits(f.rules, 0));
    assert_int_equal(3, canon_rules_hits(f.rules, 1));
    close_result(&f);
    assert_int_equal(0, APPLY(&f, {AROUND("*Volatile"), .except = "app/Main"}));
    close_result(&f);
    assert_int_equal(1, APPLY(&f, {AROUND("*Volatile"), .except = "x/Unsafe"}));
    close_fixture(&f);
}

static void the_first_row_about_a_call_counts(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    uint16_t get = unsafe_method(&f, "getIntVolatile", "(Ljava/lang/Object;J)I");
    method(&f, 0, "get", BYTES(CANON_OP_INVOKEVIRTUAL, U2(get), CANON_OP_RETURN));
    assert_int_equal(1, APPLY(&f, {AROUND("get*"), .except = "app/Main"},
                              {CANON_RULE_REDIRECT, "*", "getIntVolatile", NULL, .helper = "H.got"},
                              {AROUND("*")}));
    assert_string_equal("got(Lx/Unsafe;Ljava/lang/Object;J)I return", listing(&f, 0));
    close_fixture(&f);
}

/* A star stands for any text, anywhere. */
static void stars_stand_anywhere(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        int result;
    } CASES[] = {
        {"getIntVolatile", 1},
        {"*", 1},
        {"get*", 1},
        {"*Volatile", 1},
        {"get*Volatile", 1},
        {"get*tile", 1},
        {"getInt*Volatile", 1},
        {"getIntVolatile*", 1},
        {"*getIntVolatile", 1},
        {"put*", 0},
        {"*Release", 0},
        {"get*Acquire", 0},
        {"getIntVol*Volatile", 0},
        {"getInt", 0},
        {"IntVolatile", 0},
        {"get*Volatil", 0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct fixture f;
        start(&f);
        uint16_t get = unsafe_method(&f, "getIntVolatile", "(Ljava/lang/Object;J)I");
        method(&f, 0, "get", BYTES(CANON_OP_INVOKEVIRTUAL, U2(get), CANON_OP_RETURN));
        assert_int_equal(CASES[i].result, APPLY(&f, {AROUND(CASES[i].pattern)}));
        close_fixture(&f);
    }
}

/* Added fields. */

static void fields_are_added_where_there_are_volatile_ones(void **state)
{
    (void)state;
    static const struct {
        uint16_t access;
        int result;
    } CASES[] = {{0, 0}, {CANON_ACC_VOLATILE, 1}, {CANON_ACC_VOLATILE | CANON_ACC_STATIC, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct fixture f;
        start(&f);
        builder_field(&f.builder, 0, "plain", "I");
        builder_field(&f.builder, CASES[i].access, "x", "I");
        assert_int_equal(CASES[i].result, APPLY(&f, {CANON_RULE_FIELD, "*", "canonClock", "J",
                                                     .access = 0x1081, .flags = CANON_RULE_IF_VOLATILE}));
        assert_int_equal(CASES[i].result ? 3 : 0, f.cls.field_count);
        close_fixture(&f);
    }
}

/* Its layout is known to the collectors. */
static void references_get_no_field(void **state)
{
    (void)state;
    struct fixture f = {0};
    builder_start(&f.builder, 61, "java/lang/ref/Reference", "java/lang/Object");
    builder_field(&f.builder, CANON_ACC_VOLATILE, "next", "Ljava/lang/ref/Reference;");
    const struct canon_rule row = {
        CANON_RULE_FIELD, "*", "canonClock", "J", .access = 0x1081, .flags = CANON_RULE_IF_VOLATILE};
    assert_int_equal(0, apply(&f, &row, 1));
    close_fixture(&f);
}

/* What may initialise a class. */

#define CI "(Ljava/lang/Class;I)V"
#define INITIALISE                                                                                           \
    CANON_RULE_INITIALISE, "*", "*", NULL, .helper = "H.initialising" CI, .initialises = initialises

/* Counts how often it is asked; has a number for app/Other only, and one for its field. */
static bool initialises(void *context, const struct canon_class *cls, struct canon_utf8 name,
                        struct canon_utf8 field, int32_t *number)
{
    int *asked = context;
    assert_true(canon_utf8_is(cls->name, "app/Main"));
    ++*asked;
    *number = field.length ? 400 : 300;
    return canon_utf8_is(name, "app/Other");
}

static uint16_t static_method(struct fixture *f, const char *owner)
{
    return builder_ref(&f->builder, CANON_CONSTANT_METHODREF, owner, "run", "()V");
}

static void classes_are_told_of_before_they_are_initialised(void **state)
{
    (void)state;
    struct fixture f;
    int asked = 0;
    start(&f);
    uint16_t s = field(&f, "app/Other", "s", "I"), other = builder_class(&f.builder, "app/Other"),
             third = builder_class(&f.builder, "app/Third"), run = static_method(&f, "app/Other");
    method(&f, CANON_ACC_STATIC, "fields",
           BYTES(CANON_OP_GETSTATIC, U2(s), CANON_OP_PUTSTATIC, U2(s), CANON_OP_RETURN));
    method(&f, CANON_ACC_STATIC, "others",
           BYTES(CANON_OP_NEW, U2(other), CANON_OP_POP, CANON_OP_INVOKESTATIC, U2(run), CANON_OP_NEW,
                 U2(third), CANON_OP_POP, CANON_OP_RETURN));
    assert_int_equal(1, APPLY(&f, {INITIALISE, .context = &asked}));
#define TOLD(number) "ldc_w sipush:" number " initialising" CI " "
    assert_string_equal(TOLD("400") "getstatic:s " TOLD("400") "putstatic:s return", listing(&f, 0));
    const uint8_t *constant = f.cls.data + f.cls.pool[f.code.bytes[1] << 8 | f.code.bytes[2]];
    assert_int_equal(CANON_CONSTANT_CLASS, constant[0]);
    assert_string_equal(TOLD("300") "new pop " TOLD("300") "run()V new pop return", listing(&f, 1));
    assert_int_equal(4, canon_rules_hits(f.rules, 0));
    assert_in_range(asked, 2,
                    4); /* once a constant; a field and a method may have one each for their class */
    close_fixture(&f);
}

static void the_class_itself_is_told_of_for_inherited_fields_only(void **state)
{
    (void)state;
    struct fixture f;
    int asked = 0;
    start(&f);
    builder_field(&f.builder, CANON_ACC_STATIC, "own", "I");
    uint16_t own = field(&f, "app/Main", "own", "I"), self = builder_class(&f.builder, "app/Main"),
             run = static_method(&f, "app/Main");
    method(&f, CANON_ACC_STATIC, "run",
           BYTES(CANON_OP_GETSTATIC, U2(own), CANON_OP_POP, CANON_OP_NEW, U2(self), CANON_OP_POP,
                 CANON_OP_INVOKESTATIC, U2(run), CANON_OP_RETURN));
    assert_int_equal(0, APPLY(&f, {INITIALISE, .context = &asked}));
    assert_int_equal(0, asked);
    close_fixture(&f);
    start(&f);
    uint16_t inherited = field(&f, "app/Main", "inherited", "I");
    method(&f, CANON_ACC_STATIC, "run", BYTES(CANON_OP_GETSTATIC, U2(inherited), CANON_OP_RETURN));
    assert_int_equal(0, APPLY(&f, {INITIALISE, .context = &asked})); /* it has no number */
    assert_int_equal(1, asked);
    close_fixture(&f);
}

static void old_classes_are_left_alone(void **state)
{
    (void)state;
    struct fixture f = {0};
    int asked = 0;
    builder_start(&f.builder, 48, "app/Main", "app/Super");
    uint16_t s = field(&f, "app/Other", "s", "I");
    method(&f, CANON_ACC_STATIC, "run", BYTES(CANON_OP_GETSTATIC, U2(s), CANON_OP_RETURN));
    assert_int_equal(0, APPLY(&f, {INITIALISE, .context = &asked}));
    close_fixture(&f);
}

static void refuses_rows_without_sense(void **state)
{
    (void)state;
    static const struct canon_rule bad[] = {
        {CANON_RULE_MONITOR, "a", "b", NULL, .exit_helper = "H.b" O},
        {CANON_RULE_MONITOR, "a", "b", NULL, .helper = "H.a" O, .exit_helper = "H.b" O,
         .entered_helper = "H.c(I)I"},
        {CANON_RULE_MONITOR, "a", "b", NULL, .helper = "H.a" O, .exit_helper = "H.b" O,
         .entered_helper = "H.c" O, .identity_helper = "H.d" O},
        {CANON_RULE_ACCESS, "a", "b", NULL, .helper = NULL},
        {CANON_RULE_ACCESS, "a", "b", NULL, .helper = "H.read"},
        {CANON_RULE_INITIALISE, "a", "b", NULL, .helper = "H.a" CI},
        {CANON_RULE_INITIALISE, "a", "b", NULL, .helper = "H.a" O, .initialises = initialises},
        {CANON_RULE_AROUND, "a", "b", NULL, .helper = "H.a" OJ},
        {CANON_RULE_AROUND, "a", "b", NULL, .helper = "H.a" O, .exit_helper = "H.b()V"},
        {CANON_RULE_AROUND, "a", "b", NULL, .helper = "H.a" OJ, .exit_helper = "H.b(J)V"},
        {CANON_RULE_AROUND, "a", "get*And*", NULL, .helper = "H.a" OJ, .exit_helper = "H.b()V"},
        {CANON_RULE_LOOP, "a", "b", NULL, .helper = "H.a" O},
        {CANON_RULE_LOOP, "a", "b", NULL, .helper = NULL},
        {CANON_RULE_SKIP, "a*b*", NULL, NULL, .access = 0},
        {CANON_RULE_FIELD, "a", "b*c", "J", .access = 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct canon_rules *rules = NULL;
        assert_int_equal(CANON_E_INVALID, canon_rules_compile(&rules, &bad[i], 1, NULL));
        assert_null(rules);
    }
}

/* Loops. */

#define LOOP CANON_RULE_LOOP, "*", "*", NULL, .helper = "H.again()V"

/* A branch back gets its call in front; one that lands there runs it, too. */
static void branches_back_are_told_of(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    /* 0 iconst_0, 1 ifeq 8, 4 iconst_1, 5 ifne 0, 8 goto 4 */
    method(&f, CANON_ACC_STATIC, "loops",
           BYTES(CANON_OP_ICONST_0, CANON_OP_IFEQ, U2(7), CANON_OP_ICONST_1, CANON_OP_IFNE, U2(-5),
                 CANON_OP_GOTO, U2(-4)));
    method(&f, CANON_ACC_STATIC, "forward",
           BYTES(CANON_OP_ICONST_0, CANON_OP_IFEQ, U2(4), CANON_OP_NOP, CANON_OP_RETURN));
    assert_int_equal(1, APPLY(&f, {LOOP}));
    assert_string_equal("iconst_0 ifeq iconst_1 again()V ifne again()V goto", listing(&f, 0));
    /* 0 iconst_0, 1 ifeq 11, 4 iconst_1, 5 again, 8 ifne 0, 11 again, 14 goto 4 */
    assert_memory_equal(((const uint8_t[]){CANON_OP_IFEQ, U2(10)}), f.code.bytes + 1, 3);
    assert_memory_equal(((const uint8_t[]){CANON_OP_IFNE, U2(-8)}), f.code.bytes + 8, 3);
    assert_memory_equal(((const uint8_t[]){CANON_OP_GOTO, U2(-10)}), f.code.bytes + 14, 3);
    assert_int_equal(6, f.code.max_stack);
    assert_string_equal("iconst_0 ifeq nop return", listing(&f, 1));
    assert_int_equal(2, canon_rules_hits(f.rules, 0));
    close_fixture(&f);
}

static void switches_and_wide_branches_back_are_told_of(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    /* 0 iconst_0, 1 lookupswitch: default 20, 7 -> 0; 20 iconst_0, 21 tableswitch: default 44, 0 -> 44; 44
     * goto_w 0 */
    method(&f, CANON_ACC_STATIC, "loops",
           BYTES(CANON_OP_ICONST_0, CANON_OP_LOOKUPSWITCH, 0, 0, U4(19), U4(1), U4(7), U4(-1),
                 CANON_OP_ICONST_0, CANON_OP_TABLESWITCH, 0, 0, U4(19), U4(0), U4(0), U4(19), CANON_OP_GOTO_W,
                 U4(-40)));
    assert_int_equal(1, APPLY(&f, {LOOP}));
    assert_string_equal("iconst_0 again()V lookupswitch iconst_0 tableswitch again()V goto_w",
                        listing(&f, 0));
    assert_int_equal(2, canon_rules_hits(f.rules, 0));
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_back_are_told_of),
        cmocka_unit_test(switches_and_wide_branches_back_are_told_of),
        cmocka_unit_test(monitors_are_told_of),
        cmocka_unit_test(synchronized_methods_lock_by_themselves),
        cmocka_unit_test(monitors_may_be_told_of_before_only),
        cmocka_unit_test(the_first_monitor_row_counts),
        cmocka_unit_test(volatile_fields_are_told_of),
        cmocka_unit_test(static_fields_have_their_class_initialised_and_are_told_by_hash),
        cmocka_unit_test(other_fields_are_asked_for_once),
        cmocka_unit_test(unknown_fields_are_told_with_their_site),
        cmocka_unit_test(constructors_say_nothing_before_they_called_another),
        cmocka_unit_test(frames_tell_where_this_is_an_object),
        cmocka_unit_test(all_accesses_are_told_of),
        cmocka_unit_test(all_accesses_of_others_are_told_of_unless_they_are_final),
        cmocka_unit_test(volatile_fields_are_told_of_in_constructors_too),
        cmocka_unit_test(branches_over_accesses_get_wide),
        cmocka_unit_test(calls_are_surrounded),
        cmocka_unit_test(the_first_row_about_a_call_counts),
        cmocka_unit_test(stars_stand_anywhere),
        cmocka_unit_test(fields_are_added_where_there_are_volatile_ones),
        cmocka_unit_test(references_get_no_field),
        cmocka_unit_test(classes_are_told_of_before_they_are_initialised),
        cmocka_unit_test(the_class_itself_is_told_of_for_inherited_fields_only),
        cmocka_unit_test(old_classes_are_left_alone),
        cmocka_unit_test(refuses_rows_without_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
