/* test_trace.c: what a writer puts into a trace part, a reader gets out of it. */
#include "support.h"
#include "trace/chunk.h"
#include "trace/pack.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGE = 3 * CANON_LIVE_CAPACITY };

static struct canon_writer *open_writer(const char *part, const char *file, const char *strand)
{
    struct canon_writer *writer = NULL;
    assert_int_equal(canon_writer_open(part, file, strand, &writer), 0);
    return writer;
}

static struct canon_trace *open_trace(const char *part)
{
    struct canon_trace *trace = NULL;
    char problem[512] = "";
    if (canon_trace_open(part, &trace, problem, sizeof problem))
        fail_msg("%s", problem);
    return trace;
}

/* Writes `count` known events, closes, reads back. */
static void round_trip(uint64_t count, size_t most)
{
    const char *part = test_directory();
    struct canon_writer *writer = open_writer(part, "one", "thread main");
    for (uint64_t i = 0; i < count; i++)
        assert_int_equal(known_put(writer, 1, i, most), 0);
    assert_int_equal(canon_writer_events(writer), count);
    assert_int_equal(canon_writer_close(writer), 0);
    assert_false(test_exists(test_path(part, "one.live")));

    test_add_names(part);
    struct canon_trace *trace = open_trace(part);
    assert_false(canon_trace_is_torn(trace));
    assert_int_equal(canon_trace_strand_count(trace), 2);
    const struct canon_trace_strand *strand = canon_trace_find(trace, "thread main");
    assert_non_null(strand);
    assert_string_equal(canon_strand_name(strand), "thread main");
    assert_false(canon_strand_is_torn(strand));
    assert_int_equal(canon_strand_events(strand), count);
    assert_int_equal(known_check(strand, 1, most), count);
    canon_trace_close(trace);
}

static void a_few_events_come_back(void **state)
{
    (void)state;
    round_trip(1, 10);
    round_trip(5, 100);
}

static void a_strand_without_events_comes_back(void **state)
{
    (void)state;
    round_trip(0, 0);
}

static void events_of_several_chunks_come_back(void **state)
{
    (void)state;
    round_trip(50000, 1000);
}

static void events_larger_than_a_chunk_come_back(void **state)
{
    (void)state;
    round_trip(300, LARGE);
}

/* One event of `size` payload bytes between two small ones. */
static void round_trip_around(size_t size)
{
    const char *part = test_directory();
    test_add_names(part);
    struct canon_writer *writer = open_writer(part, "one", "s");
    uint8_t *payload = malloc(size + 1);
    for (size_t i = 0; i < size; i++)
        payload[i] = (uint8_t)(i * 31 >> 3);
    assert_int_equal(canon_writer_put(writer, CANON_EVENT_NATIVE, 1, payload, size), 0);
    assert_int_equal(canon_writer_put(writer, CANON_EVENT_NOTE, 2, "b", 1), 0);

    struct snapshot live, closed; /* the same, before and after the end */
    snapshot_take(&live, part);
    assert_int_equal(live.status, 0);
    assert_true(live.torn);
    assert_int_equal(snapshot_find(&live, "s")->count, 2);
    assert_int_equal(canon_writer_close(writer), 0);
    snapshot_take(&closed, part);
    assert_int_equal(closed.status, 0);
    assert_true(snapshot_is_prefix(&live, &closed) && snapshot_is_prefix(&closed, &live));
    assert_false(closed.torn);

    const struct snapshot_strand *strand = snapshot_find(&closed, "s");
    struct canon_reader reader = canon_reader_over(strand->events.data, strand->events.used);
    assert_int_equal(canon_reader_varint(&reader), CANON_EVENT_NATIVE);
    assert_int_equal(canon_reader_varint(&reader), 1);
    assert_int_equal(canon_reader_varint(&reader), size);
    assert_memory_equal(canon_reader_take(&reader, size), payload, size);
    snapshot_free(&live);
    snapshot_free(&closed);
    free(payload);
}

static void an_event_may_end_anywhere_around_the_end_of_a_chunk(void **state)
{
    (void)state;
    const size_t head = 1 + 3; /* varints of kind and id, and of the length */
    for (int near = -3; near <= 3; near++) {
        round_trip_around((size_t)((long)(CANON_LIVE_CAPACITY - head) + near));
        round_trip_around((size_t)((long)(2 * CANON_LIVE_CAPACITY - head) + near));
    }
}

