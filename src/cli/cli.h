/*
 * cli.h: what the subcommands share.
 */
#ifndef CANON_CLI_CLI_H
#define CANON_CLI_CLI_H

#include "launch/process.h"
#include "trace/reader.h"

#include <limits.h>
#include <stdbool.h>

enum { CANON_EXIT_USAGE = 64 };

struct canon_command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage;
    const char *summary;
};

extern const struct canon_command canon_commands[];

/* Prints how a subcommand is used; returns CANON_EXIT_USAGE, or 0 when `asked` for. */
int canon_usage(const char *name, bool asked);

/* ---- options: one table a subcommand ------------------------------------------------------------- */

struct canon_option {
    const char *name;          /* "--quiet", "-o" */
    bool *flag;                /* set to true, or */
    const char **value;        /* takes the next argument, or */
    struct canon_words *words; /* takes one each time it is given */
};

struct canon_words {
    const char **all;
    int count;
};

/* The word stays the caller's. */
void canon_words_add(struct canon_words *words, const char *word);

/*
 * Reads options up to the first other argument or "--"; returns its index, or -1 after printing what is
 * wrong. `*help` is set by -h and --help.
 */
int canon_options_read(const struct canon_option *options, int argc, char **argv, bool *help);

/* ---- a trace directory ----------------------------------------------------------------------------- */

struct canon_trace_info {
    char path[PATH_MAX];
    char **command; /* NULL-terminated */
    char *directory;
    char *started;
    char *version;   /* of the canon that recorded */
    long pid;        /* of the recorded command */
    bool ended;      /* canon saw the command end */
    int exit_status; /* if ended and signal == 0 */
    int signal;      /* that ended it, or 0 */
    int parts;
};

/* Creates TRACE with its meta.json. Says what is wrong and returns an error if it cannot. */
int canon_trace_create(struct canon_trace_info *info);
/* Rewrites meta.json. */
int canon_trace_save(const struct canon_trace_info *info);
/* Reads and checks meta.json; says what is wrong. */
int canon_trace_load(const char *path, struct canon_trace_info *info);
void canon_trace_info_free(struct canon_trace_info *info);

/*
 * The part that a command is about: `wanted` (a number as text) or, if NULL, the JVM that the recorded
 * command itself became, or else the last one that was started. Says what is wrong.
 */
int canon_part_choose(const struct canon_trace_info *info, const char *wanted, char *path, size_t size);

/* A JSON string; what is not UTF-8 becomes readable rather than an error. */
struct json_t;
struct json_t *canon_json_text(const char *text);

int canon_cmd_record(int argc, char **argv);
int canon_cmd_replay(int argc, char **argv);
int canon_cmd_info(int argc, char **argv);
int canon_cmd_dump(int argc, char **argv);
int canon_cmd_verify(int argc, char **argv);
int canon_cmd_pack(int argc, char **argv);
int canon_cmd_debug(int argc, char **argv);
int canon_cmd_prepare(int argc, char **argv);
int canon_cmd_discover(int argc, char **argv);

/* Whether there is such a way to keep the order of threads; says so if not. */
bool canon_order_known(const char *order);

/* Gives an archive that a JVM has written its name in `directory`; returns what is wrong, or NULL. */
const char *canon_archive_finish(const char *made, const char *directory);

/* ---- starting programs ------------------------------------------------------------------------------ */

/* Directory of canon's own libraries, absolute. */
const char *canon_home(void);

/* Whether they are there; says which one is not. */
bool canon_libraries_present(void);

struct canon_child {
    char **argv;
    char **environment;
    const char *executable;  /* NULL: search argv[0] in PATH */
    bool fixed_addresses;    /* its memory lies where it lay the last time */
    const char *stack_limit; /* bytes, decimal; NULL: as it is */
    bool ends_when_told;     /* killed, if it goes on for two seconds after a signal to end */
    void (*tick)(void *);    /* called a few times a second while it runs; may be NULL */
    void *tick_argument;
};

/*
 * Runs a program to its end, passing signals on, and returns its wait status, or -1 if it could not be
 * started (a message was printed; *status is what a shell would exit with).
 */
int canon_child_run(const struct canon_child *child, int *status, long *pid);

/* Becomes the program. */
_Noreturn void canon_child_become(const struct canon_child *child);

/* The preload library of native programs, absolute. */
const char *canon_native_library(void);

/* Adds an option of the agent (protocol.h) to a list of them, malloc'd or NULL at first. */
char *canon_agent_option(char *list, const char *option, const char *value);

#endif
