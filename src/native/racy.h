/*
 * racy.h: instructions that race, and that a list names: each is an operation in the order of threads. For
 * code like this nothing else has to wait; all others run as they are.
 *
 *   site   such an instruction; its trampoline calls what is below (racy_sites.c)
 *   word   says which operation wrote last at a place: those that write are alone with it, one after another
 *   memo   of a thread: what it has read last, by place
 *
 * What reads is not alone. It compares: who wrote last is known to the thread, and the value is that of the
 * memo; that is nearly always so, and writes nothing but the thread's own count. Otherwise it comes after who
 * has written, and the value goes into the trace. A replay takes all values out of its memo, and the trace:
 * so a read needs no order with later writes, and is right even if what wrote is not on the list.
 */
#ifndef CANON_NATIVE_RACY_H
#define CANON_NATIVE_RACY_H

#include "native/code.h"
#include "native/native.h"
#include "native/racy_list.h"

/* Before code is rewritten: takes the list of the trace, if it has one. */
void canon_racy_start(const char *trace);
/* Rewrites the sites in code that `object->file` has. */
void canon_racy_patch(struct canon_object *object);
/* Sites that could not be rewritten, so far; and the first of them, for people. */
unsigned canon_racy_missed(const char **some);

/* The thread ends. */
void canon_racy_thread_ends(struct canon_self *self);
/* After a fork, in the child: who else had locked a word is not there any more. */
void canon_racy_forked(void);
/* The instruction between begin and end has made a fault, and does not come to its end. */
void canon_racy_faulted(struct canon_self *self);

/* The id of an ELF file; false if it has none. */
bool canon_racy_identify(int file, struct canon_racy_id *id);

/* ---- what trampolines call ----------------------------------------------------------------------------- */

/* Changes no register but that of the result, and flags. */
#define CANON_RACY_CALLED __attribute__((no_caller_saved_registers))

/* What is read there. */
CANON_RACY_CALLED uint64_t canon_racy_load_1(uint64_t at);
CANON_RACY_CALLED uint64_t canon_racy_load_2(uint64_t at);
CANON_RACY_CALLED uint64_t canon_racy_load_4(uint64_t at);
CANON_RACY_CALLED uint64_t canon_racy_load_8(uint64_t at);
/* Around an instruction that writes there. */
CANON_RACY_CALLED void canon_racy_begin_1(uint64_t at);
CANON_RACY_CALLED void canon_racy_begin_2(uint64_t at);
CANON_RACY_CALLED void canon_racy_begin_4(uint64_t at);
CANON_RACY_CALLED void canon_racy_begin_8(uint64_t at);
CANON_RACY_CALLED void canon_racy_end(void);

/* ---- between racy.c and racy_slow.c -------------------------------------------------------------------- */

/* A word: operations of a lane, its number, and whether somebody is alone with it. */
enum { CANON_RACY_WORDS = 1 << 14, CANON_RACY_PLACE = 16, CANON_RACY_LOCKED = 1, CANON_RACY_COUNT = 13 };
extern _Atomic uint64_t canon_racy_words[CANON_RACY_WORDS];

static inline _Atomic uint64_t *canon_racy_word(uint64_t at)
{
    return &canon_racy_words[at / CANON_RACY_PLACE * 0x9e3779b97f4a7c15u >> 50];
}

static inline int canon_racy_lane(uint64_t word)
{
    return word >> 1 & (CANON_LANE_COUNT - 1);
}

/* Whether the lane does not come after who wrote last anyway. */
static inline bool canon_racy_is_news(const struct canon_lane *lane, uint64_t word)
{
    return (int64_t)(word >> CANON_RACY_COUNT) > lane->seen[canon_racy_lane(word)];
}

enum { CANON_RACY_MEMO = 1024 };

struct canon_racy_memo {
    struct canon_racy_entry {
        uint64_t key, value;
    } all[CANON_RACY_MEMO];
};

static inline uint64_t canon_racy_key(uint64_t at, unsigned size)
{
    return at << 4 | size;
}

static inline struct canon_racy_entry *canon_racy_entry(struct canon_racy_memo *memo, uint64_t key)
{
    return &memo->all[key * 0x9e3779b97f4a7c15u >> 54];
}

static inline uint64_t canon_racy_read(uint64_t at, unsigned size)
{
    switch (size) {
    case 1:
        return *(const volatile uint8_t *)at;
    case 2:
        return *(const volatile uint16_t *)at;
    case 4:
        return *(const volatile uint32_t *)at;
    default:
        return *(const volatile uint64_t *)at;
    }
}

/* On canon's own stack, with all registers kept (raw.S): the functions without `_kept`. */
CANON_RACY_CALLED uint64_t canon_racy_load_kept(uint64_t at, uint64_t size);
CANON_RACY_CALLED uint64_t canon_racy_follow_kept(uint64_t word);
CANON_RACY_CALLED uint64_t canon_racy_await_kept(void);
CANON_RACY_CALLED uint64_t canon_racy_ended_kept(void);
CANON_RACY_CALLED uint64_t canon_racy_yield_kept(void);
uint64_t canon_racy_load(uint64_t at, uint64_t size);
uint64_t canon_racy_follow(uint64_t word);
uint64_t canon_racy_await(void);
uint64_t canon_racy_ended(void);
uint64_t canon_racy_yield(void);

#endif
