/* test_meta.c: the trace directory: meta.json, and the choice of a part. */
#include "cli/cli.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct canon_trace_info sample(const char *path)
{
    static char *command[] = {"java", "-cp", "a b", "\xff\xfe", "caf\xc3\xa9", "", NULL};
    struct canon_trace_info info = {
        .command = command,
        .directory = "/some/\xe9where",
        .started = "2024-01-01T00:00:00Z",
        .version = "0.1.0",
        .pid = 4711,
        .ended = true,
        .exit_status = 143,
        .signal = 15,
    };
    snprintf(info.path, sizeof info.path, "%s", path);
    return info;
}

static void what_was_saved_is_loaded(void **state)
{
    (void)state;
    const char *path = strdup(test_path(test_directory(), "trace"));
    struct canon_trace_info then = sample(path), now;
    assert_int_equal(canon_trace_create(&then), 0);
    assert_int_equal(canon_trace_load(path, &now), 0);
    assert_string_equal(now.path, path);
    for (int i = 0; i < 6; i++)
        if (i != 3) /* not UTF-8: readable, not exact */
            assert_string_equal(now.command[i], then.command[i]);
    assert_null(now.command[6]);
    assert_string_equal(now.started, then.started);
    assert_string_equal(now.version, then.version);
    assert_int_equal(now.pid, 4711);
    assert_true(now.ended);
    assert_int_equal(now.exit_status, 143);
    assert_int_equal(now.signal, 15);
    assert_int_equal(now.parts, 0);
    canon_trace_info_free(&now);
    then.ended = false;
    assert_int_equal(canon_trace_save(&then), 0);
    assert_int_equal(canon_trace_load(path, &now), 0);
    assert_false(now.ended);
    canon_trace_info_free(&now);
    free((char *)path);
}

