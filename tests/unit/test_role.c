/* test_role.c: what goes into a recording comes out of its replay, in another process. */
#include "roles.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The outside world: different in every process. */
static int64_t world(void)
{
    return (int64_t)getpid() * 1000 + 7;
}

/* ---- one strand
 * ---------------------------------------------------------------------------------------------- */

static void ask_the_world(struct seen *seen)
{
    struct canon_strand *strand = canon_strand_open("thread main");
    for (int i = 0; i < 8; i++)
        seen->values[i] = do_native(strand, i % 2 ? "clock" : "random", world() + i);
    do_output(strand, "print", "hello");
    seen->values[8] = (int64_t)canon_strand_position(strand);
    canon_role_finish(strand);
    seen->values[9] = canon_role_now();
    seen->values[10] = do_native(strand, "clock", -1); /* after the end: for real, and not logged */
}

static void values_of_the_recording_come_back(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen then, now;
    run_recorder(part, ask_the_world, &then);
    assert_int_equal(then.values[8], 9);
    assert_int_equal(then.values[9], CANON_ROLE_PASSTHROUGH);
    assert_int_equal(then.values[10], -1);
    for (int i = 0; i < 3; i++) {
        run_replayer(part, ask_the_world, &now);
        assert_true(now.finished && !now.diverged);
        assert_memory_equal(now.values, then.values, sizeof now.values);
    }
}

static void a_recording_that_was_finished_is_whole(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    struct snapshot snapshot;
    run_recorder(part, ask_the_world, &seen);
    snapshot_take(&snapshot, part);
    assert_int_equal(snapshot.status, 0);
    assert_false(snapshot.torn);
    assert_int_equal(snapshot_find(&snapshot, "thread main")->count, 9 + 1); /* and its END */
    assert_int_equal(snapshot_find(&snapshot, "names")->count, 3);
    snapshot_free(&snapshot);
}

static void go_on_after_the_end(struct seen *seen)
{
    struct canon_strand *strand = canon_strand_open("thread main");
    assert_false(canon_role_is_over());
    assert_true(canon_step_reserve(strand));
    do_native(strand, "clock", 1);
    canon_role_finish(strand);
    assert_true(canon_role_is_over());
    assert_false(canon_step_reserve(strand)); /* what the world can see must not be done any more */
    seen->values[0] = do_native(strand, "a native first used after the end", -2);
    canon_role_note(CANON_NOTE_LIMIT, "after the end");
    canon_strand_close(canon_strand_open("thread main/late"));
    canon_strand_close(strand);
    canon_role_finish(NULL);
}

/* Threads run on while the JVM dies. */
static void what_comes_after_the_end_does_no_harm(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    struct snapshot snapshot;
    run_recorder(part, go_on_after_the_end, &seen);
    assert_int_equal(seen.values[0], -2);
    snapshot_take(&snapshot, part);
    assert_int_equal(snapshot.status, 0);
    assert_false(snapshot.torn);
    assert_int_equal(snapshot_find(&snapshot, "thread main")->count, 2);
    assert_int_equal(snapshot_find(&snapshot, "names")->count, 1);
    assert_int_equal(snapshot_find(&snapshot, "notes")->count, 0);
    snapshot_free(&snapshot);
    run_replayer(part, go_on_after_the_end, &seen);
    assert_true(seen.finished && !seen.diverged);
    assert_int_equal(seen.values[0], -2);
}

static void a_passthrough_role_does_nothing(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    run_role(CANON_ROLE_PASSTHROUGH, part, ask_the_world, &seen, NULL);
    assert_true(seen.finished);
    assert_int_not_equal(seen.values[0], 0);
    assert_int_equal(seen.values[8], 0);
    struct snapshot snapshot;
    snapshot_take(&snapshot, part);
    assert_int_equal(snapshot.status, CANON_E_FORMAT); /* nothing in it */
}

/* ---- several strands
 * ------------------------------------------------------------------------------------------- */

