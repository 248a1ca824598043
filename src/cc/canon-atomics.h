/*
 * canon-atomics.h: for what canon-cc compiles with gcc: atomics that gcc makes instructions of in any case,
 * in terms of those that it makes calls of.
 */
#if !defined(CANON_ATOMICS_H) && !defined(__ASSEMBLER__)
#define CANON_ATOMICS_H
#pragma GCC system_header

/* ---- flags --------------------------------------------------------------------------------------------- */

#define __atomic_test_and_set(at, order)                                                                     \
    (__atomic_exchange_n((volatile unsigned char *)(at), (unsigned char)1, (order)) != 0)
#define __atomic_clear(at, order) __atomic_store_n((volatile unsigned char *)(at), (unsigned char)0, (order))

/* ---- the older names ----------------------------------------------------------------------------------- */

#define __sync_fetch_and_add(at, value, ...) __atomic_fetch_add((at), (value), __ATOMIC_SEQ_CST)
#define __sync_fetch_and_sub(at, value, ...) __atomic_fetch_sub((at), (value), __ATOMIC_SEQ_CST)
#define __sync_fetch_and_or(at, value, ...) __atomic_fetch_or((at), (value), __ATOMIC_SEQ_CST)
#define __sync_fetch_and_and(at, value, ...) __atomic_fetch_and((at), (value), __ATOMIC_SEQ_CST)
#define __sync_fetch_and_xor(at, value, ...) __atomic_fetch_xor((at), (value), __ATOMIC_SEQ_CST)
#define __sync_fetch_and_nand(at, value, ...) __atomic_fetch_nand((at), (value), __ATOMIC_SEQ_CST)
#define __sync_add_and_fetch(at, value, ...) __atomic_add_fetch((at), (value), __ATOMIC_SEQ_CST)
#define __sync_sub_and_fetch(at, value, ...) __atomic_sub_fetch((at), (value), __ATOMIC_SEQ_CST)
#define __sync_or_and_fetch(at, value, ...) __atomic_or_fetch((at), (value), __ATOMIC_SEQ_CST)
#define __sync_and_and_fetch(at, value, ...) __atomic_and_fetch((at), (value), __ATOMIC_SEQ_CST)
#define __sync_xor_and_fetch(at, value, ...) __atomic_xor_fetch((at), (value), __ATOMIC_SEQ_CST)
#define __sync_nand_and_fetch(at, value, ...) __atomic_nand_fetch((at), (value), __ATOMIC_SEQ_CST)
#define __sync_lock_test_and_set(at, value, ...) __atomic_exchange_n((at), (value), __ATOMIC_SEQ_CST)
#define __sync_lock_release(at, ...) __atomic_store_n((at), 0, __ATOMIC_SEQ_CST)

/* What was there before. The type of the place may have qualifiers, and be a pointer. */
#define CANON_SWAP(bytes, type)                                                                              \
    static inline __attribute__((unused)) unsigned long canon_swap_##bytes(                                  \
        volatile void *at, unsigned long expected, unsigned long value)                                      \
    {                                                                                                        \
        type before = (type)expected;                                                                        \
        __atomic_compare_exchange_n((volatile type *)at, &before, (type)value, 0, __ATOMIC_SEQ_CST,          \
                                    __ATOMIC_SEQ_CST);                                                       \
        return before;                                                                                       \
    }
CANON_SWAP(1, unsigned char)
CANON_SWAP(2, unsigned short)
CANON_SWAP(4, unsigned int)
CANON_SWAP(8, unsigned long)
#undef CANON_SWAP

#define CANON_SWAP(at, expected, value)                                                                      \
    (sizeof *(at) == 1   ? canon_swap_1((at), (unsigned long)(expected), (unsigned long)(value))             \
     : sizeof *(at) == 2 ? canon_swap_2((at), (unsigned long)(expected), (unsigned long)(value))             \
     : sizeof *(at) == 4 ? canon_swap_4((at), (unsigned long)(expected), (unsigned long)(value))             \
                         : canon_swap_8((at), (unsigned long)(expected), (unsigned long)(value)))
/* As much of a number as the place has. */
#define CANON_PART(at, value) ((unsigned long)(value) & ~0ul >> (64 - 8 * sizeof *(at)))

#define __sync_val_compare_and_swap(at, expected, value, ...)                                                \
    ((__typeof__(*(at)))CANON_SWAP(at, expected, value))
#define __sync_bool_compare_and_swap(at, expected, value, ...)                                               \
    __extension__({                                                                                          \
        unsigned long canon_expected = CANON_PART(at, expected);                                             \
        CANON_SWAP(at, canon_expected, value) == canon_expected;                                             \
    })

#endif
