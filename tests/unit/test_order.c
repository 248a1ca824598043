/* test_order.c: lanes: who meets whom, and that a replay waits for it. */
#include "order/lane.h"
#include "roles.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t shared;
static bool as_vector; /* the recording logs vector clocks */

/* Adds `digit` to what was there, as one operation of the lane. `after`: lane that was here last, 0: none. */
static void append(struct canon_lane *lane, int after, int64_t digit)
{
    bool recording = canon_role_now() == CANON_ROLE_RECORDER;
    canon_lane_begin(lane);
    if (recording && as_vector)
        canon_vector_begin(lane);
    else if (recording && after)
        canon_lane_follow(lane, after, true);
    shared = shared * 10 + digit;
    if (recording && as_vector)
        canon_vector_end(lane);
    else
        canon_lane_done(lane);
}

struct hand {
    const char *strand;
    int64_t digit;
    int after;
    useconds_t delay;
    struct canon_lane *lane;
    pthread_barrier_t *start;
};

static void *work(void *context)
{
    struct hand *hand = context;
    struct canon_strand *strand = canon_strand_open(hand->strand);
    hand->lane = canon_lane_open(strand);
    pthread_barrier_wait(hand->start);
    usleep(hand->delay);
    append(hand->lane, hand->after, hand->digit);
    append(hand->lane, 0, hand->digit);
    canon_lane_close(hand->lane, strand);
    return NULL;
}

static bool enforced = true;

/* Two threads, of which the first comes first when recording and would come second when replaying. */
static void two_threads(struct seen *seen)
{
    canon_order_start(enforced);
    bool recording = canon_role_now() == CANON_ROLE_RECORDER;
    struct canon_strand *strand = canon_strand_open(CANON_STRAND_MAIN);
    struct canon_lane *lane = canon_lane_open(strand);
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, 2);
    struct hand first = {"thread main.1", 1, 0, recording ? 0 : 60000, NULL, &start};
    struct hand second = {"thread main.2", 2, 2, recording ? 60000 : 0, NULL, &start};
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, &first);
    while (!recording || !canon_lane_at(2)->taken) { /* the lanes get their numbers in this order */
        usleep(1000);
        if (!recording)
            break;
    }
    pthread_create(&threads[1], NULL, work, &second);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    append(lane, 0, 3);
    seen->values[0] = shared;
    seen->values[1] = canon_lane_operations(lane);
    canon_role_finish(strand);
    seen->finished = true;
}

static void a_replay_waits_where_threads_met(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen recorded = {0}, replayed = {0};
    run_recorder(part, two_threads, &recorded);
    assert_true(recorded.finished);
    assert_int_equal(recorded.values[0], 11223);
    for (int i = 0; i < 5; i++) {
        run_replayer(part, two_threads, &replayed);
        assert_false(replayed.diverged);
        assert_int_equal(replayed.values[0], recorded.values[0]);
        assert_int_equal(replayed.values[1], recorded.values[1]);
    }
}

static void a_vector_is_waited_for_too(void **state)
{
    as_vector = true;
    a_replay_waits_where_threads_met(state);
    as_vector = false;
}

static void without_enforcement_it_does_not(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen recorded = {0}, replayed = {0};
    run_recorder(part, two_threads, &recorded);
    enforced = false;
    run_replayer(part, two_threads, &replayed);
    enforced = true;
    assert_int_equal(replayed.values[0], 22113);
}

/* The second strand on a lane goes on where the first one stopped. */
static void one_after_the_other(struct seen *seen)
{
    canon_order_start(true);
    struct canon_strand *strand = canon_strand_open(CANON_STRAND_MAIN);
    struct canon_lane *lane = canon_lane_open(strand);
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "init  Some%d#0", i);
        struct canon_strand *short_strand = canon_strand_open_short(name);
        struct canon_lane *other = canon_lane_open(short_strand);
        for (int k = 0; other && k < i * 3; k++)
            append(other, 0, 0);
        seen->values[i] = other ? other->number : 0;
        seen->values[3 + i] = other ? canon_lane_operations(other) : 0;
        canon_lane_close(other, short_strand);
    }
    append(lane, 0, 1);
    canon_role_finish(strand);
    seen->finished = true;
}

