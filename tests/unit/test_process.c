/* test_process.c: how a process was started, to and from the strand "process". */
#include "launch/environment.h"
#include "launch/executable.h"
#include "launch/process.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void load(const char *part, struct canon_process *process)
{
    char problem[512] = "";
    *process = (struct canon_process){0};
    if (canon_process_load(part, process, problem, sizeof problem))
        fail_msg("%s", problem);
}

static void entries_come_back_in_order(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_process then = {0}, now;
    canon_process_add(&then, CANON_PROCESS_KIND, "java");
    canon_process_add(&then, CANON_PROCESS_ARGUMENTS, "java");
    canon_process_add(&then, CANON_PROCESS_ARGUMENTS, "");
    canon_process_add(&then, CANON_PROCESS_ENVIRONMENT, "ODD=\xff\x01\n=");
    canon_process_add(&then, CANON_PROCESS_ARGUMENTS, "last");
    assert_int_equal(canon_process_save(part, "process", &then), 0);
    load(part, &now);
    assert_int_equal(now.count, then.count);
    for (size_t i = 0; i < now.count; i++) {
        assert_int_equal(now.entries[i].item, then.entries[i].item);
        assert_string_equal(now.entries[i].text, then.entries[i].text);
    }
    int count;
    char **list = canon_process_list(&now, CANON_PROCESS_ARGUMENTS, &count);
    assert_int_equal(count, 3);
    assert_string_equal(list[0], "java");
    assert_string_equal(list[1], "");
    assert_string_equal(list[2], "last");
    assert_null(list[3]);
    free(list);
    assert_string_equal(canon_process_text(&now, CANON_PROCESS_ARGUMENTS), "java"); /* the first */
    assert_null(canon_process_text(&now, CANON_PROCESS_JAR));
    list = canon_process_list(&now, CANON_PROCESS_JAR, &count);
    assert_int_equal(count, 0);
    assert_null(list[0]);
    free(list);
    canon_process_free(&now);
    canon_process_free(&then);
}

static void what_the_vm_tells_comes_after_what_was_known_before(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_process before = {0}, vm = {0}, now;
    canon_process_add(&before, CANON_PROCESS_PID, "1");
    canon_process_add(&vm, CANON_PROCESS_VM_VERSION, "17");
    assert_int_equal(canon_process_save(part, "process", &before), 0);
    assert_int_equal(canon_process_save(part, "vm", &vm), 0);
    load(part, &now);
    assert_int_equal(now.count, 2);
    assert_string_equal(canon_process_text(&now, CANON_PROCESS_PID), "1");
    assert_string_equal(canon_process_text(&now, CANON_PROCESS_VM_VERSION), "17");
    canon_process_free(&before);
    canon_process_free(&vm);
    canon_process_free(&now);
}

static void a_very_long_command_line_comes_back(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_process then = {0}, now;
    char *word = malloc(200001);
    memset(word, 'w', 200000);
    word[200000] = '\0';
    for (int i = 0; i < 8; i++)
        canon_process_add(&then, CANON_PROCESS_ARGUMENTS, word);
    assert_int_equal(canon_process_save(part, "process", &then), 0);
    load(part, &now);
    assert_int_equal(now.count, 8);
    assert_string_equal(now.entries[7].text, word);
    canon_process_free(&now);
    canon_process_free(&then);
    free(word);
}

/* What loading says of a strand "process" with this one event. */
static int load_event(enum canon_event_kind kind, uint64_t id, const char *payload, size_t size)
{
    const char *part = test_directory();
    struct canon_writer *writer;
    struct canon_process process = {0};
    char problem[512] = "";
    assert_int_equal(canon_writer_open(part, "process", "process", &writer), 0);
    assert_int_equal(canon_writer_put(writer, kind, id, payload, size), 0);
    assert_int_equal(canon_writer_close(writer), 0);
    int status = canon_process_load(part, &process, problem, sizeof problem);
    if (status && !strstr(problem, part))
        fail_msg("\"%s\" does not say where", problem);
    canon_process_free(&process);
    return status;
}

