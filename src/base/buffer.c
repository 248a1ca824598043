/* buffer.c: see buffer.h. */
#include "base/buffer.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

void canon_buffer_free(struct canon_buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct canon_buffer){0};
}

void canon_buffer_grow(struct canon_buffer *buffer, size_t more)
{
    canon_assert(more <= SIZE_MAX / 4 && buffer->used <= SIZE_MAX / 4);
    size_t capacity = buffer->capacity ? buffer->capacity : 64;
    while (capacity - buffer->used < more)
        capacity *= 2;
    uint8_t *data = realloc(buffer->data, capacity);
    canon_assert(data);
    buffer->data = data;
    buffer->capacity = capacity;
}

void canon_buffer_put(struct canon_buffer *buffer, const void *data, size_t length)
{
    if (length == 0)
        return;
    memcpy(canon_buffer_reserve(buffer, length), data, length);
    buffer->used += length;
}

size_t canon_varint_encode(uint8_t *to, uint64_t value)
{
    size_t n = 0;
    while (value >= 0x80) {
        to[n++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    to[n++] = (uint8_t)value;
    return n;
}

void canon_buffer_put_varint(struct canon_buffer *buffer, uint64_t value)
{
    buffer->used += canon_varint_encode(canon_buffer_reserve(buffer, CANON_VARINT_MAX), value);
}

void canon_buffer_put_string(struct canon_buffer *buffer, const char *text)
{
    size_t length = strlen(text);
    canon_buffer_put_varint(buffer, length);
    canon_buffer_put(buffer, text, length);
}

const uint8_t *canon_reader_take(struct canon_reader *reader, size_t length)
{
    if (reader->failed || canon_reader_left(reader) < length) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t *at = reader->at;
    reader->at += length;
    return at;
}

uint8_t canon_reader_u8(struct canon_reader *reader)
{
    const uint8_t *byte = canon_reader_take(reader, 1);
    return byte ? *byte : 0;
}

uint64_t canon_reader_varint(struct canon_reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = canon_reader_u8(reader);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return reader->failed ? 0 : value;
    }
    reader->failed = true;
    return 0;
}

char *canon_reader_string(struct canon_reader *reader)
{
    uint64_t length = canon_reader_varint(reader);
    const uint8_t *bytes = canon_reader_take(reader, length);
    if (!bytes)
        return NULL;
    char *text = malloc(length + 1);
    canon_assert(text);
    memcpy(text, bytes, length);
    text[length] = '\0';
    return text;
}