/* Counts, chunk by chunk, the events that end in it, and compares with what the chunk says. */
static void expect_chunk_counts(const char *path)
{
    struct canon_buffer file = {0}, raw = {0};
    test_read_file(path, &file);
    struct canon_reader reader = canon_reader_over(file.data + sizeof(struct canon_file_header),
                                                   file.used - sizeof(struct canon_file_header));
    size_t at = 0; /* where in `raw` the next event starts */
    while (canon_reader_left(&reader)) {
        struct canon_chunk_place place;
        assert_int_equal(canon_chunk_locate(&reader, &place), 0);
        assert_int_equal(canon_chunk_decode(&place, &raw), 0);
        uint32_t ended = 0;
        for (;;) {
            struct canon_reader event = canon_reader_over(raw.data + at, raw.used - at);
            canon_reader_varint(&event);
            if (!canon_reader_take(&event, canon_reader_varint(&event)))
                break;
            at = (size_t)(event.at - raw.data);
            ended++;
        }
        assert_int_equal(place.header.events, ended);
    }
    assert_int_equal(at, raw.used);
    canon_buffer_free(&file);
    canon_buffer_free(&raw);
}

static void a_chunk_counts_the_events_that_end_in_it(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_writer *writer = open_writer(part, "one", "s");
    for (uint64_t i = 0; i < 3000; i++)
        assert_int_equal(known_put(writer, 3, i, CANON_LIVE_CAPACITY), 0);
    assert_int_equal(canon_writer_close(writer), 0);
    expect_chunk_counts(test_path(part, "one.chunks"));
}

static void an_event_that_fills_a_chunk_exactly_counts_in_it(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_writer *writer = open_writer(part, "one", "s");
    static uint8_t payload[CANON_LIVE_CAPACITY - 4];
    assert_int_equal(canon_writer_put(writer, CANON_EVENT_NATIVE, 1, payload, sizeof payload), 0);
    assert_int_equal(canon_writer_put(writer, CANON_EVENT_NATIVE, 2, "b", 1), 0);
    assert_int_equal(canon_writer_close(writer), 0);
    expect_chunk_counts(test_path(part, "one.chunks"));
}

/* What a reader would refuse is not written. */
static void an_event_that_is_too_large_is_an_error(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_writer *writer;
    assert_int_equal(canon_writer_open(part, "main", "thread main", &writer), 0);
    assert_int_equal(canon_writer_put(writer, CANON_EVENT_NATIVE, 1, "x", 1), 0);
    assert_int_equal(canon_writer_put(writer, CANON_EVENT_NATIVE, 1, "x", (size_t)CANON_EVENT_MAX + 1),
                     CANON_E_LIMIT);
    assert_int_equal(canon_writer_put(writer, CANON_EVENT_NATIVE, 1, "x", 1), CANON_E_LIMIT);
    assert_int_equal(canon_writer_close(writer), CANON_E_LIMIT);
    struct snapshot snapshot;
    snapshot_take(&snapshot, part);
    assert_int_equal(snapshot.status, 0);
    assert_true(snapshot.torn);
    assert_int_equal(snapshot_find(&snapshot, "thread main")->count, 1);
    snapshot_free(&snapshot);
}

/* Zeros, which would compress to nothing. */
static void put_bulk(struct canon_writer *writer, size_t each, int count)
{
    uint8_t *payload = calloc(1, each);
    assert_non_null(payload);
    for (int i = 0; i < count; i++)
        assert_int_equal(canon_writer_put(writer, CANON_EVENT_NATIVE, 1, payload, each), 0);
    free(payload);
}

static void expect_stored(const char *part, const char *name, bool packed)
{
    struct canon_trace *trace = open_trace(part);
    const struct canon_trace_strand *strand = canon_trace_find(trace, name);
    uint64_t raw = canon_strand_raw_bytes(strand), stored = canon_strand_stored_bytes(strand);
    assert_true(packed ? stored < raw / 10 : stored == raw);
    canon_trace_close(trace);
}

