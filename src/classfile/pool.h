/*
 * pool.h: a class's constant pool that can grow. Internal.
 *
 * A constant is looked up by its bytes as they stand in the file (tag and contents), so one routine
 * serves all kinds. Only what was added is looked at: a constant that the class has already is there twice.
 */
#ifndef CANON_CLASSFILE_POOL_H
#define CANON_CLASSFILE_POOL_H

#include "base/buffer.h"
#include "classfile/class.h"

struct pool {
    const struct canon_class *cls;
    struct canon_buffer added;    /* bytes of the new constants */
    struct canon_buffer added_at; /* uint32_t each: where in `added`; by index - cls->pool_count */
    uint32_t count;               /* one more than the highest index */
    uint16_t *table;              /* of the new ones: open addressing, 0 is empty */
    uint32_t table_mask;
    uint32_t table_used;
};

void canon_pool_open(struct pool *pool, const struct canon_class *cls);
void canon_pool_close(struct pool *pool);

/* These return an index, or CANON_E_LIMIT. */
int canon_pool_utf8(struct pool *pool, struct canon_utf8 text);
/* A constant that holds one index (Class, String), or two (references, NameAndType). */
int canon_pool_one(struct pool *pool, uint8_t tag, int index);
int canon_pool_two(struct pool *pool, uint8_t tag, int first, int second);
int canon_pool_int(struct pool *pool, int32_t value);
int canon_pool_long(struct pool *pool, int64_t value);

#endif
