/* support.c: see support.h. */
#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- files ---------------------------------------------------------------------------------------- */

static char root[PATH_MAX];
static pid_t owner;

static int remove_one(const char *path, const struct stat *about, int flag, struct FTW *where)
{
    (void)about, (void)flag, (void)where;
    return remove(path);
}

static void remove_root(void)
{
    if (getpid() == owner)
        nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void make_root(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(root, sizeof root, "%s/canon-unit-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(root)) {
        perror(root);
        exit(1);
    }
    owner = getpid();
    atexit(remove_root);
}

/* A copy that lives on; reachable, so that a leak checker stays silent. */
static const char *kept(const char *text)
{
    static struct kept {
        struct kept *next;
        char text[];
    } * all;
    struct kept *copy = malloc(sizeof *copy + strlen(text) + 1);
    assert_non_null(copy);
    strcpy(copy->text, text);
    copy->next = all;
    all = copy;
    return copy->text;
}

const char *test_directory(void)
{
    static char path[PATH_MAX + 32];
    static unsigned number;
    if (!owner)
        make_root();
    snprintf(path, sizeof path, "%s/%u-%u", root, (unsigned)getpid(), number++);
    assert_return_code(mkdir(path, 0700), 0);
    return kept(path);
}

const char *test_path(const char *directory, const char *name)
{
    static char paths[4][PATH_MAX];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, PATH_MAX, "%s/%s", directory, name);
    return path;
}

void test_read_file(const char *path, struct canon_buffer *bytes)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_return_code(fd, 0);
    struct stat about;
    assert_return_code(fstat(fd, &about), 0);
    bytes->used = 0;
    canon_buffer_reserve(bytes, (size_t)about.st_size + 1);
    ssize_t n;
    while ((n = read(fd, bytes->data + bytes->used, (size_t)about.st_size + 1 - bytes->used)) > 0)
        bytes->used += (size_t)n;
    assert_int_equal(bytes->used, about.st_size);
    close(fd);
}

void test_write_file(const char *path, const void *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_return_code(fd, 0);
    assert_int_equal(write(fd, bytes, size), size);
    close(fd);
}

void test_copy_files(const char *from, const char *to)
{
    DIR *folder = opendir(from);
    assert_non_null(folder);
    struct canon_buffer bytes = {0};
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        test_read_file(test_path(from, entry->d_name), &bytes);
        test_write_file(test_path(to, entry->d_name), bytes.data, bytes.used);
    }
    canon_buffer_free(&bytes);
    closedir(folder);
}

bool test_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

void test_add_names(const char *part)
{
    struct canon_writer *writer;
    assert_int_equal(canon_writer_open(part, "names", "names", &writer), 0);
    assert_int_equal(canon_writer_close(writer), 0);
}

/* ---- snapshots ------------------------------------------------------------------------------------ */

static void take_strand(struct snapshot_strand *to, const struct canon_trace_strand *from)
{
    struct canon_cursor cursor;
    struct canon_event event;
    to->name = strdup(canon_strand_name(from));
    to->torn = canon_strand_is_torn(from);
    canon_cursor_start(&cursor, from);
    while (!(to->status = canon_cursor_next(&cursor, &event))) {
        assert_int_equal(event.number, to->count);
        canon_buffer_put_varint(&to->events, event.kind);
        canon_buffer_put_varint(&to->events, event.id);
        canon_buffer_put_varint(&to->events, event.size);
        canon_buffer_put(&to->events, event.payload, event.size);
        canon_buffer_put(&to->ends, &to->events.used, sizeof to->events.used);
        to->count++;
    }
    canon_cursor_stop(&cursor);
    if (to->status == CANON_E_END)
        to->status = 0;
}

void snapshot_take(struct snapshot *snapshot, const char *part)
{
    *snapshot = (struct snapshot){0};
    struct canon_trace *trace;
    snapshot->status = canon_trace_open(part, &trace, snapshot->problem, sizeof snapshot->problem);
    if (snapshot->status)
        return;
    snapshot->torn = canon_trace_is_torn(trace);
    snapshot->count = canon_trace_strand_count(trace);
    snapshot->strands = calloc(snapshot->count, sizeof *snapshot->strands);
    assert_non_null(snapshot->strands);
    for (size_t i = 0; i < snapshot->count; i++) {
        take_strand(&snapshot->strands[i], canon_trace_strand_at(trace, i));
        if (!snapshot->status)
            snapshot->status = snapshot->strands[i].status;
    }
    canon_trace_close(trace);
}

void snapshot_free(struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->count; i++) {
        free(snapshot->strands[i].name);
        canon_buffer_free(&snapshot->strands[i].events);
        canon_buffer_free(&snapshot->strands[i].ends);
    }
    free(snapshot->strands);
    *snapshot = (struct snapshot){0};
}

