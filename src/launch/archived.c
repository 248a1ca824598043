/*
 * archived.c: a JVM that starts with an archive of rewritten classes, and one that makes it: archive.h.
 */
#include "base/log.h"
#include "launch/archive.h"
#include "launch/launch_internal.h"
#include "launch/options.h"
#include "launch/protocol.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- use ----------------------------------------------------------------------------------------------- */

/* The word of the agent's options that begins so, behind that; "" if there is none. */
static const char *order_in(const char *options, char *order, size_t size)
{
    const char *at = strstr(options, CANON_OPTION_ORDER);
    at = at ? at + strlen(CANON_OPTION_ORDER) : "";
    snprintf(order, size, "%.*s", (int)strcspn(at, ","), at);
    return order;
}

/* Whether the agent would rewrite classes by other rules than an archive has. */
static bool has_own_rules(const char *options)
{
    static const char *const WORDS[] = {CANON_OPTION_RACES, CANON_OPTION_UNENFORCED, CANON_OPTION_UNORDERED,
                                        CANON_OPTION_RACY};
    char *copy = strdup(options), *rest = NULL;
    bool own = !copy;
    for (char *word = copy ? strtok_r(copy, ",", &rest) : NULL; word; word = strtok_r(NULL, ",", &rest))
        for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
            own |= strncmp(word, WORDS[i], strlen(WORDS[i])) == 0;
    free(copy);
    return own;
}

/* What the JVM reads by itself may have anything in it. */
static bool has_other_options(void)
{
    static const char *const VARIABLES[] = {"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"};
    for (size_t i = 0; i < sizeof VARIABLES / sizeof *VARIABLES; i++) {
        const char *options = getenv(VARIABLES[i]);
        if (options && *options)
            return true;
    }
    return false;
}

static uint64_t recorded_places(void)
{
    uint64_t digest = 0;
    for (size_t i = 0; i < canon_launch.recorded.count; i++)
        if (canon_launch.recorded.entries[i].item == CANON_PROCESS_PLACE)
            digest = canon_archive_add_place(digest, canon_launch.recorded.entries[i].text);
    return digest;
}

char *canon_launch_archive(const JavaVMInitArgs *args, const char *vm_library, bool replaying)
{
    const char *options = getenv(CANON_ENV_OPTIONS), *directory = getenv(CANON_ENV_ARCHIVES);
    const char *home = getenv(CANON_ENV_HOME);
    char order[64], name[128], *path = NULL;
    options = options ? options : "";
    if (!directory || !*directory || !vm_library || has_own_rules(options) || has_other_options())
        return NULL;
    for (int i = 0; i < args->nOptions; i++)
        if (canon_option_forbids_archive(args->options[i].optionString))
            return NULL;
    struct canon_archive_rules rules = {replaying ? "replay" : "record",
                                        order_in(options, order, sizeof order),
                                        replaying ? recorded_places() : 0};
    if (!canon_archive_name(vm_library, home, &rules, name, sizeof name) ||
        !canon_archive_usable(directory, name) || asprintf(&path, "%s/%s", directory, name) < 0)
        return NULL;
    return path;
}

/* ---- making -------------------------------------------------------------------------------------------- */

static _Noreturn void give_up(const char *what, const char *why)
{
    canon_say("no archive is made: %s: %s", what, why ? why : "?");
    _exit(CANON_EXIT_FAILURE);
}

/* The agent's library as it is now, without a JVM around it. */
static uint64_t start_agent(const char *options, const char *vm_library, const char *list)
{
    char path[PATH_MAX + 32], of_jdk[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/%s", getenv(CANON_ENV_HOME), CANON_LIB_JVM);
    void *agent = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!agent)
        give_up(path, dlerror());
    canon_archive_start_fn start = (canon_archive_start_fn)dlsym(agent, CANON_ARCHIVE_START);
    if (!start)
        give_up(path, dlerror());
    snprintf(of_jdk, sizeof of_jdk, "%s", vm_library);
    for (int i = 0; i < 2; i++)
        *strrchr(of_jdk, '/') = '\0'; /* lib/server/libjvm.so */
    strcat(of_jdk, "/classlist");
    return start(options, of_jdk, list);
}

/*
 * The options of a JVM that makes an archive in the directory that stands in for a trace. With the serial
 * collector JVMs up to 21 write no objects into it; from newer ones canon takes them out
 * (cli/archive_finish.c).
 */
void canon_launch_make_archive(JavaVMInitArgs *args, const char *vm_library)
{
    const char *directory = getenv(CANON_ENV_TRACE), *options = getenv(CANON_ENV_OPTIONS);
    char order[64], name[128], list[PATH_MAX + 32];
    static char archive_option[PATH_MAX + 256], list_option[PATH_MAX + 64];
    bool replays = strncmp(options, "replay", 6) == 0;
    snprintf(list, sizeof list, "%s/classes", directory);
    uint64_t places = start_agent(options, vm_library, list);
    struct canon_archive_rules rules = {replays ? "replay" : "record", order_in(options, order, sizeof order),
                                        replays ? places : 0};
    if (!canon_archive_name(vm_library, getenv(CANON_ENV_HOME), &rules, name, sizeof name))
        give_up(vm_library, "this JDK has no image of classes");
    snprintf(archive_option, sizeof archive_option, "-XX:SharedArchiveFile=%s/%s", directory, name);
    snprintf(list_option, sizeof list_option, "-XX:SharedClassListFile=%s", list);
    static JavaVMOption all[] = {{(char *)"-Xshare:dump", NULL},
                                 {archive_option, NULL},
                                 {list_option, NULL},
                                 {(char *)"-XX:+UseSerialGC", NULL},
                                 {(char *)"-Xmx512m", NULL},
                                 {(char *)"-Djava.class.path=", NULL},
                                 {(char *)"-XX:+UnlockDiagnosticVMOptions", NULL},
                                 {(char *)"-XX:-CheckIntrinsics", NULL}};
    args->options = all;
    args->nOptions = sizeof all / sizeof *all;
}
