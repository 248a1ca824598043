/*
 * findings.h: what the detectors inside a program have found, for canon to tell: memory that both have
 * mapped.
 *
 * A site is a place in the program as it was: registers and a piece of the stack. Nothing is unwound inside
 * the program; canon does that afterwards, with the debugging information of the files that were mapped.
 */
#ifndef CANON_NATIVE_DETECT_FINDINGS_H
#define CANON_NATIVE_DETECT_FINDINGS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, what a person calls it; what the trace has) */
#define CANON_FINDING_KINDS(X)                                                                               \
    X(OVERFLOW, "overflow")                 /* written behind the end of a block */                          \
    X(UNDERFLOW, "underflow")               /* written before its beginning */                               \
    X(WRITE_AFTER_FREE, "write after free") /* found when the block leaves quarantine, or at the end */      \
    X(READ_AFTER_FREE, "read after free")   /* a fault with what free has left in the block in a register */ \
    X(DOUBLE_FREE, "double free")                                                                            \
    X(INVALID_FREE, "invalid free") /* of what is not the beginning of a block */                            \
    X(FAULT, "fault")               /* the program's instruction was stopped by the system */

enum canon_finding_kind {
#define X(name, text) CANON_FINDING_##name,
    CANON_FINDING_KINDS(X)
#undef X
};

/* In the order of DWARF. */
enum { CANON_REG_RBP = 6, CANON_REG_RSP = 7, CANON_REG_RIP = 16, CANON_REGS = 17 };
enum { CANON_SITE_STACK = 16 << 10, CANON_FINDINGS = 32, CANON_FINDINGS_MAPS = 512 << 10 };

struct canon_site {
    bool known;
    char strand[128];
    uint64_t regs[CANON_REGS];
    uint32_t size; /* bytes of the stack, from its pointer on */
    uint8_t stack[CANON_SITE_STACK];
};

enum canon_site_role { CANON_SITE_ALLOCATED, CANON_SITE_FREED, CANON_SITE_GUILTY, CANON_SITES };

/* What is wrong, with which block. */
struct canon_trouble {
    enum canon_finding_kind kind;
    int lane;        /* the block: who has allocated it, */
    uint64_t number; /* and the how many-th that was; 0: no block is known */
    uint64_t size;
    int64_t at; /* the byte, counted from the beginning of the block; an address if none is known */
    uint64_t address;
    int signal; /* of a fault */
};

struct canon_finding {
    struct canon_trouble trouble;
    struct canon_site sites[CANON_SITES];
};

struct canon_findings {
    _Atomic uint32_t count; /* may be more than there is room for */
    uint32_t watched;       /* watchpoints that were set, */
    uint32_t unwatched;     /* and that the system refused: */
    int32_t refusal;        /* error number */
    /* Re-execution in the same process: native/insitu. */
    uint32_t tries, reproduced, epochs;
    uint32_t debug;           /* the program is to wait for a debugger before it ends; */
    _Atomic uint32_t stopped; /* and does so */
    char outcome[256];
    uint32_t maps_size;
    char maps[CANON_FINDINGS_MAPS]; /* what was mapped where: /proc/self/maps */
    struct canon_finding all[CANON_FINDINGS];
};

const char *canon_finding_text(enum canon_finding_kind kind);
/* What stands in the trace; and back: false if it is no such text. */
void canon_trouble_write(const struct canon_trouble *trouble, char *text, size_t size);
bool canon_trouble_read(const char *text, struct canon_trouble *trouble);

/* canon: makes it; `path` is how the program opens it. NULL if that cannot be done. */
struct canon_findings *canon_findings_make(char *path, size_t size);
/* The program: NULL if it cannot. */
struct canon_findings *canon_findings_open(const char *path);

#endif
