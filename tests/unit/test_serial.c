/* test_serial.c: one strand at a time: who runs when is repeated, data races included. */
#include "order/baton.h"
#include "order/serial.h"
#include "roles.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { HANDS = 4 };

static bool enforced = true;
static int64_t shared; /* on purpose without any lock or atomic */

static int64_t mixed(int64_t before, int number)
{
    return (int64_t)((uint64_t)before * 31 + (uint64_t)number);
}

static void point(struct canon_lane *lane)
{
    canon_serial_count(lane);
    canon_serial_turn(lane);
}

static void keep_busy(long nanos)
{
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - start.tv_sec) * 1000000000L + now.tv_nsec - start.tv_nsec < nanos);
}

struct hand {
    int number;
    void (*work)(int number, struct canon_lane *lane);
    pthread_t thread;
    int64_t operations;
};

static void *run_hand(void *context)
{
    struct hand *hand = context;
    char name[32];
    snprintf(name, sizeof name, "thread main.%d", hand->number);
    struct canon_strand *strand = canon_strand_open(name);
    struct canon_lane *lane = canon_lane_open(strand);
    canon_serial_begin(lane);
    hand->work(hand->number, lane);
    hand->operations = canon_lane_operations(lane);
    canon_lane_close(lane, strand);
    return NULL;
}

/* Has the hands do their work, and notes what came out of it. */
static void run_hands(struct seen *seen, void (*work)(int, struct canon_lane *))
{
    canon_serial_start(enforced);
    struct canon_strand *strand = canon_strand_open(CANON_STRAND_MAIN);
    struct canon_lane *lane = canon_lane_open(strand);
    canon_serial_begin(lane);
    struct hand hands[HANDS];
    for (int i = 0; i < HANDS; i++) {
        hands[i] = (struct hand){.number = i + 1, .work = work};
        pthread_create(&hands[i].thread, NULL, run_hand, &hands[i]);
    }
    canon_serial_count(lane);
    bool paused = canon_serial_pause(lane, CANON_PAUSE_LONG | CANON_PAUSE_COUNTED);
    for (int i = 0; paused && i < HANDS; i++)
        pthread_join(hands[i].thread, NULL);
    if (paused)
        canon_serial_resume(lane);
    seen->values[0] = shared;
    for (int i = 0; !paused && i < HANDS; i++) /* at replay, their turns are over */
        pthread_join(hands[i].thread, NULL);
    for (int i = 0; i < HANDS; i++)
        seen->values[1 + i] = hands[i].operations;
    canon_role_finish(strand);
}

/* Reads, thinks, writes. */
static void lose_updates(int number, struct canon_lane *lane)
{
    for (int i = 0; i < 3000; i++) {
        int64_t before = shared;
        point(lane);
        keep_busy(2000);
        shared = mixed(before, number);
        point(lane);
    }
}

static void racing(struct seen *seen)
{
    run_hands(seen, lose_updates);
}

static void data_races_are_repeated(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen recorded = {0}, replayed = {0};
    run_recorder(part, racing, &recorded);
    for (int i = 0; i < 5; i++) {
        run_replayer(part, racing, &replayed);
        assert_false(replayed.diverged);
        assert_memory_equal(replayed.values, recorded.values, sizeof recorded.values);
    }
}

static void without_enforcement_they_are_not(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen recorded = {0}, replayed = {0};
    run_recorder(part, racing, &recorded);
    enforced = false;
    bool differs = false;
    for (int i = 0; i < 5 && !differs; i++) {
        run_replayer(part, racing, &replayed);
        differs = replayed.diverged || replayed.values[0] != recorded.values[0];
    }
    enforced = true;
    assert_true(differs);
}

/* Who pauses lets others run; only one is between two pauses at any time. */
static _Atomic int running, most_running;

static void pause_often(int number, struct canon_lane *lane)
{
    for (int i = 0; i < 300; i++) {
        int now = ++running;
        if (now > most_running)
            most_running = now;
        shared = mixed(shared, number);
        keep_busy(3000);
        running--;
        canon_serial_count(lane);
        if (canon_serial_pause(lane, (i % 2 ? CANON_PAUSE_LONG : CANON_PAUSE_BRIEF) | CANON_PAUSE_COUNTED)) {
            usleep(i % 3 * 100);
            canon_serial_resume(lane);
        }
    }
}

static void pausing(struct seen *seen)
{
    run_hands(seen, pause_often);
    seen->values[10] = most_running;
}

static void one_runs_at_a_time(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen recorded = {0}, replayed = {0};
    run_recorder(part, pausing, &recorded);
    assert_int_equal(recorded.values[10], 1);
    for (int i = 0; i < 5; i++) {
        run_replayer(part, pausing, &replayed);
        assert_false(replayed.diverged);
        assert_memory_equal(replayed.values, recorded.values, sizeof recorded.values);
    }
}

