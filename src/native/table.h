/*
 * table.h: one row a system call: what kind it is, what goes in and what comes out.
 */
#ifndef CANON_NATIVE_TABLE_H
#define CANON_NATIVE_TABLE_H

#include <stdint.h>

/* In the words of iReplayer. Only REPEATABLE ones are done again in a replay of a whole run. */
enum canon_call_class {
    CANON_CALL_UNKNOWN = 0, /* no row: noted as unsupported; the result is recorded */
    CANON_CALL_REPEATABLE,  /* done again: it concerns the process's own threads and memory */
    CANON_CALL_RECORDABLE,  /* tells of the outside, without changing it */
    CANON_CALL_REVOCABLE,   /* changes what can be changed back: offsets, descriptors */
    CANON_CALL_DEFERRABLE,  /* changes what may as well be changed later: closing, unmapping */
    CANON_CALL_IRREVOCABLE, /* is seen outside */
    CANON_CALL_SPECIAL,     /* has code of its own */
    CANON_CALL_REFUSED,     /* cannot be captured: fails with ENOSYS, so that the program does without */
};

enum canon_arg_kind {
    CANON_ARG_NONE = 0,
    CANON_ARG_POINTER, /* not looked at */
    CANON_ARG_INT,     /* 32 bits that go in: descriptors, flags */
    CANON_ARG_CLOCK,   /* a clock; those of threads are numbers that the kernel has made */
    CANON_ARG_LONG,    /* 64 bits that go in: sizes, offsets */
    CANON_ARG_PATH,    /* text that goes in */
    CANON_ARG_IN,      /* bytes that go in: `size` of them, or as many as argument `other` says */
    CANON_ARG_ADDRESS, /* a socket's address that goes in: as many bytes as argument `other` says */
    CANON_ARG_EPOLL,   /* a struct epoll_event that goes in, unless argument 1 says that none is needed */
    CANON_ARG_LOCK,    /* a struct flock that goes in */
    CANON_ARG_OUT,     /* bytes that come out: `size` for each of argument `other`, or in all */
    CANON_ARG_RESULT, /* bytes that come out: `size` for each of the result, which is at most argument `other`
                       */
    CANON_ARG_VARYING, /* bytes that come out: as many as the number that argument `other` points at */
    CANON_ARG_LENGTH,  /* that number: goes in and comes out */
    CANON_ARG_VECTOR_IN /* an iovec of `other` entries that goes in */,
    CANON_ARG_VECTOR_RESULT, /* an iovec whose buffers are filled with `result` bytes */
    CANON_ARG_SETS,          /* an fd_set of as many bits as argument `other` says; in and out */
};

enum { CANON_ARG_ALONE = 15 }; /* `other`: no argument */

struct canon_arg {
    uint8_t kind, other;
    uint16_t size;
};

enum canon_call_flags {
    CANON_CALL_BLOCKS = 1,    /* may wait for long: signals interrupt it */
    CANON_CALL_FAILS_OUT = 2, /* what comes out comes out of failures, too */
    CANON_CALL_ASKS = 4,      /* has no place in the order of threads */
    CANON_CALL_WAITS = 8,     /* is made to wait */
};

struct canon_call {
    const char *name;
    enum canon_call_class class;
    int flags;
    struct canon_arg args[6];
};

/* The row of a call; NULL if there is none. */
const struct canon_call *canon_call_row(long number);
long canon_call_most(void);

#endif
