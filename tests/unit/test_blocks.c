/* test_blocks.c: memory for libraries: jvm/blocks.h. */
#include "jvm/blocks.h"

#include "support.h"

#include <string.h>

static void memory_is_there_and_apart(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    unsigned char *all[COUNT];
    for (int i = 0; i < COUNT; i++) {
        size_t size = (size_t)i * i * 7;
        all[i] = canon_block_find(size);
        assert_non_null(all[i]);
        assert_true(canon_block_is_there(all[i]) && (uintptr_t)all[i] % 16 == 0);
        assert_true(canon_block_room(all[i]) >= size);
        memset(all[i], i, size);
    }
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < i * i * 7; k += 97)
            assert_int_equal(all[i][k], i);
    for (int i = 0; i < COUNT; i++)
        canon_block_give(all[i], false, true);
}

static void what_is_given_back_is_used_again(void **state)
{
    (void)state;
    void *first = canon_block_find(5000);
    canon_block_give(first, false, true);
    assert_ptr_equal(canon_block_find(4900), first);
    canon_block_give(first, false, false); /* others may not have done with it */
    void *other = canon_block_find(5000);
    assert_ptr_not_equal(other, first);
    void *large = canon_block_find(100 << 20);
    memset(large, 1, 100 << 20);
    canon_block_give(large, false, true);
    void *less = canon_block_find(60 << 20);
    assert_ptr_equal(less, large);
    assert_true(canon_block_room(less) >= 100 << 20);
    canon_block_give(less, false, true);
}

static void memory_may_be_in_the_middle_of_a_block(void **state)
{
    (void)state;
    for (size_t alignment = 32; alignment <= 1 << 16; alignment *= 2) {
        char *whole = canon_block_find(1000 + CANON_BLOCK_MORE(alignment));
        char *aligned = canon_block_align(whole, alignment);
        assert_int_equal((uintptr_t)aligned % alignment, 0);
        assert_ptr_equal(canon_block_whole(aligned), whole);
        assert_true(canon_block_room(aligned) >= 1000);
        memset(aligned, 3, 1000);
        canon_block_give(aligned, false, true);
        assert_ptr_equal(canon_block_find(1000 + CANON_BLOCK_MORE(alignment)), whole);
        canon_block_give(whole, false, true);
    }
}

static void a_replay_puts_it_where_it_was(void **state)
{
    (void)state;
    char *place = (char *)(CANON_BLOCKS_FROM + (UINT64_C(3) << 30) + 16);
    assert_true(canon_block_place(place, 12345));
    assert_true(canon_block_room(place) >= 12345);
    memset(place, 5, 12345);
    canon_block_give(place, true, true);
    assert_int_equal(place[12000], 5); /* what it holds stays */
    assert_true(canon_block_place(place, 12300));
}

static void a_trace_may_say_anything(void **state)
{
    (void)state;
    assert_false(canon_block_place((void *)(CANON_BLOCKS_FROM), 8));
    assert_false(canon_block_place((void *)(CANON_BLOCKS_FROM + 24), 8));
    assert_false(canon_block_place((void *)(CANON_BLOCKS_FROM - 4096), 8));
    assert_false(canon_block_place((void *)(CANON_BLOCKS_FROM + CANON_BLOCKS_SIZE - 4096), 8192));
    assert_false(canon_block_place((void *)(CANON_BLOCKS_FROM + 16), SIZE_MAX));
    assert_false(canon_block_place((void *)16, 8));
    assert_null(canon_block_find(SIZE_MAX));
    assert_null(canon_block_find(SIZE_MAX - 8));
    assert_null(canon_block_find(CANON_BLOCKS_SIZE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_there_and_apart),
        cmocka_unit_test(what_is_given_back_is_used_again),
        cmocka_unit_test(memory_may_be_in_the_middle_of_a_block),
        cmocka_unit_test(a_replay_puts_it_where_it_was),
        cmocka_unit_test(a_trace_may_say_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
