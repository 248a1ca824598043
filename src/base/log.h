/*
 * log.h: diagnostics, silent by default.
 *
 * CANON_LOG=module:level[,module:level...] or CANON_LOG=level switches them on; levels are
 * error, warn, info, debug. Lines go to descriptor 2 with one write(2): no stdio, since code
 * inside a recorded program must not touch that program's buffers.
 */
#ifndef CANON_BASE_LOG_H
#define CANON_BASE_LOG_H

#include <stdbool.h>

enum canon_log_level { CANON_LOG_NONE, CANON_LOG_ERROR, CANON_LOG_WARN, CANON_LOG_INFO, CANON_LOG_DEBUG };

bool canon_log_enabled(const char *module, enum canon_log_level level);
void canon_log(const char *module, enum canon_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A line for the user, whatever CANON_LOG says: "canon: ...". */
void canon_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
