/*
 * process.h: how a process was started: the strand "process" of a trace part, to and from memory.
 */
#ifndef CANON_LAUNCH_PROCESS_H
#define CANON_LAUNCH_PROCESS_H

#include "trace/format.h"

/* Exit statuses of canon's own; the program's pass through. */
enum {
    CANON_EXIT_FAILURE = 69,  /* canon itself could not do it: bad trace, no JVM, cannot write */
    CANON_EXIT_DIVERGED = 70, /* the replay took another way than the recording */
    CANON_EXIT_ENDED = 71,    /* the recording was cut off; its end was reached */
};

struct canon_process {
    struct canon_process_entry {
        enum canon_process_item item;
        char *text;
    } * entries;
    size_t count;
};

void canon_process_add(struct canon_process *process, enum canon_process_item item, const char *text);
/* The first entry of that item, or NULL. */
const char *canon_process_text(const struct canon_process *process, enum canon_process_item item);
/* All entries of that item, NULL-terminated; allocated, the strings are the process's. */
char **canon_process_list(const struct canon_process *process, enum canon_process_item item, int *count);
void canon_process_free(struct canon_process *process);

/* As strand `strand`: "process", what was known before the VM was made, or "vm", what it told of itself. */
int canon_process_save(const char *part, const char *strand, const struct canon_process *process);
/* Adds what a strand of an open trace tells; nothing if the trace does not have it. */
struct canon_trace;
int canon_process_load_strand(const struct canon_trace *trace, const char *strand,
                              struct canon_process *process);
/* Both of them; the second may be missing. */
int canon_process_load(const char *part, struct canon_process *process, char *problem, size_t size);

#endif
