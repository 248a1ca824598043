/* main.c: canon's command line: finds the subcommand. */
#include "base/assert.h"
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct canon_command canon_commands[] = {
    {"record", canon_cmd_record,
     "record [-o TRACE] [--order=serial|none] [--preempt=loops] [--heap-digest] [--native=NAME]...\n"
     "        [--racy=PLACE|LIST]... [--kind=java|native] [--detect=overflow,uaf] [--in-situ\n"
     "        [--epoch=MS] [--epoch-log=MB] [--debug]] CMD...",
     "run CMD and write a trace of it"},
    {"replay", canon_cmd_replay,
     "replay [--quiet] [--check] [--races [-o LIST]] [--detect] [--part N] [--java-home DIR] TRACE",
     "run it again from the trace: same output, same exit status"},
    {"info", canon_cmd_info, "info [--json] [--part N] TRACE", "what was recorded, and what could not be"},
    {"dump", canon_cmd_dump, "dump [--strand NAME] [--json] [--part N] TRACE", "the events of a trace"},
    {"verify", canon_cmd_verify, "verify [--heap [--part N]] TRACE",
     "check that a trace is whole and readable; or that a replay leaves the same heap behind"},
    {"pack", canon_cmd_pack, "pack TRACE", "make a trace smaller: compress what was recorded in bulk"},
    {"debug", canon_cmd_debug, "debug [--part N] TRACE [GDB-OPTION...]",
     "replay a native program under gdb; `help canon` there tells of canon's commands"},
    {"discover", canon_cmd_discover, "discover --races [-o LIST] [--kind=java|native] CMD...",
     "run CMD and look for data races (native programs: with valgrind): add them to a list for\n      record "
     "--racy=LIST"},
    {"prepare", canon_cmd_prepare, "prepare [--order=serial|none] [JAVA] | --remove",
     "make archives of classes with which recordings and replays of that JDK start faster"},
    {NULL, NULL, NULL, NULL},
};

static void print_help(FILE *to)
{
    enum { LINE = 84 };
    fprintf(to, "canon %s: record a running program and run it again, exactly\n\n", CANON_VERSION);
    for (const struct canon_command *command = canon_commands; command->name; command++) {
        bool is_short = strlen(command->usage) + strlen(command->summary) < LINE;
        fprintf(to, is_short ? "  canon %s: %s\n" : "  canon %s\n      %s\n", command->usage,
                command->summary);
    }
    fprintf(
        to,
        "\nExit status: the program's own; 64 wrong usage, 69 canon cannot do it, 70 the replay diverged,\n"
        "71 the recording was cut off and its end was reached. A trace holds everything that the\n"
        "program read: keep it as you would keep its inputs. More: man canon\n");
}

int canon_usage(const char *name, bool asked)
{
    for (const struct canon_command *command = canon_commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            fprintf(asked ? stdout : stderr, "usage: canon %s\n  %s\n", command->usage, command->summary);
    return asked ? 0 : CANON_EXIT_USAGE;
}

void canon_words_add(struct canon_words *words, const char *word)
{
    words->all = realloc(words->all, ((size_t)words->count + 1) * sizeof *words->all);
    canon_assert(words->all);
    words->all[words->count++] = word;
}

static void give(const struct canon_option *option, const char *value)
{
    if (option->value) {
        *option->value = value;
        return;
    }
    canon_words_add(option->words, value);
}

int canon_options_read(const struct canon_option *options, int argc, char **argv, bool *help)
{
    int at = 1;
    for (; at < argc && argv[at][0] == '-' && argv[at][1]; at++) {
        if (strcmp(argv[at], "--") == 0)
            return at + 1;
        if (strcmp(argv[at], "-h") == 0 || strcmp(argv[at], "--help") == 0) {
            *help = true;
            return at;
        }
        const struct canon_option *option = options;
        size_t length = strcspn(argv[at], "=");
        while (option->name && (strlen(option->name) != length || strncmp(option->name, argv[at], length)))
            option++;
        bool inline_value = argv[at][length] == '=';
        if (!option->name || (inline_value && option->flag)) {
            fprintf(stderr, "canon: unknown option %s\n", argv[at]);
            return -1;
        }
        if (option->flag) {
            *option->flag = true;
        } else if (inline_value) {
            give(option, argv[at] + length + 1);
        } else if (at + 1 < argc) {
            give(option, argv[++at]);
        } else {
            fprintf(stderr, "canon: %s needs a value\n", argv[at]);
            return -1;
        }
    }
    return at;
}

static int and_output_written(int status)
{
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    perror("canon: cannot write the output");
    return status ? status : CANON_EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(argc < 2 ? stderr : stdout);
        return argc < 2 ? CANON_EXIT_USAGE : 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("canon %s\n", CANON_VERSION);
        return 0;
    }
    for (const struct canon_command *command = canon_commands; command->name; command++)
        if (strcmp(command->name, argv[1]) == 0)
            return and_output_written(command->run(argc - 1, argv + 1));
    fprintf(stderr, "canon: there is no command %s; `canon --help` lists them\n", argv[1]);
    return CANON_EXIT_USAGE;
}
