/*
 * test_torn.c: traces that stop in the middle: of a file, of a write, of the process. What was committed is
 * there, in order, and nothing else is.
 */
#include "support.h"
#include "trace/chunk.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct canon_writer *open_writer(const char *part, const char *file, const char *strand)
{
    struct canon_writer *writer = NULL;
    assert_int_equal(canon_writer_open(part, file, strand, &writer), 0);
    return writer;
}

/* A store of three strands and a writer's strand of one chunk. */
static const char *make_small_trace(void)
{
    const char *part = test_directory();
    struct canon_store *store;
    test_add_names(part);
    assert_int_equal(canon_store_open(part, "classes", &store), 0);
    assert_int_equal(canon_store_put(store, "load a", "\x08\x01x", 3, 1), 0);
    assert_int_equal(canon_store_put(store, "load b", "\x08\x01y\x10\x00", 5, 2), 0);
    assert_int_equal(canon_store_put(store, "load c", "", 0, 0), 0);
    canon_store_close(store);
    struct canon_writer *writer = open_writer(part, "main", "thread main");
    for (uint64_t i = 0; i < 8; i++)
        assert_int_equal(known_put(writer, 1, i, 20), 0);
    assert_int_equal(canon_writer_close(writer), 0);
    return part;
}

static bool is_chunk_end(const struct canon_buffer *file, size_t at)
{
    const size_t head = sizeof(struct canon_file_header);
    struct canon_reader reader = canon_reader_over(file->data + head, file->used - head);
    struct canon_chunk_place place;
    while ((size_t)(reader.at - file->data) < at && canon_reader_left(&reader))
        assert_int_equal(canon_chunk_locate(&reader, &place), 0);
    return (size_t)(reader.at - file->data) == at;
}

static void a_file_cut_at_any_byte_is_readable_up_to_there(void **state)
{
    (void)state;
    static const char *const FILES[] = {"classes.chunks", "main.chunks"};
    const char *part = make_small_trace();
    struct snapshot whole, cut;
    struct canon_buffer bytes = {0};
    snapshot_take(&whole, part);
    assert_int_equal(whole.status, 0);
    assert_false(whole.torn);
    for (int f = 0; f < 2; f++) {
        test_read_file(test_path(part, FILES[f]), &bytes);
        for (size_t n = 0; n <= bytes.used; n++) {
            assert_return_code(truncate(test_path(part, FILES[f]), (off_t)n), 0);
            snapshot_take(&cut, part);
            if (cut.status)
                fail_msg("%s cut at %zu: %s", FILES[f], n, cut.problem);
            if (!snapshot_is_prefix(&cut, &whole))
                fail_msg("%s cut at %zu: other events", FILES[f], n);
            assert_true(n < bytes.used || snapshot_equal(&cut, &whole));
            /* Where a strand's chunks end, nothing tells that another strand was to follow. */
            if (!cut.torn && !is_chunk_end(&bytes, n))
                fail_msg("%s cut at %zu: taken for whole", FILES[f], n);
            snapshot_free(&cut);
            test_write_file(test_path(part, FILES[f]), bytes.data, bytes.used);
        }
    }
    canon_buffer_free(&bytes);
    snapshot_free(&whole);
}

static void a_strand_of_several_chunks_cut_anywhere_is_torn(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_writer *writer = open_writer(part, "main", "thread main");
    for (uint64_t i = 0; i < 6000; i++)
        assert_int_equal(known_put(writer, 1, i, 9000), 0);
    assert_int_equal(canon_writer_close(writer), 0);
    struct canon_buffer bytes = {0};
    struct snapshot whole, cut;
    snapshot_take(&whole, part);
    test_read_file(test_path(part, "main.chunks"), &bytes);
    size_t before = whole.strands[0].count;
    for (size_t n = bytes.used - 1; n > sizeof(struct canon_file_header) + 64;
         n -= n > 20011 ? 20011 : n - 17) {
        assert_return_code(truncate(test_path(part, "main.chunks"), (off_t)n), 0);
        snapshot_take(&cut, part);
        assert_int_equal(cut.status, 0);
        if (!cut.count) { /* nothing of the first chunk is left */
            assert_true(n < CANON_LIVE_CAPACITY);
            before = 0;
            snapshot_free(&cut);
            break;
        }
        assert_true(cut.torn && cut.strands[0].torn);
        assert_true(snapshot_is_prefix(&cut, &whole));
        assert_true(cut.strands[0].count <= before);
        before = cut.strands[0].count;
        snapshot_free(&cut);
    }
    assert_true(before < whole.strands[0].count);
    canon_buffer_free(&bytes);
    snapshot_free(&whole);
}

