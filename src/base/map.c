/* map.c: see map.h. */
#include "base/map.h"

#include "base/assert.h"

#include <stdbool.h>
#include <stdlib.h>

struct canon_map_place {
    uint64_t key;
    union canon_map_value value;
    bool taken;
};

enum { FIRST_CAPACITY = 64 };

/* Where the key is, or would go: as many upper bits of the product as it takes, which depend on all of the
 * key. */
static struct canon_map_place *place_of(const struct canon_map *map, uint64_t key)
{
    size_t mask = map->capacity - 1;
    size_t at = (key * 0x9e3779b97f4a7c15u) >> (__builtin_clzll(map->capacity) + 1);
    while (map->places[at].taken && map->places[at].key != key)
        at = (at + 1) & mask;
    return &map->places[at];
}

static void grow(struct canon_map *map)
{
    struct canon_map old = *map;
    map->capacity = old.capacity ? old.capacity * 2 : FIRST_CAPACITY;
    map->places = calloc(map->capacity, sizeof *map->places);
    canon_assert(map->places);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.places[i].taken)
            *place_of(map, old.places[i].key) = old.places[i];
    free(old.places);
}

union canon_map_value *canon_map_get(const struct canon_map *map, uint64_t key)
{
    struct canon_map_place *place = map->capacity ? place_of(map, key) : NULL;
    return place && place->taken ? &place->value : NULL;
}

union canon_map_value *canon_map_put(struct canon_map *map, uint64_t key)
{
    union canon_map_value *found = canon_map_get(map, key);
    if (found)
        return found;
    if (map->count * 2 >= map->capacity)
        grow(map);
    struct canon_map_place *place = place_of(map, key);
    place->key = key;
    place->taken = true;
    map->count++;
    return &place->value;
}

void canon_map_free(struct canon_map *map)
{
    free(map->places);
    *map = (struct canon_map){0};
}
