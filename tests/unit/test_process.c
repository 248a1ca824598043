/* test_process.c: how a process was started, to and from the strand "process". */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_come_back_in_order),
        cmocka_unit_test(what_the_vm_tells_comes_after_what_was_known_before),
        cmocka_unit_test(a_very_long_command_line_comes_back),
        cmocka_unit_test(what_is_no_process_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