static void lanes_are_used_again(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen recorded = {0}, replayed = {0};
    run_recorder(part, one_after_the_other, &recorded);
    assert_int_equal(recorded.values[1], recorded.values[2]);
    assert_int_equal(recorded.values[5], 3 + 1 + 6); /* leaving counts, too */
    run_replayer(part, one_after_the_other, &replayed);
    assert_true(replayed.finished);
    assert_false(replayed.diverged);
    assert_int_equal(replayed.values[0], 0); /* nothing happened in it, so it was not stored */
    assert_int_equal(replayed.values[2], recorded.values[2]);
    assert_int_equal(replayed.values[5], recorded.values[5]);
}

static int64_t appended;

static void append_some(struct seen *seen)
{
    canon_order_start(true);
    struct canon_strand *strand = canon_strand_open(CANON_STRAND_MAIN);
    struct canon_lane *lane = canon_lane_open(strand);
    for (int64_t i = 0; i < appended; i++)
        append(lane, 0, 1);
    canon_role_finish(strand);
    seen->finished = true;
}

static void another_number_of_operations_is_a_divergence(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen recorded = {0}, replayed = {0};
    appended = 7;
    run_recorder(part, append_some, &recorded);
    run_replayer(part, append_some, &replayed);
    assert_false(replayed.diverged);
    appended = 8;
    run_replayer(part, append_some, &replayed);
    assert_true(replayed.diverged);
    assert_int_equal(replayed.kind, CANON_DIVERGED_ITEMS);
}

static void perform(struct canon_lane *lane)
{
    do_native(lane->strand, "due", canon_lane_operations(lane));
    shared = shared * 10 + 7;
    canon_lane_arm(lane);
}

/* A step between the second operation and the third, which only a recording makes by itself. */
static void steps_that_are_due(struct seen *seen)
{
    canon_order_start(true);
    struct canon_strand *strand = canon_strand_open(CANON_STRAND_MAIN);
    canon_lane_due(canon_role_name("due"), perform);
    struct canon_lane *lane = canon_lane_open(strand);
    append(lane, 0, 1);
    append(lane, 0, 2);
    if (canon_role_now() == CANON_ROLE_RECORDER)
        perform(lane);
    append(lane, 0, 3);
    seen->values[0] = shared;
    canon_role_finish(strand);
    seen->finished = true;
}

static void a_step_that_is_due_is_made_before_the_operation(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen recorded = {0}, replayed = {0};
    run_recorder(part, steps_that_are_due, &recorded);
    run_replayer(part, steps_that_are_due, &replayed);
    assert_false(replayed.diverged);
    assert_true(replayed.finished);
    assert_int_equal(1273, recorded.values[0]);
    assert_int_equal(1273, replayed.values[0]);
}

static void nothing_moves(struct seen *seen)
{
    canon_order_start(true);
    struct canon_patience patience = {0};
    time_t since = time(NULL);
    while (canon_order_nap(NULL, &patience, 1))
        seen->values[0]++;
    seen->values[1] = time(NULL) - since;
    seen->finished = true;
}

static void patience_ends_when_nothing_moves(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen recorded = {0}, replayed = {0};
    run_recorder(part, append_some, &recorded);
    run_replayer(part, nothing_moves, &replayed);
    assert_true(replayed.finished);
    assert_in_range(replayed.values[0], 10, 100000);
    assert_in_range(replayed.values[1], 1, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replay_waits_where_threads_met),
        cmocka_unit_test(a_vector_is_waited_for_too),
        cmocka_unit_test(without_enforcement_it_does_not),
        cmocka_unit_test(lanes_are_used_again),
        cmocka_unit_test(another_number_of_operations_is_a_divergence),
        cmocka_unit_test(a_step_that_is_due_is_made_before_the_operation),
        cmocka_unit_test(patience_ends_when_nothing_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
