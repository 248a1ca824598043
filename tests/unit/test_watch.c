/* test_watch.c: the page that canon and a replaying process share, and the line of progress. */
#include "roles.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct canon_watch *watch;
static char path[64];

static int make(void **state)
{
    (void)state;
    watch = canon_watch_make(path, sizeof path);
    return watch ? 0 : -1;
}

/* What `draw` and the like write to standard error, as text. */
static const char *written(void (*doing)(void))
{
    static char text[256];
    int ends[2], before = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    doing();
    dup2(before, STDERR_FILENO);
    close(before);
    close(ends[1]);
    ssize_t n = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

static void draw(void)
{
    canon_watch_draw(watch);
}

static void wipe(void)
{
    canon_watch_wipe(watch);
}

static void print_part_of_a_line(void)
{
    canon_watch_output_begins(watch);
    canon_watch_output_ended(watch, false);
}

static void begin_to_print(void)
{
    canon_watch_output_begins(watch);
}

static void print_a_line(void)
{
    canon_watch_output_begins(watch);
    canon_watch_output_ended(watch, true);
}

static void another_process_counts(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        struct canon_watch *same = canon_watch_open(path);
        if (same)
            same->done = 17;
        _exit(same && same != watch ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(watch->done, 17);
    assert_null(canon_watch_open("/proc/self/fd/no"));
}

static void the_line_is_drawn_and_wiped(void **state)
{
    (void)state;
    assert_string_equal(written(draw), ""); /* how much there is, is not known yet */
    watch->total = 200;
    watch->done = 99;
    assert_non_null(strstr(written(draw), "49% of 200 events"));
    assert_string_equal(written(wipe), "\r\033[K");
    assert_string_equal(written(wipe), ""); /* it is gone */
    watch->done = 300;
    assert_non_null(strstr(written(draw), "100%"));
}

static void output_goes_first(void **state)
{
    (void)state;
    watch->total = 2;
    written(draw);
    assert_string_equal(written(print_part_of_a_line), "\r\033[K");
    assert_string_equal(written(draw), "");
    assert_string_equal(written(print_a_line), "");
    assert_non_null(strstr(written(draw), "0% of 2"));
}

/* However long it takes: a terminal may be slow, or be halted by its user. */
static void nothing_is_drawn_into_output_that_is_being_written(void **state)
{
    (void)state;
    watch->total = 2;
    written(begin_to_print);
    assert_string_equal(written(draw), "");
    assert_true(watch->turn);
    canon_watch_output_ended(watch, true);
    assert_non_null(strstr(written(draw), "0% of 2"));
}

/* Somebody who was killed has the turn: who has something to say does not wait for ever. */
static void a_turn_that_nobody_leaves(void **state)
{
    (void)state;
    watch->total = 1;
    written(draw);
    watch->turn = 1;
    assert_string_equal(written(wipe), "\r\033[K");
    written(draw);
    watch->turn = 1;
    assert_string_equal(written(print_a_line), "\r\033[K");
    assert_non_null(strstr(written(draw), "0%"));
}

static void take_steps(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = canon_strand_open("thread main");
    for (int i = 0; i < 5; i++)
        do_native(strand, "clock", i);
    struct canon_strand *load = canon_strand_open_short("load boot A#0");
    do_native(load, "clock", 1);
    canon_strand_close(load);
    canon_role_finish(strand);
}

static void diverge(struct seen *seen)
{
    (void)seen;
    do_native(canon_strand_open("thread main"), "another", 1);
}

static void a_replay_is_watched(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen seen;
    run_recorder(part, take_steps, &seen);
    run_watch = watch;
    run_replayer(part, take_steps, &seen);
    assert_int_equal(watch->total, 6);
    assert_int_equal(watch->done, 6);
    assert_true(watch->finished);
    *watch = (struct canon_watch){0};
    run_replayer(part, diverge, &seen);
    assert_int_equal(watch->total, 6);
    assert_int_equal(watch->done, 0);
    assert_false(watch->finished);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(another_process_counts, make),
        cmocka_unit_test_setup(the_line_is_drawn_and_wiped, make),
        cmocka_unit_test_setup(output_goes_first, make),
        cmocka_unit_test_setup(nothing_is_drawn_into_output_that_is_being_written, make),
        cmocka_unit_test_setup(a_turn_that_nobody_leaves, make),
        cmocka_unit_test_setup(a_replay_is_watched, make),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