/* The first hand blocks where the engine does not see it, until the last one sets it free. */
static int free_it[2];

static void block_unseen(int number, struct canon_lane *lane)
{
    char byte = 0;
    if (number == 1) {
        if (read(free_it[0], &byte, 1) != 1)
            abort();
        point(lane);
    }
    for (int i = 0; i < 50; i++) {
        shared = mixed(shared, number);
        point(lane);
    }
    if (number == HANDS && write(free_it[1], &byte, 1) != 1)
        abort();
}

static void blocking(struct seen *seen)
{
    if (pipe(free_it))
        abort();
    run_hands(seen, block_unseen);
}

static void who_blocks_with_the_baton_loses_it(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen recorded = {0}, replayed = {0};
    run_recorder(part, blocking, &recorded);
    for (int i = 0; i < 3; i++) {
        run_replayer(part, blocking, &replayed);
        assert_false(replayed.diverged);
        assert_memory_equal(replayed.values, recorded.values, sizeof recorded.values);
    }
}

/* The first hand computes, without an operation, until the last one sets it free. */
static atomic_bool spins, set_free;
static int told;

static void tell(void)
{
    told++;
}

static void spin_unseen(int number, struct canon_lane *lane)
{
    if (number == 1) {
        spins = true;
        while (!set_free)
            ;
        point(lane);
    }
    while (!spins)
        point(lane);
    for (int i = 0; i < 50; i++) {
        shared = mixed(shared, number);
        point(lane);
    }
    if (number == HANDS)
        set_free = true;
}

static void spinning(struct seen *seen)
{
    canon_serial_limit(50000000, tell);
    run_hands(seen, spin_unseen);
    seen->values[9] = told;
}

static void who_spins_with_the_baton_loses_it(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen recorded = {0}, replayed = {0};
    run_recorder(part, spinning, &recorded);
    assert_int_equal(recorded.values[9], 1);
    run_replayer(part, spinning, &replayed);
    assert_false(replayed.diverged);
    assert_int_equal(replayed.values[0], recorded.values[0]);
}

/* A turn that goes on for too long. */
static int extra;

static void count_more(int number, struct canon_lane *lane)
{
    for (int i = 0; i < 2000 + (number == 2 ? extra : 0); i++) {
        keep_busy(2000);
        point(lane);
    }
}

static void counting(struct seen *seen)
{
    run_hands(seen, count_more);
}

static void another_number_of_operations_is_a_divergence(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct seen recorded = {0}, replayed = {0};
    run_recorder(part, counting, &recorded);
    run_replayer(part, counting, &replayed);
    assert_false(replayed.diverged);
    extra = 1;
    run_replayer(part, counting, &replayed);
    extra = 0;
    assert_true(replayed.diverged);
    assert_string_equal(replayed.strand, "thread main.2");
}

/* What a damaged trace may hold where a turn should be. */
static uint64_t odd_value;

static void write_odd(struct seen *seen)
{
    (void)seen;
    struct canon_strand *strand = canon_strand_open(CANON_STRAND_MAIN);
    canon_serial_start(true);
    struct canon_lane *lane = canon_lane_open(strand);
    if (canon_role_now() == CANON_ROLE_RECORDER) {
        struct canon_step *step = canon_step_begin(strand, CANON_EVENT_ORDER, 0);
        canon_buffer_put_varint(step->out, odd_value);
        canon_step_end(strand, CANON_EVENT_ORDER, 0);
    } else {
        canon_serial_begin(lane);
    }
    canon_role_finish(strand);
}

static void what_is_no_turn_is_a_divergence(void **state)
{
    (void)state;
    static const uint64_t ODD[] = {0 << 2 | 2, 1 << 2 | 0, 1 << 2 | 1, 1 << 2 | 3, UINT64_MAX - 1};
    for (size_t i = 0; i < sizeof ODD / sizeof *ODD; i++) {
        const char *part = test_directory();
        struct seen seen = {0};
        odd_value = ODD[i];
        run_recorder(part, write_odd, &seen);
        run_replayer(part, write_odd, &seen);
        assert_true(seen.diverged);
        assert_string_equal(seen.expected, "a turn of this strand");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_races_are_repeated),
        cmocka_unit_test(without_enforcement_they_are_not),
        cmocka_unit_test(one_runs_at_a_time),
        cmocka_unit_test(who_blocks_with_the_baton_loses_it),
        cmocka_unit_test(who_spins_with_the_baton_loses_it),
        cmocka_unit_test(another_number_of_operations_is_a_divergence),
        cmocka_unit_test(what_is_no_turn_is_a_divergence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
