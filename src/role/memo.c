/* memo.c: see memo.h. */
#include "role/memo.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/map.h"
#include "role/role_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* One answer of one key. Recorder: only the latest is kept, without its bytes. */
struct answer {
    uint64_t from; /* number of the first question that gets it */
    uint64_t digest;
    uint8_t *bytes;
    size_t size;
    struct answer *older;
};

struct entry {
    uint64_t questions;
    struct answer *latest;
};

/* Protects everything below; canon_role_abandon may be called under it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct canon_writer *writer;
static struct canon_map entries; /* struct entry by key */

static struct entry *make_entry(uint64_t key)
{
    union canon_map_value *place = canon_map_put(&entries, key);
    if (!place->pointer)
        place->pointer = calloc(1, sizeof(struct entry));
    canon_assert(place->pointer);
    return place->pointer;
}

static struct answer *add_answer(struct entry *entry, uint64_t from)
{
    struct answer *answer = calloc(1, sizeof *answer);
    canon_assert(answer);
    answer->from = from;
    answer->older = entry->latest;
    entry->latest = answer;
    return answer;
}

/* ---- recorder --------------------------------------------------------------------------------------- */

int canon_memo_start_recording(const char *part)
{
    return canon_writer_open(part, "files", CANON_STRAND_FILES, &writer);
}

static void store(uint64_t key, uint64_t id, uint64_t from, const struct canon_buffer *items)
{
    struct canon_buffer event = {0};
    canon_buffer_put(&event, &key, sizeof key);
    canon_buffer_put_varint(&event, from);
    canon_buffer_put(&event, items->data, items->used);
    int status = writer ? canon_writer_put(writer, CANON_EVENT_NATIVE, id, event.data, event.used) : 0;
    canon_buffer_free(&event);
    if (status)
        canon_role_abandon(status);
}

void canon_memo_put(uint64_t key, uint64_t id, const struct canon_buffer *items)
{
    uint64_t digest = XXH3_64bits(items->data, items->used);
    pthread_mutex_lock(&lock);
    struct entry *entry = make_entry(key);
    if (!entry->latest || entry->latest->digest != digest) {
        struct answer *answer = entry->latest ? entry->latest : add_answer(entry, 0);
        answer->digest = digest;
        store(key, id, entry->questions, items);
    }
    entry->questions++;
    pthread_mutex_unlock(&lock);
}

int canon_memo_finish(void)
{
    pthread_mutex_lock(&lock);
    int status = writer ? canon_writer_close(writer) : 0;
    writer = NULL;
    pthread_mutex_unlock(&lock);
    return status;
}

void canon_memo_forked(void)
{
    pthread_mutex_init(&lock, NULL);
    if (writer)
        canon_writer_leave(writer);
    writer = NULL;
}

/* ---- replayer --------------------------------------------------------------------------------------- */

static int load_event(const struct canon_event *event)
{
    struct canon_reader in = canon_reader_over(event->payload, event->size);
    const uint8_t *bytes = canon_reader_take(&in, sizeof(uint64_t));
    uint64_t from = canon_reader_varint(&in), key;
    if (!bytes || in.failed)
        return CANON_E_FORMAT;
    memcpy(&key, bytes, sizeof key);
    struct answer *answer = add_answer(make_entry(key), from);
    answer->size = canon_reader_left(&in);
    answer->bytes = malloc(answer->size + 1);
    canon_assert(answer->bytes);
    memcpy(answer->bytes, in.at, answer->size);
    return 0;
}

int canon_memo_load(const struct canon_trace *trace)
{
    const struct canon_trace_strand *strand = canon_trace_find(trace, CANON_STRAND_FILES);
    if (!strand)
        return 0;
    struct canon_cursor cursor;
    struct canon_event event;
    canon_cursor_start(&cursor, strand);
    int status;
    while (!(status = canon_cursor_next(&cursor, &event)) && !(status = load_event(&event)))
        ;
    canon_cursor_stop(&cursor);
    return status == CANON_E_END ? 0 : status;
}

bool canon_memo_get(uint64_t key, struct canon_reader *items)
{
    pthread_mutex_lock(&lock);
    union canon_map_value *found = canon_map_get(&entries, key);
    struct entry *entry = found ? found->pointer : NULL;
    const struct answer *answer = entry ? entry->latest : NULL;
    while (answer && answer->older && answer->from > entry->questions)
        answer = answer->older;
    if (answer) {
        entry->questions++;
        *items = canon_reader_over(answer->bytes, answer->size);
    }
    pthread_mutex_unlock(&lock);
    return answer;
}