static void a_trace_is_for_its_owner_only(void **state)
{
    (void)state;
    const char *path = strdup(test_path(test_directory(), "trace"));
    struct canon_trace_info info = sample(path);
    struct stat about;
    mode_t mask = umask(0);
    assert_int_equal(canon_trace_create(&info), 0);
    umask(mask);
    assert_return_code(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
    assert_return_code(stat(test_path(path, "meta.json"), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600); /* the command line may hold secrets */
    free((char *)path);
}

static int create_trace(void *path)
{
    struct canon_trace_info info = sample(path);
    return canon_trace_create(&info) ? 1 : 0;
}

static int load_trace(void *path)
{
    struct canon_trace_info info;
    if (canon_trace_load(path, &info))
        return 1;
    canon_trace_info_free(&info);
    return 0;
}

/* Runs `action` on `path`: it fails, saying `text`, in one line. */
static void expect_complaint(int (*action)(void *), const char *path, const char *text)
{
    struct outcome outcome;
    test_in_child(action, (void *)path, &outcome);
    const char *said = (const char *)outcome.errors.data;
    if (!WIFEXITED(outcome.status) || WEXITSTATUS(outcome.status) != 1)
        fail_msg("wait status %#x: %s", (unsigned)outcome.status, said);
    if (!strstr(said, text) || strncmp(said, "canon: ", 7) != 0 ||
        strchr(said, '\n') != said + strlen(said) - 1)
        fail_msg("\"%s\" does not say \"%s\" in one line", said, text);
    outcome_free(&outcome);
}

static void a_place_that_cannot_be_a_trace_is_refused(void **state)
{
    (void)state;
    const char *here = test_directory();
    test_write_file(test_path(here, "file"), "x", 1);
    expect_complaint(create_trace, here, "exists already");
    expect_complaint(create_trace, test_path(here, "file"), "exists already");
    expect_complaint(create_trace, test_path(here, "no/where"), "No such file");
    expect_complaint(create_trace, test_path(here, "file/x"), "Not a directory");
    expect_complaint(create_trace, "/proc/self/trace", "cannot create");
}

/* ---- meta.json that is not canon's
 * ------------------------------------------------------------------------------ */

static const char GOOD[] = "{\"format\": 1, \"canon\": \"0\", \"command\": [\"a\"], \"directory\": \"/\","
                           " \"started\": \"\", \"pid\": 1, \"ended\": true, \"exit\": 0, \"signal\": 0}";

static void expect_bad_meta(const void *bytes, size_t size, const char *text)
{
    const char *path = test_directory();
    test_write_file(test_path(path, "meta.json"), bytes, size);
    expect_complaint(load_trace, path, text);
}

static void bad(const char *json, const char *text)
{
    expect_bad_meta(json, strlen(json), text);
}

static void what_is_no_trace_is_refused(void **state)
{
    (void)state;
    const char *here = test_directory();
    expect_complaint(load_trace, test_path(here, "nowhere"), "No such file");
    expect_complaint(load_trace, here, "not a trace");
    test_write_file(test_path(here, "file"), "x", 1);
    expect_complaint(load_trace, test_path(here, "file"), "not a trace");
    bad("", "meta.json");
    bad("hello", "meta.json");
    expect_bad_meta("\0\0\0\0", 4, "meta.json");
    bad("[]", "not that of a trace");
    bad("{}", "not that of a trace");
    bad("{\"format\": \"1\", \"command\": []}", "not that of a trace");
    bad("{\"format\": 1, \"command\": \"java\"}", "not that of a trace");
    bad("{\"format\": 1, \"format\": 2, \"command\": []}", "meta.json");
    bad("{\"format\": 99999999999999999999999, \"command\": []}", "meta.json");
}

static void a_meta_json_cut_anywhere_is_refused(void **state)
{
    (void)state;
    const char *path = test_directory();
    struct outcome outcome;
    for (size_t n = 0; n < sizeof GOOD - 1; n++)
        expect_bad_meta(GOOD, n, "meta.json");
    test_write_file(test_path(path, "meta.json"), GOOD, sizeof GOOD - 1);
    test_in_child(load_trace, (void *)path, &outcome);
    assert_int_equal(outcome.status, 0);
    assert_string_equal((char *)outcome.errors.data, "");
    outcome_free(&outcome);
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    size_t size = 1000000;
    char *deep = malloc(size);
    memset(deep, '[', size);
    expect_bad_meta(deep, size, "meta.json");
    free(deep);
}

static void another_format_is_called_that(void **state)
{
    (void)state;
    bad("{\"format\": 2, \"canon\": \"9.9\", \"command\": [\"a\"]}", "format 2 (written by canon 9.9)");
    bad("{\"format\": 0, \"command\": [\"a\"]}", "format 0");
    bad("{\"format\": -1, \"command\": [\"a\"]}", "format -1");
}

static void values_of_wrong_types_do_no_harm(void **state)
{
    (void)state;
    static const char JSON[] =
        "{\"format\": 1, \"command\": [1, null, [], \"a\"], \"canon\": 7, \"pid\": \"x\","
        " \"ended\": 3, \"exit\": \"no\", \"signal\": {}, \"directory\": null}";
    const char *path = test_directory();
    struct canon_trace_info info;
    test_write_file(test_path(path, "meta.json"), JSON, sizeof JSON - 1);
    assert_int_equal(canon_trace_load(path, &info), 0);
    assert_false(info.ended);
    assert_string_equal(info.version, "");
    assert_string_equal(info.command[0], "");
    assert_string_equal(info.command[3], "a");
    canon_trace_info_free(&info);
}

/* ---- parts
 * -------------------------------------------------------------------------------------------------------- */

static void add_part(const char *path, const char *number, const char *pid)
{
    char part[PATH_MAX];
    struct canon_process process = {0};
    snprintf(part, sizeof part, "%s/%s", path, number);
    assert_return_code(mkdir(part, 0700), 0);
    canon_process_add(&process, CANON_PROCESS_PID, pid);
    assert_int_equal(canon_process_save(part, "process", &process), 0);
    canon_process_free(&process);
}

struct choice {
    const char *path, *wanted;
};

static int choose_part(void *argument)
{
    const struct choice *choice = argument;
    struct canon_trace_info info;
    char part[PATH_MAX + 16];
    if (canon_trace_load(choice->path, &info) || canon_part_choose(&info, choice->wanted, part, sizeof part))
        return 100;
    return atoi(strrchr(part, '/') + 1);
}

static int chosen(const char *path, const char *wanted)
{
    struct choice choice = {path, wanted};
    struct outcome outcome;
    test_in_child(choose_part, &choice, &outcome);
    assert_true(WIFEXITED(outcome.status));
    outcome_free(&outcome);
    return WEXITSTATUS(outcome.status);
}

static void the_part_of_the_command_itself_is_chosen(void **state)
{
    (void)state;
    const char *path = test_directory();
    test_write_file(test_path(path, "meta.json"), GOOD, sizeof GOOD - 1); /* pid 1 */
    assert_int_equal(chosen(path, NULL), 100);                            /* there is none */
    add_part(path, "1", "10");
    add_part(path, "2", "1");
    add_part(path, "3", "30");
    assert_int_equal(chosen(path, NULL), 2);
    assert_int_equal(chosen(path, "1"), 1);
    assert_int_equal(chosen(path, "3"), 3);
    static const char *const NONE[] = {"0", "4", "-1", "x", "", "2x", "99999999999999999999"};
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
        if (chosen(path, NONE[i]) != 100)
            fail_msg("there is no part \"%s\"", NONE[i]);
}

static void without_a_part_of_the_command_the_last_is_chosen(void **state)
{
    (void)state;
    const char *path = test_directory();
    test_write_file(test_path(path, "meta.json"), GOOD, sizeof GOOD - 1);
    add_part(path, "1", "10");
    add_part(path, "2", "20");
    assert_return_code(mkdir(test_path(path, "3"), 0700), 0); /* an empty one: killed as it started */
    assert_int_equal(chosen(path, "2"), 2);
    assert_in_range(chosen(path, NULL), 2, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_saved_is_loaded),
        cmocka_unit_test(a_trace_is_for_its_owner_only),
        cmocka_unit_test(a_place_that_cannot_be_a_trace_is_refused),
        cmocka_unit_test(what_is_no_trace_is_refused),
        cmocka_unit_test(a_meta_json_cut_anywhere_is_refused),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(another_format_is_called_that),
        cmocka_unit_test(values_of_wrong_types_do_no_harm),
        cmocka_unit_test(the_part_of_the_command_itself_is_chosen),
        cmocka_unit_test(without_a_part_of_the_command_the_last_is_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
