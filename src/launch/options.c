/* options.c: see options.h. */
#include "launch/options.h"

#include <stdbool.h>
#include <string.h>

/* An option is meant if it begins so. Values of -XX options follow behind an equals sign. */
static const struct {
    const char *option;
    enum canon_option_fate fate;
} FATES[] = {
    {"-Xshare:on", CANON_OPTION_LEFT_OUT},
    {"-XX:+RequireSharedSpaces", CANON_OPTION_LEFT_OUT},
    {"-XX:SharedArchiveFile=", CANON_OPTION_LEFT_OUT},
    {"-XX:ArchiveClassesAtExit=", CANON_OPTION_LEFT_OUT},
    {"-XX:+AutoCreateSharedArchive", CANON_OPTION_LEFT_OUT},
    {"-XX:+RecordDynamicDumpInfo", CANON_OPTION_LEFT_OUT},
    {"-XX:AOTMode=", CANON_OPTION_LEFT_OUT},
    {"-XX:AOTCache=", CANON_OPTION_LEFT_OUT},
    {"-XX:AOTCacheOutput=", CANON_OPTION_LEFT_OUT},
    {"-XX:AOTConfiguration=", CANON_OPTION_LEFT_OUT},

    /* Such a JVM draws an object's hash code when its lock is inflated, so canon cannot choose it any more.
     */
    {"-XX:+UseCompactObjectHeaders", CANON_OPTION_LEFT_OUT},
    {"-XX:+UseObjectMonitorTable", CANON_OPTION_LEFT_OUT},

    {"-Xloggc:", CANON_OPTION_NOT_AGAIN},
    {"-XX:DumpLoadedClassList=", CANON_OPTION_NOT_AGAIN},
    {"-XX:+DumpPerfMapAtExit", CANON_OPTION_NOT_AGAIN},
    {"-XX:+LogVMOutput", CANON_OPTION_NOT_AGAIN},
    {"-XX:+LogCompilation", CANON_OPTION_NOT_AGAIN},
    {"-XX:+HeapDump", CANON_OPTION_NOT_AGAIN}, /* OnOutOfMemoryError, BeforeFullGC, AfterFullGC */
    {"-XX:OnOutOfMemoryError=", CANON_OPTION_NOT_AGAIN},
    {"-XX:OnError=", CANON_OPTION_NOT_AGAIN},
};

/* -Xlog:WHAT:OUTPUT:...: whether OUTPUT is a file. */
static bool logs_to_file(const char *option)
{
    if (strncmp(option, "-Xlog:", 6) != 0)
        return false;
    const char *output = strchr(option + 6, ':');
    if (!output++ || *output == ':' || !*output)
        return false;
    return strncmp(output, "stdout", 6) != 0 && strncmp(output, "stderr", 6) != 0;
}

enum canon_option_fate canon_option_fate(const char *option)
{
    for (size_t i = 0; i < sizeof FATES / sizeof *FATES; i++)
        if (strncmp(FATES[i].option, option, strlen(FATES[i].option)) == 0)
            return FATES[i].fate;
    return logs_to_file(option) ? CANON_OPTION_NOT_AGAIN : CANON_OPTION_KEPT;
}

bool canon_option_forbids_archive(const char *option)
{
    static const char *const OPTIONS[] = {
        "-Xshare:off",
        "-agentlib:",
        "-agentpath:",
        "-javaagent:",
        "-Xrun",
        "-Xdebug",
        "-Xbootclasspath",
        "--patch-module",
        "-XX:Flags=",
        "-XX:VMOptionsFile=",
        "--upgrade-module-path",
        "--limit-modules",
        "-XX:+AllowArchivingWithJavaAgent",
        "-XX:+FlightRecorder",
        "-XX:StartFlightRecording",
    };
    for (size_t i = 0; i < sizeof OPTIONS / sizeof *OPTIONS; i++)
        if (strncmp(OPTIONS[i], option, strlen(OPTIONS[i])) == 0)
            return true;
    return false;
}
