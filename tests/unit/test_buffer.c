/* test_buffer.c: the byte buffer, the bounded reader, varints. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void varints_come_back(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 64; bits++)
        for (int near = -1; near <= 1; near++) {
            uint64_t value = ((uint64_t)1 << bits) + (uint64_t)near;
            uint8_t bytes[CANON_VARINT_MAX];
            size_t size = canon_varint_encode(bytes, value);
            assert_in_range(size, 1, CANON_VARINT_MAX);
            struct canon_reader reader = canon_reader_over(bytes, size);
            assert_true(canon_reader_varint(&reader) == value);
            assert_false(reader.failed);
            assert_int_equal(canon_reader_left(&reader), 0);
        }
}

static void a_varint_is_as_short_as_it_can_be(void **state)
{
    (void)state;
    uint8_t bytes[CANON_VARINT_MAX];
    assert_int_equal(canon_varint_encode(bytes, 0), 1);
    assert_int_equal(canon_varint_encode(bytes, 127), 1);
    assert_int_equal(canon_varint_encode(bytes, 128), 2);
    assert_int_equal(canon_varint_encode(bytes, 16383), 2);
    assert_int_equal(canon_varint_encode(bytes, 16384), 3);
    assert_int_equal(canon_varint_encode(bytes, UINT64_MAX), CANON_VARINT_MAX);
}

static void a_cut_varint_fails(void **state)
{
    (void)state;
    uint8_t bytes[CANON_VARINT_MAX];
    size_t size = canon_varint_encode(bytes, UINT64_MAX);
    for (size_t n = 0; n < size; n++) {
        struct canon_reader reader = canon_reader_over(bytes, n);
        assert_int_equal(canon_reader_varint(&reader), 0);
        assert_true(reader.failed);
    }
}

static void an_endless_varint_fails(void **state)
{
    (void)state;
    uint8_t bytes[64];
    memset(bytes, 0xff, sizeof bytes);
    struct canon_reader reader = canon_reader_over(bytes, sizeof bytes);
    assert_int_equal(canon_reader_varint(&reader), 0);
    assert_true(reader.failed);
}

static void zigzag_comes_back_and_keeps_small_numbers_small(void **state)
{
    (void)state;
    static const int64_t VALUES[] = {0, 1, -1, 2, -2, 63, -64, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++)
        assert_true(canon_unzigzag(canon_zigzag(VALUES[i])) == VALUES[i]);
    assert_int_equal(canon_zigzag(0), 0);
    assert_int_equal(canon_zigzag(-1), 1);
    assert_int_equal(canon_zigzag(1), 2);
    assert_true(canon_zigzag(INT64_MIN) == UINT64_MAX);
}

static void a_growing_buffer_keeps_its_bytes(void **state)
{
    (void)state;
    struct canon_buffer buffer = {0};
    for (unsigned i = 0; i < 5000; i++) {
        canon_buffer_put_varint(&buffer, i);
        canon_buffer_put_string(&buffer, i % 2 ? "odd" : "");
    }
    struct canon_reader reader = canon_reader_over(buffer.data, buffer.used);
    for (unsigned i = 0; i < 5000; i++) {
        assert_int_equal(canon_reader_varint(&reader), i);
        char *text = canon_reader_string(&reader);
        assert_string_equal(text, i % 2 ? "odd" : "");
        free(text);
    }
    assert_false(reader.failed);
    assert_int_equal(canon_reader_left(&reader), 0);
    canon_buffer_free(&buffer);
    assert_null(buffer.data);
    assert_int_equal(buffer.capacity, 0);
}

static void reserved_room_is_not_used_yet(void **state)
{
    (void)state;
    struct canon_buffer buffer = {0};
    canon_buffer_put(&buffer, "abc", 3);
    uint8_t *room = canon_buffer_reserve(&buffer, 100000);
    assert_int_equal(buffer.used, 3);
    assert_true(buffer.capacity >= 100003);
    memset(room, 'x', 100000);
    assert_memory_equal(buffer.data, "abc", 3);
    canon_buffer_free(&buffer);
}

static void putting_nothing_needs_no_pointer(void **state)
{
    (void)state;
    struct canon_buffer buffer = {0};
    canon_buffer_put(&buffer, NULL, 0);
    assert_int_equal(buffer.used, 0);
    canon_buffer_free(&buffer);
}

static void a_reader_stops_at_its_end_for_good(void **state)
{
    (void)state;
    struct canon_reader reader = canon_reader_over("abc", 3);
    assert_memory_equal(canon_reader_take(&reader, 2), "ab", 2);
    assert_null(canon_reader_take(&reader, 2));
    assert_true(reader.failed);
    assert_null(canon_reader_take(&reader, 1)); /* though one byte is left */
    assert_int_equal(canon_reader_u8(&reader), 0);
    assert_int_equal(canon_reader_varint(&reader), 0);
    assert_null(canon_reader_string(&reader));
}

static void a_take_of_everything_there_could_be_fails(void **state)
{
    (void)state;
    struct canon_reader reader = canon_reader_over("abc", 3);
    assert_null(canon_reader_take(&reader, SIZE_MAX));
    assert_true(reader.failed);
}

static void a_take_of_nothing_succeeds_at_the_end(void **state)
{
    (void)state;
    struct canon_reader reader = canon_reader_over("abc", 3);
    canon_reader_take(&reader, 3);
    assert_non_null(canon_reader_take(&reader, 0));
    assert_false(reader.failed);
}

static void an_empty_reader_may_have_no_bytes_at_all(void **state)
{
    (void)state;
    struct canon_reader reader = canon_reader_over(NULL, 0);
    assert_int_equal(canon_reader_left(&reader), 0);
    assert_int_equal(canon_reader_u8(&reader), 0);
    assert_true(reader.failed);
}

static void a_string_longer_than_the_rest_is_no_string(void **state)
{
    (void)state;
    struct canon_buffer buffer = {0};
    canon_buffer_put_varint(&buffer, UINT64_MAX);
    canon_buffer_put(&buffer, "abc", 3);
    struct canon_reader reader = canon_reader_over(buffer.data, buffer.used);
    assert_null(canon_reader_string(&reader));
    assert_true(reader.failed);
    canon_buffer_free(&buffer);
}

static void every_error_has_a_sentence(void **state)
{
    (void)state;
#define X(name, number, text) assert_string_equal(canon_error_text(CANON_E_##name), text);
    CANON_ERRORS(X)
#undef X
    assert_non_null(canon_error_text(0));
    assert_non_null(canon_error_text(-9999));
    assert_non_null(canon_error_text(9999));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(varints_come_back),
        cmocka_unit_test(a_varint_is_as_short_as_it_can_be),
        cmocka_unit_test(a_cut_varint_fails),
        cmocka_unit_test(an_endless_varint_fails),
        cmocka_unit_test(zigzag_comes_back_and_keeps_small_numbers_small),
        cmocka_unit_test(a_growing_buffer_keeps_its_bytes),
        cmocka_unit_test(reserved_room_is_not_used_yet),
        cmocka_unit_test(putting_nothing_needs_no_pointer),
        cmocka_unit_test(a_reader_stops_at_its_end_for_good),
        cmocka_unit_test(a_take_of_everything_there_could_be_fails),
        cmocka_unit_test(a_take_of_nothing_succeeds_at_the_end),
        cmocka_unit_test(an_empty_reader_may_have_no_bytes_at_all),
        cmocka_unit_test(a_string_longer_than_the_rest_is_no_string),
        cmocka_unit_test(every_error_has_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
