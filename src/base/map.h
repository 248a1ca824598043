/*
 * map.h: a table from numbers to numbers or pointers. It only grows. One that is all zeros is empty.
 */
#ifndef CANON_BASE_MAP_H
#define CANON_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

union canon_map_value {
    uint64_t number;
    void *pointer;
};

struct canon_map {
    struct canon_map_place *places; /* open addressing */
    size_t count;                   /* keys that are in it */
    size_t capacity;                /* 0 or a power of two */
};

/* What is under the key, NULL if that is not in the map. Valid until the next canon_map_put. */
union canon_map_value *canon_map_get(const struct canon_map *map, uint64_t key);
/* The same, but puts the key in if it is not there, with 0; ends the process when memory is gone. */
union canon_map_value *canon_map_put(struct canon_map *map, uint64_t key);
/* Of pointers, not what they point to. */
void canon_map_free(struct canon_map *map);

#endif
