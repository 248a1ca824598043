/* log.c: see log.h. Calls write(2) and getenv only. */
#include "base/log.h"

#include "base/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const LEVEL_NAMES[] = {"none", "error", "warn", "info", "debug"};

static void write_line(const char *prefix, const char *format, va_list args)
{
    char line[2048];
    int used = snprintf(line, sizeof line, "%s", prefix);
    int more = vsnprintf(line + used, sizeof line - (size_t)used - 1, format, args);
    size_t length = (size_t)used + (more > 0 ? (size_t)more : 0);
    if (length > sizeof line - 2)
        length = sizeof line - 2;
    line[length++] = '\n';
    ssize_t ignored = write(STDERR_FILENO, line, length);
    (void)ignored;
}

/* The level that one item of CANON_LOG ("module:level" or "level") grants to `module`. */
static int item_level(const char *item, size_t length, const char *module)
{
    const char *colon = memchr(item, ':', length);
    if (colon) {
        size_t name = (size_t)(colon - item);
        if (strlen(module) != name || memcmp(item, module, name) != 0)
            return CANON_LOG_NONE;
        length -= name + 1;
        item = colon + 1;
    }
    for (int level = CANON_LOG_ERROR; level <= CANON_LOG_DEBUG; level++)
        if (strlen(LEVEL_NAMES[level]) == length && memcmp(LEVEL_NAMES[level], item, length) == 0)
            return level;
    return CANON_LOG_NONE;
}

bool canon_log_enabled(const char *module, enum canon_log_level level)
{
    static const char *setting;
    static bool asked;
    if (!asked) {
        const char *value = getenv("CANON_LOG");
        setting = value ? strdup(value) : NULL;
        asked = true;
    }
    int granted = CANON_LOG_NONE;
    for (const char *item = setting; item && *item;) {
        size_t length = strcspn(item, ",");
        int here = item_level(item, length, module);
        if (here > granted)
            granted = here;
        item += length + (item[length] == ',');
    }
    return (int)level <= granted;
}

void canon_log(const char *module, enum canon_log_level level, const char *format, ...)
{
    if (!canon_log_enabled(module, level))
        return;
    char prefix[64];
    snprintf(prefix, sizeof prefix, "canon[%d] %s: ", (int)getpid(), module);
    va_list args;
    va_start(args, format);
    write_line(prefix, format, args);
    va_end(args);
}

void canon_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_line("canon: ", format, args);
    va_end(args);
}

void canon_assert_failed(const char *what, const char *file, int line)
{
    canon_say("internal error: %s does not hold (%s:%d)", what, file, line);
    abort();
}