static void what_is_no_process_is_refused(void **state)
{
    (void)state;
    assert_int_equal(load_event(CANON_EVENT_PROCESS, CANON_PROCESS_KIND, "java", 4), 0);
    assert_int_equal(load_event(CANON_EVENT_NATIVE, 1, "java", 4), CANON_E_FORMAT);
    assert_int_equal(load_event(CANON_EVENT_PROCESS, 1, "ja\0va", 5), CANON_E_FORMAT);
    const char *part = test_directory();
    struct canon_process process = {0};
    struct canon_writer *writer;
    char problem[512] = "";
    assert_int_equal(canon_process_load(part, &process, problem, sizeof problem), CANON_E_FORMAT);
    assert_int_equal(canon_writer_open(part, "other", "other", &writer), 0);
    assert_int_equal(canon_writer_close(writer), 0);
    assert_int_equal(canon_process_load(part, &process, problem, sizeof problem), CANON_E_FORMAT);
    assert_non_null(strstr(problem, "how the process was started"));
}

/* Looks at a file with these bytes. */
static struct canon_executable look_at(const void *bytes, size_t size)
{
    const char *path = test_path(test_directory(), "program");
    struct canon_executable found;
    test_write_file(path, bytes, size);
    canon_executable_look(path, &found);
    return found;
}

static void scripts_tell_their_interpreter(void **state)
{
    (void)state;
    struct canon_executable found = look_at("#! /bin/sh  -e x\necho", 21);
    assert_int_equal(found.kind, CANON_EXECUTABLE_SCRIPT);
    assert_string_equal(found.interpreter, "/bin/sh");
    assert_string_equal(found.interpreter_option, " -e x");
    assert_int_equal(look_at("#!\n\n\n", 5).kind, CANON_EXECUTABLE_UNKNOWN);
    assert_int_equal(look_at("echo hi\n", 8).kind, CANON_EXECUTABLE_UNKNOWN);
    assert_int_equal(look_at("", 0).kind, CANON_EXECUTABLE_UNKNOWN);
}

static void programs_that_are_cut_off_are_refused(void **state)
{
    (void)state;
    struct canon_executable found;
    struct canon_buffer bytes = {0};
    canon_executable_look("/proc/self/exe", &found);
    assert_int_equal(found.kind, CANON_EXECUTABLE_NATIVE);
    test_read_file("/proc/self/exe", &bytes);
    for (size_t size = 5; size < 400; size += 13)
        assert_int_equal(look_at(bytes.data, size).kind, CANON_EXECUTABLE_REFUSED);
    canon_buffer_free(&bytes);
    canon_executable_look("/nowhere", &found);
    assert_int_equal(found.kind, CANON_EXECUTABLE_UNREADABLE);
}

/* It lies on the stack of the program: as long when replaying as when recording. */
static void the_message_to_native_programs_has_one_length(void **state)
{
    (void)state;
    char *before[] = {"A=b", "LD_PRELOAD=/x.so", "C=d", NULL};
    char **a = canon_native_environment(before, "/lib.so", "record", "/t", NULL);
    char **b = canon_native_environment(before, "/other/lib.so", "replay", "/t/1", "quiet,tree");
    assert_string_equal(a[0], "A=b");
    assert_string_equal(a[1], "C=d");
    assert_non_null(strstr(a[2], "LD_PRELOAD=/lib.so:/x.so:"));
    assert_null(a[4]);
    for (int i = 0; i < 4; i++)
        assert_int_equal(strlen(a[i]), strlen(b[i]));
    for (int i = 2; i < 4; i++) {
        free(a[i]);
        free(b[i]);
    }
    free(a);
    free(b);
    char *path = calloc(1, 9000);
    memset(path, 'x', 8999);
    assert_null(canon_native_environment(before, "/lib.so", "record", path, NULL));
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripts_tell_their_interpreter),
        cmocka_unit_test(programs_that_are_cut_off_are_refused),
        cmocka_unit_test(the_message_to_native_programs_has_one_length),
        cmocka_unit_test(entries_come_back_in_order),
        cmocka_unit_test(what_the_vm_tells_comes_after_what_was_known_before),
        cmocka_unit_test(a_very_long_command_line_comes_back),
        cmocka_unit_test(what_is_no_process_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