const struct snapshot_strand *snapshot_find(const struct snapshot *snapshot, const char *name)
{
    for (size_t i = 0; i < snapshot->count; i++)
        if (strcmp(snapshot->strands[i].name, name) == 0)
            return &snapshot->strands[i];
    return NULL;
}

static bool same_start(const struct canon_buffer *shorter, const struct canon_buffer *longer)
{
    return shorter->used <= longer->used &&
           (shorter->used == 0 || memcmp(shorter->data, longer->data, shorter->used) == 0);
}

bool snapshot_is_prefix(const struct snapshot *part, const struct snapshot *whole)
{
    for (size_t i = 0; i < part->count; i++) {
        const struct snapshot_strand *a = &part->strands[i], *b = snapshot_find(whole, a->name);
        if (!a->count)
            continue;
        if (!b || !same_start(&a->events, &b->events) || !same_start(&a->ends, &b->ends))
            return false;
    }
    return true;
}

bool snapshot_equal(const struct snapshot *a, const struct snapshot *b)
{
    if (a->count != b->count || a->torn != b->torn || a->status != b->status)
        return false;
    if (!snapshot_is_prefix(a, b) || !snapshot_is_prefix(b, a))
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const struct snapshot_strand *other = snapshot_find(b, a->strands[i].name);
        if (a->strands[i].torn != other->torn || a->strands[i].status != other->status)
            return false;
    }
    return true;
}

/* ---- events with known contents ------------------------------------------------------------------- */

static uint64_t mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

struct known_event known_event(uint32_t seed, uint64_t number, size_t most)
{
    static uint8_t *bytes;
    static size_t room;
    uint64_t dice = mix((uint64_t)seed << 40 ^ number);
    struct known_event event = {
        .kind = (dice & 7) == 4 ? CANON_EVENT_NATIVE : (enum canon_event_kind)(dice & 7),
        .id = dice >> 3 & (dice & 8 ? 0x7f : 0x1fffffff),
        .size = (dice >> 20) % 61 == 0 ? (size_t)(dice >> 30) % (most + 1)
                                       : (size_t)(dice >> 30) % (most < 40 ? most + 1 : 40),
    };
    if (event.size > room || !bytes) {
        room = event.size + 1;
        bytes = realloc(bytes, room);
        assert_non_null(bytes);
    }
    for (size_t i = 0; i < event.size; i++)
        bytes[i] = (uint8_t)(mix(dice + i / 8) >> 8 * (i % 8));
    event.payload = bytes;
    return event;
}

int known_put(struct canon_writer *writer, uint32_t seed, uint64_t number, size_t most)
{
    struct known_event event = known_event(seed, number, most);
    return canon_writer_put(writer, event.kind, event.id, event.payload, event.size);
}

uint64_t known_check(const struct canon_trace_strand *strand, uint32_t seed, size_t most)
{
    struct canon_cursor cursor;
    struct canon_event event;
    uint64_t count = 0;
    int status;
    canon_cursor_start(&cursor, strand);
    while (!(status = canon_cursor_next(&cursor, &event))) {
        struct known_event wanted = known_event(seed, count, most);
        assert_int_equal(event.number, count);
        assert_int_equal(event.kind, wanted.kind);
        assert_int_equal(event.id, wanted.id);
        assert_int_equal(event.size, wanted.size);
        assert_memory_equal(event.payload, wanted.payload, wanted.size);
        count++;
    }
    canon_cursor_stop(&cursor);
    assert_int_equal(status, CANON_E_END);
    return count;
}

/* ---- processes ------------------------------------------------------------------------------------ */

enum { CHILD_SECONDS = 40 };

static void drain(int fd, struct canon_buffer *into)
{
    char bytes[4096];
    ssize_t n;
    while ((n = read(fd, bytes, sizeof bytes)) > 0)
        canon_buffer_put(into, bytes, (size_t)n);
    canon_buffer_put(into, "", 1);
}

int test_in_child(int (*body)(void *context), void *context, struct outcome *outcome)
{
    int pipe_ends[2];
    fflush(NULL);
    assert_return_code(pipe2(pipe_ends, O_CLOEXEC), 0);
    pid_t pid = fork();
    assert_return_code(pid, 0);
    if (pid == 0) {
        if (outcome)
            dup2(pipe_ends[1], STDERR_FILENO);
        setenv("CMOCKA_TEST_ABORT", "1", 1); /* else a failed assertion goes on with the parent's tests */
        alarm(CHILD_SECONDS);
        _exit(body(context));
    }
    close(pipe_ends[1]);
    if (outcome) {
        *outcome = (struct outcome){0};
        drain(pipe_ends[0], &outcome->errors);
    }
    close(pipe_ends[0]);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (outcome)
        outcome->status = status;
    return status;
}

void outcome_free(struct outcome *outcome)
{
    canon_buffer_free(&outcome->errors);
}