static void large_events_are_compressed_later(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_writer *large = open_writer(part, "large", "large"),
                        *small = open_writer(part, "small", "small");
    put_bulk(large, 100000, 20);
    put_bulk(small, 100, 20000);
    assert_int_equal(canon_writer_close(large), 0);
    assert_int_equal(canon_writer_close(small), 0);
    test_add_names(part);
    expect_stored(part, "large", false);
    expect_stored(part, "small", true);
    struct snapshot before, after;
    snapshot_take(&before, part);
    uint64_t bytes_before = 0, bytes_after = 0;
    assert_int_equal(canon_part_pack(part, &bytes_before, &bytes_after), 0);
    assert_true(bytes_before > 2000000 && bytes_after < bytes_before / 10);
    expect_stored(part, "large", true);
    expect_stored(part, "small", true);
    snapshot_take(&after, part);
    assert_true(snapshot_equal(&before, &after));
    snapshot_free(&before);
    snapshot_free(&after);
}

/* After a fork: what the child lets go of is the parent's, who goes on. */
static void a_child_leaves_its_parents_strand_as_it_is(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_writer *writer = open_writer(part, "one", "one");
    assert_int_equal(known_put(writer, 1, 0, 100), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        canon_writer_leave(writer);
        _exit(test_exists(test_path(part, "one.live")) ? 0 : 1);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(known_put(writer, 1, 1, 100), 0);
    assert_int_equal(canon_writer_close(writer), 0);
    test_add_names(part);
    struct canon_trace *trace = open_trace(part);
    assert_false(canon_trace_is_torn(trace));
    assert_int_equal(known_check(canon_trace_find(trace, "one"), 1, 100), 2);
    canon_trace_close(trace);
}

static void a_part_that_is_being_written_is_not_packed(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_writer *writer = open_writer(part, "one", "one");
    put_bulk(writer, 100000, 20);
    test_add_names(part);
    uint64_t before = 0, after = 0;
    assert_int_equal(canon_part_pack(part, &before, &after), CANON_E_TRUNCATED);
    put_bulk(writer, 100000, 1);
    assert_int_equal(canon_writer_close(writer), 0);
    expect_stored(part, "one", false);
    assert_int_equal(canon_part_pack(part, &before, &after), 0);
    expect_stored(part, "one", true);
}

static void the_largest_ids_come_back(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_writer *writer = open_writer(part, "one", "s");
    const uint64_t most = UINT64_MAX >> 3;
    assert_int_equal(canon_writer_put(writer, CANON_EVENT_END, most, NULL, 0), 0);
    assert_int_equal(canon_writer_close(writer), 0);
    struct canon_trace *trace = open_trace(part);
    struct canon_cursor cursor;
    struct canon_event event;
    canon_cursor_start(&cursor, canon_trace_find(trace, "s"));
    assert_int_equal(canon_cursor_next(&cursor, &event), 0);
    assert_true(event.id == most);
    assert_int_equal(event.kind, CANON_EVENT_END);
    assert_int_equal(event.size, 0);
    assert_int_equal(canon_cursor_next(&cursor, &event), CANON_E_END);
    assert_int_equal(canon_cursor_next(&cursor, &event), CANON_E_END); /* and it stays at the end */
    canon_cursor_stop(&cursor);
    canon_trace_close(trace);
}

static void strands_of_several_files_make_one_trace(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_writer *writers[20];
    char name[64];
    for (uint32_t i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "strand-%u", i);
        writers[i] = open_writer(part, name, name);
    }
    for (uint64_t n = 0; n < 100; n++)
        for (uint32_t i = 0; i < 20; i++)
            assert_int_equal(known_put(writers[i], i, n, 500), 0);
    for (uint32_t i = 0; i < 20; i++)
        assert_int_equal(canon_writer_close(writers[i]), 0);
    struct canon_trace *trace = open_trace(part);
    assert_int_equal(canon_trace_strand_count(trace), 20);
    for (uint32_t i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "strand-%u", i);
        assert_int_equal(known_check(canon_trace_find(trace, name), i, 500), 100);
    }
    canon_trace_close(trace);
}

/* ---- the store ---------------------------------------------------------------------------------------- */

/* Appends known events as a strand's bytes. */
static void gather(struct canon_buffer *bytes, uint32_t seed, uint64_t count, size_t most)
{
    bytes->used = 0;
    for (uint64_t i = 0; i < count; i++) {
        struct known_event event = known_event(seed, i, most);
        canon_buffer_put_varint(bytes, event.id << 3 | event.kind);
        canon_buffer_put_varint(bytes, event.size);
        canon_buffer_put(bytes, event.payload, event.size);
    }
}

