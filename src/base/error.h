/*
 * error.h: the one list of error codes.
 *
 * Functions return 0 (or a useful non-negative number) or one of these, negative.
 * The message for a person is made where the context is known; this list only
 * gives the kind and a default sentence.
 */
#ifndef CANON_BASE_ERROR_H
#define CANON_BASE_ERROR_H

#define CANON_ERRORS(X)                                                                                      \
    X(NOMEM, 1, "out of memory")                                                                             \
    X(IO, 2, "input/output error")                                                                           \
    X(NOENT, 3, "no such file or directory")                                                                 \
    X(FORMAT, 4, "not in the expected format")                                                               \
    X(TRUNCATED, 5, "data ends too early")                                                                   \
    X(CHECKSUM, 6, "checksum does not match")                                                                \
    X(VERSION, 7, "unknown format version")                                                                  \
    X(LIMIT, 8, "a limit was exceeded")                                                                      \
    X(END, 9, "end of stream")                                                                               \
    X(UNSUPPORTED, 10, "not supported")                                                                      \
    X(INVALID, 11, "invalid argument")                                                                       \
    X(NOSPACE, 12, "no space left")

enum canon_error {
#define X(name, number, text) CANON_E_##name = -(number),
    CANON_ERRORS(X)
#undef X
};

/* A default sentence for a code; never NULL. */
const char *canon_error_text(int code);

#endif
