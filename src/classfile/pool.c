/* pool.c: see pool.h. */
#include "classfile/pool.h"

#include "base/assert.h"
#include "base/error.h"
#include "classfile/bytes.h"

#include <stdlib.h>

enum { POOL_MAX = 65535 }; /* the count is 16 bits, and is one more than the highest index */

void canon_pool_open(struct pool *pool, const struct canon_class *cls)
{
    *pool = (struct pool){.cls = cls, .count = cls->pool_count};
}

void canon_pool_close(struct pool *pool)
{
    free(pool->table);
    canon_buffer_free(&pool->added);
    canon_buffer_free(&pool->added_at);
}

/* One that was added. */
static const uint8_t *constant_at(const struct pool *pool, uint32_t index)
{
    uint32_t offset;
    memcpy(&offset, pool->added_at.data + (index - pool->cls->pool_count) * sizeof offset, sizeof offset);
    return pool->added.data + offset;
}

static uint32_t constant_size(const uint8_t *constant)
{
    switch (constant[0]) {
    case CANON_CONSTANT_UTF8:
        return 3u + get_u2(constant + 1);
    case CANON_CONSTANT_LONG:
    case CANON_CONSTANT_DOUBLE:
        return 9;
    case CANON_CONSTANT_CLASS:
    case CANON_CONSTANT_STRING:
    case CANON_CONSTANT_METHOD_TYPE:
    case CANON_CONSTANT_MODULE:
    case CANON_CONSTANT_PACKAGE:
        return 3;
    case CANON_CONSTANT_METHOD_HANDLE:
        return 4;
    default:
        return 5;
    }
}

static uint32_t hash_bytes(const uint8_t *at, uint32_t size)
{
    const uint64_t factor = 0x9E3779B97F4A7C15u;
    uint64_t hash = size;
    uint64_t word;
    for (; size >= 8; at += 8, size -= 8) {
        memcpy(&word, at, 8);
        hash = (hash ^ word) * factor;
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, at, size);
    hash = (hash ^ word) * factor;
    return (uint32_t)(hash >> 32);
}

/* The table's slot of an equal constant, or the empty slot where it belongs. */
static uint16_t *find_slot(struct pool *pool, const uint8_t *constant, uint32_t size)
{
    for (uint32_t i = hash_bytes(constant, size);; i++) {
        uint16_t *slot = &pool->table[i & pool->table_mask];
        if (*slot == 0)
            return slot;
        const uint8_t *other = constant_at(pool, *slot);
        if (other[0] == constant[0] && constant_size(other) == size && memcmp(other, constant, size) == 0)
            return slot;
    }
}

/* Of a constant that has no equal there. */
static void enter(struct pool *pool, uint32_t index)
{
    const uint8_t *constant = constant_at(pool, index);
    uint32_t i = hash_bytes(constant, constant_size(constant));
    while (pool->table[i & pool->table_mask])
        i++;
    pool->table[i & pool->table_mask] = (uint16_t)index;
    pool->table_used++;
}

/* Only of what was added: to find the few that the class has already would take hashing all it has, which
 * is most of the time that a class with a single wrapped method would cost. */
static void build_table(struct pool *pool)
{
    uint32_t size = 64;
    while (size < 2 * (pool->count - pool->cls->pool_count + 32))
        size *= 2;
    free(pool->table);
    pool->table = calloc(size, sizeof *pool->table);
    canon_assert(pool->table);
    pool->table_mask = size - 1;
    pool->table_used = 0;
    bool second_half = false; /* of a Long */
    for (uint32_t i = pool->cls->pool_count; i < pool->count; i++) {
        if (!second_half)
            enter(pool, i);
        second_half = !second_half && constant_at(pool, i)[0] == CANON_CONSTANT_LONG;
    }
}

/* The constant's bytes have been put at the end of `added`, from `start` on: keep them there if they are
 * new, take them away if not. */
static int settle(struct pool *pool, size_t start)
{
    if (!pool->table || pool->table_used * 2 > pool->table_mask)
        build_table(pool);
    const uint8_t *constant = pool->added.data + start;
    uint16_t *slot = find_slot(pool, constant, (uint32_t)(pool->added.used - start));
    if (*slot) {
        pool->added.used = start;
        return *slot;
    }
    uint32_t indices = constant[0] == CANON_CONSTANT_LONG ? 2 : 1;
    if (pool->count + indices > POOL_MAX) {
        pool->added.used = start;
        return CANON_E_LIMIT;
    }
    uint32_t index = pool->count;
    uint32_t offset = (uint32_t)start;
    for (uint32_t i = 0; i < indices; i++)
        canon_buffer_put(&pool->added_at, &offset, sizeof offset);
    pool->count += indices;
    *slot = (uint16_t)index;
    pool->table_used++;
    return (int)index;
}

int canon_pool_utf8(struct pool *pool, struct canon_utf8 text)
{
    if (text.length > UINT16_MAX)
        return CANON_E_LIMIT;
    size_t start = pool->added.used;
    uint8_t *to = canon_buffer_reserve(&pool->added, 3 + (size_t)text.length);
    to[0] = CANON_CONSTANT_UTF8;
    set_u2(to + 1, text.length);
    if (text.length)
        memcpy(to + 3, text.text, text.length);
    pool->added.used += 3 + (size_t)text.length;
    return settle(pool, start);
}

int canon_pool_one(struct pool *pool, uint8_t tag, int index)
{
    if (index < 0)
        return index;
    size_t start = pool->added.used;
    put_u1(&pool->added, tag);
    put_u2(&pool->added, (uint32_t)index);
    return settle(pool, start);
}

int canon_pool_two(struct pool *pool, uint8_t tag, int first, int second)
{
    if (first < 0)
        return first;
    if (second < 0)
        return second;
    size_t start = pool->added.used;
    put_u1(&pool->added, tag);
    put_u2(&pool->added, (uint32_t)first);
    put_u2(&pool->added, (uint32_t)second);
    return settle(pool, start);
}

int canon_pool_int(struct pool *pool, int32_t value)
{
    size_t start = pool->added.used;
    put_u1(&pool->added, CANON_CONSTANT_INTEGER);
    put_u4(&pool->added, (uint32_t)value);
    return settle(pool, start);
}

int canon_pool_long(struct pool *pool, int64_t value)
{
    size_t start = pool->added.used;
    put_u1(&pool->added, CANON_CONSTANT_LONG);
    put_u4(&pool->added, (uint32_t)((uint64_t)value >> 32));
    put_u4(&pool->added, (uint32_t)value);
    return settle(pool, start);
}
