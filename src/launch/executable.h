/*
 * executable.h: what an executable file is, as far as bringing a library into it goes.
 */
#ifndef CANON_LAUNCH_EXECUTABLE_H
#define CANON_LAUNCH_EXECUTABLE_H

enum canon_executable_kind {
    CANON_EXECUTABLE_UNREADABLE, /* or missing: errno */
    CANON_EXECUTABLE_UNKNOWN,    /* no program, no script */
    CANON_EXECUTABLE_NATIVE,     /* a dynamically linked program for x86-64 */
    CANON_EXECUTABLE_REFUSED,    /* static, set-uid, for another processor */
    CANON_EXECUTABLE_JAVA,       /* a launcher of the JDK */
    CANON_EXECUTABLE_SCRIPT,
};

struct canon_executable {
    enum canon_executable_kind kind;
    const char *refusal;          /* why it is out of reach */
    char interpreter[256];        /* of a script: the program to start, and */
    char interpreter_option[256]; /* what it gets as its first argument, or "" */
};

void canon_executable_look(const char *path, struct canon_executable *found);

#endif
