/*
 * test_full_disk.c: a disk without room is an error code at the event that needs it, never a SIGBUS or a
 * SIGXFSZ, and what was put before it stays readable.
 *
 * Shown with a small tmpfs in a mount namespace of its own (root only) and with RLIMIT_FSIZE, which the
 * kernel enforces in the same places.
 */
#include "support.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 3000, LIVE_SIZE = CANON_LIVE_HEADER + CANON_LIVE_CAPACITY, NO_MOUNT = 77 };

/* Puts known events until there is no room; all of those that were accepted must be there afterwards. */
static int fill_strand(const char *part)
{
    struct canon_writer *writer;
    uint64_t count = 0;
    int status = 0;
    assert_int_equal(canon_writer_open(part, "main", "thread main", &writer), 0);
    while (!status && count < 1000000) {
        status = known_put(writer, 1, count, MOST);
        count += !status;
    }
    assert_int_equal(status, CANON_E_NOSPACE);
    assert_int_equal(canon_writer_events(writer), count);
    for (int i = 0; i < 10; i++) /* it stays that way, even for one that would fit */
        assert_int_equal(canon_writer_put(writer, CANON_EVENT_NOTE, 1, "x", 1), CANON_E_NOSPACE);
    assert_int_equal(canon_writer_close(writer), CANON_E_NOSPACE);

    struct canon_trace *trace;
    char problem[512] = "";
    assert_int_equal(canon_trace_open(part, &trace, problem, sizeof problem), 0);
    assert_true(canon_trace_is_torn(trace));
    assert_int_equal(known_check(canon_trace_find(trace, "thread main"), 1, MOST), count);
    assert_true(count > 0);
    canon_trace_close(trace);
    return 0;
}

static int fill_store(const char *part)
{
    struct canon_store *store;
    static uint8_t event[3 + 5000] = {8, 0x88, 0x27};
    unsigned stored = 0;
    int status = 0;
    char name[32], problem[512] = "";
    assert_int_equal(canon_store_open(part, "classes", &store), 0);
    while (!status && stored < 1000000) {
        snprintf(name, sizeof name, "load %u", stored);
        for (size_t i = 3; i < sizeof event; i++)
            event[i] = (uint8_t)rand(); /* must not compress */
        status = canon_store_put(store, name, event, sizeof event, 1);
        stored += !status;
    }
    assert_int_equal(status, CANON_E_NOSPACE);
    assert_true(stored > 0);
    canon_store_close(store);
    struct canon_trace *trace;
    assert_int_equal(canon_trace_open(part, &trace, problem, sizeof problem), 0);
    for (unsigned i = 0; i < stored; i++) {
        snprintf(name, sizeof name, "load %u", i);
        assert_true(canon_trace_find(trace, name));
    }
    canon_trace_close(trace);
    return 0;
}

/* There is no room for the file of the chunk in work: opening must say so, not the first event. */
static int open_without_room(const char *part)
{
    struct canon_writer *writer = NULL;
    assert_int_equal(canon_writer_open(part, "main", "thread main", &writer), CANON_E_NOSPACE);
    assert_true(!writer);
    assert_true(!test_exists(test_path(part, "main.live")));
    return 0;
}

/* ---- RLIMIT_FSIZE
 * -------------------------------------------------------------------------------------------- */

struct limited {
    int (*body)(const char *part);
    const char *part;
    rlim_t size;
};

static int with_limit(void *argument)
{
    struct limited *limited = argument;
    signal(SIGXFSZ, SIG_IGN); /* as a JVM does */
    struct rlimit limit = {limited->size, limited->size};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    return limited->body(limited->part);
}

static void expect_success(int status)
{
    if (WIFSIGNALED(status))
        fail_msg("signal %d", WTERMSIG(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void run_limited(int (*body)(const char *part), rlim_t size)
{
    struct limited limited = {body, test_directory(), size};
    expect_success(test_in_child(with_limit, &limited, NULL));
}

static void a_strand_that_reaches_the_limit_of_a_file_keeps_what_it_has(void **state)
{
    (void)state;
    run_limited(fill_strand, LIVE_SIZE);
    run_limited(fill_strand, LIVE_SIZE + 12345);
    run_limited(fill_strand, 4 * LIVE_SIZE);
}

static void a_store_that_reaches_the_limit_of_a_file_keeps_what_it_has(void **state)
{
    (void)state;
    run_limited(fill_store, 50000);
}

static void a_strand_that_may_not_be_as_large_as_a_chunk_cannot_be_opened(void **state)
{
    (void)state;
    run_limited(open_without_room, LIVE_SIZE - 1);
    run_limited(open_without_room, 4);
    run_limited(open_without_room, 0);
}

/* ---- a small tmpfs
 * -------------------------------------------------------------------------------------------- */

struct mounted {
    int (*body)(const char *part);
    const char *where;
    size_t size;
};

static int on_small_disk(void *argument)
{
    struct mounted *mounted = argument;
    char options[64];
    snprintf(options, sizeof options, "size=%zu", mounted->size);
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("tmpfs", mounted->where, "tmpfs", 0, options))
        return NO_MOUNT;
    return mounted->body(mounted->where);
}

static void run_on_small_disk(int (*body)(const char *part), size_t size)
{
    struct mounted mounted = {body, test_directory(), size};
    int status = test_in_child(on_small_disk, &mounted, NULL);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_MOUNT) {
        print_message("no tmpfs can be mounted here\n");
        skip();
    }
    expect_success(status);
}

static void a_strand_on_a_full_disk_keeps_what_it_has(void **state)
{
    (void)state;
    run_on_small_disk(fill_strand, 1 << 20);
    run_on_small_disk(fill_strand, LIVE_SIZE + 3 * 4096);
}

static void a_store_on_a_full_disk_keeps_what_it_has(void **state)
{
    (void)state;
    run_on_small_disk(fill_store, 64 << 10);
}

static void a_strand_cannot_be_opened_on_a_full_disk(void **state)
{
    (void)state;
    run_on_small_disk(open_without_room, 64 << 10);
    run_on_small_disk(open_without_room, LIVE_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_strand_that_reaches_the_limit_of_a_file_keeps_what_it_has),
        cmocka_unit_test(a_store_that_reaches_the_limit_of_a_file_keeps_what_it_has),
        cmocka_unit_test(a_strand_that_may_not_be_as_large_as_a_chunk_cannot_be_opened),
        cmocka_unit_test(a_strand_on_a_full_disk_keeps_what_it_has),
        cmocka_unit_test(a_store_on_a_full_disk_keeps_what_it_has),
        cmocka_unit_test(a_strand_cannot_be_opened_on_a_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
