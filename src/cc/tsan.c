/*
 * tsan.c: libcanon-atomics: what clang calls for atomics, by the names of ThreadSanitizer, in terms of
 * libatomic's functions. Linked into programs by canon-cc.
 */
#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 wide;

void __tsan_init(void);
void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);

void __tsan_init(void) {}

void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* The function `name` of libatomic, and the one that calls it. */
#define CALLS(type, bits, bytes, ours, theirs, parameters, arguments)                                        \
    type canon_##theirs##_##bytes parameters __asm__("__atomic_" #theirs "_" #bytes);                        \
    type __tsan_atomic##bits##_##ours parameters;                                                            \
    type __tsan_atomic##bits##_##ours parameters                                                             \
    {                                                                                                        \
        return canon_##theirs##_##bytes arguments;                                                           \
    }

#define UPDATE(type, bits, bytes, what)                                                                      \
    CALLS(type, bits, bytes, fetch_##what, fetch_##what, (volatile type * at, type value, int order),        \
          (at, value, order))

#define FUNCTIONS(type, bits, bytes)                                                                         \
    CALLS(type, bits, bytes, load, load, (const volatile type *at, int order), (at, order))                  \
    CALLS(void, bits, bytes, store, store, (volatile type * at, type value, int order), (at, value, order))  \
    CALLS(type, bits, bytes, exchange, exchange, (volatile type * at, type value, int order),                \
          (at, value, order))                                                                                \
    CALLS(bool, bits, bytes, compare_exchange_strong, compare_exchange,                                      \
          (volatile type * at, type * expected, type value, int order, int failed),                          \
          (at, expected, value, order, failed))                                                              \
    bool __tsan_atomic##bits##_compare_exchange_weak(volatile type *at, type *expected, type value,          \
                                                     int order, int failed);                                 \
    bool __tsan_atomic##bits##_compare_exchange_weak(volatile type *at, type *expected, type value,          \
                                                     int order, int failed)                                  \
    {                                                                                                        \
        return canon_compare_exchange_##bytes(at, expected, value, order, failed);                           \
    }                                                                                                        \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value, int order, \
                                                    int failed);                                             \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value, int order, \
                                                    int failed)                                              \
    {                                                                                                        \
        canon_compare_exchange_##bytes(at, &expected, value, order, failed);                                 \
        return expected;                                                                                     \
    }                                                                                                        \
    UPDATE(type, bits, bytes, add)                                                                           \
    UPDATE(type, bits, bytes, sub)                                                                           \
    UPDATE(type, bits, bytes, and)                                                                           \
    UPDATE(type, bits, bytes, or)                                                                            \
    UPDATE(type, bits, bytes, xor)                                                                           \
    UPDATE(type, bits, bytes, nand)

FUNCTIONS(uint8_t, 8, 1)
FUNCTIONS(uint16_t, 16, 2)
FUNCTIONS(uint32_t, 32, 4)
FUNCTIONS(uint64_t, 64, 8)
FUNCTIONS(wide, 128, 16)
