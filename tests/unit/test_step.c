/* test_step.c: items of a step, the same lines of code in both directions. */
#include "role/step.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct canon_step putting(struct canon_buffer *to)
{
    to->used = 0;
    return (struct canon_step){.way = CANON_STEP_PUT, .out = to};
}

static struct canon_step getting(const struct canon_buffer *from)
{
    return (struct canon_step){.way = CANON_STEP_GET, .in = canon_reader_over(from->data, from->used)};
}

/* What an interception describes; at replay the variables take the recorded values. */
struct values {
    int64_t small, large, least;
    float f;
    double d;
    uint8_t bytes[300];
    char *text, *none;
    uint32_t checksum;
    char *path;
};

static bool describe(struct canon_step *step, struct values *values)
{
    canon_step_int(step, &values->small);
    canon_step_int(step, &values->large);
    canon_step_int(step, &values->least);
    canon_step_raw(step, 'f', &values->f, sizeof values->f);
    canon_step_raw(step, 'd', &values->d, sizeof values->d);
    canon_step_bytes(step, values->bytes, sizeof values->bytes);
    canon_step_text(step, &values->text);
    canon_step_text(step, &values->none);
    return canon_step_check(step, values->checksum) && canon_step_check_text(step, values->path, NULL);
}

static struct values recorded_values(void)
{
    struct values values = {
        .small = -1,
        .large = INT64_MAX,
        .least = INT64_MIN,
        .f = 1.5f,
        .d = -1e300,
        .text = "text \xc3\xa9",
        .none = NULL,
        .checksum = 0xdeadbeef,
        .path = "/some/path",
    };
    for (size_t i = 0; i < sizeof values.bytes; i++)
        values.bytes[i] = (uint8_t)i;
    return values;
}

static void items_come_back_in_both_directions(void **state)
{
    (void)state;
    struct canon_buffer buffer = {0};
    struct values then = recorded_values();
    struct values now = {.checksum = 0xdeadbeef, .path = "/some/path", .none = "x"};
    struct canon_step step = putting(&buffer);
    assert_false(canon_step_gets(&step));
    assert_true(describe(&step, &then));
    step = getting(&buffer);
    assert_true(canon_step_gets(&step));
    assert_true(describe(&step, &now));
    assert_false(step.in.failed);
    assert_int_equal(canon_reader_left(&step.in), 0);
    assert_true(now.small == -1 && now.large == INT64_MAX && now.least == INT64_MIN);
    assert_true(now.f == 1.5f && now.d == -1e300);
    assert_memory_equal(now.bytes, then.bytes, sizeof now.bytes);
    assert_string_equal(now.text, then.text);
    assert_null(now.none);
    free(now.text);
    canon_buffer_free(&buffer);
}

static void recording_leaves_the_variables_alone(void **state)
{
    (void)state;
    struct canon_buffer buffer = {0};
    struct values before = recorded_values(), after = recorded_values();
    struct canon_step step = putting(&buffer);
    describe(&step, &after);
    assert_memory_equal(&before.small, &after.small, offsetof(struct values, text));
    assert_ptr_equal(before.text, after.text);
    canon_buffer_free(&buffer);
}

static void floats_keep_every_bit(void **state)
{
    (void)state;
    struct canon_buffer buffer = {0};
    uint64_t odd_nan = 0x7ff8dead0000beef, back = 0;
    double negative_zero = -0.0, zero = 1;
    struct canon_step step = putting(&buffer);
    canon_step_raw(&step, 'd', &odd_nan, 8);
    canon_step_raw(&step, 'd', &negative_zero, 8);
    step = getting(&buffer);
    canon_step_raw(&step, 'd', &back, 8);
    canon_step_raw(&step, 'd', &zero, 8);
    assert_true(back == odd_nan);
    assert_true(zero == 0 && signbit(zero));
    canon_buffer_free(&buffer);
}

static void a_step_cut_at_any_byte_fails(void **state)
{
    (void)state;
    struct canon_buffer buffer = {0};
    struct values then = recorded_values();
    struct canon_step step = putting(&buffer);
    describe(&step, &then);
    for (size_t n = 0; n < buffer.used; n++) {
        struct values now = {.small = 7, .checksum = 0xdeadbeef, .path = "/some/path"};
        struct canon_buffer cut = {buffer.data, n, n};
        step = getting(&cut);
        describe(&step, &now);
        assert_true(step.in.failed);
        assert_true(n < 2 || now.small == -1); /* what came before the cut is there */
        free(now.text);
    }
    canon_buffer_free(&buffer);
}

