/* discover_java.c: see discover_java.h. */
#include "cli/discover_java.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/log.h"
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is on the list is ordered already. */
static int record(char **command, int count, char *trace, const char *list)
{
    char *options[] = {"record", "--kind=java", "-o", trace, "--racy", (char *)list};
    int used = access(list, F_OK) == 0 ? 6 : 4;
    char **all = calloc((size_t)(used + 1 + count + 1), sizeof *all);
    canon_assert(all);
    memcpy(all, options, (size_t)used * sizeof *all);
    all[used] = "--";
    memcpy(all + used + 1, command, (size_t)count * sizeof *all);
    int status = canon_cmd_record(used + 1 + count, all);
    free(all);
    return status;
}

int canon_discover_java(char **command, int count, const char *folder, const char *list)
{
    char trace[PATH_MAX + 16];
    snprintf(trace, sizeof trace, "%s/trace", folder);
    int status = record(command, count, trace, list);
    if (access(trace, F_OK) != 0)
        return status; /* it has said why */
    char *replay[] = {"replay", "--races", "--quiet", "-o", (char *)list, trace, NULL};
    switch (canon_cmd_replay(6, replay)) {
    case CANON_EXIT_FAILURE:
        return CANON_EXIT_FAILURE;
    case CANON_EXIT_DIVERGED:
        canon_say("what comes after that was not looked at: run it again, until the replay is right and "
                  "nothing is new");
        break;
    default:
        canon_say("the replay was right; races show by chance: run it again, until nothing is new");
        break;
    }
    return status;
}