static void many_strands_share_one_store(void **state)
{
    (void)state;
    enum { STRANDS = 3000 };
    const char *part = test_directory();
    struct canon_store *store;
    struct canon_buffer bytes = {0};
    char name[64];
    assert_int_equal(canon_store_open(part, "classes", &store), 0);
    for (uint32_t i = 0; i < STRANDS; i++) {
        snprintf(name, sizeof name, "load app:Class%u", i);
        gather(&bytes, i, i % 7, 300);
        assert_int_equal(canon_store_put(store, name, bytes.data, bytes.used, i % 7), 0);
    }
    canon_store_close(store);
    canon_buffer_free(&bytes);
    test_add_names(part);
    struct canon_trace *trace = open_trace(part);
    assert_false(canon_trace_is_torn(trace));
    assert_int_equal(canon_trace_strand_count(trace), STRANDS + 1);
    for (uint32_t i = 0; i < STRANDS; i++) {
        snprintf(name, sizeof name, "load app:Class%u", i);
        const struct canon_trace_strand *strand = canon_trace_find(trace, name);
        assert_non_null(strand);
        assert_int_equal(canon_strand_events(strand), i % 7);
        assert_int_equal(known_check(strand, i, 300), i % 7);
    }
    assert_null(canon_trace_find(trace, "load app:Class"));
    assert_null(canon_trace_find(trace, "load app:Class30000"));
    assert_null(canon_trace_find(trace, ""));
    canon_trace_close(trace);
}

static void a_strand_larger_than_a_chunk_can_be_is_stored_in_several(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_store *store;
    struct canon_buffer bytes = {0};
    gather(&bytes, 9, 4000, 700000);
    assert_true(bytes.used > CANON_CHUNK_RAW_MAX);
    assert_int_equal(canon_store_open(part, "classes", &store), 0);
    assert_int_equal(canon_store_put(store, "load big", bytes.data, bytes.used, 4000), 0);
    canon_store_close(store);
    struct canon_trace *trace = open_trace(part);
    const struct canon_trace_strand *strand = canon_trace_find(trace, "load big");
    assert_int_equal(canon_strand_events(strand), 4000);
    assert_int_equal(canon_strand_raw_bytes(strand), bytes.used);
    assert_int_equal(known_check(strand, 9, 700000), 4000);
    canon_trace_close(trace);
    canon_buffer_free(&bytes);
}

struct storing {
    struct canon_store *store;
    uint32_t thread;
    int status;
};

static void *store_strands(void *argument)
{
    struct storing *storing = argument;
    char name[64];
    for (int i = 0; i < 300; i++) {
        uint8_t bytes[] = {(uint8_t)(storing->thread << 3), 1, (uint8_t)i};
        snprintf(name, sizeof name, "load t%u:%d", storing->thread, i);
        storing->status |= canon_store_put(storing->store, name, bytes, sizeof bytes, 1);
    }
    return NULL;
}