static void an_item_of_another_kind_fails(void **state)
{
    (void)state;
    struct canon_buffer buffer = {0};
    int64_t number = 5;
    struct canon_step step = putting(&buffer);
    canon_step_int(&step, &number);

    float f = 2;
    step = getting(&buffer);
    canon_step_raw(&step, 'f', &f, sizeof f);
    assert_true(step.in.failed && f == 2);
    char *text = "x";
    step = getting(&buffer);
    canon_step_text(&step, &text);
    assert_true(step.in.failed);
    assert_null(text);
    uint8_t byte = 9;
    step = getting(&buffer);
    canon_step_bytes(&step, &byte, 1);
    assert_true(step.in.failed && byte == 9);
    step = getting(&buffer);
    canon_step_check(&step, 5);
    assert_true(step.in.failed);
    step = getting(&buffer);
    assert_false(canon_step_check_text(&step, "x", NULL));
    assert_true(step.in.failed);
    canon_buffer_free(&buffer);
}

static void bytes_of_another_length_fail(void **state)
{
    (void)state;
    struct canon_buffer buffer = {0};
    uint8_t bytes[10] = "123456789";
    struct canon_step step = putting(&buffer);
    canon_step_bytes(&step, bytes, 5);
    for (size_t n = 0; n <= 10; n++) {
        uint8_t now[10] = {0};
        step = getting(&buffer);
        canon_step_bytes(&step, now, n);
        assert_int_equal(step.in.failed, n != 5);
        assert_int_equal(now[0], n == 5 ? '1' : 0);
    }
    canon_buffer_free(&buffer);
}

static void bytes_of_unknown_length_are_found(void **state)
{
    (void)state;
    struct canon_buffer buffer = {0};
    struct canon_step step = putting(&buffer);
    canon_step_bytes(&step, "abc", 3);
    canon_step_bytes(&step, NULL, 0);
    step = getting(&buffer);
    size_t size = 99;
    const uint8_t *bytes = canon_step_get_bytes(&step, &size);
    assert_int_equal(size, 3);
    assert_memory_equal(bytes, "abc", 3);
    assert_non_null(canon_step_get_bytes(&step, &size));
    assert_int_equal(size, 0);
    assert_null(canon_step_get_bytes(&step, &size));
    assert_true(step.in.failed);
    canon_buffer_free(&buffer);
}

static void a_length_beyond_the_step_fails(void **state)
{
    (void)state;
    static const char *const TAGS = "bs";
    for (const char *tag = TAGS; *tag; tag++) {
        struct canon_buffer buffer = {0};
        canon_buffer_put(&buffer, tag, 1);
        canon_buffer_put_varint(&buffer, UINT64_MAX - 3);
        canon_buffer_put(&buffer, "abc", 3);
        struct canon_step step = getting(&buffer);
        size_t size = 0;
        char *text = NULL;
        if (*tag == 'b')
            assert_null(canon_step_get_bytes(&step, &size));
        else
            canon_step_text(&step, &text);
        assert_null(text);
        assert_true(step.in.failed);
        canon_buffer_free(&buffer);
    }
}

static void what_went_in_is_compared(void **state)
{
    (void)state;
    struct canon_buffer buffer = {0};
    struct canon_step step = putting(&buffer);
    assert_true(canon_step_check(&step, 1));
    assert_true(canon_step_check_text(&step, "then", NULL));
    step = getting(&buffer);
    assert_false(canon_step_check(&step, 2));
    assert_false(step.in.failed); /* it is another input, not a damaged step */
    char *expected = NULL;
    assert_false(canon_step_check_text(&step, "now", &expected));
    assert_string_equal(expected, "then");
    free(expected);
    step = getting(&buffer);
    assert_true(canon_step_check(&step, 1));
    assert_true(canon_step_check_text(&step, "then", &expected));
    free(expected);
    canon_buffer_free(&buffer);
}

static void tags_are_seen_before_they_are_taken(void **state)
{
    (void)state;
    struct canon_buffer buffer = {0};
    struct canon_step step = putting(&buffer);
    assert_int_equal(canon_step_tag(&step, 'x'), 'x');
    assert_int_equal(canon_step_tag(&step, 'o'), 'o');
    step = getting(&buffer);
    assert_int_equal(canon_step_peek(&step), 'x');
    assert_int_equal(canon_step_peek(&step), 'x');
    assert_int_equal(canon_step_tag(&step, 'q'), 'x');
    assert_int_equal(canon_step_tag(&step, 'q'), 'o');
    assert_int_equal(canon_step_peek(&step), 0);
    assert_int_equal(canon_step_tag(&step, 'q'), 0);
    assert_false(step.in.failed);
    canon_buffer_free(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_come_back_in_both_directions),
        cmocka_unit_test(recording_leaves_the_variables_alone),
        cmocka_unit_test(floats_keep_every_bit),
        cmocka_unit_test(a_step_cut_at_any_byte_fails),
        cmocka_unit_test(an_item_of_another_kind_fails),
        cmocka_unit_test(bytes_of_another_length_fail),
        cmocka_unit_test(bytes_of_unknown_length_are_found),
        cmocka_unit_test(a_length_beyond_the_step_fails),
        cmocka_unit_test(what_went_in_is_compared),
        cmocka_unit_test(tags_are_seen_before_they_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
