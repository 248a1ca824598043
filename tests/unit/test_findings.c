/* test_findings.c: what detectors write into a trace, and what is read from it, which may be anything. */
#include "native/detect/findings.h"

#include "support.h"

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    static const struct canon_trouble ALL[] = {
        {.kind = CANON_FINDING_OVERFLOW, .lane = 1, .number = 4711, .size = 24, .at = 24},
        {.kind = CANON_FINDING_UNDERFLOW, .lane = 4095, .number = 1, .size = 0, .at = -16},
        {.kind = CANON_FINDING_WRITE_AFTER_FREE,
         .lane = 2,
         .number = UINT64_C(1) << 39,
         .size = 1 << 30,
         .at = 7},
        {.kind = CANON_FINDING_INVALID_FREE, .at = 0x7fffffffe000},
    };
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) {
        char text[160];
        struct canon_trouble read;
        canon_trouble_write(&ALL[i], text, sizeof text);
        assert_true(canon_trouble_read(text, &read));
        assert_int_equal(read.kind, ALL[i].kind);
        assert_int_equal(read.lane, ALL[i].lane);
        assert_int_equal(read.number, ALL[i].number);
        assert_int_equal(read.size, ALL[i].size);
        assert_int_equal(read.at, ALL[i].at);
    }
}

static void other_texts_are_refused(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"",
                                        ":",
                                        "overflow",
                                        "overflow:",
                                        "overflow: block 1",
                                        "overflow: block 1:2 of many bytes, at byte 3",
                                        "flood: block 1:2 of 3 bytes, at byte 3",
                                        "overflows: block 1:2 of 3 bytes, at byte 3"};
    struct canon_trouble read;
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        assert_false(canon_trouble_read(TEXTS[i], &read));
}

static void both_sides_see_the_same(void **state)
{
    (void)state;
    char path[64];
    struct canon_findings *made = canon_findings_make(path, sizeof path);
    assert_non_null(made);
    struct canon_findings *opened = canon_findings_open(path);
    assert_non_null(opened);
    opened->count = 1;
    opened->all[CANON_FINDINGS - 1].sites[CANON_SITES - 1].known = true;
    assert_int_equal(made->count, 1);
    assert_true(made->all[CANON_FINDINGS - 1].sites[CANON_SITES - 1].known);
    assert_null(canon_findings_open("/nowhere"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(both_sides_see_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
