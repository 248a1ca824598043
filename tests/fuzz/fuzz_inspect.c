/*
 * fuzz_inspect.c: `canon info`, `dump` and `verify` on a trace of any contents: meta.json and one part. The
 * input is a set of files (files.h).
 */
#include "cli/cli.h"
#include "files.h"
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int canon_main(int argc, char **argv); /* main() of src/cli/main.c, under another name */
void __wrap_canon_say(const char *format, ...);

/* In the place of canon_say: makes the line and keeps it to itself. */
void __wrap_canon_say(const char *format, ...)
{
    char line[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    char part[128];
    snprintf(part, sizeof part, "%s/1", files_directory());
    if (mkdir(part, 0700) || !freopen("/dev/null", "w", stdout))
        abort();
    return 0;
}

static void run(const char *command, const char *option)
{
    char *arguments[] = {"canon", (char *)command, (char *)option, (char *)files_directory(), NULL};
    if (!option) {
        arguments[2] = arguments[3];
        arguments[3] = NULL;
    }
    int status = canon_main(option ? 4 : 3, arguments);
    if (status != 0 && status != CANON_EXIT_FAILURE)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char META[] = "{\"format\":1,\"command\":[\"java\"],\"canon\":\"0\",\"ended\":true}";
    struct input_file files[FILES_MOST], meta = {"meta.json", (uint8_t *)META, sizeof META - 1};
    size_t count = files_split((uint8_t *)data, size, files), in_part = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(files[i].name, "meta.json") == 0)
            meta = files[i];
        else
            files[in_part++] = files[i];
    files_write("", &meta, 1);
    files_write("1", files, in_part);
    run("verify", NULL);
    run("info", NULL);
    run("info", "--json");
    run("dump", NULL);
    run("dump", "--json");
    files_remove("1", files, in_part);
    files_remove("", &meta, 1);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 4) /* what lies behind the checksums matters most here */
        files_mend(data, size);
    return size;
}