static void use_many_strands(struct seen *seen)
{
    struct canon_strand *main = canon_strand_open("thread main"), *other = canon_strand_open("thread main/1");
    canon_role_note(CANON_NOTE_LIMIT, "a note");
    canon_role_note(CANON_NOTE_LIMIT, "a note"); /* is not told twice */
    for (int i = 0; i < 50; i++) {
        char name[32];
        snprintf(name, sizeof name, "load app:C%d", i);
        struct canon_strand *load = canon_strand_open_short(name);
        if (i % 3 == 0) /* most class loads have no event */
            seen->values[0] += do_native(load, "read", world());
        canon_strand_close(load);
        seen->values[1] += do_native(i % 2 ? main : other, "clock", world() * i);
        canon_strand_add_check(main, (uint32_t)i);
    }
    canon_strand_close(other);
    canon_role_finish(main);
}

static void strands_of_all_kinds_come_back(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen then, now;
    struct snapshot snapshot;
    run_recorder(part, use_many_strands, &then);
    run_replayer(part, use_many_strands, &now);
    assert_true(now.finished && !now.diverged);
    assert_memory_equal(now.values, then.values, sizeof now.values);
    snapshot_take(&snapshot, part);
    assert_int_equal(snapshot.status, 0);
    assert_false(snapshot.torn);
    assert_non_null(snapshot_find(&snapshot, "load app:C48"));
    assert_null(snapshot_find(&snapshot, "load app:C49")); /* nothing happened in it: not stored */
    assert_int_equal(snapshot_find(&snapshot, "notes")->count, 1);
    snapshot_free(&snapshot);
}

static void use_strands_in_another_order(struct seen *seen)
{
    struct canon_strand *other = canon_strand_open("thread main/1"), *main = canon_strand_open("thread main");
    for (int i = 49; i >= 0; i--) {
        char name[32];
        snprintf(name, sizeof name, "load app:C%d", i);
        struct canon_strand *load = canon_strand_open_short(name);
        if (i % 3 == 0)
            seen->values[0] += do_native(load, "read", -1);
        canon_strand_close(load);
    }
    for (int i = 0; i < 50; i += 2)
        seen->values[1] += do_native(other, "clock", -1);
    for (int i = 1; i < 50; i += 2)
        seen->values[1] += do_native(main, "clock", -1);
    for (int i = 0; i < 50; i++)
        canon_strand_add_check(main, (uint32_t)i);
    canon_strand_close(other);
    canon_role_finish(main);
}

static void each_strand_has_an_order_of_its_own(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen then, now;
    run_recorder(part, use_many_strands, &then);
    run_replayer(part, use_strands_in_another_order, &now);
    assert_true(now.finished && !now.diverged);
    assert_memory_equal(now.values, then.values, sizeof now.values);
}

/* ---- events of other kinds, names, history
 * ----------------------------------------------------------------------- */

static void mix_kinds(struct seen *seen)
{
    struct canon_strand *strand = canon_strand_open("thread main");
    seen->values[0] = do_native(strand, "a", world());
    struct canon_step *step = canon_step_begin(strand, CANON_EVENT_SIGNAL, SIGTERM);
    assert_non_null(step);
    canon_step_end(strand, CANON_EVENT_SIGNAL, SIGTERM);
    step = canon_step_begin(strand, CANON_EVENT_REFERENCE, 1);
    char *child = canon_role_now() == CANON_ROLE_RECORDER ? strdup("thread main/1") : NULL;
    canon_step_text(step, &child);
    canon_step_end(strand, CANON_EVENT_REFERENCE, 1);
    snprintf(seen->texts[0], sizeof seen->texts[0], "%s", child);
    free(child);
    seen->values[1] = do_native(strand, "b", world());
    canon_role_finish(strand);
}

static void events_of_all_kinds_keep_their_place(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen then, now;
    run_recorder(part, mix_kinds, &then);
    run_replayer(part, mix_kinds, &now);
    assert_true(now.finished && !now.diverged);
    assert_memory_equal(now.values, then.values, sizeof now.values);
    assert_string_equal(now.texts[0], "thread main/1");
}

static void look_back(struct seen *seen)
{
    static const char *const NAMES[] = {"alpha", "beta", "gamma"};
    const char *names[20];
    struct canon_strand *strand = canon_strand_open("thread main");
    assert_string_equal(canon_strand_label(strand), "thread main");
    assert_int_equal(canon_strand_history(strand, names, 20), 0);
    for (int i = 0; i < 40; i++) {
        do_native(strand, NAMES[i % 3], i);
        assert_int_equal(canon_strand_position(strand), i + 1);
    }
    size_t count = canon_strand_history(strand, names, 20);
    assert_in_range(count, 10, 20);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(names[i], NAMES[(39 - i) % 3]); /* newest first */
    assert_int_equal(canon_strand_history(strand, names, 2), 2);
    assert_true(canon_role_name("alpha") != canon_role_name("beta"));
    assert_true(canon_role_name("alpha") == canon_role_name("alpha"));
    if (canon_role_now() == CANON_ROLE_REPLAYER) {
        seen->values[0] = (int64_t)canon_role_events_done();
        seen->values[1] = (int64_t)canon_role_events_recorded();
    }
    canon_role_finish(strand);
}

