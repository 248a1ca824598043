/*
 * fuzz_trace.c: no files make the reader of traces crash, hang or ask for memory without end.
 *
 * The input is a set of files (files.h). Half of the inputs are given right checksums after being changed:
 * else nothing would ever get past them.
 */
#include "base/error.h"
#include "files.h"
#include "fuzz.h"
#include "launch/process.h"
#include "trace/reader.h"

#include <stdlib.h>
#include <string.h>

static void walk(const struct canon_trace *trace, const struct canon_trace_strand *strand)
{
    struct canon_cursor cursor;
    struct canon_event event;
    uint64_t bytes = 0, sum = 0;
    int status;
    canon_cursor_start(&cursor, strand);
    while (!(status = canon_cursor_next(&cursor, &event))) {
        for (size_t i = 0; i < event.size; i++)
            sum += event.payload[i];
        bytes += event.size + 2;
        if (event.kind > CANON_EVENT_END)
            abort();
    }
    canon_cursor_stop(&cursor);
    if (status > 0 || bytes > canon_strand_raw_bytes(strand))
        abort();
    if (canon_trace_find(trace, canon_strand_name(strand)) != strand)
        abort();
    sum += canon_strand_events(strand) + canon_strand_stored_bytes(strand);
    __asm__ volatile("" ::"r"(sum)); /* so that all of it is read */
}

static void read_part(const char *part)
{
    struct canon_trace *trace;
    struct canon_process process = {0};
    char problem[512] = "";
    int status = canon_trace_open(part, &trace, problem, sizeof problem);
    if (status) {
        if (status > 0 || !*problem)
            abort();
        return;
    }
    for (size_t i = 0; i < canon_trace_strand_count(trace); i++)
        walk(trace, canon_trace_strand_at(trace, i));
    canon_trace_find(trace, "process");
    canon_trace_close(trace);
    canon_process_load(part, &process, problem, sizeof problem);
    canon_process_free(&process);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input_file files[FILES_MOST];
    size_t count = files_split((uint8_t *)data, size, files);
    files_write("", files, count);
    read_part(files_directory());
    files_remove("", files, count);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 2)
        files_mend(data, size);
    return size;
}
