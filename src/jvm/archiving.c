/* archiving.c: see archiving.h. */
#include "jvm/archiving.h"

#include "base/assert.h"
#include "base/log.h"
#include "jvm/helpers.h"
#include "jvm/hooks.h"
#include "jvm/image.h"
#include "jvm/racy.h"
#include "launch/archive.h"
#include "launch/process.h"
#include "launch/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *list_of_jdk, *list;

static _Noreturn void give_up(const char *what, const char *why)
{
    canon_say("%s: %s", what, why);
    _exit(CANON_EXIT_FAILURE);
}

/* Modules of the boot loader (JEP 261). Classes of all others are read by Java code, not by the JVM. */
static bool is_boot_module(const char *module)
{
    static const char *const MODULES[] = {"java.base",    "java.datatransfer", "java.desktop",
                                          "java.logging", "java.management",   "java.naming",
                                          "java.prefs",   "java.rmi",          "java.xml"};
    for (size_t i = 0; module && i < sizeof MODULES / sizeof *MODULES; i++)
        if (strcmp(module, MODULES[i]) == 0)
            return true;
    return false;
}

/* Not the lambdas and method handles of the JDK's list: Java code makes them, and nobody rewrites them. */
void canon_archiving_list(void)
{
    FILE *from = fopen(list_of_jdk, "re"), *to = fopen(list, "we");
    char line[1024];
    if (!from || !to)
        give_up(from ? list : list_of_jdk, "cannot be opened");
    while (fgets(line, sizeof line, from)) {
        line[strcspn(line, " \n")] = '\0';
        if (line[0] != '#' && line[0] != '@' && is_boot_module(canon_image_module(line)))
            fprintf(to, "%s\n", line);
    }
    const char *name;
    for (size_t i = 0; (name = canon_helper_name(i)); i++)
        fprintf(to, "%s\n", name);
    fclose(from);
    if (ferror(to) || fclose(to))
        give_up(list, "cannot be written");
}

JNIEXPORT uint64_t canon_archive_start(const char *options, const char *of_jdk, const char *to);

uint64_t canon_archive_start(const char *options, const char *of_jdk, const char *to)
{
    char *words = strdup(options);
    list_of_jdk = strdup(of_jdk);
    list = strdup(to);
    canon_assert(words && list_of_jdk && list);
    canon_racy_add_known();
    canon_agent_options(words);
    free(words);
    canon_agent.archived = canon_agent.archiving = true;
    if (canon_hooks_prepare(canon_agent.wanted == CANON_ROLE_REPLAYER))
        give_up("no archive is made", "the rules of rewriting are not right");
    canon_image_prepare();
    size_t count;
    const struct canon_racy *places = canon_racy_places(&count);
    uint64_t digest = 0;
    for (size_t i = 0; canon_agent.ordered && i < count; i++)
        digest = canon_archive_add_place(digest, places[i].text);
    return digest;
}
