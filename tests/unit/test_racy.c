/* test_racy.c: places whose accesses are ordered as if they were volatile. */
#include "jvm/racy.h"
#include "support.h"

#include <string.h>

static bool is_field(const char *class, const char *field)
{
    return canon_racy_field(canon_utf8_from(class), canon_utf8_from(field));
}

static void what_is_no_place_is_refused(void **state)
{
    (void)state;
    static const char *const NONE[] = {"",       "nothing", ".field", "org.example.",
                                       "a*b*.c", "a.b*c*",  "a.b/c",  "!a.b"};
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
        assert_false(canon_racy_add(NONE[i]));
}

static void a_field_is_found_by_its_class_and_name(void **state)
{
    (void)state;
    assert_true(canon_racy_add("org.example.Cache.size"));
    assert_true(is_field("org/example/Cache", "size"));
    assert_false(is_field("org/example/Cache", "sizes"));
    assert_false(is_field("org/example/Caches", "size"));
    assert_true(canon_racy_class(canon_utf8_from("org/example/Cache")));
    assert_false(canon_racy_class(canon_utf8_from("org/example/Other")));
}

static void stars_stand_for_any_text(void **state)
{
    (void)state;
    assert_true(canon_racy_add("org.example.Star*.is*Done"));
    assert_true(is_field("org/example/Star", "isDone"));
    assert_true(is_field("org/example/Stars$1", "isNotDone"));
    assert_false(is_field("org/example/Stars", "isDon"));
    assert_false(is_field("org/example/Sta", "isDone"));
}

static void a_method_is_no_field(void **state)
{
    (void)state;
    assert_true(canon_racy_add("org.example.Table.fill()"));
    assert_false(is_field("org/example/Table", "fill"));
    assert_true(canon_racy_class(canon_utf8_from("org/example/Table")));
    size_t count;
    const struct canon_racy *places = canon_racy_places(&count);
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += places[i].kind == CANON_RACY_METHOD && strcmp(places[i].class, "org/example/Table") == 0 &&
                 strcmp(places[i].name, "fill") == 0;
    assert_int_equal(found, 1);
}

static void known_places_are_there(void **state)
{
    (void)state;
    canon_racy_add_known();
    assert_true(is_field("java/util/concurrent/FutureTask", "callable"));
}

static void a_method_that_runs_alone_is_no_other_place(void **state)
{
    (void)state;
    struct canon_utf8 class = canon_utf8_from("org/example/Shared");
    assert_true(canon_racy_add("org.example.Shared.look*()!"));
    assert_true(canon_racy_method_alone(class, canon_utf8_from("lookUp")));
    assert_false(canon_racy_method_alone(class, canon_utf8_from("add")));
    assert_false(is_field("org/example/Shared", "look"));
    assert_false(canon_racy_class(class));
}

static bool is_lazy(const char *class)
{
    return canon_racy_if_lazy(canon_utf8_from(class));
}

static void lazy_fields_count_where_the_last_place_says_so(void **state)
{
    (void)state;
    assert_false(is_lazy("org/lazy/Table"));
    assert_true(canon_racy_add("org.lazy.*.?"));
    assert_true(canon_racy_add("!org.lazy.hot.*.?"));
    assert_true(canon_racy_add("org.lazy.hot.Cache.?"));
    assert_true(is_lazy("org/lazy/Table"));
    assert_false(is_lazy("org/lazy/hot/Table"));
    assert_true(is_lazy("org/lazy/hot/Cache"));
    assert_false(is_field("org/lazy/Table", "rows"));
    assert_false(canon_racy_class(canon_utf8_from("org/lazy/Table")));
}

static void places_in_force_take_the_place_of_all(void **state)
{
    (void)state;
    canon_racy_clear();
    assert_true(canon_racy_add("org.example.Other.size"));
    size_t count;
    const struct canon_racy *places = canon_racy_places(&count);
    assert_int_equal(count, 1);
    assert_string_equal(places[0].text, "org.example.Other.size");
    assert_false(is_field("java/util/concurrent/FutureTask", "callable"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_place_is_refused),
        cmocka_unit_test(a_field_is_found_by_its_class_and_name),
        cmocka_unit_test(stars_stand_for_any_text),
        cmocka_unit_test(a_method_is_no_field),
        cmocka_unit_test(a_method_that_runs_alone_is_no_other_place),
        cmocka_unit_test(lazy_fields_count_where_the_last_place_says_so),
        cmocka_unit_test(known_places_are_there),
        cmocka_unit_test(places_in_force_take_the_place_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
