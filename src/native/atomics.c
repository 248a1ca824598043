/*
 * atomics.c: atomic operations of programs that were built with canon-cc: calls of libatomic's functions,
 * which these stand in front of. Each is an operation in the order of threads, on the word of its place.
 *
 * They are done for real, in a replay too: what they find there is what the order makes of it. Places that
 * are next to each other share a word, so that atomics of different sizes may overlap.
 */
#include "native/arena.h"
#include "native/ordered.h"
#include "native/stack.h"
#include "native/turns.h"

#include <dlfcn.h>

enum { WORDS = 1 << 14, PLACE = 16 };

static struct canon_word words[WORDS];

static struct canon_word *word_of(const volatile void *place)
{
    return &words[(uint64_t)place / PLACE * 0x9e3779b97f4a7c15u >> 50];
}

void canon_atomics_forked(void)
{
    for (int i = 0; canon_native.atomics && i < WORDS; i++)
        words[i].lock = 0;
}

/* ---- order --------------------------------------------------------------------------------------------- */

static void follow(void *word)
{
    const struct canon_word *after = word;
    canon_lane_follow_to(canon_self.lane, after->lane, after->count);
}

static void await(void *lane)
{
    canon_lane_await(lane);
}

/* What is seldom needed, on canon's own stack. */
static __attribute__((noinline)) void call(void (*function)(void *), void *argument)
{
    int error = errno;
    canon_stack_call(function, argument);
    errno = error;
}

/* Alone with the place until the end, while recording; a signal that comes late does not get in between. */
static inline struct canon_word *begin(struct canon_self *self, const volatile void *place)
{
    struct canon_lane *lane = self->lane;
    self->inside++;
    if (!canon_native.records) {
        if (atomic_load_explicit(&lane->count, memory_order_relaxed) == lane->next)
            call(await, lane);
        return NULL;
    }
    struct canon_word *word = word_of(place);
    canon_spin_lock(&word->lock);
    if (word->count > lane->seen[word->lane])
        call(follow, word);
    return word;
}

static inline void end(struct canon_self *self, struct canon_word *word)
{
    canon_lane_done(self->lane);
    if (word) {
        word->lane = (int)self->lane->number;
        word->count = canon_lane_operations(self->lane);
        canon_spin_unlock(&word->lock);
    } else if (__builtin_expect(canon_native.again, 0)) {
        canon_insitu_delay(self);
    }
    self->inside--;
}

/* Does `operation` in its turn. */
#define ORDERED(place, operation)                                                                            \
    do {                                                                                                     \
        struct canon_self *self = &canon_self;                                                               \
        bool ordered = canon_ordered(self);                                                                  \
        struct canon_word *word = ordered ? begin(self, place) : NULL;                                       \
        if (!ordered)                                                                                        \
            canon_turns_point(self);                                                                         \
        operation;                                                                                           \
        if (ordered)                                                                                         \
            end(self, word);                                                                                 \
    } while (0)

/* ---- the functions ------------------------------------------------------------------------------------- */

/* A function that the compiler knows by this name, but not as a function. */
#define FUNCTION(type, name, parameters)                                                                     \
    CANON_EXPORT type canon_atomic_##name parameters __asm__("__atomic_" #name);                             \
    type canon_atomic_##name parameters

#define UPDATES(X, bytes, type)                                                                              \
    X(add, bytes, type)                                                                                      \
    X(sub, bytes, type) X(and, bytes, type) X(or, bytes, type) X(xor, bytes, type) X(nand, bytes, type)

