/* test_memo.c: steps that are looked up by what they ask. */
#include "role/memo.h"
#include "roles.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Answers `key` when recording; what the recording answers when replaying ("?" if nothing). */
static void ask(uint64_t key, const char *answer, char *text, size_t size)
{
    struct canon_reader items;
    snprintf(text, size, "%s", answer);
    if (canon_role_now() == CANON_ROLE_RECORDER) {
        struct canon_buffer buffer = {0};
        canon_buffer_put(&buffer, answer, strlen(answer));
        canon_memo_put(key, canon_role_name("read"), &buffer);
        canon_buffer_free(&buffer);
    } else if (canon_memo_get(key, &items)) {
        snprintf(text, size, "%.*s", (int)canon_reader_left(&items), (const char *)items.at);
    } else {
        snprintf(text, size, "?");
    }
}

static void ask_in_order(struct seen *seen)
{
    struct canon_strand *strand = canon_strand_open("thread main");
    ask(1, "one", seen->texts[0], sizeof seen->texts[0]);
    ask(UINT64_MAX, "", seen->texts[1], sizeof seen->texts[1]);
    ask(0, "zero", seen->texts[2], sizeof seen->texts[2]);
    canon_role_finish(strand);
}

static void ask_the_other_way_round(struct seen *seen)
{
    struct canon_strand *strand = canon_strand_open("thread main");
    ask(0, "x", seen->texts[2], sizeof seen->texts[2]);
    ask(UINT64_MAX, "x", seen->texts[1], sizeof seen->texts[1]);
    for (int i = 0; i < 3; i++) /* and more often */
        ask(1, "x", seen->texts[0], sizeof seen->texts[0]);
    ask(2, "x", seen->texts[3], sizeof seen->texts[3]);
    canon_role_finish(strand);
}

static void answers_come_in_whatever_order_they_are_asked_for(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    run_recorder(part, ask_in_order, &seen);
    run_replayer(part, ask_the_other_way_round, &seen);
    assert_true(seen.finished);
    assert_string_equal(seen.texts[0], "one");
    assert_string_equal(seen.texts[1], "");
    assert_string_equal(seen.texts[2], "zero");
    assert_string_equal(seen.texts[3], "?"); /* never asked then */
}

/* The file changes while the program runs: questions 0 and 1 get "old", 2 "new", 3 "old" again. */
static void ask_four_times(struct seen *seen)
{
    static const char *const ANSWERS[] = {"old", "old", "new", "old"};
    struct canon_strand *strand = canon_strand_open("thread main");
    for (int i = 0; i < 4; i++)
        ask(5, ANSWERS[i], seen->texts[i], sizeof seen->texts[i]);
    canon_role_finish(strand);
}

static void an_answer_that_changes_does_so_at_the_same_question(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen then, now;
    run_recorder(part, ask_four_times, &then);
    run_replayer(part, ask_four_times, &now);
    assert_true(now.finished);
    assert_memory_equal(now.texts, then.texts, sizeof now.texts);
    struct snapshot snapshot;
    snapshot_take(&snapshot, part);
    assert_false(snapshot.torn);
    assert_int_equal(snapshot_find(&snapshot, CANON_STRAND_FILES)->count,
                     3); /* an equal one is stored once */
    snapshot_free(&snapshot);
}

enum { KEYS = 5000 };

static void ask_much(struct seen *seen)
{
    struct canon_strand *strand = canon_strand_open("thread main");
    char wanted[32], text[32];
    for (uint64_t i = 0; i < KEYS; i++) {
        snprintf(wanted, sizeof wanted, "answer %u", (unsigned)i);
        bool recording = canon_role_now() == CANON_ROLE_RECORDER;
        ask(i * 1024, recording ? wanted : "x", text, sizeof text); /* keys that collide in a simple table */
        seen->values[0] += strcmp(text, wanted) == 0;
    }
    canon_role_finish(strand);
}

static void thousands_of_answers_are_kept_apart(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    run_recorder(part, ask_much, &seen);
    run_replayer(part, ask_much, &seen);
    assert_int_equal(seen.values[0], KEYS);
}

