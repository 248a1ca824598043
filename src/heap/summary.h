/*
 * summary.h: what a graph of objects comes to (graph.h), as lines of text for the trace, and what is
 * different between two.
 */
#ifndef CANON_HEAP_SUMMARY_H
#define CANON_HEAP_SUMMARY_H

#include <stddef.h>
#include <stdint.h>

struct canon_heap_class {
    char *name;
    uint64_t instances;
    uint64_t digest; /* of what its instances hold, in no order */
};

struct canon_heap_summary {
    uint64_t digest; /* of the whole graph */
    uint64_t objects;
    struct canon_heap_class *classes; /* sorted by name */
    size_t count;
};

void canon_heap_summary_free(struct canon_heap_summary *summary);
void canon_heap_summary_sort(struct canon_heap_summary *summary);

/* "DIGEST OBJECTS", or "DIGEST INSTANCES NAME" of a class; malloc'd. */
char *canon_heap_total_text(const struct canon_heap_summary *summary);
char *canon_heap_class_text(const struct canon_heap_class *class);
/* The reverse; an error if the text is not of that form. Classes are added in any order: sort them then. */
int canon_heap_total_parse(const char *text, struct canon_heap_summary *summary);
int canon_heap_class_parse(const char *text, struct canon_heap_summary *summary);

/*
 * Calls `each` for every class that is not the same in both, those of the program before those of the JDK;
 * one that is missing has no instances. Returns how many there are.
 */
typedef void (*canon_heap_difference_fn)(void *context, const struct canon_heap_class *recorded,
                                         const struct canon_heap_class *now);
size_t canon_heap_differences(const struct canon_heap_summary *recorded, const struct canon_heap_summary *now,
                              canon_heap_difference_fn each, void *context);

#endif
