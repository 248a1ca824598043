/* test_options.c: which options of the program's JVM stay as they are. */
#include "launch/options.h"
#include "support.h"

static void options_have_their_fates(void **state)
{
    (void)state;
    static const struct {
        const char *option;
        enum canon_option_fate fate;
    } CASES[] = {
        {"-Xshare:on", CANON_OPTION_LEFT_OUT},
        {"-Xshare:auto", CANON_OPTION_KEPT},
        {"-XX:SharedArchiveFile=app.jsa", CANON_OPTION_LEFT_OUT},
        {"-XX:+AutoCreateSharedArchive", CANON_OPTION_LEFT_OUT},
        {"-XX:-AutoCreateSharedArchive", CANON_OPTION_KEPT},
        {"-XX:AOTCache=app.aot", CANON_OPTION_LEFT_OUT},
        {"-XX:AOTCacheOutput=app.aot", CANON_OPTION_LEFT_OUT},
        {"-XX:+UseCompactObjectHeaders", CANON_OPTION_LEFT_OUT},
        {"-XX:+HeapDumpOnOutOfMemoryError", CANON_OPTION_NOT_AGAIN},
        {"-XX:HeapDumpPath=here", CANON_OPTION_KEPT},
        {"-XX:OnOutOfMemoryError=rm -r x", CANON_OPTION_NOT_AGAIN},
        {"-Xloggc:gc.log", CANON_OPTION_NOT_AGAIN},
        {"-Xlog", CANON_OPTION_KEPT},
        {"-Xlog:gc", CANON_OPTION_KEPT},
        {"-Xlog:gc:", CANON_OPTION_KEPT},
        {"-Xlog:gc::uptime", CANON_OPTION_KEPT},
        {"-Xlog:gc*=debug:stdout:tags", CANON_OPTION_KEPT},
        {"-Xlog:gc:stderr", CANON_OPTION_KEPT},
        {"-Xlog:gc:file=gc.log", CANON_OPTION_NOT_AGAIN},
        {"-Xlog:gc:gc.log", CANON_OPTION_NOT_AGAIN},
        {"-Xlog::gc.log", CANON_OPTION_NOT_AGAIN},
        {"-Xlog:gc:file=\"a:b\":uptime:filecount=2", CANON_OPTION_NOT_AGAIN},
        {"-Xmx100m", CANON_OPTION_KEPT},
        {"-Dname=-Xshare:on", CANON_OPTION_KEPT},
        {"", CANON_OPTION_KEPT},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        if (canon_option_fate(CASES[i].option) != CASES[i].fate)
            fail_msg("%s", CASES[i].option);
}

static void some_forbid_archives(void **state)
{
    (void)state;
    static const char *const FORBID[] = {"-javaagent:a.jar",        "-agentlib:jdwp=x", "-agentpath:/a.so",
                                         "-Xbootclasspath/a:b.jar", "-Xshare:off",      "--patch-module=a=b",
                                         "-XX:VMOptionsFile=f",     "-Xrunhprof"};
    static const char *const PERMIT[] = {"-Xmx1g", "-Da=-javaagent:x", "-cp", "--add-opens=a/b=c",
                                         "-Xshare:auto"};
    for (size_t i = 0; i < sizeof FORBID / sizeof *FORBID; i++)
        if (!canon_option_forbids_archive(FORBID[i]))
            fail_msg("%s", FORBID[i]);
    for (size_t i = 0; i < sizeof PERMIT / sizeof *PERMIT; i++)
        if (canon_option_forbids_archive(PERMIT[i]))
            fail_msg("%s", PERMIT[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(options_have_their_fates),
                                       cmocka_unit_test(some_forbid_archives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