static void a_copy_of_a_trace_in_work_holds_what_was_put(void **state)
{
    (void)state;
    enum { MOST = 60000, BURST = 40 };
    const char *part = test_directory(), *copy = test_directory();
    struct canon_writer *writer = open_writer(part, "main", "thread main");
    for (uint64_t i = 0; i < 10 * BURST; i += BURST) {
        struct canon_trace *trace;
        char problem[512] = "";
        test_copy_files(part, copy);
        if (canon_trace_open(copy, &trace, problem, sizeof problem))
            fail_msg("after %u events: %s", (unsigned)i, problem);
        assert_true(canon_trace_is_torn(trace));
        const struct canon_trace_strand *strand = canon_trace_find(trace, "thread main");
        assert_true(canon_strand_is_torn(strand));
        assert_int_equal(known_check(strand, 4, MOST), i);
        canon_trace_close(trace);
        for (uint64_t next = i; next < i + BURST; next++)
            assert_int_equal(known_put(writer, 4, next, MOST), 0);
    }
    assert_int_equal(canon_writer_close(writer), 0);
}

/* Of one strand after another, each with more events, in the same files: what a copy has. */
static void expect_strands(const char *copy, uint64_t ended, bool begun, uint64_t events)
{
    struct canon_trace *trace;
    char problem[512] = "", name[32];
    if (canon_trace_open(copy, &trace, problem, sizeof problem))
        fail_msg("after %u strands: %s", (unsigned)ended, problem);
    assert_true(canon_trace_is_torn(trace));
    assert_int_equal(canon_trace_strand_count(trace), ended + begun);
    for (uint64_t i = 0; i < ended + begun; i++) {
        snprintf(name, sizeof name, "thread main.%u", (unsigned)i);
        const struct canon_trace_strand *strand = canon_trace_find(trace, name);
        assert_non_null(strand);
        assert_int_equal(canon_strand_is_torn(strand), i == ended);
        assert_int_equal(known_check(strand, (uint32_t)i, 60000), i == ended ? events : i * 10);
    }
    canon_trace_close(trace);
}

static void strands_that_use_the_same_files_do_not_get_mixed_up(void **state)
{
    (void)state;
    enum { STRANDS = 6, MOST = 60000 };
    const char *part = test_directory(), *copy = test_directory();
    struct canon_writer *writer = open_writer(part, "strand-0", "thread main.0");
    for (uint64_t i = 0; i < STRANDS; i++) {
        char name[32];
        snprintf(name, sizeof name, "thread main.%u", (unsigned)i);
        if (i)
            assert_int_equal(canon_writer_begin(writer, name), 0);
        for (uint64_t k = 0; k < i * 10; k++) {
            assert_int_equal(known_put(writer, (uint32_t)i, k, MOST), 0);
            test_copy_files(part, copy);
            expect_strands(copy, i, true, k + 1);
        }
        assert_int_equal(canon_writer_end(writer), 0);
        test_copy_files(part, copy);
        expect_strands(copy, i + 1, false, 0);
    }
    assert_int_equal(canon_writer_begin(writer, "thread main.x"), 0);
    assert_int_equal(known_put(writer, 1, 0, MOST), 0);
    canon_writer_drop(writer); /* of this one nothing was sealed */
    test_add_names(part);
    struct snapshot whole;
    snapshot_take(&whole, part);
    assert_int_equal(whole.status, 0);
    assert_int_equal(whole.count, STRANDS + 1);
    assert_false(whole.torn);
    snapshot_free(&whole);
}

/*
 * The steps of sealing a chunk, seen from outside: the chunk goes into the file in pieces, then the live
 * word moves on. `live` is as before the seal, `chunks` as after it.
 */