#define UPDATE(what, bytes, type)                                                                            \
    FUNCTION(type, fetch_##what##_##bytes, (volatile type * at, type value, int order))                      \
    {                                                                                                        \
        (void)order;                                                                                         \
        ORDERED(at, value = __atomic_fetch_##what(at, value, __ATOMIC_SEQ_CST));                             \
        return value;                                                                                        \
    }                                                                                                        \
    FUNCTION(type, what##_fetch_##bytes, (volatile type * at, type value, int order))                        \
    {                                                                                                        \
        (void)order;                                                                                         \
        ORDERED(at, value = __atomic_##what##_fetch(at, value, __ATOMIC_SEQ_CST));                           \
        return value;                                                                                        \
    }

#define FUNCTIONS(bytes, type)                                                                               \
    FUNCTION(type, load_##bytes, (const volatile type *at, int order))                                       \
    {                                                                                                        \
        type value;                                                                                          \
        (void)order;                                                                                         \
        ORDERED(at, value = __atomic_load_n(at, __ATOMIC_SEQ_CST));                                          \
        return value;                                                                                        \
    }                                                                                                        \
    FUNCTION(void, store_##bytes, (volatile type * at, type value, int order))                               \
    {                                                                                                        \
        (void)order;                                                                                         \
        ORDERED(at, __atomic_store_n(at, value, __ATOMIC_SEQ_CST));                                          \
    }                                                                                                        \
    FUNCTION(type, exchange_##bytes, (volatile type * at, type value, int order))                            \
    {                                                                                                        \
        (void)order;                                                                                         \
        ORDERED(at, value = __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST));                               \
        return value;                                                                                        \
    }                                                                                                        \
    FUNCTION(bool, compare_exchange_##bytes,                                                                 \
             (volatile type * at, type * expected, type value, int order, int failed))                       \
    {                                                                                                        \
        bool done;                                                                                           \
        (void)order, (void)failed;                                                                           \
        ORDERED(at, done = __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST,         \
                                                       __ATOMIC_SEQ_CST));                                   \
        return done;                                                                                         \
    }                                                                                                        \
    UPDATES(UPDATE, bytes, type)

FUNCTIONS(1, uint8_t)
FUNCTIONS(2, uint16_t)
FUNCTIONS(4, uint32_t)
FUNCTIONS(8, uint64_t)

/* ---- of other sizes: libatomic's ----------------------------------------------------------------------- */

#define REAL(name)                                                                                           \
    static __typeof__(canon_atomic_##name) *real;                                                            \
    if (!real)                                                                                               \
        real = (__typeof__(canon_atomic_##name) *)dlsym(RTLD_NEXT, "__atomic_" #name);

typedef unsigned __int128 wide;

FUNCTION(wide, load_16, (const volatile wide *at, int order))
{
    REAL(load_16)
    wide value;
    ORDERED(at, value = real(at, order));
    return value;
}

FUNCTION(void, store_16, (volatile wide * at, wide value, int order))
{
    REAL(store_16)
    ORDERED(at, real(at, value, order));
}

FUNCTION(wide, exchange_16, (volatile wide * at, wide value, int order))
{
    REAL(exchange_16)
    ORDERED(at, value = real(at, value, order));
    return value;
}

FUNCTION(bool, compare_exchange_16, (volatile wide * at, wide *expected, wide value, int order, int failed))
{
    REAL(compare_exchange_16)
    bool done;
    ORDERED(at, done = real(at, expected, value, order, failed));
    return done;
}

FUNCTION(void, load, (size_t size, const volatile void *at, void *value, int order))
{
    REAL(load)
    ORDERED(at, real(size, at, value, order));
}

FUNCTION(void, store, (size_t size, volatile void *at, const void *value, int order))
{
    REAL(store)
    ORDERED(at, real(size, at, value, order));
}

FUNCTION(void, exchange, (size_t size, volatile void *at, const void *value, void *before, int order))
{
    REAL(exchange)
    ORDERED(at, real(size, at, value, before, order));
}

FUNCTION(bool, compare_exchange,
         (size_t size, volatile void *at, void *expected, const void *value, int order, int failed))
{
    REAL(compare_exchange)
    bool done;
    ORDERED(at, done = real(size, at, expected, value, order, failed));
    return done;
}
