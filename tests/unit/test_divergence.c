/*
 * test_divergence.c: a program that takes another way than its recording is stopped where it does, and the
 * report says which kind of difference it is.
 */
#include "roles.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect_divergence(const struct seen *seen, enum canon_divergence_kind kind, const char *strand,
                              uint64_t number)
{
    if (!seen->diverged)
        fail_msg("nobody noticed");
    if (seen->kind != kind)
        fail_msg("kind %d instead of %d; expected \"%s\", actual \"%s\"", seen->kind, kind, seen->expected,
                 seen->actual);
    assert_string_equal(seen->strand, strand);
    assert_int_equal(seen->number, number);
}

/* Records `then`, replays `now`, which has to diverge. */
static struct seen compare(program_fn then, program_fn now, enum canon_divergence_kind kind,
                           const char *strand, uint64_t number)
{
    const char *part = test_directory();
    struct seen seen;
    run_recorder(part, then, &seen);
    run_replayer(part, then, &seen);
    assert_true(seen.finished && !seen.diverged); /* the recording itself is all right */
    run_replayer(part, now, &seen);
    expect_divergence(&seen, kind, strand, number);
    return seen;
}

/* ---- the recorded program, and variations of it
 * ---------------------------------------------------------------- */

static struct canon_strand *begin(void)
{
    struct canon_strand *strand = canon_strand_open("thread main");
    do_native(strand, "first", 1);
    return strand;
}

static void original(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = begin();
    do_output(strand, "print", "hello");
    do_native(strand, "clock", 5);
    canon_strand_add_check(strand, 77);
    canon_role_finish(strand);
}

static void other_native(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = begin();
    do_native(strand, "clock", 5);
    canon_role_finish(strand);
}

static void another_native_is_a_divergence(void **state)
{
    (void)state;
    struct seen seen = compare(original, other_native, CANON_DIVERGED_KIND, "thread main", 1);
    assert_string_equal(seen.expected, "print");
    assert_string_equal(seen.actual, "clock");
}

static void unknown_native(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = begin();
    do_native(strand, "not in the recording", 5);
    canon_role_finish(strand);
}

static void a_native_that_was_never_recorded_is_a_divergence(void **state)
{
    (void)state;
    struct seen seen = compare(original, unknown_native, CANON_DIVERGED_KIND, "thread main", 1);
    assert_string_equal(seen.expected, "print");
    assert_string_equal(seen.actual, "not in the recording");
}

static void other_kind(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = begin();
    uint64_t id = canon_role_name("print");
    canon_step_begin(strand, CANON_EVENT_SIGNAL, id);
    canon_step_end(strand, CANON_EVENT_SIGNAL, id);
    canon_role_finish(strand);
}

static void another_kind_of_event_is_a_divergence(void **state)
{
    (void)state;
    struct seen seen = compare(original, other_kind, CANON_DIVERGED_KIND, "thread main", 1);
    assert_string_equal(seen.expected, "print");
    assert_string_equal(seen.actual, "signal");
}

static void other_input(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = begin();
    do_output(strand, "print", "hallo");
    canon_role_finish(strand);
}

static void other_data_is_a_divergence(void **state)
{
    (void)state;
    struct seen seen = compare(original, other_input, CANON_DIVERGED_INPUT, "thread main", 1);
    assert_string_equal(seen.expected, "hello");
    assert_string_equal(seen.actual, "hallo");
}

static void fewer_items(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = canon_strand_open("thread main");
    uint64_t id = canon_role_name("first");
    canon_step_begin(strand, CANON_EVENT_NATIVE, id); /* takes nothing out of the step */
    canon_step_end(strand, CANON_EVENT_NATIVE, id);
    canon_role_finish(strand);
}

static void more_items(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = canon_strand_open("thread main");
    uint64_t id = canon_role_name("first");
    int64_t value = 0;
    struct canon_step *step = canon_step_begin(strand, CANON_EVENT_NATIVE, id);
    canon_step_int(step, &value);
    canon_step_int(step, &value);
    canon_step_end(strand, CANON_EVENT_NATIVE, id);
    canon_role_finish(strand);
}

static void other_items(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = canon_strand_open("thread main");
    uint64_t id = canon_role_name("first");
    char *text = NULL;
    struct canon_step *step = canon_step_begin(strand, CANON_EVENT_NATIVE, id);
    canon_step_text(step, &text);
    canon_step_end(strand, CANON_EVENT_NATIVE, id);
    canon_role_finish(strand);
}

static void items_that_do_not_fit_are_a_divergence(void **state)
{
    (void)state;
    compare(original, fewer_items, CANON_DIVERGED_ITEMS, "thread main", 0);
    compare(original, more_items, CANON_DIVERGED_ITEMS, "thread main", 0);
    compare(original, other_items, CANON_DIVERGED_ITEMS, "thread main", 0);
}

