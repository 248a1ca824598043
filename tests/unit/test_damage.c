/* test_damage.c: traces that are not what a writer wrote: an error code and a sentence, nothing worse. */
#include "support.h"
#include "trace/chunk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const SMALL_FILES[] = {"classes.chunks", "main.chunks", "names.chunks"};

/* One compressed chunk, one that is not, and a store. */
static const char *make_small_trace(void)
{
    const char *part = test_directory();
    struct canon_store *store;
    struct canon_writer *writer;
    uint8_t zeros[400] = {0};
    assert_int_equal(canon_store_open(part, "classes", &store), 0);
    assert_int_equal(canon_store_put(store, "load a", "\x08\x01x", 3, 1), 0);
    assert_int_equal(canon_store_put(store, "load b", "\x08\x01y\x10\x00", 5, 2), 0);
    canon_store_close(store);
    assert_int_equal(canon_writer_open(part, "main", "thread main", &writer), 0);
    for (uint64_t i = 0; i < 8; i++)
        assert_int_equal(known_put(writer, 1, i, 20), 0);
    assert_int_equal(canon_writer_put(writer, CANON_EVENT_NATIVE, 1, zeros, sizeof zeros), 0);
    assert_int_equal(canon_writer_close(writer), 0);
    assert_int_equal(canon_writer_open(part, "names", "names", &writer), 0);
    assert_int_equal(canon_writer_put(writer, CANON_EVENT_NAME, 0, "java/x.y()V", 11), 0);
    assert_int_equal(canon_writer_close(writer), 0);
    return part;
}

static void every_flipped_bit_is_an_error_or_changes_nothing(void **state)
{
    (void)state;
    const char *part = make_small_trace();
    struct snapshot whole, flipped;
    struct canon_buffer bytes = {0};
    unsigned unnoticed = 0;
    snapshot_take(&whole, part);
    assert_int_equal(whole.status, 0);
    for (int f = 0; f < 3; f++) {
        test_read_file(test_path(part, SMALL_FILES[f]), &bytes);
        for (size_t bit = 0; bit < bytes.used * 8; bit++) {
            bytes.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
            test_write_file(test_path(part, SMALL_FILES[f]), bytes.data, bytes.used);
            snapshot_take(&flipped, part);
            bytes.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
            if (!snapshot_is_prefix(&flipped, &whole))
                fail_msg("%s, byte %zu, bit %zu: other events", SMALL_FILES[f], bit / 8, bit % 8);
            if (!flipped.status && !snapshot_equal(&flipped, &whole) && unnoticed++ < 5)
                print_error("%s, byte %zu, bit %zu: events are gone, and no error\n", SMALL_FILES[f], bit / 8,
                            bit % 8);
            snapshot_free(&flipped);
        }
        test_write_file(test_path(part, SMALL_FILES[f]), bytes.data, bytes.used);
    }
    assert_int_equal(unnoticed, 0);
    canon_buffer_free(&bytes);
    snapshot_free(&whole);
}

/* ---- single files
 * ------------------------------------------------------------------------------------------ */

/* What opening a part says that has one file of these bytes. */
static int open_with(const char *name, const void *bytes, size_t size, struct snapshot *snapshot)
{
    const char *part = test_directory();
    test_write_file(test_path(part, name), bytes, size);
    snapshot_take(snapshot, part);
    return snapshot->status;
}

static void expect_error(const char *name, const void *bytes, size_t size, int error)
{
    struct snapshot snapshot;
    assert_int_equal(open_with(name, bytes, size, &snapshot), error);
    if (!snapshot.count && !strstr(snapshot.problem, name)) /* a person wants to know which file it is */
        fail_msg("\"%s\" does not name %s", snapshot.problem, name);
    snapshot_free(&snapshot);
}

static void start_file(struct canon_buffer *file, uint32_t version)
{
    struct canon_file_header header = {CANON_FILE_MAGIC, version, sizeof header};
    file->used = 0;
    canon_buffer_put(file, &header, sizeof header);
}

