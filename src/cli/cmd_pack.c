/* cmd_pack.c: canon pack: compresses what the recorder had no time for. */
#include "base/error.h"
#include "base/log.h"
#include "cli/cli.h"
#include "trace/pack.h"

#include <stdio.h>

static double megabytes(uint64_t bytes)
{
    return (double)bytes / 1e6;
}

int canon_cmd_pack(int argc, char **argv)
{
    bool help = false;
    const struct canon_option options[] = {{0}};
    int first = canon_options_read(options, argc, argv, &help);
    if (help || first != argc - 1)
        return canon_usage("pack", help);
    struct canon_trace_info info;
    if (canon_trace_load(argv[first], &info))
        return CANON_EXIT_FAILURE;
    int failed = 0;
    for (int i = 1; i <= info.parts; i++) {
        char part[PATH_MAX + 16];
        uint64_t before = 0, after = 0;
        snprintf(part, sizeof part, "%s/%d", info.path, i);
        int status = canon_part_pack(part, &before, &after);
        if (status == CANON_E_TRUNCATED)
            printf("%s: is cut off, or still being recorded: left as it is\n", part);
        else if (status)
            canon_say("%s: %s", part, canon_error_text(status));
        else
            printf("%s: %.1f MB, before %.1f MB\n", part, megabytes(after), megabytes(before));
        failed |= status && status != CANON_E_TRUNCATED;
    }
    canon_trace_info_free(&info);
    return failed ? CANON_EXIT_FAILURE : 0;
}
