/* racy.c: see racy.h. */
#include "cli/racy.h"

#include "base/error.h"
#include "base/log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool canon_racy_take(const struct canon_words *files, struct canon_racy_list *list)
{
    for (int i = 0; i < files->count; i++) {
        int line, status = canon_racy_list_read(list, files->all[i], &line);
        if (!status)
            continue;
        if (line)
            canon_say("--racy=%s: line %d: %s", files->all[i], line, canon_error_text(status));
        else
            canon_say("--racy=%s: %s; for a native program it takes a list that `canon discover --races` has "
                      "written",
                      files->all[i], canon_error_text(status));
        return false;
    }
    return true;
}

bool canon_racy_keep(const struct canon_racy_list *list, const char *trace)
{
    char path[PATH_MAX + 16];
    if (!list->count)
        return true;
    snprintf(path, sizeof path, "%s/%s", trace, CANON_RACY_FILE);
    mode_t mask = umask(0077);
    int status = canon_racy_list_write(list, path);
    umask(mask);
    if (status)
        canon_say("cannot write %s: %s", path, strerror(errno));
    return !status;
}