static void a_strand_knows_its_last_steps(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    run_recorder(part, look_back, &seen);
    run_replayer(part, look_back, &seen);
    assert_true(seen.finished && !seen.diverged);
    assert_int_equal(seen.values[0], 40);
    assert_int_equal(seen.values[1], 40);
}

static void look_ahead(struct seen *seen)
{
    struct canon_strand *strand = canon_strand_open("thread main");
    bool replaying = canon_role_now() == CANON_ROLE_REPLAYER;
    uint64_t id = canon_role_name("clock");
    struct canon_buffer items = {0};
    if (!replaying) {
        canon_buffer_put(&items, "i\x0e", 2);
        canon_role_log(CANON_EVENT_REFERENCE, 5, &items);
        canon_buffer_free(&items);
    }
    for (int i = 0; i < 3; i++) {
        const struct canon_event *next = replaying ? canon_strand_peek(strand) : NULL;
        seen->values[i] = next && next->kind == CANON_EVENT_NATIVE && next->id == id && next->size > 0;
        if (replaying)
            assert_ptr_equal(canon_strand_peek(strand), next); /* looking changes nothing */
        seen->values[3 + i] = do_native(strand, "clock", replaying ? -1 : i);
    }
    if (replaying) {
        assert_int_equal(canon_strand_peek(strand)->kind, CANON_EVENT_END);
        const struct canon_trace_strand *notes = canon_trace_find(canon_role_trace(), "notes");
        struct canon_cursor cursor;
        struct canon_event event;
        canon_cursor_start(&cursor, notes);
        assert_int_equal(canon_cursor_next(&cursor, &event), 0);
        assert_int_equal(event.kind, CANON_EVENT_REFERENCE);
        assert_int_equal(event.id, 5);
        assert_memory_equal(event.payload, "i\x0e", 2);
        canon_cursor_stop(&cursor);
    }
    canon_role_finish(strand);
}

static void what_comes_can_be_looked_at_beforehand(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    run_recorder(part, look_ahead, &seen);
    run_replayer(part, look_ahead, &seen);
    assert_true(seen.finished && !seen.diverged);
    for (int i = 0; i < 3; i++) {
        assert_true(seen.values[i]);
        assert_int_equal(seen.values[3 + i], i);
    }
}

/* ---- the end of the process
 * ---------------------------------------------------------------------------------------- */

enum { THREADS = 3 };
static atomic_bool stop;

static void *record_until_the_end(void *strand)
{
    for (int64_t i = 0; !atomic_load(&stop); i++)
        do_native(strand, "count", i);
    return NULL;
}

/* The process ends while threads are in the middle of their steps. */
static void end_under_way(struct seen *seen)
{
    struct canon_strand *main = canon_strand_open("thread main");
    pthread_t threads[THREADS];
    char name[32];
    for (int i = 0; i < THREADS; i++) {
        snprintf(name, sizeof name, "thread main/%d", i);
        assert_int_equal(pthread_create(&threads[i], NULL, record_until_the_end, canon_strand_open(name)), 0);
    }
    usleep(3000);
    canon_role_finish(main);
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    seen->values[0] = canon_role_now();
}