static void threads_share_a_store(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_store *store;
    assert_int_equal(canon_store_open(part, "classes", &store), 0);
    struct storing storings[4];
    pthread_t threads[4];
    for (uint32_t i = 0; i < 4; i++) {
        storings[i] = (struct storing){store, i, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, store_strands, &storings[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(storings[i].status, 0);
    }
    canon_store_close(store);
    struct snapshot snapshot;
    snapshot_take(&snapshot, part);
    assert_int_equal(snapshot.status, 0);
    assert_int_equal(snapshot.count, 1200);
    for (unsigned i = 0; i < 1200; i++) {
        char name[64];
        snprintf(name, sizeof name, "load t%u:%u", i / 300, i % 300);
        const struct snapshot_strand *strand = snapshot_find(&snapshot, name);
        const uint8_t wanted[] = {0, (uint8_t)(i / 300), 1, (uint8_t)(i % 300)};
        assert_non_null(strand);
        assert_int_equal(strand->events.used, sizeof wanted);
        assert_memory_equal(strand->events.data, wanted, sizeof wanted);
    }
    snapshot_free(&snapshot);
}

/* ---- what a writer refuses -------------------------------------------------------------------------- */

static void a_part_without_names_is_not_whole(void **state)
{
    (void)state;
    const char *part = test_directory();
    assert_int_equal(canon_writer_close(open_writer(part, "one", "s")), 0);
    struct canon_trace *trace = open_trace(part);
    assert_true(canon_trace_is_torn(trace)); /* killed before they were begun */
    assert_false(canon_strand_is_torn(canon_trace_find(trace, "s")));
    canon_trace_close(trace);
}

static void files_are_for_their_owner_only(void **state)
{
    (void)state;
    const char *part = test_directory();
    mode_t mask = umask(0);
    struct canon_writer *writer = open_writer(part, "one", "s");
    struct canon_store *store;
    assert_int_equal(canon_store_open(part, "classes", &store), 0);
    umask(mask);
    static const char *const FILES[] = {"one.chunks", "one.live", "classes.chunks"};
    for (int i = 0; i < 3; i++) {
        struct stat about;
        assert_return_code(stat(test_path(part, FILES[i]), &about), 0);
        assert_int_equal(about.st_mode & 0777, 0600);
    }
    assert_int_equal(canon_writer_close(writer), 0);
    canon_store_close(store);
}

static void a_file_that_exists_is_not_written_over(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_writer *writer = open_writer(part, "one", "s"), *second = NULL;
    assert_int_equal(canon_writer_put(writer, CANON_EVENT_NOTE, 1, "kept", 4), 0);
    assert_int_equal(canon_writer_open(part, "one", "t", &second), CANON_E_IO);
    assert_null(second);
    assert_int_equal(canon_writer_close(writer), 0);
    struct snapshot snapshot;
    snapshot_take(&snapshot, part);
    assert_int_equal(snapshot.count, 1);
    assert_int_equal(snapshot.strands[0].count, 1);
    snapshot_free(&snapshot);
}

static void a_strand_that_cannot_be_opened_is_an_error(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_writer *writer = NULL;
    struct canon_store *store = NULL;
    char name[CANON_CHUNK_NAME_MAX + 2], file[5000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    memset(file, 'f', sizeof file - 1);
    file[sizeof file - 1] = '\0';
    assert_int_equal(canon_writer_open(part, "one", name, &writer), CANON_E_LIMIT);
    assert_int_equal(canon_writer_open(part, file, "s", &writer), CANON_E_LIMIT);
    assert_true(canon_writer_open(test_path(part, "nowhere"), "one", "s", &writer) < 0);
    assert_true(canon_store_open(test_path(part, "nowhere"), "one", &store) < 0);
    assert_null(writer);
    assert_null(store);
    name[CANON_CHUNK_NAME_MAX] = '\0'; /* the longest that there may be */
    writer = open_writer(part, "two", name);
    assert_int_equal(canon_writer_close(writer), 0);
    struct canon_trace *trace = open_trace(part);
    assert_non_null(canon_trace_find(trace, name));
    canon_trace_close(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_events_come_back),
        cmocka_unit_test(a_strand_without_events_comes_back),
        cmocka_unit_test(events_of_several_chunks_come_back),
        cmocka_unit_test(events_larger_than_a_chunk_come_back),
        cmocka_unit_test(an_event_may_end_anywhere_around_the_end_of_a_chunk),
        cmocka_unit_test(a_chunk_counts_the_events_that_end_in_it),
        cmocka_unit_test(an_event_that_fills_a_chunk_exactly_counts_in_it),
        cmocka_unit_test(an_event_that_is_too_large_is_an_error),
        cmocka_unit_test(large_events_are_compressed_later),
        cmocka_unit_test(a_part_that_is_being_written_is_not_packed),
        cmocka_unit_test(a_child_leaves_its_parents_strand_as_it_is),
        cmocka_unit_test(the_largest_ids_come_back),
        cmocka_unit_test(strands_of_several_files_make_one_trace),
        cmocka_unit_test(many_strands_share_one_store),
        cmocka_unit_test(a_strand_larger_than_a_chunk_can_be_is_stored_in_several),
        cmocka_unit_test(threads_share_a_store),
        cmocka_unit_test(a_part_without_names_is_not_whole),
        cmocka_unit_test(files_are_for_their_owner_only),
        cmocka_unit_test(a_file_that_exists_is_not_written_over),
        cmocka_unit_test(a_strand_that_cannot_be_opened_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
