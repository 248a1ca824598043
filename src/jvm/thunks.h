/* thunks.h: what thunks.S and C share; see thunks.S. */
#ifndef CANON_JVM_THUNKS_H
#define CANON_JVM_THUNKS_H

#define CANON_THUNKS 2048
#define CANON_THUNK_SHIFT 4 /* an entry is 1 << this many bytes */

#ifndef __ASSEMBLER__
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct canon_frame {
    uint64_t integers[6];
    uint64_t floats[8];
    const uint64_t *stack;
};
static_assert(offsetof(struct canon_frame, floats) == 48, "thunks.S");
static_assert(offsetof(struct canon_frame, stack) == 112, "thunks.S");

extern const char canon_thunks[];

uint64_t canon_native_entered(uint32_t number, struct canon_frame *frame);
uint64_t canon_native_call(void *function, const struct canon_frame *frame, size_t stack, bool is_float);
#endif

#endif