static void other_check(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = begin();
    do_output(strand, "print", "hello");
    do_native(strand, "clock", 5);
    canon_strand_add_check(strand, 78);
    canon_role_finish(strand);
}

static void another_running_checksum_is_a_divergence(void **state)
{
    (void)state;
    compare(original, other_check, CANON_DIVERGED_ITEMS, "thread main", 3);
}

/* ---- too early, too late
 * ------------------------------------------------------------------------------------------ */

static void ends_early(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = begin();
    canon_role_finish(strand);
}

static void a_process_that_ends_early_is_a_divergence(void **state)
{
    (void)state;
    struct seen seen = compare(original, ends_early, CANON_DIVERGED_MISSING, "thread main", 1);
    assert_string_equal(seen.expected, "print");
}

/* It was this strand that ended the process: nobody else will. */
static void goes_on(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = begin();
    do_output(strand, "print", "hello");
    do_native(strand, "clock", 5);
    do_native(strand, "clock", 6);
    canon_role_finish(strand);
}

static void a_process_that_goes_on_after_its_end_is_a_divergence(void **state)
{
    (void)state;
    struct seen seen = compare(original, goes_on, CANON_DIVERGED_EXTRA, "thread main", 3);
    assert_string_equal(seen.actual, "clock");
}

static void with_thread(int events, bool ends)
{
    struct canon_strand *main = begin(), *thread = canon_strand_open("thread main/1");
    for (int i = 0; i < events; i++)
        do_native(thread, "clock", i);
    if (ends)
        canon_strand_close(thread);
    do_native(main, "last", 2);
    canon_role_finish(main);
}

static void thread_of_three(struct seen *seen)
{
    (void)seen;
    with_thread(3, true);
}

static void thread_of_two(struct seen *seen)
{
    (void)seen;
    with_thread(2, true);
}

static void thread_of_four(struct seen *seen)
{
    (void)seen;
    with_thread(4, true);
}

static void a_thread_that_ends_early_is_a_divergence(void **state)
{
    (void)state;
    struct seen seen = compare(thread_of_three, thread_of_two, CANON_DIVERGED_MISSING, "thread main/1", 2);
    assert_string_equal(seen.expected, "clock");
}

static void a_thread_that_goes_on_is_a_divergence(void **state)
{
    (void)state;
    struct seen seen = compare(thread_of_three, thread_of_four, CANON_DIVERGED_EXTRA, "thread main/1", 3);
    assert_string_equal(seen.actual, "clock");
}

static void running_thread_of_three(struct seen *seen)
{
    (void)seen;
    with_thread(3, false);
}

static void running_thread_of_two(struct seen *seen)
{
    (void)seen;
    with_thread(2, false);
}

/* It was running when the recorded process ended, so it gets a while; but not for ever. */
static void a_running_thread_that_does_not_come_as_far_is_a_divergence(void **state)
{
    (void)state;
    compare(running_thread_of_three, running_thread_of_two, CANON_DIVERGED_MISSING, "thread main/1", 2);
}

static void no_thread(struct seen *seen)
{
    (void)seen;
    struct canon_strand *main = begin();
    do_native(main, "last", 2);
    canon_role_finish(main);
}

static void a_thread_that_is_never_there_is_a_divergence(void **state)
{
    (void)state;
    compare(thread_of_three, no_thread, CANON_DIVERGED_MISSING, "thread main/1", 0);
}

static void a_thread_that_was_not_recorded_is_a_divergence(void **state)
{
    (void)state;
    struct seen seen = compare(no_thread, thread_of_three, CANON_DIVERGED_STRAND, "thread main/1", 0);
    assert_string_equal(seen.actual, "clock");
}

static void *do_the_third_step(void *strand)
{
    usleep(300000);
    do_native(strand, "clock", 2);
    return NULL;
}

static void slow_thread(struct seen *seen)
{
    (void)seen;
    struct canon_strand *main = begin(), *thread = canon_strand_open("thread main/1");
    do_native(thread, "clock", 0);
    do_native(thread, "clock", 1);
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, do_the_third_step, thread), 0);
    do_native(main, "last", 2);
    canon_role_finish(main);
}

static void a_running_thread_that_is_slow_is_waited_for(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    run_recorder(part, running_thread_of_three, &seen);
    run_replayer(part, slow_thread, &seen);
    assert_true(seen.finished && !seen.diverged);
}

/* ---- class loads
 * --------------------------------------------------------------------------------------------------- */

static void load(const char *name, int events)
{
    struct canon_strand *strand = canon_strand_open_short(name);
    for (int i = 0; i < events; i++)
        do_native(strand, "read", i);
    canon_strand_close(strand);
}

static void load_two_events(struct seen *seen)
{
    (void)seen;
    struct canon_strand *main = begin();
    load("load app:A", 2);
    canon_role_finish(main);
}

