/* environment.c: see environment.h. */
#include "launch/environment.h"

#include "launch/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char **canon_environment_with(char **environment, const char *name, const char *value)
{
    size_t count = 0, length = strlen(name), n = 0;
    while (environment[count])
        count++;
    char **copy = calloc(count + 2, sizeof *copy);
    if (!copy)
        abort();
    for (size_t i = 0; i < count; i++)
        if (strncmp(environment[i], name, length) != 0 || environment[i][length] != '=')
            copy[n++] = environment[i];
    if (value && asprintf(&copy[n], "%s=%s", name, value) < 0)
        abort();
    return copy;
}

static char *padded(const char *text, size_t size, char with)
{
    char *all = malloc(size + 1);
    size_t length = strlen(text);
    if (!all || length > size) {
        free(all);
        return NULL;
    }
    memcpy(all, text, length);
    memset(all + length, with, size - length);
    all[size] = '\0';
    return all;
}

char **canon_native_environment(char **environment, const char *library, const char *mode, const char *trace,
                                const char *options)
{
    const char *before = "";
    for (char **at = environment; *at; at++)
        if (strncmp(*at, "LD_PRELOAD=", 11) == 0)
            before = *at + 11;
    char *libraries = NULL, *message = NULL;
    if (asprintf(&libraries, "%s%s%s", library, *before ? ":" : "", before) < 0 ||
        asprintf(&message, "%s%s%s%s%s%s%s%s", mode, CANON_NATIVE_SEPARATOR, trace, CANON_NATIVE_SEPARATOR,
                 options && *options ? options : CANON_NATIVE_NOTHING, CANON_NATIVE_SEPARATOR,
                 *before ? before : CANON_NATIVE_NOTHING, CANON_NATIVE_SEPARATOR) < 0)
        abort();
    char *preload = padded(libraries, CANON_NATIVE_PRELOAD_SIZE, ':');
    char *told = padded(message, CANON_NATIVE_SIZE, ' ');
    char **first = preload && told ? canon_environment_with(environment, "LD_PRELOAD", preload) : NULL;
    char **all = first ? canon_environment_with(first, CANON_ENV_NATIVE, told) : NULL;
    free(first);
    free(preload);
    free(told);
    free(libraries);
    free(message);
    return all;
}
