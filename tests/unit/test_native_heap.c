/* test_native_heap.c: sizes of blocks of the deterministic heap. */
#include "base/size_classes.h"

#include "support.h"

static void every_size_fits_its_class_and_no_smaller_one(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes <= CANON_SIZE_LARGEST; bytes += bytes < 5000 ? 1 : bytes / 97) {
        int class = canon_size_class(bytes);
        assert_in_range(class, 1, CANON_SIZE_CLASSES - 1);
        assert_true(canon_size_of_class(class) >= bytes);
        assert_true(canon_size_of_class(class - 1) < bytes);
    }
}

static void little_is_wasted(void **state)
{
    (void)state;
    for (size_t bytes = 1024; bytes <= CANON_SIZE_LARGEST; bytes += bytes / 97)
        assert_true(canon_size_of_class(canon_size_class(bytes)) <= bytes + bytes / 4);
}

static void blocks_are_aligned(void **state)
{
    (void)state;
    for (int class = 1; class <= canon_size_class(CANON_SIZE_LARGEST); class ++)
        assert_int_equal(canon_size_of_class(class) % 16, 0);
}

static void the_largest_is_the_last(void **state)
{
    (void)state;
    assert_int_equal(canon_size_of_class(canon_size_class(CANON_SIZE_LARGEST)), CANON_SIZE_LARGEST);
    assert_int_equal(canon_size_class(CANON_SIZE_LARGEST + 1), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_fits_its_class_and_no_smaller_one),
        cmocka_unit_test(little_is_wasted),
        cmocka_unit_test(blocks_are_aligned),
        cmocka_unit_test(the_largest_is_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