static void a_process_that_ends_under_way_leaves_a_whole_trace(void **state)
{
    (void)state;
    for (int round = 0; round < 15; round++) {
        const char *part = test_directory();
        struct seen seen;
        struct snapshot snapshot;
        run_recorder(part, end_under_way, &seen);
        snapshot_take(&snapshot, part);
        if (snapshot.status)
            fail_msg("%s: %s", canon_error_text(snapshot.status), snapshot.problem);
        assert_false(snapshot.torn);
        for (int i = 0; i < THREADS; i++) {
            char name[32];
            snprintf(name, sizeof name, "thread main/%d", i);
            const struct snapshot_strand *strand = snapshot_find(&snapshot, name);
            struct canon_reader events = canon_reader_over(strand->events.data, strand->events.used);
            for (uint64_t n = 0; n + 1 < strand->count; n++) { /* 0, 1, 2... and none is missing */
                assert_int_equal(canon_reader_varint(&events), CANON_EVENT_NATIVE);
                canon_reader_varint(&events);
                struct canon_reader item = canon_reader_over(NULL, 0);
                uint64_t size = canon_reader_varint(&events);
                item = canon_reader_over(canon_reader_take(&events, size), size);
                assert_int_equal(canon_reader_u8(&item), 'i');
                assert_int_equal(canon_reader_varint(&item), n << 1);
            }
            assert_int_equal(canon_reader_varint(&events), CANON_EVENT_END);
            canon_reader_varint(&events);
            canon_reader_varint(&events);
            assert_int_equal(canon_reader_varint(&events), strand->count - 1);
        }
        snapshot_free(&snapshot);
    }
}

static void *load_until_the_end(void *thread)
{
    for (int i = 0; !atomic_load(&stop); i++) {
        char name[32];
        snprintf(name, sizeof name, "load %d:%d", (int)(intptr_t)thread, i);
        struct canon_strand *load = canon_strand_open_short(name);
        do_native(load, "read", i);
        canon_strand_close(load);
    }
    return NULL;
}

static void end_while_strands_close(struct seen *seen)
{
    struct canon_strand *main = canon_strand_open("thread main");
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, load_until_the_end, (void *)(intptr_t)i), 0);
    usleep(3000);
    canon_role_finish(main);
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    seen->values[0] = canon_role_now();
}

static void strands_may_close_while_the_process_ends(void **state)
{
    (void)state;
    for (int round = 0; round < 25; round++) {
        const char *part = test_directory();
        struct seen seen;
        struct snapshot snapshot;
        run_recorder(part, end_while_strands_close, &seen);
        snapshot_take(&snapshot, part);
        if (snapshot.status)
            fail_msg("%s: %s", canon_error_text(snapshot.status), snapshot.problem);
        assert_false(snapshot.torn);
        snapshot_free(&snapshot);
    }
}

static void *name_until_the_end(void *thread)
{
    for (int i = 0; !atomic_load(&stop) && i < 3000; i++) {
        char name[32];
        snprintf(name, sizeof name, "native %d:%d", (int)(intptr_t)thread, i);
        canon_role_name(name);
    }
    return NULL;
}

static void end_while_natives_are_named(struct seen *seen)
{
    struct canon_strand *main = canon_strand_open("thread main");
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, name_until_the_end, (void *)(intptr_t)i), 0);
    usleep(2000);
    canon_role_finish(main);
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    seen->values[0] = canon_role_now();
}

static void natives_may_be_named_while_the_process_ends(void **state)
{
    (void)state;
    for (int round = 0; round < 25; round++) {
        const char *part = test_directory();
        struct seen seen;
        struct snapshot snapshot;
        run_recorder(part, end_while_natives_are_named, &seen);
        snapshot_take(&snapshot, part);
        assert_int_equal(snapshot.status, 0);
        assert_false(snapshot.torn);
        snapshot_free(&snapshot);
    }
}

/* ---- when recording is not possible
 * ----------------------------------------------------------------------------------- */

static void record_on_a_full_disk(struct seen *seen)
{
    struct rlimit limit = {400000, 400000};
    signal(SIGXFSZ, SIG_IGN);
    assert_return_code(setrlimit(RLIMIT_FSIZE, &limit), 0);
    struct canon_strand *main = canon_strand_open("thread main");
    char payload[1000] = "";
    int i = 0;
    for (; i < 100000 && canon_role_now() == CANON_ROLE_RECORDER; i++) {
        for (size_t n = 0; n < sizeof payload - 1; n++)
            payload[n] = (char)('!' + rand() % 90); /* does not compress well */
        do_output(main, "print", payload);
    }
    seen->values[0] = i;
    seen->values[1] = canon_role_now();
    for (int more = 0; more < 100; more++) { /* the program goes on as if nothing were */
        struct canon_strand *load = canon_strand_open_short("load x");
        seen->values[2] += do_native(load, "a new name", 1);
        canon_strand_close(load);
        seen->values[3] += do_native(main, "print", 1);
    }
    struct canon_strand *late = canon_strand_open("thread main/1");
    seen->values[4] = do_native(late, "clock", 5);
    canon_strand_close(late);
    canon_role_note(CANON_NOTE_LIMIT, "late");
    canon_role_finish(main);
}

