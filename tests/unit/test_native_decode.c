/* test_native_decode.c: lengths of instructions, and what moving them takes. unit.native_code has all of
 * libc's. */
#include "native/decode.h"

#include "support.h"

#include <string.h>

/* The bytes, with as many more behind them as a reader might take. */
static bool decode(const char *bytes, size_t size, struct canon_insn *insn)
{
    uint8_t code[32];
    memset(code, 0x90, sizeof code);
    memcpy(code, bytes, size);
    return canon_insn_decode(code, sizeof code, insn);
}

#define DECODE(text, insn) decode(text, sizeof(text) - 1, insn)

static void lengths_are_right(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        size_t size;
    } CASES[] = {
#define CASE(text) {text, sizeof(text) - 1}
        CASE("\x90"),                                     /* nop */
        CASE("\x0f\x05"),                                 /* syscall */
        CASE("\xb8\x01\x00\x00\x00"),                     /* mov $1, %eax */
        CASE("\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08"), /* movabs */
        CASE("\x66\xb8\x01\x00"),                         /* mov $1, %ax */
        CASE("\x48\xc7\xc0\x0f\x00\x00\x00"),             /* mov $15, %rax */
        CASE("\x48\x3d\x00\xf0\xff\xff"),                 /* cmp $-4096, %rax */
        CASE("\x48\x8d\x64\x24\x80"),                     /* lea -128(%rsp), %rsp */
        CASE("\x48\x8b\x05\x00\x00\x00\x00"),             /* mov 0(%rip), %rax */
        CASE("\xf6\xc1\x01"),                             /* test $1, %cl */
        CASE("\xf6\xd9"),                                 /* neg %cl */
        CASE("\xf7\xc1\x01\x00\x00\x00"),                 /* test $1, %ecx */
        CASE("\x66\xf7\xc1\x01\x00"),                     /* test $1, %cx */
        CASE("\x0f\x84\x00\x00\x00\x00"),                 /* je */
        CASE("\xc5\xf8\x77"),                             /* vzeroupper */
        CASE("\xc5\xfd\x6f\x06"),                         /* vmovdqa (%rsi), %ymm0 */
        CASE("\xc4\xe3\x7d\x39\xc1\x01"),                 /* vextracti128 $1 */
        CASE("\x62\xf1\xfe\x48\x6f\x06"),                 /* vmovdqu64 (%rsi), %zmm0 */
        CASE("\x66\x0f\x3a\x0f\xc1\x08"),                 /* palignr $8 */
        CASE("\xf3\x0f\x1e\xfa"),                         /* endbr64 */
        CASE("\x64\x48\x8b\x04\x25\x28\x00\x00\x00"),     /* mov %fs:0x28, %rax */
        CASE("\xc8\x10\x00\x00"),                         /* enter */
        CASE("\xc3"),
#undef CASE
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct canon_insn insn;
        assert_true(decode(CASES[i].code, CASES[i].size, &insn));
        assert_int_equal(insn.size, CASES[i].size);
        assert_false(canon_insn_decode((const uint8_t *)CASES[i].code, CASES[i].size - 1, &insn));
    }
}

static void what_is_no_instruction_is_refused(void **state)
{
    (void)state;
    struct canon_insn insn;
    assert_false(DECODE("\x06", &insn));
    assert_false(DECODE("\x0f\x04", &insn));
    assert_false(DECODE("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90", &insn));
}

static void jumps_tell_where_to(void **state)
{
    (void)state;
    struct canon_insn insn;
    assert_true(DECODE("\x74\xfe", &insn));
    assert_int_equal(insn.kind, CANON_INSN_BRANCH);
    assert_int_equal(insn.condition, 4);
    assert_int_equal(insn.target, 0);
    assert_true(DECODE("\xe9\x10\x00\x00\x00", &insn));
    assert_int_equal(insn.kind, CANON_INSN_JUMP);
    assert_int_equal(insn.target, 0x15);
    assert_true(DECODE("\xe8\x00\x00\x00\x00", &insn));
    assert_int_equal(insn.kind, CANON_INSN_FIXED);
    assert_true(insn.has_target);
    assert_true(DECODE("\xff\xe0", &insn)); /* jmp *%rax */
    assert_int_equal(insn.kind, CANON_INSN_FIXED);
    assert_false(insn.has_target);
}

static void what_refers_to_its_own_place_says_where(void **state)
{
    (void)state;
    struct canon_insn insn;
    assert_true(DECODE("\x83\x3d\x01\x02\x03\x04\x00", &insn)); /* cmpl $0, x(%rip) */
    assert_int_equal(insn.kind, CANON_INSN_RIP);
    assert_int_equal(insn.field, 2);
    assert_true(DECODE("\x83\x3c\x25\x01\x02\x03\x04\x00", &insn)); /* the same by address */
    assert_int_equal(insn.kind, CANON_INSN_PLAIN);
}

static void numbers_of_calls_are_seen(void **state)
{
    (void)state;
    struct canon_insn insn;
    assert_true(DECODE("\xb8\xe7\x00\x00\x00", &insn));
    assert_true(insn.sets_eax);
    assert_int_equal(insn.eax, 231);
    assert_true(DECODE("\x48\xc7\xc0\x0f\x00\x00\x00", &insn));
    assert_true(insn.sets_eax);
    assert_int_equal(insn.eax, 15);
    assert_true(DECODE("\xb9\x01\x00\x00\x00", &insn));
    assert_false(insn.sets_eax);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_right),
        cmocka_unit_test(what_is_no_instruction_is_refused),
        cmocka_unit_test(jumps_tell_where_to),
        cmocka_unit_test(what_refers_to_its_own_place_says_where),
        cmocka_unit_test(numbers_of_calls_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
