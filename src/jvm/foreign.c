/* foreign.c: see foreign.h. */
#include "jvm/foreign.h"

#include "jvm/spec.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool canon_foreign_matches(const char *pattern, const char *class_name, const char *method)
{
    char *name = NULL;
    if (asprintf(&name, "%s.%s", class_name, method) < 0)
        return false;
    for (char *at = name; *at; at++)
        *at = *at == '/' ? '.' : *at;
    bool matches = fnmatch(pattern, name, FNM_NOESCAPE) == 0;
    free(name);
    return matches;
}

void canon_foreign_spec(const char *descriptor, char *spec, size_t size)
{
    struct canon_spec parsed = {0};
    char problem[128];
    size_t used = 0;
    *spec = '\0';
    if (canon_spec_compile(descriptor, true, "", &parsed, problem, sizeof problem))
        return; /* who compiles it with the spec will say why */
    for (int i = 0, terms = 0; i < parsed.arg_count && terms < CANON_TERMS_MAX; i++) {
        if (parsed.args[i].type != '[' || strchr("L[", parsed.args[i].element))
            continue;
        int n = snprintf(spec + used, size - used, "%soutarray(%d)", terms++ ? " " : "", i + 1);
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
    }
}