static void *ask_on_a_thread(void *first)
{
    char wanted[32], text[32];
    intptr_t right = 0;
    for (uint64_t i = 0; i < 500; i++) {
        uint64_t key = (uint64_t)(intptr_t)first * 250 + i; /* half of them are those of another thread too */
        snprintf(wanted, sizeof wanted, "answer %u", (unsigned)key);
        ask(key, canon_role_now() == CANON_ROLE_RECORDER ? wanted : "x", text, sizeof text);
        right += strcmp(text, wanted) == 0;
    }
    return (void *)right;
}

static void ask_from_threads(struct seen *seen)
{
    struct canon_strand *strand = canon_strand_open("thread main");
    pthread_t threads[4];
    for (intptr_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_on_a_thread, (void *)i), 0);
    for (int i = 0; i < 4; i++) {
        void *right;
        pthread_join(threads[i], &right);
        seen->values[0] += (intptr_t)right;
    }
    canon_role_finish(strand);
}

static void any_thread_may_ask(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    run_recorder(part, ask_from_threads, &seen);
    assert_int_equal(seen.values[0], 2000);
    run_replayer(part, ask_from_threads, &seen);
    assert_int_equal(seen.values[0], 2000);
}

static void ask_and_fall_silent(struct seen *seen)
{
    struct canon_strand *strand = canon_strand_open("thread main");
    ask(1, "one", seen->texts[0], sizeof seen->texts[0]);
    do_native(strand, "clock", 1);
    /* ends without canon_role_finish, as by SIGKILL */
}

static void what_was_answered_before_a_kill_is_kept(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    run_recorder(part, ask_and_fall_silent, &seen);
    run_replayer(part, ask_and_fall_silent, &seen);
    assert_true(seen.finished);
    assert_string_equal(seen.texts[0], "one");
}

static void give_up_on(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = canon_strand_open("thread main");
    canon_role_unanswered(strand, "read of /x");
}

static void a_question_without_an_answer_is_a_divergence(void **state)
{
    (void)state;
    const char *whole = test_directory(), *torn = test_directory();
    struct seen seen;
    run_recorder(whole, ask_in_order, &seen);
    run_replayer(whole, give_up_on, &seen);
    assert_true(seen.diverged);
    assert_int_equal(seen.kind, CANON_DIVERGED_FILE);
    assert_string_equal(seen.actual, "read of /x");
    run_recorder(torn, ask_and_fall_silent, &seen);
    run_replayer(torn, give_up_on, &seen); /* it may have come after the cut */
    assert_true(seen.diverged);
    assert_int_equal(seen.kind, CANON_DIVERGED_NONE);
}

struct bad_event {
    const char *bytes;
    size_t size;
};

static int replay_bad_event(void *argument)
{
    const char *part = test_directory();
    const struct bad_event *event = argument;
    struct canon_writer *writer;
    char problem[512];
    assert_int_equal(canon_writer_open(part, "files", CANON_STRAND_FILES, &writer), 0);
    assert_int_equal(canon_writer_put(writer, CANON_EVENT_NATIVE, 0, event->bytes, event->size), 0);
    assert_int_equal(canon_writer_close(writer), 0);
    struct canon_role_config config = {.kind = CANON_ROLE_REPLAYER, .part = part};
    return canon_role_start(&config, problem, sizeof problem) == CANON_E_FORMAT ? 0 : 1;
}

static void an_answer_without_a_key_is_refused(void **state)
{
    (void)state;
    static const struct bad_event EVENTS[] = {
        {"", 0}, {"1234567", 7}, {"12345678", 8}, {"12345678\xff", 9}, {"12345678\xff\xff\xff", 11}};
    for (size_t i = 0; i < sizeof EVENTS / sizeof *EVENTS; i++)
        assert_int_equal(test_in_child(replay_bad_event, (void *)&EVENTS[i], NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_come_in_whatever_order_they_are_asked_for),
        cmocka_unit_test(an_answer_that_changes_does_so_at_the_same_question),
        cmocka_unit_test(thousands_of_answers_are_kept_apart),
        cmocka_unit_test(any_thread_may_ask),
        cmocka_unit_test(what_was_answered_before_a_kill_is_kept),
        cmocka_unit_test(a_question_without_an_answer_is_a_divergence),
        cmocka_unit_test(an_answer_without_a_key_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
