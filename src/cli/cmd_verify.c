/*
 * cmd_verify.c: canon verify: reads every byte of a trace and checks it.
 */
#include "base/error.h"
#include "base/log.h"
#include "cli/cli.h"

#include <stdio.h>

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

int canon_cmd_verify(int argc, char **argv)
{
    bool help = false;
    const struct canon_option options[] = {{0}};
    int first = canon_options_read(options, argc, argv, &help);
    if (help || first != argc - 1)
        return canon_usage("verify", help);
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
