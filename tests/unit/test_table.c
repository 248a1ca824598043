/* test_table.c: every row of src/jvm/table makes sense, and no two are about the same native. */
#include "jvm/spec.h"
#include "support.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const char *class_name, *method, *descriptor, *policy, *spec;
};

static const struct row ROWS[] = {
#define NATIVE(class_name, method, descriptor, policy, spec) {class_name, method, descriptor, #policy, spec},
#include "jvm/table/all.def"
#undef NATIVE
};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

/* Functions of libc. */
static const struct row FUNCTIONS[] = {
#define FUNCTION(name, descriptor, policy, spec) {"libc", name, descriptor, #policy, spec},
#define FUNCTION2(name, other, descriptor, policy, spec)                                                     \
    FUNCTION(name, descriptor, policy, spec) FUNCTION(other, descriptor, policy, spec)
#include "jvm/table/functions.def"
#undef FUNCTION2
#undef FUNCTION
};
enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof *FUNCTIONS };

static bool is_one_of(const char *text, const char *const *words)
{
    while (*words && strcmp(*words, text) != 0)
        words++;
    return *words;
}

/* Policies whose spec is a list of terms. */
static bool has_terms(const struct row *row)
{
    static const char *const POLICIES[] = {"RECORD", "FILE", "CLOCK", "RERUN", "THREADS", NULL};
    return is_one_of(row->policy, POLICIES);
}

#define fail_row(row, ...)                                                                                   \
    do {                                                                                                     \
        print_error("%s.%s%s %s \"%s\": ", (row)->class_name, (row)->method, (row)->descriptor,              \
                    (row)->policy, (row)->spec);                                                             \
        fail_msg(__VA_ARGS__);                                                                               \
    } while (0)

static void every_spec_compiles(void **state)
{
    (void)state;
    unsigned with_terms = 0;
    for (const struct row *row = ROWS; row < ROWS + ROW_COUNT; row++) {
        struct canon_spec spec;
        char problem[256] = "";
        if (strcmp(row->descriptor, "*") == 0) { /* whatever it is, no argument can be meant */
            if (has_terms(row) && *row->spec)
                fail_row(row, "terms need a descriptor");
            continue;
        }
        const char *terms = has_terms(row) ? row->spec : "";
        bool is_static = !strstr(terms, "this"); /* the table does not tell */
        int status = canon_spec_compile(row->descriptor, is_static, terms, &spec, problem, sizeof problem);
        bool intercepted = strcmp(row->policy, "RUN") != 0; /* the others may have any number of arguments */
        if (status && (intercepted || status != CANON_E_LIMIT))
            fail_row(row, "%s", problem);
        with_terms += spec.term_count > 0;
    }
    assert_true(with_terms > 100);
}

static void every_function_is_there_once_and_compiles(void **state)
{
    (void)state;
    for (const struct row *row = FUNCTIONS; row < FUNCTIONS + FUNCTION_COUNT; row++) {
        static const char *const POLICIES[] = {"RECORD", "SPECIAL", "REFUSE", NULL};
        struct canon_spec spec;
        char problem[256] = "";
        if (!is_one_of(row->policy, POLICIES))
            fail_row(row, "not a policy of functions");
        if (strpbrk(row->descriptor, "L["))
            fail_row(row, "C has no objects");
        if (canon_spec_compile(row->descriptor, CANON_CALLEE_FUNCTION, has_terms(row) ? row->spec : "", &spec,
                               problem, sizeof problem))
            fail_row(row, "%s", problem);
        for (const struct row *other = FUNCTIONS; other < row; other++)
            if (strcmp(other->method, row->method) == 0)
                fail_row(row, "there is a second row");
        if (spec.arg_count > 0)
            assert_int_equal(spec.args[0].slot, 0); /* no environment, no receiver */
    }
}

static int by_name(const void *a, const void *b)
{
    const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
    int order = strcmp(x->class_name, y->class_name);
    if (!order)
        order = strcmp(x->method, y->method);
    return order ? order : strcmp(x->descriptor, y->descriptor);
}

static void every_native_has_one_row(void **state)
{
    (void)state;
    static const struct row *sorted[ROW_COUNT];
    for (size_t i = 0; i < ROW_COUNT; i++)
        sorted[i] = &ROWS[i];
    qsort(sorted, ROW_COUNT, sizeof *sorted, by_name);
    for (size_t i = 1; i < ROW_COUNT; i++) {
        const struct row *a = sorted[i - 1], *b = sorted[i];
        if (strcmp(a->class_name, b->class_name) != 0 || strcmp(a->method, b->method) != 0)
            continue;
        if (strcmp(a->descriptor, b->descriptor) == 0)
            fail_row(a, "there is a second row");
        if (strcmp(a->descriptor, "*") == 0)
            fail_row(b, "there is a row for any descriptor too");
    }
}

static void every_policy_is_one(void **state)
{
    (void)state;
    static const char *const POLICIES[] = {"RECORD", "FILE",  "CLOCK",   "RERUN",  "THREADS",
                                           "RUN",    "QUIET", "SPECIAL", "REFUSE", NULL};
    for (const struct row *row = ROWS; row < ROWS + ROW_COUNT; row++)
        if (!is_one_of(row->policy, POLICIES))
            fail_row(row, "not a policy of README.md");
}

/* A class name with dots, or a descriptor in Java's spelling, would never be found. */
static void names_are_spelt_as_the_jvm_does(void **state)
{
    (void)state;
    for (const struct row *row = ROWS; row < ROWS + ROW_COUNT; row++) {
        if (strpbrk(row->class_name, ".;[ ") || !strchr(row->class_name, '/'))
            fail_row(row, "not a class name");
        if (!*row->method || strpbrk(row->method, ".;[/()<> "))
            fail_row(row, "not a method name");
        if (strpbrk(row->descriptor, ". "))
            fail_row(row, "not a descriptor");
    }
}

static void specs_of_the_other_policies_say_what_they_must(void **state)
{
    (void)state;
    for (const struct row *row = ROWS; row < ROWS + ROW_COUNT; row++) {
        bool named = strcmp(row->policy, "SPECIAL") == 0, refused = strcmp(row->policy, "REFUSE") == 0;
        if (refused && strlen(row->spec) < 5)
            fail_row(row, "a refusal needs its reason");
        for (const char *at = row->spec; named && *at; at++)
            if (!islower((unsigned char)*at) && *at != '_')
                fail_row(row, "not the name of a function");
        if (named && !*row->spec)
            fail_row(row, "which function?");
        if ((strcmp(row->policy, "RUN") == 0 || strcmp(row->policy, "QUIET") == 0) && strchr(row->spec, '('))
            fail_row(row, "terms that nobody reads");
    }
}

/* `seek` is of FILE rows alone. */
static void seek_is_of_files(void **state)
{
    (void)state;
    for (const struct row *row = ROWS; row < ROWS + ROW_COUNT; row++)
        if (has_terms(row) && strstr(row->spec, "seek(") && strcmp(row->policy, "FILE") != 0)
            fail_row(row, "seek is for FILE rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_is_there_once_and_compiles),
        cmocka_unit_test(every_spec_compiles),
        cmocka_unit_test(every_native_has_one_row),
        cmocka_unit_test(every_policy_is_one),
        cmocka_unit_test(names_are_spelt_as_the_jvm_does),
        cmocka_unit_test(specs_of_the_other_policies_say_what_they_must),
        cmocka_unit_test(seek_is_of_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