static void load_one_event(struct seen *seen)
{
    (void)seen;
    struct canon_strand *main = begin();
    load("load app:A", 1);
    canon_role_finish(main);
}

static void load_three_events(struct seen *seen)
{
    (void)seen;
    struct canon_strand *main = begin();
    load("load app:A", 3);
    canon_role_finish(main);
}

static void load_another(struct seen *seen)
{
    (void)seen;
    struct canon_strand *main = begin();
    load("load app:A", 2);
    load("load app:B", 1);
    canon_role_finish(main);
}

static void a_class_load_that_differs_is_a_divergence(void **state)
{
    (void)state;
    compare(load_two_events, load_one_event, CANON_DIVERGED_MISSING, "load app:A", 1);
    compare(load_two_events, load_three_events, CANON_DIVERGED_EXTRA, "load app:A", 2);
}

static void a_class_load_that_was_not_recorded_is_a_divergence(void **state)
{
    (void)state;
    struct seen seen = compare(load_two_events, load_another, CANON_DIVERGED_STRAND, "load app:B", 0);
    assert_string_equal(seen.actual, "read");
}

/* ---- cut off and damaged
 * --------------------------------------------------------------------------------------------- */

static void cut_off(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = begin();
    do_output(strand, "print", "hello");
    /* ends without canon_role_finish, as by SIGKILL */
}

static void a_recording_that_was_cut_off_is_replayed_to_its_end(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    run_recorder(part, cut_off, &seen);
    run_replayer(part, original, &seen);
    expect_divergence(&seen, CANON_DIVERGED_NONE, "thread main", 2);
}

static void a_class_load_after_a_cut_is_the_end_of_the_recording(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    run_recorder(part, cut_off, &seen);
    run_replayer(part, load_another, &seen);
    expect_divergence(&seen, CANON_DIVERGED_NONE, "load app:A", 0);
}

static void a_difference_before_a_cut_is_still_a_divergence(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    run_recorder(part, cut_off, &seen);
    run_replayer(part, other_input, &seen);
    expect_divergence(&seen, CANON_DIVERGED_INPUT, "thread main", 1);
}

static void a_damaged_strand_is_called_that(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    struct canon_buffer bytes = {0};
    run_recorder(part, original, &seen);
    test_read_file(test_path(part, "strand-0.chunks"), &bytes);
    bytes.data[bytes.used - 1] ^= 0x10;
    test_write_file(test_path(part, "strand-0.chunks"), bytes.data, bytes.used);
    run_replayer(part, original, &seen);
    expect_divergence(&seen, CANON_DIVERGED_TRACE, "thread main", 0);
    assert_string_equal(seen.expected, canon_error_text(CANON_E_CHECKSUM));
    canon_buffer_free(&bytes);
}

/* Without the names, which native an event belongs to cannot be known. */
static void events_of_natives_without_a_name_match_nothing(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    run_recorder(part, original, &seen);
    assert_return_code(unlink(test_path(part, "names.chunks")), 0);
    run_replayer(part, unknown_native, &seen);
    assert_true(seen.diverged);
    assert_int_equal(seen.number, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_native_is_a_divergence),
        cmocka_unit_test(a_native_that_was_never_recorded_is_a_divergence),
        cmocka_unit_test(another_kind_of_event_is_a_divergence),
        cmocka_unit_test(other_data_is_a_divergence),
        cmocka_unit_test(items_that_do_not_fit_are_a_divergence),
        cmocka_unit_test(another_running_checksum_is_a_divergence),
        cmocka_unit_test(a_process_that_ends_early_is_a_divergence),
        cmocka_unit_test(a_process_that_goes_on_after_its_end_is_a_divergence),
        cmocka_unit_test(a_thread_that_ends_early_is_a_divergence),
        cmocka_unit_test(a_thread_that_goes_on_is_a_divergence),
        cmocka_unit_test(a_running_thread_that_does_not_come_as_far_is_a_divergence),
        cmocka_unit_test(a_thread_that_is_never_there_is_a_divergence),
        cmocka_unit_test(a_thread_that_was_not_recorded_is_a_divergence),
        cmocka_unit_test(a_running_thread_that_is_slow_is_waited_for),
        cmocka_unit_test(a_class_load_that_differs_is_a_divergence),
        cmocka_unit_test(a_class_load_that_was_not_recorded_is_a_divergence),
        cmocka_unit_test(a_recording_that_was_cut_off_is_replayed_to_its_end),
        cmocka_unit_test(a_class_load_after_a_cut_is_the_end_of_the_recording),
        cmocka_unit_test(a_difference_before_a_cut_is_still_a_divergence),
        cmocka_unit_test(a_damaged_strand_is_called_that),
        cmocka_unit_test(events_of_natives_without_a_name_match_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
