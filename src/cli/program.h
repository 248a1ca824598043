/*
 * program.h: what a command is: something that leads to a JVM, or a native program.
 */
#ifndef CANON_CLI_PROGRAM_H
#define CANON_CLI_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum canon_program_kind {
    CANON_PROGRAM_JAVA,    /* a launcher of the JDK; a shell, or what else starts programs, and its scripts */
    CANON_PROGRAM_NATIVE,  /* a dynamically linked program for x86-64 */
    CANON_PROGRAM_REFUSED, /* native, but out of reach: static, set-uid, for another processor */
    CANON_PROGRAM_MISSING,
};

struct canon_program {
    enum canon_program_kind kind;
    char path[PATH_MAX];          /* absolute */
    const char *refusal;          /* why it is out of reach */
    bool is_shell;                /* a script of a shell */
    char interpreter[256];        /* of a script: the program to start, and */
    char interpreter_option[256]; /* what it gets as its first argument, or "" */
};

/* Looks at what a shell would start for that name. */
void canon_program_look(const char *name, struct canon_program *program);

/*
 * Whether a command is a native program: `kind` is "java" or "native", or NULL to look. False: it says what
 * is wrong with the kind, or with the program.
 */
bool canon_program_choose(const char *kind, const char *command, struct canon_program *program, bool *native);

#endif
