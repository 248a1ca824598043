/* test_native_table.c: rows of system calls fit together. */
#include "native/table.h"

#include "support.h"

#include <string.h>
#include <sys/syscall.h>

/* Kinds that take a size from another argument. */
static bool refers(const struct canon_arg *arg)
{
    switch (arg->kind) {
    case CANON_ARG_IN:
    case CANON_ARG_OUT:
        return arg->other != CANON_ARG_ALONE;
    case CANON_ARG_ADDRESS:
    case CANON_ARG_RESULT:
    case CANON_ARG_VARYING:
    case CANON_ARG_VECTOR_IN:
    case CANON_ARG_VECTOR_RESULT:
    case CANON_ARG_SETS:
        return true;
    default:
        return false;
    }
}

static void sizes_come_from_arguments_that_have_them(void **state)
{
    (void)state;
    for (long number = 0; number < canon_call_most(); number++) {
        const struct canon_call *row = canon_call_row(number);
        for (int i = 0; row && i < 6; i++) {
            const struct canon_arg *arg = &row->args[i];
            if (!refers(arg))
                continue;
            assert_in_range(arg->other, 0, 5);
            int kind = row->args[arg->other].kind;
            if (arg->kind == CANON_ARG_VARYING)
                assert_int_equal(kind, CANON_ARG_LENGTH);
            else
                assert_true(kind == CANON_ARG_INT || kind == CANON_ARG_LONG);
        }
    }
}

static void what_is_done_again_is_not_described(void **state)
{
    (void)state;
    for (long number = 0; number < canon_call_most(); number++) {
        const struct canon_call *row = canon_call_row(number);
        if (row && (row->class == CANON_CALL_REPEATABLE || row->class == CANON_CALL_REFUSED))
            assert_int_equal(row->args[0].kind, CANON_ARG_NONE);
    }
}

static void nothing_is_behind_the_last_argument(void **state)
{
    (void)state;
    for (long number = 0; number < canon_call_most(); number++) {
        const struct canon_call *row = canon_call_row(number);
        for (int i = 1; row && i < 6; i++)
            assert_true(row->args[i].kind == CANON_ARG_NONE || row->args[i - 1].kind != CANON_ARG_NONE);
    }
}

static void rows_are_found_by_number(void **state)
{
    (void)state;
    assert_string_equal(canon_call_row(SYS_read)->name, "read");
    assert_string_equal(canon_call_row(SYS_exit_group)->name, "exit_group");
    assert_int_equal(canon_call_row(SYS_madvise)->class, CANON_CALL_REPEATABLE);
    assert_null(canon_call_row(-1));
    assert_null(canon_call_row(canon_call_most()));
    assert_null(canon_call_row(SYS_uselib));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_come_from_arguments_that_have_them),
        cmocka_unit_test(what_is_done_again_is_not_described),
        cmocka_unit_test(nothing_is_behind_the_last_argument),
        cmocka_unit_test(rows_are_found_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
