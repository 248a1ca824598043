/*
 * zones.h: which addresses are whose. Fixed, so that what the runtime needs, which differs between recording
 * and replaying, does not move what the program gets.
 *
 *   0x0d00 0000 0000  what a rollback leaves alone
 *   0x0e00 0000 0000  canon's own               0x5100 0000 0000  stacks of threads, 256 MiB each
 *   0x1000 0000 0000  heaps, 16 GiB a lane      0x5555 ...        the program
 *                                               0x7fff ...        libraries, what the program maps
 *
 * canon's own stacks lie below all others: debuggers take it for granted that who calls has the higher stack.
 */
#ifndef CANON_NATIVE_ZONES_H
#define CANON_NATIVE_ZONES_H

#include <stdbool.h>
#include <stdint.h>

#define CANON_ZONE_HEAPS UINT64_C(0x100000000000)
#define CANON_ZONE_HEAP_SIZE (UINT64_C(16) << 30)
#define CANON_ZONE_STACKS UINT64_C(0x510000000000)
#define CANON_ZONE_STACK_SIZE (UINT64_C(256) << 20)
#define CANON_ZONE_RUNTIME UINT64_C(0x0e0000000000)
#define CANON_ZONE_RUNTIME_END UINT64_C(0x0f0000000000)
#define CANON_ZONE_KEPT UINT64_C(0x0d0000000000)
#define CANON_ZONE_KEPT_END UINT64_C(0x0e0000000000)

static inline bool canon_zone_is_runtime(const void *at)
{
    return (uint64_t)at >= CANON_ZONE_RUNTIME && (uint64_t)at < CANON_ZONE_RUNTIME_END;
}

#endif
