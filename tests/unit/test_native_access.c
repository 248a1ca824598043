/* test_native_access.c: what instructions do to memory, and the same instruction with another operand. */
#include "native/access.h"

#include "support.h"

#include <string.h>

static const struct {
    const char *code;
    size_t size;
    enum canon_access_kind kind;
    uint8_t bytes;
    bool locked;
} CASES[] = {
#define CASE(text, kind, bytes, locked)                                                                      \
    {                                                                                                        \
        text, sizeof(text) - 1, CANON_ACCESS_##kind, bytes, locked                                           \
    }
    CASE("\x8b\x03", LOAD, 4, false),                      /* mov (%rbx), %eax */
    CASE("\x48\x8b\x44\x24\x08", LOAD, 8, false),          /* mov 8(%rsp), %rax */
    CASE("\x66\x8b\x03", LOAD, 2, false),                  /* mov (%rbx), %ax */
    CASE("\x8a\x03", LOAD, 1, false),                      /* mov (%rbx), %al */
    CASE("\x0f\xb6\x03", LOAD, 1, false),                  /* movzbl (%rbx), %eax */
    CASE("\x48\x0f\xbf\x03", LOAD, 2, false),              /* movswq (%rbx), %rax */
    CASE("\x48\x63\x03", LOAD, 4, false),                  /* movslq (%rbx), %rax */
    CASE("\x83\x3d\x01\x02\x03\x04\x05", LOAD, 4, false),  /* cmpl $5, x(%rip) */
    CASE("\x83\x05\x01\x02\x03\x04\x05", WRITE, 4, false), /* addl $5, x(%rip) */
    CASE("\xf6\x00\x01", LOAD, 1, false),                  /* testb $1, (%rax) */
    CASE("\xf6\x10", WRITE, 1, false),                     /* notb (%rax) */
    CASE("\xc7\x03\x00\x00\x00\x00", WRITE, 4, false),     /* movl $0, (%rbx) */
    CASE("\x89\x04\x8b", WRITE, 4, false),                 /* mov %eax, (%rbx,%rcx,4) */
    CASE("\x87\x03", WRITE, 4, true),                      /* xchg %eax, (%rbx) */
    CASE("\xf0\x48\x0f\xc1\x03", WRITE, 8, true),          /* lock xadd %rax, (%rbx) */
    CASE("\xf0\x48\x0f\xc7\x0b", WRITE, 16, true),         /* lock cmpxchg16b (%rbx) */
    CASE("\x0f\x94\x03", WRITE, 1, false),                 /* sete (%rbx) */
    CASE("\xf3\x0f\x6f\x03", LOAD, 16, false),             /* movdqu (%rbx), %xmm0 */
    CASE("\x66\x48\x0f\x7e\x03", WRITE, 8, false),         /* movq %xmm0, (%rbx) */
    CASE("\x89\xd8", NONE, 0, false),                      /* mov %ebx, %eax */
    CASE("\x64\x8b\x03", NONE, 0, false),                  /* mov %fs:(%rbx), %eax */
    CASE("\xff\x13", NONE, 0, false),                      /* call *(%rbx) */
    CASE("\xf3\xa4", NONE, 0, false),                      /* rep movsb */
    CASE("\xc5\xfe\x6f\x06", NONE, 0, false),              /* vmovdqu (%rsi), %ymm0 */
#undef CASE
};

static void kinds_are_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct canon_insn insn;
        struct canon_access access;
        const uint8_t *code = (const uint8_t *)CASES[i].code;
        assert_true(canon_insn_decode(code, CASES[i].size, &insn));
        assert_int_equal(canon_access_of(code, &insn, &access), CASES[i].kind != CANON_ACCESS_NONE);
        assert_int_equal(access.kind, CASES[i].kind);
        assert_int_equal(access.size, CASES[i].bytes);
        assert_int_equal(access.locked, CASES[i].locked);
    }
}

static void expect_from_stack(const char *bytes, size_t size, const char *expected, size_t expected_size)
{
    uint8_t made[CANON_ACCESS_MOST];
    struct canon_insn insn;
    struct canon_access access;
    assert_true(canon_insn_decode((const uint8_t *)bytes, size, &insn));
    assert_true(canon_access_of((const uint8_t *)bytes, &insn, &access));
    assert_int_equal(canon_access_from_stack((const uint8_t *)bytes, &insn, &access, made), expected_size);
    assert_memory_equal(made, expected, expected_size);
}

#define FROM_STACK(text, expected) expect_from_stack(text, sizeof(text) - 1, expected, sizeof(expected) - 1)

static void operands_are_replaced(void **state)
{
    (void)state;
    FROM_STACK("\x8b\x03", "\x8b\x04\x24");                         /* mov (%rbx), %eax */
    FROM_STACK("\x4f\x8b\x44\xa5\x10", "\x4c\x8b\x04\x24");         /* mov 16(%r13,%r12,4), %r8 */
    FROM_STACK("\x83\x3d\x01\x02\x03\x04\x05", "\x83\x3c\x24\x05"); /* cmpl $5, x(%rip) */
    FROM_STACK("\x66\x41\x0f\x6f\x03", "\xf3\x40\x0f\x6f\x04\x24"); /* movdqa: of any address */
    FROM_STACK("\x0f\x28\x83\x01\x02\x03\x04", "\x0f\x10\x04\x24"); /* movaps: the same */
    FROM_STACK("\x8b\x63\x04", "");                                 /* mov 4(%rbx), %esp */
}

static void expect_address(const char *bytes, size_t size, const char *expected, size_t field, int64_t target)
{
    uint8_t made[CANON_ACCESS_MOST];
    struct canon_insn insn;
    size_t found;
    int64_t where = 0;
    assert_true(canon_insn_decode((const uint8_t *)bytes, size, &insn));
    size_t length = canon_access_address((const uint8_t *)bytes, &insn, 0x100, made, &found, &where);
    assert_int_equal(found, field);
    assert_int_equal(where, target);
    assert_memory_equal(made, expected, field ? field : length);
}

#define ADDRESS(text, expected, field, target) expect_address(text, sizeof(text) - 1, expected, field, target)

static void addresses_are_loaded(void **state)
{
    (void)state;
    ADDRESS("\x8b\x03", "\x48\x8d\xbb\x00\x00\x00\x00", 0, 0);                         /* (%rbx) */
    ADDRESS("\x4f\x8b\x44\xa5\x10", "\x4b\x8d\xbc\xa5\x10\x00\x00\x00", 0, 0);         /* 16(%r13,%r12,4) */
    ADDRESS("\x8b\x44\x24\x08", "\x48\x8d\xbc\x24\x08\x01\x00\x00", 0, 0);             /* 8(%rsp), lowered */
    ADDRESS("\x8b\x04\x8d\x04\x00\x00\x00", "\x48\x8d\x3c\x8d\x04\x00\x00\x00", 0, 0); /* 4(,%rcx,4) */
    ADDRESS("\x8b\x05\x10\x00\x00\x00", "\x48\x8d\x3d", 3, 0x16);                      /* 16(%rip) */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_right),
        cmocka_unit_test(operands_are_replaced),
        cmocka_unit_test(addresses_are_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
