/* test_foreign.c: which natives a pattern names, and what is assumed of them. */
#include "jvm/foreign.h"
#include "jvm/spec.h"
#include "support.h"

#include <string.h>

static void a_pattern_names_natives(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *class_name, *method;
        bool matches;
    } CASES[] = {
        {"org.example.Sensor.read", "org/example/Sensor", "read", true},
        {"org.example.Sensor.read", "org/example/Sensor", "readAll", false},
        {"org.example.Sensor.read", "org/example/Sensors", "read", false},
        {"org.example.Sensor.read", "orgxexample/Sensor", "read", false},
        {"org.example.Sensor.*", "org/example/Sensor", "read", true},
        {"org.example.*", "org/example/deep/Sensor", "read", true},
        {"*.read", "Sensor", "read", true},
        {"org.example.Out$In.m?", "org/example/Out$In", "m1", true},
        {"org.example.Out$In.m?", "org/example/Out$In", "m12", false},
        {"Sensor.read", "org/example/Sensor", "read", false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        if (canon_foreign_matches(CASES[i].pattern, CASES[i].class_name, CASES[i].method) != CASES[i].matches)
            fail_msg("%s and %s.%s", CASES[i].pattern, CASES[i].class_name, CASES[i].method);
}

static void arrays_of_numbers_are_what_it_leaves_behind(void **state)
{
    (void)state;
    static const struct {
        const char *descriptor, *spec;
    } CASES[] = {
        {"()V", ""},
        {"(ILjava/lang/String;)J", ""},
        {"([B)I", "outarray(1)"},
        {"(J[DLjava/lang/Object;[[I[Ljava/lang/String;[Z)[B", "outarray(2) outarray(6)"},
        {"no descriptor", ""},
    };
    char spec[256], problem[128];
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        canon_foreign_spec(CASES[i].descriptor, spec, sizeof spec);
        assert_string_equal(spec, CASES[i].spec);
    }
    struct canon_spec compiled = {0};
    const char *many = "([B[B[B[B[B[B[B[B[B[B)V"; /* more than a spec can have */
    canon_foreign_spec(many, spec, sizeof spec);
    assert_int_equal(canon_spec_compile(many, true, spec, &compiled, problem, sizeof problem), 0);
    assert_int_equal(compiled.term_count, CANON_TERMS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pattern_names_natives),
        cmocka_unit_test(arrays_of_numbers_are_what_it_leaves_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
