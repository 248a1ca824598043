/* bug.h: what the programs with planted bugs share: values and memory that the compiler knows nothing of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline size_t volatile_size(size_t size)
{
    volatile size_t unknown = size;
    return unknown;
}

#define use(pointer)                                                                                         \
    ({                                                                                                       \
        __typeof__(pointer) used = (pointer);                                                                \
        __asm__ volatile("" : "+r"(used) : : "memory");                                                      \
        used;                                                                                                \
    })