static void a_process_killed_while_a_chunk_is_sealed_loses_nothing(void **state)
{
    (void)state;
    const char *part = test_directory(), *between = test_directory();
    struct canon_writer *writer = open_writer(part, "main", "thread main");
    struct canon_buffer live = {0}, old = {0}, chunks = {0};
    uint64_t put = 0;
    for (size_t used = 0; used < CANON_LIVE_CAPACITY - 1000; put++) { /* almost full */
        struct known_event event = known_event(5, put, 300);
        uint8_t head[CANON_VARINT_MAX];
        used += canon_varint_encode(head, event.id << 3 | event.kind);
        used += canon_varint_encode(head, event.size) + event.size;
        assert_int_equal(known_put(writer, 5, put, 300), 0);
    }
    for (chunks.used = 0;; put++) { /* until the file grows */
        test_read_file(test_path(part, "main.live"), &live);
        test_read_file(test_path(part, "main.chunks"), &old);
        assert_int_equal(known_put(writer, 5, put, 300), 0);
        test_read_file(test_path(part, "main.chunks"), &chunks);
        if (chunks.used != old.used)
            break;
    }
    test_write_file(test_path(between, "main.live"), live.data, live.used);
    for (size_t n = old.used; n <= chunks.used;
         n += n + 997 < chunks.used || n == chunks.used ? 997 : chunks.used - n) {
        test_write_file(test_path(between, "main.chunks"), chunks.data, n);
        struct canon_trace *trace;
        char problem[512] = "";
        if (canon_trace_open(between, &trace, problem, sizeof problem))
            fail_msg("%zu bytes of the chunk: %s", n - old.used, problem);
        assert_int_equal(known_check(canon_trace_find(trace, "thread main"), 5, 300), put);
        canon_trace_close(trace);
    }
    assert_int_equal(canon_writer_close(writer), 0);
    canon_buffer_free(&live);
    canon_buffer_free(&old);
    canon_buffer_free(&chunks);
}

static void a_process_killed_while_a_strand_ends_loses_nothing(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_writer *writer = open_writer(part, "main", "thread main");
    for (uint64_t i = 0; i < 50; i++)
        assert_int_equal(known_put(writer, 6, i, 300), 0);
    struct canon_buffer live = {0};
    test_read_file(test_path(part, "main.live"), &live);
    assert_int_equal(canon_writer_close(writer), 0);
    test_write_file(test_path(part, "main.live"), live.data, live.used); /* not removed yet */
    struct canon_trace *trace;
    char problem[512] = "";
    if (canon_trace_open(part, &trace, problem, sizeof problem))
        fail_msg("%s", problem);
    assert_int_equal(known_check(canon_trace_find(trace, "thread main"), 6, 300), 50);
    canon_trace_close(trace);
    canon_buffer_free(&live);
}

/* Every length around the fields and the first events, few in between. */
static size_t next_cut(size_t n)
{
    bool close = n < 64 || (n >= CANON_LIVE_HEADER - 4 && n < CANON_LIVE_HEADER + 60);
    size_t next = n + (close ? 1 : n < CANON_LIVE_HEADER ? 403 : 5003);
    return n < CANON_LIVE_HEADER - 4 && next > CANON_LIVE_HEADER - 4 ? CANON_LIVE_HEADER - 4 : next;
}

static void a_live_file_of_any_length_does_no_harm(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_writer *writer = open_writer(part, "main", "thread main");
    for (uint64_t i = 0; i < 50; i++)
        assert_int_equal(known_put(writer, 7, i, 50), 0);
    const char *copy = test_directory();
    test_copy_files(part, copy);
    assert_int_equal(canon_writer_close(writer), 0);
    struct snapshot whole, cut;
    struct canon_buffer live = {0};
    snapshot_take(&whole, copy);
    assert_int_equal(whole.strands[0].count, 50);
    test_read_file(test_path(copy, "main.live"), &live);
    for (size_t n = 0; n < live.used; n = next_cut(n)) {
        assert_return_code(truncate(test_path(copy, "main.live"), (off_t)n), 0);
        snapshot_take(&cut, copy);
        assert_true(cut.status < 0 || cut.torn);
        assert_true(snapshot_is_prefix(&cut, &whole));
        snapshot_free(&cut);
        test_write_file(test_path(copy, "main.live"), live.data, live.used);
    }
    canon_buffer_free(&live);
    snapshot_free(&whole);
}

static void a_process_killed_before_its_first_event_leaves_an_empty_trace(void **state)
{
    (void)state;
    static const uint8_t ZEROS[CANON_LIVE_HEADER + 10];
    static const struct {
        const char *name;
        size_t size;
    } FILES[] = {{"main.chunks", 0}, {"main.live", 0}, {"main.live", sizeof ZEROS}};
    const char *part = test_directory();
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) { /* as they come into being */
        struct snapshot snapshot;
        test_write_file(test_path(part, FILES[i].name), ZEROS, FILES[i].size);
        snapshot_take(&snapshot, part);
        assert_int_equal(snapshot.status, 0);
        assert_true(snapshot.torn);
        assert_int_equal(snapshot.count, 0);
        snapshot_free(&snapshot);
    }
}

