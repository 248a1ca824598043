/*
 * spec.h: what a native takes and leaves behind, compiled from its descriptor and the terms of its table
 * row (src/jvm/table/README.md). Knows no JNI, so that every row is checked by a unit test.
 */
#ifndef CANON_JVM_SPEC_H
#define CANON_JVM_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CANON_ARGS_MAX = 24, CANON_TERMS_MAX = 8 };

/* Where an argument is when a native is entered: System V calling convention of x86-64. */
enum canon_place { CANON_PLACE_INTEGER, CANON_PLACE_FLOAT, CANON_PLACE_STACK };

struct canon_arg {
    char type;    /* first character of its descriptor: Z B C S I J F D L [ */
    char element; /* of an array: first character of the element's descriptor */
    bool is_string;
    bool compared; /* its value is part of what must be equal at replay */
    uint8_t place; /* enum canon_place */
    uint8_t slot;
};

#define CANON_TERMS(X)                                                                                       \
    X(OUT, "out", 3)                                                                                         \
    X(OUTARRAY, "outarray", 1)                                                                               \
    X(OUTELEMS, "outelems", 1)                                                                               \
    X(OUTFIELDS, "outfields", 1)                                                                             \
    X(OUTFD, "outfd", 1)                                                                                     \
    X(OUTMEM, "outmem", 2)                                                                                   \
    X(OUTIOV, "outiov", 2)                                                                                   \
    X(OUTADDR, "outaddr", 2)                                                                                 \
    X(RETARG, "retarg", 1)                                                                                   \
    X(RETMAP, "retmap", 1)                                                                                   \
    X(FILEMAP, "filemap", 3)                                                                                 \
    X(RETFD, "retfd", 1)                                                                                     \
    X(CLOSES, "closes", 1)                                                                                   \
    X(FD, "fd", 1)                                                                                           \
    X(IN, "in", 3)                                                                                           \
    X(INMEM, "inmem", 2)                                                                                     \
    X(INIOV, "iniov", 2)                                                                                     \
    X(INBYTE, "inbyte", 1)                                                                                   \
    X(PATH, "path", 1)                                                                                       \
    X(CSTR, "cstr", 1)                                                                                       \
    X(SHOW, "show", 1)                                                                                       \
    X(INHERITS, "inherits", 1)                                                                               \
    X(SEEK, "seek", 1)                                                                                       \
    X(SKIP, "skip", 1)

enum canon_term_kind {
#define X(name, text, operands) CANON_TERM_##name,
    CANON_TERMS(X)
#undef X
};

enum canon_operand_kind {
    CANON_OPERAND_ARG,     /* value: number of the argument, from 1 */
    CANON_OPERAND_CONST,   /* value: the number itself */
    CANON_OPERAND_RET,     /* the return value */
    CANON_OPERAND_THIS,    /* the receiver */
    CANON_OPERAND_THIS_FD, /* the FileDescriptor in field fd of the receiver */
};

struct canon_operand {
    enum canon_operand_kind kind;
    int64_t value;
    int64_t factor; /* lengths only; 1 otherwise */
};

struct canon_term {
    enum canon_term_kind kind;
    struct canon_operand operands[3];
};

/* What is called: a native method, or a function of the system's library. */
enum canon_callee { CANON_CALLEE_METHOD, CANON_CALLEE_STATIC, CANON_CALLEE_FUNCTION };

struct canon_spec {
    enum canon_callee callee;
    struct canon_arg args[CANON_ARGS_MAX]; /* without env and receiver */
    uint8_t arg_count;
    uint8_t stack_slots; /* arguments that are passed on the stack */
    char result;         /* V or first character of the return type */
    bool has_inputs;     /* something is compared by checksum */
    bool has_output;     /* it writes data somewhere */
    struct canon_term terms[CANON_TERMS_MAX];
    uint8_t term_count;
};

/* Compiles; on failure `problem` says what is wrong with the row. */
int canon_spec_compile(const char *descriptor, enum canon_callee callee, const char *terms,
                       struct canon_spec *spec, char *problem, size_t size);

#endif
