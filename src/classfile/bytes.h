/*
 * bytes.h: big-endian numbers, as class files hold them. Internal.
 *
 * The readers check nothing: whoever calls them has checked the bounds.
 */
#ifndef CANON_CLASSFILE_BYTES_H
#define CANON_CLASSFILE_BYTES_H

#include "base/buffer.h"

#include <stdint.h>
#include <string.h>

static inline uint16_t get_u2(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t get_u4(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, 4);
    return __builtin_bswap32(value);
}

static inline int16_t get_s2(const uint8_t *at)
{
    return (int16_t)get_u2(at);
}

static inline int32_t get_s4(const uint8_t *at)
{
    return (int32_t)get_u4(at);
}

static inline void set_u2(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static inline void set_u4(uint8_t *at, uint32_t value)
{
    value = __builtin_bswap32(value);
    memcpy(at, &value, 4);
}

static inline void put_u1(struct canon_buffer *to, uint32_t value)
{
    *canon_buffer_reserve(to, 1) = (uint8_t)value;
    to->used += 1;
}

static inline void put_u2(struct canon_buffer *to, uint32_t value)
{
    set_u2(canon_buffer_reserve(to, 2), value);
    to->used += 2;
}

static inline void put_u4(struct canon_buffer *to, uint32_t value)
{
    set_u4(canon_buffer_reserve(to, 4), value);
    to->used += 4;
}

#endif