static void add_chunk(struct canon_buffer *file, const char *name, size_t name_size, uint32_t sequence,
                      uint16_t flags, const void *raw, size_t size)
{
    struct canon_chunk chunk = {name, name_size, sequence, 1, flags, raw, size, 0};
    assert_int_equal(canon_chunk_encode(&chunk, file), 0);
}

static void another_version_is_called_that(void **state)
{
    (void)state;
    struct canon_buffer file = {0};
    start_file(&file, CANON_TRACE_VERSION + 1);
    expect_error("main.chunks", file.data, file.used, CANON_E_VERSION);
    start_file(&file, 0);
    expect_error("main.chunks", file.data, file.used, CANON_E_VERSION);
    canon_buffer_free(&file);
}

static void a_foreign_file_is_not_in_the_format(void **state)
{
    (void)state;
    static const char TEXT[] = "#!/bin/sh\necho this is a script, not a trace\n";
    expect_error("main.chunks", TEXT, sizeof TEXT, CANON_E_FORMAT);
    struct canon_buffer file = {0};
    start_file(&file, CANON_TRACE_VERSION);
    canon_buffer_put(&file, TEXT, sizeof TEXT);
    expect_error("main.chunks", file.data, file.used, CANON_E_FORMAT);
    canon_buffer_free(&file);
}

static void files_of_other_names_do_not_matter(void **state)
{
    (void)state;
    const char *part = make_small_trace();
    struct snapshot before, after;
    snapshot_take(&before, part);
    test_write_file(test_path(part, "README"), "hello", 5);
    test_write_file(test_path(part, "main.chunks.bak"), "hello", 5);
    test_write_file(test_path(part, ".chunks"), "hello", 5);
    assert_return_code(mkdir(test_path(part, "folder"), 0700), 0);
    snapshot_take(&after, part);
    assert_int_equal(after.status, 0);
    assert_true(snapshot_equal(&before, &after));
    snapshot_free(&before);
    snapshot_free(&after);
}

static void a_place_without_a_trace_is_an_error(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct snapshot snapshot;
    snapshot_take(&snapshot, test_path(part, "nowhere"));
    assert_int_equal(snapshot.status, CANON_E_NOENT);
    snapshot_take(&snapshot, part);
    assert_int_equal(snapshot.status, CANON_E_FORMAT);
    test_write_file(test_path(part, "file"), "x", 1);
    snapshot_take(&snapshot, test_path(part, "file"));
    assert_true(snapshot.status < 0);
}

/* In a child, since what it is about is whether it ends. */
static int open_part(void *part)
{
    struct canon_trace *trace;
    char problem[512];
    return canon_trace_open(part, &trace, problem, sizeof problem) ? 1 : 0;
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    const char *folder = test_directory(), *fifo = test_directory(), *loop = test_directory();
    assert_return_code(mkdir(test_path(folder, "main.chunks"), 0700), 0);
    assert_return_code(mkfifo(test_path(fifo, "main.chunks"), 0600), 0);
    assert_return_code(symlink("main.chunks", test_path(loop, "main.chunks")), 0);
    assert_int_equal(WEXITSTATUS(test_in_child(open_part, (void *)folder, NULL)), 1);
    assert_int_equal(WEXITSTATUS(test_in_child(open_part, (void *)loop, NULL)), 1);
    int status = test_in_child(open_part, (void *)fifo, NULL);
    if (!WIFEXITED(status))
        fail_msg("a FIFO in the place of a file makes opening hang");
    assert_int_equal(WEXITSTATUS(status), 1);
}

/* ---- chunks that do not fit together
 * ------------------------------------------------------------------------ */

