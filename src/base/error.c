/* error.c: the sentences of error.h. */
#include "base/error.h"

const char *canon_error_text(int code)
{
    switch (code) {
#define X(name, number, text)                                                                                \
    case -(number):                                                                                          \
        return text;
        CANON_ERRORS(X)
#undef X
    default:
        return "unknown error";
    }
}