/* ---- kill -9 ---------------------------------------------------------------------------------------- */

enum { KILL_MOST = 2 * CANON_LIVE_CAPACITY, KILL_ROUNDS = 60 };

/* What the child had been told to be done when it died; shared memory. */
struct progress {
    atomic_uint_fast64_t opened, events, stored;
};

static void write_until_killed(const char *part, struct progress *progress, uint32_t seed)
{
    struct canon_writer *writer;
    struct canon_store *store;
    if (canon_writer_open(part, "main", "thread main", &writer) || canon_store_open(part, "classes", &store))
        _exit(1);
    atomic_store(&progress->opened, 1);
    for (uint64_t i = 0;; i++) {
        if (known_put(writer, seed, i, KILL_MOST))
            _exit(2);
        atomic_store(&progress->events, i + 1);
        if (i % 16)
            continue;
        char name[32];
        uint8_t event[] = {8, 1, (uint8_t)(i / 16)};
        snprintf(name, sizeof name, "load %u", (unsigned)(i / 16));
        if (canon_store_put(store, name, event, sizeof event, 1))
            _exit(3);
        atomic_store(&progress->stored, i / 16 + 1);
    }
}

static void expect_all_committed(const char *part, const struct progress *progress, uint32_t seed)
{
    uint64_t opened = atomic_load(&progress->opened), events = atomic_load(&progress->events),
             stored = atomic_load(&progress->stored);
    struct canon_trace *trace;
    char problem[512] = "", name[32];
    int status = canon_trace_open(part, &trace, problem, sizeof problem);
    if (status && opened)
        fail_msg("%s", problem);
    if (status)
        return;
    const struct canon_trace_strand *strand = canon_trace_find(trace, "thread main");
    assert_true(canon_trace_is_torn(trace));
    if (opened)
        assert_in_range(known_check(strand, seed, KILL_MOST), events, events + 1);
    for (uint64_t i = 0; i < stored; i++) {
        snprintf(name, sizeof name, "load %u", (unsigned)i);
        struct canon_cursor cursor;
        struct canon_event event;
        assert_non_null(canon_trace_find(trace, name));
        canon_cursor_start(&cursor, canon_trace_find(trace, name));
        assert_int_equal(canon_cursor_next(&cursor, &event), 0);
        assert_int_equal(*event.payload, (uint8_t)i);
        assert_int_equal(canon_cursor_next(&cursor, &event), CANON_E_END);
        canon_cursor_stop(&cursor);
    }
    assert_in_range(canon_trace_strand_count(trace), stored, stored + 2);
    canon_trace_close(trace);
}

static void a_killed_process_leaves_all_that_it_committed(void **state)
{
    (void)state;
    struct progress *progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(progress, MAP_FAILED);
    unsigned seed = (unsigned)time(NULL);
    uint64_t events = 0;
    print_message("a_killed_process_leaves_all_that_it_committed: seed %u\n", seed);
    for (uint32_t round = 0; round < KILL_ROUNDS; round++) {
        const char *part = test_directory();
        memset(progress, 0, sizeof *progress);
        fflush(NULL);
        pid_t pid = fork();
        assert_return_code(pid, 0);
        if (pid == 0)
            write_until_killed(part, progress, round);
        usleep((useconds_t)(rand_r(&seed) % (round % 4 ? 25000 : 2500)));
        kill(pid, SIGKILL);
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFSIGNALED(status));
        expect_all_committed(part, progress, round);
        events += progress->events;
        for (int i = 0; i < 3; i++) {
            static const char *const FILES[] = {"main.chunks", "main.live", "classes.chunks"};
            unlink(test_path(part, FILES[i])); /* they may be large */
        }
    }
    assert_true(events > 1000); /* it did write */
    munmap(progress, sizeof *progress);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_cut_at_any_byte_is_readable_up_to_there),
        cmocka_unit_test(a_strand_of_several_chunks_cut_anywhere_is_torn),
        cmocka_unit_test(a_copy_of_a_trace_in_work_holds_what_was_put),
        cmocka_unit_test(a_process_killed_while_a_chunk_is_sealed_loses_nothing),
        cmocka_unit_test(a_process_killed_while_a_strand_ends_loses_nothing),
        cmocka_unit_test(a_live_file_of_any_length_does_no_harm),
        cmocka_unit_test(a_process_killed_before_its_first_event_leaves_an_empty_trace),
        cmocka_unit_test(strands_that_use_the_same_files_do_not_get_mixed_up),
        cmocka_unit_test(a_killed_process_leaves_all_that_it_committed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
