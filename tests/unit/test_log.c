/* test_log.c: diagnostics: what CANON_LOG switches on, and how a line looks. */
#include "base/assert.h"
#include "base/log.h"
#include "support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* CANON_LOG is read once a process, so each case has a process of its own. */
static int log_four_lines(void *setting)
{
    if (setting)
        setenv("CANON_LOG", setting, 1);
    else
        unsetenv("CANON_LOG");
    canon_log("trace", CANON_LOG_WARN, "trace warn %d", 1);
    canon_log("trace", CANON_LOG_DEBUG, "trace debug %d", 2);
    canon_log("role", CANON_LOG_ERROR, "role error %d", 3);
    canon_log("role", CANON_LOG_INFO, "role info %d", 4);
    return 0;
}

/* `shown`: one character a line, in the order of log_four_lines. */
static void expect_lines(const char *setting, const char *shown)
{
    static const char *const LINES[] = {"trace: trace warn 1\n", "trace: trace debug 2\n",
                                        "role: role error 3\n", "role: role info 4\n"};
    struct outcome outcome;
    test_in_child(log_four_lines, (void *)setting, &outcome);
    assert_int_equal(outcome.status, 0);
    for (int i = 0; i < 4; i++)
        if ((strstr((char *)outcome.errors.data, LINES[i]) != NULL) != (shown[i] == 'x'))
            fail_msg("CANON_LOG=%s, line %d:\n%s", setting ? setting : "", i, outcome.errors.data);
    outcome_free(&outcome);
}

static void nothing_is_logged_by_default(void **state)
{
    (void)state;
    expect_lines(NULL, "----");
    expect_lines("", "----");
    expect_lines("none", "----");
}

static void a_level_alone_is_for_all_modules(void **state)
{
    (void)state;
    expect_lines("error", "--x-");
    expect_lines("warn", "x-x-");
    expect_lines("info", "x-xx");
    expect_lines("debug", "xxxx");
}

static void a_module_can_have_a_level_of_its_own(void **state)
{
    (void)state;
    expect_lines("trace:debug", "xx--");
    expect_lines("trace:warn,role:info", "x-xx");
    expect_lines("error,trace:debug", "xxx-");
}

static void a_setting_that_makes_no_sense_is_silence(void **state)
{
    (void)state;
    expect_lines("loud", "----");
    expect_lines("trace:", "----");
    expect_lines(":,,:debug,trac:debug,tracer:debug", "----");
}

static int say_much(void *unused)
{
    (void)unused;
    char text[8000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    canon_say("%s", text);
    canon_say("%s", "short");
    return 0;
}

static void a_line_that_is_too_long_is_cut_and_still_ends(void **state)
{
    (void)state;
    struct outcome outcome;
    test_in_child(say_much, NULL, &outcome);
    const char *said = (const char *)outcome.errors.data, *end = strchr(said, '\n');
    assert_non_null(end);
    assert_memory_equal(said, "canon: xxx", 10);
    assert_in_range(end - said, 1000, 2048);
    assert_string_equal(end + 1, "canon: short\n");
    outcome_free(&outcome);
}

static int break_a_promise(void *unused)
{
    (void)unused;
    canon_assert(1 + 1 == 3);
    return 0;
}

static void a_broken_assertion_says_where_and_aborts(void **state)
{
    (void)state;
    struct outcome outcome;
    test_in_child(break_a_promise, NULL, &outcome);
    assert_true(WIFSIGNALED(outcome.status));
    assert_int_equal(WTERMSIG(outcome.status), SIGABRT);
    assert_non_null(strstr((char *)outcome.errors.data, "1 + 1 == 3"));
    assert_non_null(strstr((char *)outcome.errors.data, "test_log.c"));
    outcome_free(&outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_logged_by_default),
        cmocka_unit_test(a_level_alone_is_for_all_modules),
        cmocka_unit_test(a_module_can_have_a_level_of_its_own),
        cmocka_unit_test(a_setting_that_makes_no_sense_is_silence),
        cmocka_unit_test(a_line_that_is_too_long_is_cut_and_still_ends),
        cmocka_unit_test(a_broken_assertion_says_where_and_aborts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
