/* test_map.c: the table from numbers to numbers or pointers. */
#include "base/map.h"

#include "support.h"

static void an_empty_map_has_nothing(void **state)
{
    (void)state;
    struct canon_map map = {0};
    assert_null(canon_map_get(&map, 0));
    assert_null(canon_map_get(&map, UINT64_MAX));
    assert_int_equal(map.count, 0);
    canon_map_free(&map);
}

static void what_is_put_in_is_there(void **state)
{
    (void)state;
    struct canon_map map = {0};
    static const uint64_t KEYS[] = {0, 1, UINT64_MAX, (uint64_t)1 << 63, (uint64_t)1 << 32};
    enum { COUNT = sizeof KEYS / sizeof *KEYS };
    for (size_t i = 0; i < COUNT; i++) {
        union canon_map_value *value = canon_map_put(&map, KEYS[i]);
        assert_int_equal(value->number, 0);
        value->number = i + 10;
    }
    assert_int_equal(map.count, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(canon_map_get(&map, KEYS[i])->number, i + 10);
    assert_null(canon_map_get(&map, 2));
    canon_map_free(&map);
    assert_null(canon_map_get(&map, 1));
}

static void a_key_is_put_in_once(void **state)
{
    (void)state;
    struct canon_map map = {0};
    int somewhere;
    canon_map_put(&map, 7)->pointer = &somewhere;
    assert_ptr_equal(canon_map_put(&map, 7)->pointer, &somewhere);
    assert_int_equal(map.count, 1);
    canon_map_free(&map);
}

/* A key whose value is 0 is in the map all the same. */
static void zero_is_a_value(void **state)
{
    (void)state;
    struct canon_map map = {0};
    canon_map_put(&map, 7);
    assert_non_null(canon_map_get(&map, 7));
    canon_map_free(&map);
}

enum { MANY = 100000 };

static void many(uint64_t factor, uint64_t more)
{
    struct canon_map map = {0};
    for (uint64_t i = 0; i < MANY; i++)
        canon_map_put(&map, i * factor + more)->number = i;
    assert_int_equal(map.count, MANY);
    assert_true(map.capacity >= 2 * (size_t)MANY && map.capacity <= 8 * (size_t)MANY);
    for (uint64_t i = 0; i < MANY; i++)
        assert_int_equal(canon_map_get(&map, i * factor + more)->number, i);
    assert_null(canon_map_get(&map, MANY * factor + more));
    canon_map_free(&map);
}

/* Keys in a row, and such as differ in a few bits only: they must not pile up in one place. */
static void it_grows_with_what_is_in_it(void **state)
{
    (void)state;
    many(1, 0);
    many(1024, 1);
    many((uint64_t)1 << 32, 5);
    many((uint64_t)1 << 47, 5);
    many(0x9e3779b97f4a7c15u, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_has_nothing),    cmocka_unit_test(what_is_put_in_is_there),
        cmocka_unit_test(a_key_is_put_in_once),        cmocka_unit_test(zero_is_a_value),
        cmocka_unit_test(it_grows_with_what_is_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
