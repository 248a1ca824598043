/* process.c: see process.h. One event an entry. */
#include "launch/process.h"

#include "base/assert.h"
#include "base/error.h"
#include "trace/reader.h"
#include "trace/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void canon_process_add(struct canon_process *process, enum canon_process_item item, const char *text)
{
    process->entries = realloc(process->entries, (process->count + 1) * sizeof *process->entries);
    canon_assert(process->entries);
    process->entries[process->count++] = (struct canon_process_entry){item, strdup(text)};
}

const char *canon_process_text(const struct canon_process *process, enum canon_process_item item)
{
    for (size_t i = 0; i < process->count; i++)
        if (process->entries[i].item == item)
            return process->entries[i].text;
    return NULL;
}

char **canon_process_list(const struct canon_process *process, enum canon_process_item item, int *count)
{
    char **list = calloc(process->count + 1, sizeof *list);
    canon_assert(list);
    *count = 0;
    for (size_t i = 0; i < process->count; i++)
        if (process->entries[i].item == item)
            list[(*count)++] = process->entries[i].text;
    return list;
}

void canon_process_free(struct canon_process *process)
{
    for (size_t i = 0; i < process->count; i++)
        free(process->entries[i].text);
    free(process->entries);
    *process = (struct canon_process){0};
}

int canon_process_save(const char *part, const char *strand, const struct canon_process *process)
{
    struct canon_writer *writer;
    int status = canon_writer_open(part, strand, strand, &writer);
    if (status)
        return status;
    for (size_t i = 0; i < process->count; i++) {
        const struct canon_process_entry *entry = &process->entries[i];
        canon_writer_put(writer, CANON_EVENT_PROCESS, entry->item, entry->text, strlen(entry->text));
    }
    return canon_writer_close(writer);
}

static int load_entries(const struct canon_trace_strand *strand, struct canon_process *process)
{
    struct canon_cursor cursor;
    struct canon_event event;
    canon_cursor_start(&cursor, strand);
    int status;
    while (!(status = canon_cursor_next(&cursor, &event))) {
        if (event.kind != CANON_EVENT_PROCESS || memchr(event.payload, '\0', event.size)) {
            status = CANON_E_FORMAT;
            break;
        }
        char *text = strndup((const char *)event.payload, event.size);
        canon_assert(text);
        canon_process_add(process, (enum canon_process_item)event.id, text);
        free(text);
    }
    canon_cursor_stop(&cursor);
    return status == CANON_E_END ? 0 : status;
}

int canon_process_load_strand(const struct canon_trace *trace, const char *strand,
                              struct canon_process *process)
{
    const struct canon_trace_strand *found = canon_trace_find(trace, strand);
    return found ? load_entries(found, process) : 0;
}

int canon_process_load(const char *part, struct canon_process *process, char *problem, size_t size)
{
    struct canon_trace *trace;
    int status = canon_trace_open(part, &trace, problem, size);
    if (status)
        return status;
    status = canon_trace_find(trace, "process") ? canon_process_load_strand(trace, "process", process)
                                                : CANON_E_FORMAT;
    if (!status)
        status = canon_process_load_strand(trace, "vm", process);
    if (status)
        snprintf(problem, size, "%s: how the process was started is not readable: %s", part,
                 canon_error_text(status));
    canon_trace_close(trace);
    return status;
}
