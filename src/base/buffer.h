/*
 * buffer.h: a growing byte buffer, and a bounded reader over bytes.
 *
 * The reader never goes past its end: a short read sets `failed` and yields zeros, so that
 * code that decodes input can check once, at the end.
 */
#ifndef CANON_BASE_BUFFER_H
#define CANON_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct canon_buffer {
    uint8_t *data;
    size_t used;
    size_t capacity;
};

void canon_buffer_free(struct canon_buffer *buffer);
/* Ends the process when memory is gone. */
void canon_buffer_grow(struct canon_buffer *buffer, size_t more);
/* Makes room for `more` bytes and returns where they go. */
static inline uint8_t *canon_buffer_reserve(struct canon_buffer *buffer, size_t more)
{
    if (!buffer->data || buffer->capacity - buffer->used < more)
        canon_buffer_grow(buffer, more);
    return buffer->data + buffer->used;
}
void canon_buffer_put(struct canon_buffer *buffer, const void *data, size_t length);
void canon_buffer_put_varint(struct canon_buffer *buffer, uint64_t value);
void canon_buffer_put_string(struct canon_buffer *buffer, const char *text);

struct canon_reader {
    const uint8_t *at;
    const uint8_t *end;
    bool failed;
};

static inline struct canon_reader canon_reader_over(const void *data, size_t length)
{
    const uint8_t *start = data;
    return (struct canon_reader){start, start + length, false};
}

static inline size_t canon_reader_left(const struct canon_reader *reader)
{
    return (size_t)(reader->end - reader->at);
}

/* The next `length` bytes, or NULL when there are fewer. */
const uint8_t *canon_reader_take(struct canon_reader *reader, size_t length);
uint8_t canon_reader_u8(struct canon_reader *reader);
uint64_t canon_reader_varint(struct canon_reader *reader);
/* A string written by canon_buffer_put_string; malloc'd, NULL on failure. */
char *canon_reader_string(struct canon_reader *reader);

/* At most this many bytes make a varint. */
enum { CANON_VARINT_MAX = 10 };
size_t canon_varint_encode(uint8_t *to, uint64_t value);

static inline uint64_t canon_zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static inline int64_t canon_unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

#endif
