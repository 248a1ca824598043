/* summary.c: see summary.h. */
#include "heap/summary.h"

#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void canon_heap_summary_free(struct canon_heap_summary *summary)
{
    for (size_t i = 0; i < summary->count; i++)
        free(summary->classes[i].name);
    free(summary->classes);
    *summary = (struct canon_heap_summary){0};
}

static int by_name(const void *left, const void *right)
{
    return strcmp(((const struct canon_heap_class *)left)->name,
                  ((const struct canon_heap_class *)right)->name);
}

void canon_heap_summary_sort(struct canon_heap_summary *summary)
{
    if (summary->count)
        qsort(summary->classes, summary->count, sizeof *summary->classes, by_name);
}

/* ---- text ---------------------------------------------------------------------------------------------- */

static char *text_of(uint64_t digest, uint64_t count, const char *separator, const char *name)
{
    char *text = NULL;
    if (asprintf(&text, "%016" PRIx64 " %" PRIu64 "%s%s", digest, count, separator, name) < 0)
        text = NULL;
    canon_assert(text);
    return text;
}

char *canon_heap_total_text(const struct canon_heap_summary *summary)
{
    return text_of(summary->digest, summary->objects, "", "");
}

char *canon_heap_class_text(const struct canon_heap_class *class)
{
    return text_of(class->digest, class->instances, " ", class->name);
}

/* Where the text goes on behind digest and count; NULL if it does not begin with them. */
static const char *parse_numbers(const char *text, uint64_t *digest, uint64_t *count)
{
    int used = 0;
    if (strspn(text, "0123456789abcdef") != 16 || text[16] != ' ' || strspn(text + 17, "0123456789") == 0 ||
        sscanf(text, "%16" SCNx64 " %20" SCNu64 "%n", digest, count, &used) != 2)
        return NULL;
    return text + used;
}

int canon_heap_total_parse(const char *text, struct canon_heap_summary *summary)
{
    const char *rest = parse_numbers(text, &summary->digest, &summary->objects);
    return rest && !*rest ? 0 : CANON_E_FORMAT;
}

int canon_heap_class_parse(const char *text, struct canon_heap_summary *summary)
{
    struct canon_heap_class class = {0};
    const char *rest = parse_numbers(text, &class.digest, &class.instances);
    if (!rest || rest[0] != ' ' || !rest[1])
        return CANON_E_FORMAT;
    class.name = strdup(rest + 1);
    summary->classes = realloc(summary->classes, (summary->count + 1) * sizeof *summary->classes);
    canon_assert(class.name && summary->classes);
    summary->classes[summary->count++] = class;
    return 0;
}

/* ---- differences --------------------------------------------------------------------------------------- */

static bool is_of_jdk(const char *name)
{
    static const char *const STARTS[] = {"java.", "javax.", "jdk.", "sun.", "com.sun."};
    for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++)
        if (strncmp(name, STARTS[i], strlen(STARTS[i])) == 0)
            return true;
    return !strpbrk(name, ".$ABCDEFGHIJKLMNOPQRSTUVWXYZ"); /* int[] */
}

static size_t differences_of(bool of_jdk, const struct canon_heap_summary *recorded,
                             const struct canon_heap_summary *now, canon_heap_difference_fn each,
                             void *context)
{
    size_t differences = 0;
    for (size_t i = 0, k = 0; i < recorded->count || k < now->count;) {
        struct canon_heap_class left = {0}, right = {0};
        int order = i == recorded->count ? 1
                    : k == now->count    ? -1
                                         : strcmp(recorded->classes[i].name, now->classes[k].name);
        left.name = right.name = order <= 0 ? recorded->classes[i].name : now->classes[k].name;
        if (order <= 0)
            left = recorded->classes[i++];
        if (order >= 0)
            right = now->classes[k++];
        if (is_of_jdk(left.name) != of_jdk ||
            (left.instances == right.instances && left.digest == right.digest))
            continue;
        differences++;
        each(context, &left, &right);
    }
    return differences;
}

size_t canon_heap_differences(const struct canon_heap_summary *recorded, const struct canon_heap_summary *now,
                              canon_heap_difference_fn each, void *context)
{
    size_t own = differences_of(false, recorded, now, each, context);
    return own + differences_of(true, recorded, now, each, context);
}