static void chunks_out_of_order_are_refused(void **state)
{
    (void)state;
    struct canon_buffer file = {0};
    start_file(&file, CANON_TRACE_VERSION);
    add_chunk(&file, "s", 1, 1, 0, "\0\0", 2); /* the first is missing */
    expect_error("main.chunks", file.data, file.used, CANON_E_FORMAT);
    start_file(&file, CANON_TRACE_VERSION);
    add_chunk(&file, "s", 1, 0, 0, "\0\0", 2);
    add_chunk(&file, "s", 1, 2, 0, "\0\0", 2); /* a gap */
    expect_error("main.chunks", file.data, file.used, CANON_E_FORMAT);
    start_file(&file, CANON_TRACE_VERSION);
    add_chunk(&file, "s", 1, 0, 0, "\0\0", 2);
    add_chunk(&file, "s", 1, 0, 0, "\0\0", 2); /* twice */
    expect_error("main.chunks", file.data, file.used, CANON_E_FORMAT);
    start_file(&file, CANON_TRACE_VERSION);
    add_chunk(&file, "s", 1, 0, CANON_CHUNK_LAST, "\0\0", 2);
    add_chunk(&file, "s", 1, 1, 0, "\0\0", 2); /* after the last */
    expect_error("main.chunks", file.data, file.used, CANON_E_FORMAT);
    canon_buffer_free(&file);
}

static void a_name_with_a_nul_is_refused(void **state)
{
    (void)state;
    struct canon_buffer file = {0};
    start_file(&file, CANON_TRACE_VERSION);
    add_chunk(&file, "a\0b", 3, 0, CANON_CHUNK_LAST, "\0\0", 2);
    expect_error("main.chunks", file.data, file.used, CANON_E_FORMAT);
    canon_buffer_free(&file);
}

/* A strand that ended in order ends with an event. */
static void a_strand_that_ends_inside_an_event_is_refused(void **state)
{
    (void)state;
    static const char *const ENDS[] = {"\x08", "\x08\x05",
                                       "\x08\x05"
                                       "abcd",
                                       "\xff\xff\xff"};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        struct canon_buffer file = {0};
        struct snapshot snapshot;
        start_file(&file, CANON_TRACE_VERSION);
        add_chunk(&file, "s", 1, 0, CANON_CHUNK_LAST, ENDS[i], strlen(ENDS[i]));
        assert_int_equal(open_with("main.chunks", file.data, file.used, &snapshot), CANON_E_FORMAT);
        snapshot_free(&snapshot);
        start_file(&file, CANON_TRACE_VERSION);
        add_chunk(&file, "s", 1, 0, 0, ENDS[i], strlen(ENDS[i])); /* a torn one may */
        assert_int_equal(open_with("main.chunks", file.data, file.used, &snapshot), 0);
        assert_true(snapshot.torn);
        assert_int_equal(snapshot.strands[0].count, 0);
        snapshot_free(&snapshot);
        canon_buffer_free(&file);
    }
}

/* Of three chunks the second is damaged: nothing of the third may come out, however often one asks. */
static void a_cursor_that_met_damage_stays_there(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_buffer file = {0};
    start_file(&file, CANON_TRACE_VERSION);
    add_chunk(&file, "s", 1, 0, 0,
              "\x08\x01"
              "a",
              3);
    add_chunk(&file, "s", 1, 1, 0,
              "\x08\x01"
              "b",
              3);
    file.data[file.used - 1] ^= 1;
    add_chunk(&file, "s", 1, 2, CANON_CHUNK_LAST,
              "\x08\x01"
              "c",
              3);
    test_write_file(test_path(part, "main.chunks"), file.data, file.used);
    struct canon_trace *trace;
    struct canon_cursor cursor;
    struct canon_event event;
    char problem[512];
    assert_int_equal(canon_trace_open(part, &trace, problem, sizeof problem), 0);
    canon_cursor_start(&cursor, canon_trace_find(trace, "s"));
    assert_int_equal(canon_cursor_next(&cursor, &event), 0);
    assert_int_equal(*event.payload, 'a');
    for (int i = 0; i < 3; i++)
        assert_int_equal(canon_cursor_next(&cursor, &event), CANON_E_CHECKSUM);
    canon_cursor_stop(&cursor);
    canon_trace_close(trace);
    canon_buffer_free(&file);
}