static unsigned count_of(const char *text, const char *what)
{
    unsigned count = 0;
    for (; (text = strstr(text, what)); text += strlen(what))
        count++;
    return count;
}

static void a_full_disk_ends_the_recording_and_not_the_program(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    struct canon_buffer errors;
    run_role(CANON_ROLE_RECORDER, part, record_on_a_full_disk, &seen, &errors);
    assert_true(seen.finished);
    assert_in_range(seen.values[0], 100, 10000);
    assert_int_equal(seen.values[1], CANON_ROLE_PASSTHROUGH);
    assert_int_equal(seen.values[2], 100);
    assert_int_equal(seen.values[3], 100);
    assert_int_equal(seen.values[4], 5);
    assert_int_equal(count_of((char *)errors.data, "\n"), 1); /* said once */
    assert_non_null(strstr((char *)errors.data, "no space left"));
    canon_buffer_free(&errors);

    struct snapshot snapshot;
    snapshot_take(&snapshot, part);
    assert_int_equal(snapshot.status, 0);
    assert_true(snapshot.torn);
    assert_int_equal(snapshot_find(&snapshot, "thread main")->count, seen.values[0] - 1);
    snapshot_free(&snapshot);
}

struct start {
    enum canon_role_kind kind;
    const char *part;
    char *problem;
};

static int try_to_start(void *argument)
{
    struct start *start = argument;
    struct canon_role_config config = {.kind = start->kind, .part = start->part};
    char problem[512] = "";
    int status = canon_role_start(&config, problem, sizeof problem);
    dprintf(STDERR_FILENO, "%s\n", problem);
    return status ? 1 : 0;
}

static void expect_no_start(enum canon_role_kind kind, const char *part, const char *text)
{
    struct start start = {kind, part, NULL};
    struct outcome outcome;
    test_in_child(try_to_start, &start, &outcome);
    assert_int_equal(outcome.status, 1 << 8);
    if (!strstr((char *)outcome.errors.data, text))
        fail_msg("\"%s\" does not say \"%s\"", outcome.errors.data, text);
    outcome_free(&outcome);
}

static void a_role_that_cannot_start_says_why(void **state)
{
    (void)state;
    const char *empty = test_directory(), *bad = test_directory();
    struct seen seen;
    expect_no_start(CANON_ROLE_RECORDER, test_path(empty, "nowhere"), "nowhere");
    expect_no_start(CANON_ROLE_REPLAYER, test_path(empty, "nowhere"), "No such file");
    expect_no_start(CANON_ROLE_REPLAYER, empty, "no strand");
    run_recorder(bad, ask_the_world, &seen);
    expect_no_start(CANON_ROLE_RECORDER, bad, bad); /* there is a recording already */
    struct canon_buffer bytes = {0};
    test_read_file(test_path(bad, "names.chunks"), &bytes);
    bytes.data[bytes.used - 1] ^= 1;
    test_write_file(test_path(bad, "names.chunks"), bytes.data, bytes.used);
    expect_no_start(CANON_ROLE_REPLAYER, bad, "checksum");
    canon_buffer_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_the_recording_come_back),
        cmocka_unit_test(a_recording_that_was_finished_is_whole),
        cmocka_unit_test(what_comes_after_the_end_does_no_harm),
        cmocka_unit_test(a_passthrough_role_does_nothing),
        cmocka_unit_test(strands_of_all_kinds_come_back),
        cmocka_unit_test(each_strand_has_an_order_of_its_own),
        cmocka_unit_test(events_of_all_kinds_keep_their_place),
        cmocka_unit_test(a_strand_knows_its_last_steps),
        cmocka_unit_test(what_comes_can_be_looked_at_beforehand),
        cmocka_unit_test(a_process_that_ends_under_way_leaves_a_whole_trace),
        cmocka_unit_test(strands_may_close_while_the_process_ends),
        cmocka_unit_test(natives_may_be_named_while_the_process_ends),
        cmocka_unit_test(a_full_disk_ends_the_recording_and_not_the_program),
        cmocka_unit_test(a_role_that_cannot_start_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
