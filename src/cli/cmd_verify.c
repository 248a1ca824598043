/*
 * cmd_verify.c: canon verify: reads every byte of a trace and checks it; or replays it, and says whether the
 * heap was the same at the end.
 */
#include "base/error.h"
#include "base/log.h"
#include "cli/cli.h"
#include "heap/summary.h"

#include <stdio.h>
#include <string.h>

static int verify_strand(const struct canon_trace_strand *strand, uint64_t *events)
{
    struct canon_cursor cursor;
    struct canon_event event;
    canon_cursor_start(&cursor, strand);
    int status;
    while (!(status = canon_cursor_next(&cursor, &event)))
        (*events)++;
    canon_cursor_stop(&cursor);
    if (status == CANON_E_END)
        return 0;
    canon_say("strand \"%s\", after event %llu: %s", canon_strand_name(strand),
              (unsigned long long)cursor.number, canon_error_text(status));
    return CANON_EXIT_FAILURE;
}

static int verify_part(const char *path)
{
    struct canon_trace *trace;
    char problem[512];
    if (canon_trace_open(path, &trace, problem, sizeof problem)) {
        canon_say("%s", problem);
        return CANON_EXIT_FAILURE;
    }
    int status = 0;
    uint64_t events = 0;
    size_t strands = canon_trace_strand_count(trace);
    for (size_t i = 0; i < strands; i++)
        status |= verify_strand(canon_trace_strand_at(trace, i), &events);
    if (!status)
        printf("%s: %zu strands, %llu events, %s\n", path, strands, (unsigned long long)events,
               canon_trace_is_torn(trace) ? "cut off: readable up to the end of the recording" : "whole");
    canon_trace_close(trace);
    return status;
}

/* The recorded digest of the heap; says what is wrong. */
static int load_heap(const char *part, struct canon_heap_summary *summary)
{
    struct canon_trace *trace;
    struct canon_process heap = {0};
    char problem[512];
    if (canon_trace_open(part, &trace, problem, sizeof problem)) {
        canon_say("%s", problem);
        return CANON_EXIT_FAILURE;
    }
    int status = canon_process_load_strand(trace, CANON_STRAND_HEAP, &heap);
    canon_trace_close(trace);
    const char *total = canon_process_text(&heap, CANON_PROCESS_HEAP_DIGEST);
    if (status || (total && canon_heap_total_parse(total, summary)))
        canon_say("%s: the digest of the heap is not readable", part);
    else if (!total)
        canon_say("%s has no digest of the heap: it is made by `canon record --heap-digest`, at the end of a "
                  "program that ends in order",
                  part);
    else
        summary->count = heap.count - 1; /* only their number is told */
    status = total && summary->count ? 0 : CANON_EXIT_FAILURE;
    canon_process_free(&heap);
    return status;
}

static int verify_heap(const char *path, const char *wanted)
{
    struct canon_trace_info info;
    struct canon_heap_summary summary = {0};
    char part[PATH_MAX + 16];
    if (canon_trace_load(path, &info))
        return CANON_EXIT_FAILURE;
    int status = canon_part_choose(&info, wanted, part, sizeof part) || load_heap(part, &summary)
                     ? CANON_EXIT_FAILURE
                     : 0;
    canon_trace_info_free(&info);
    if (status)
        return status;
    char *replay[] = {"replay", "--check", "--quiet", "--part", strrchr(part, '/') + 1, (char *)path, NULL};
    status = canon_cmd_replay(sizeof replay / sizeof *replay - 1, replay);
    if (!status)
        printf("%s: the heap at the end of a replay is the recorded one: %llu objects of %zu classes, digest "
               "%016llx\n",
               part, (unsigned long long)summary.objects, summary.count, (unsigned long long)summary.digest);
    return status;
}

int canon_cmd_verify(int argc, char **argv)
{
    bool help = false, heap = false;
    const char *wanted = NULL;
    const struct canon_option options[] = {
        {"--heap", &heap, NULL, NULL}, {"--part", NULL, &wanted, NULL}, {0}};
    int first = canon_options_read(options, argc, argv, &help);
    if (help || first != argc - 1 || (wanted && !heap))
        return canon_usage("verify", help);
    if (heap)
        return verify_heap(argv[first], wanted);
    struct canon_trace_info info;
    if (canon_trace_load(argv[first], &info))
        return CANON_EXIT_FAILURE;
    int status = 0;
    for (int i = 1; i <= info.parts; i++) {
        char part[PATH_MAX + 16];
        snprintf(part, sizeof part, "%s/%d", info.path, i);
        status |= verify_part(part);
    }
    if (!info.parts)
        printf("%s: holds no program\n", info.path);
    canon_trace_info_free(&info);
    return status;
}