static void a_varint_that_never_ends_is_an_error(void **state)
{
    (void)state;
    uint8_t bytes[100];
    memset(bytes, 0xff, sizeof bytes);
    struct canon_buffer file = {0};
    struct snapshot snapshot;
    start_file(&file, CANON_TRACE_VERSION);
    add_chunk(&file, "s", 1, 0, CANON_CHUNK_LAST, bytes, sizeof bytes);
    assert_true(open_with("main.chunks", file.data, file.used, &snapshot) < 0);
    snapshot_free(&snapshot);
    canon_buffer_free(&file);
}

/* A few kilobytes of file may not make the reader ask for gigabytes of memory. */
static int read_in_little_memory(void *part)
{
#ifndef __SANITIZE_ADDRESS__ /* whose shadow needs terabytes of address space */
    struct rlimit limit = {1u << 30, 1u << 30};
    assert_return_code(setrlimit(RLIMIT_AS, &limit), 0);
#endif
    struct snapshot snapshot;
    snapshot_take(&snapshot, part);
    return snapshot.status < 0 ? 0 : 1;
}

static void read_an_event_of(uint64_t size)
{
    enum { CHUNKS = 150 }; /* 2.4 GB when decompressed */
    const char *part = test_directory();
    uint8_t *raw = calloc(1, CANON_CHUNK_RAW_MAX);
    struct canon_buffer file = {0};
    raw[0] = 8;
    canon_varint_encode(raw + 1, size);
    start_file(&file, CANON_TRACE_VERSION);
    add_chunk(&file, "s", 1, 0, 0, raw, CANON_CHUNK_RAW_MAX);
    memset(raw, 0, 16);
    size_t first = file.used;
    add_chunk(&file, "s", 1, 1, 0, raw, CANON_CHUNK_RAW_MAX);
    for (uint32_t i = 2; i < CHUNKS; i++)
        add_chunk(&file, "s", 1, i, i == CHUNKS - 1 ? CANON_CHUNK_LAST : 0, raw, CANON_CHUNK_RAW_MAX);
    assert_true(file.used < first * (CHUNKS + 1) * 2);
    test_write_file(test_path(part, "main.chunks"), file.data, file.used);
    int status = test_in_child(read_in_little_memory, (void *)part, NULL);
    if (!WIFEXITED(status))
        fail_msg("%zu bytes of trace exhaust the memory: signal %d", file.used, WTERMSIG(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    free(raw);
    canon_buffer_free(&file);
}

static void an_event_that_claims_to_be_huge_is_refused(void **state)
{
    (void)state;
    read_an_event_of(UINT64_C(1) << 40);                     /* more than there is */
    read_an_event_of((uint64_t)CANON_EVENT_MAX + (1 << 28)); /* there is as much */
}

static void every_kind_of_event_is_read(void **state)
{
    (void)state;
    for (uint8_t kind = 0; kind < 8; kind++) {
        const uint8_t event[] = {kind, 1, 'x'};
        struct canon_buffer file = {0};
        struct snapshot snapshot;
        start_file(&file, CANON_TRACE_VERSION);
        add_chunk(&file, "s", 1, 0, CANON_CHUNK_LAST, event, sizeof event);
        assert_int_equal(open_with("main.chunks", file.data, file.used, &snapshot), 0);
        snapshot_free(&snapshot);
        canon_buffer_free(&file);
    }
}

/* ---- live files
 * ---------------------------------------------------------------------------------------------- */

static struct canon_live_header *make_live(struct canon_buffer *file, const char *events, size_t size)
{
    struct canon_live_header header = {
        .magic = CANON_LIVE_MAGIC,
        .version = CANON_TRACE_VERSION,
        .capacity = 64,
        .position = size,
        .name_size = 1,
        .name = "s",
    };
    uint8_t rest[CANON_LIVE_HEADER - sizeof header + 64] = {0};
    memcpy(rest + CANON_LIVE_HEADER - sizeof header, events, size);
    file->used = 0;
    canon_buffer_put(file, &header, sizeof header);
    canon_buffer_put(file, rest, sizeof rest);
    return (struct canon_live_header *)file->data;
}

static void a_live_file_alone_is_a_trace(void **state)
{
    (void)state;
    struct canon_buffer file = {0};
    struct snapshot snapshot;
    make_live(&file, "\x08\x01x\x08\x00\x08\x09", 7); /* the third event is not whole */
    assert_int_equal(open_with("main.live", file.data, file.used, &snapshot), 0);
    assert_true(snapshot.torn);
    assert_string_equal(snapshot.strands[0].name, "s");
    assert_int_equal(snapshot.strands[0].count, 2);
    snapshot_free(&snapshot);
    canon_buffer_free(&file);
}

static void a_live_file_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    struct canon_buffer file = {0};
    make_live(&file, "", 0)->version = CANON_TRACE_VERSION + 1;
    expect_error("main.live", file.data, file.used, CANON_E_VERSION);
    make_live(&file, "", 0)->magic[0] = 'X';
    expect_error("main.live", file.data, file.used, CANON_E_FORMAT);
    make_live(&file, "", 0)->position = 65; /* more than the capacity */
    expect_error("main.live", file.data, file.used, CANON_E_FORMAT);
    make_live(&file, "", 0)->capacity = 65; /* more than the file */
    expect_error("main.live", file.data, file.used, CANON_E_FORMAT);
    make_live(&file, "", 0)->capacity = UINT32_MAX;
    expect_error("main.live", file.data, file.used, CANON_E_FORMAT);
    make_live(&file, "", 0)->name_size = CANON_CHUNK_NAME_MAX + 1;
    expect_error("main.live", file.data, file.used, CANON_E_FORMAT);
    make_live(&file, "", 0)->name_size = 2; /* with a NUL in it */
    expect_error("main.live", file.data, file.used, CANON_E_FORMAT);
    canon_buffer_free(&file);
}

static void two_live_files_of_one_strand_are_refused(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_buffer file = {0};
    struct snapshot snapshot;
    make_live(&file, "\x08\x01x", 3);
    test_write_file(test_path(part, "a.live"), file.data, file.used);
    test_write_file(test_path(part, "b.live"), file.data, file.used);
    snapshot_take(&snapshot, part);
    assert_int_equal(snapshot.status, CANON_E_FORMAT);
    canon_buffer_free(&file);
}

static void a_live_file_of_a_chunk_that_is_not_the_next_is_ignored(void **state)
{
    (void)state;
    const char *part = test_directory();
    struct canon_buffer file = {0};
    struct snapshot snapshot;
    make_live(&file, "\x08\x01x", 3)->position |= (uint64_t)1 << 32; /* chunk 1 of a strand without chunks */
    test_write_file(test_path(part, "a.live"), file.data, file.used);
    snapshot_take(&snapshot, part);
    assert_int_equal(snapshot.status, 0);
    assert_true(snapshot.torn);
    assert_int_equal(snapshot.strands[0].count, 0);
    snapshot_free(&snapshot);
    canon_buffer_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flipped_bit_is_an_error_or_changes_nothing),
        cmocka_unit_test(another_version_is_called_that),
        cmocka_unit_test(a_foreign_file_is_not_in_the_format),
        cmocka_unit_test(files_of_other_names_do_not_matter),
        cmocka_unit_test(a_place_without_a_trace_is_an_error),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(chunks_out_of_order_are_refused),
        cmocka_unit_test(a_name_with_a_nul_is_refused),
        cmocka_unit_test(a_strand_that_ends_inside_an_event_is_refused),
        cmocka_unit_test(a_cursor_that_met_damage_stays_there),
        cmocka_unit_test(a_varint_that_never_ends_is_an_error),
        cmocka_unit_test(an_event_that_claims_to_be_huge_is_refused),
        cmocka_unit_test(every_kind_of_event_is_read),
        cmocka_unit_test(a_live_file_alone_is_a_trace),
        cmocka_unit_test(a_live_file_that_makes_no_sense_is_refused),
        cmocka_unit_test(two_live_files_of_one_strand_are_refused),
        cmocka_unit_test(a_live_file_of_a_chunk_that_is_not_the_next_is_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
