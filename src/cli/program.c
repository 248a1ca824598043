/* program.c: see program.h. */
#include "cli/program.h"

#include "base/log.h"

#include "cli/cli.h"
#include "launch/executable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- finding it ---------------------------------------------------------------------------------------- */

static bool is_program(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

/* As execvp does; links are not followed: some programs are told apart by their name. */
static bool find(const char *name, char *path, size_t size)
{
    char here[PATH_MAX], found[PATH_MAX] = "";
    const char *places = getenv("PATH");
    if (strchr(name, '/')) {
        snprintf(found, sizeof found, "%s", name);
    } else {
        for (const char *at = places ? places : "/usr/local/bin:/bin:/usr/bin"; *at; at += *at == ':') {
            size_t length = strcspn(at, ":");
            snprintf(found, sizeof found, "%.*s/%s", length ? (int)length : 1, length ? at : ".", name);
            if (is_program(found))
                break;
            at += length;
            found[0] = '\0';
        }
    }
    if (!is_program(found))
        return false;
    int n = found[0] == '/' || !getcwd(here, sizeof here) ? snprintf(path, size, "%s", found)
                                                          : snprintf(path, size, "%s/%s", here, found);
    return n > 0 && (size_t)n < size;
}

/* ---- looking at it ------------------------------------------------------------------------------------- */

/* Programs whose work is to start another one, which may be a JVM. */
static const char *const STARTERS[] = {
    "sh",      "bash",  "dash", "ash",     "zsh",    "ksh",    "busybox", "env",     "timeout", "nice",
    "ionice",  "nohup", "chrt", "taskset", "setsid", "stdbuf", "time",    "xargs",   "unshare", "nsenter",
    "setpriv", "su",    "sudo", "runuser", "script", "strace", "numactl", "prlimit",
};

static bool is_starter(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof STARTERS / sizeof *STARTERS; i++)
        if (strcmp(base, STARTERS[i]) == 0)
            return true;
    return false;
}

/* Shell scripts may end in a JVM; others are input of their interpreter. */
static void look_script(const struct canon_executable *script, struct canon_program *program)
{
    const char *slash = strrchr(script->interpreter, '/'), *base = slash ? slash + 1 : "";
    size_t length = strlen(base);
    program->is_shell = (length >= 2 && strcmp(base + length - 2, "sh") == 0) || strcmp(base, "env") == 0;
    snprintf(program->interpreter, sizeof program->interpreter, "%s", script->interpreter);
    snprintf(program->interpreter_option, sizeof program->interpreter_option, "%s",
             script->interpreter_option);
}

void canon_program_look(const char *name, struct canon_program *program)
{
    struct canon_executable found;
    *program = (struct canon_program){.kind = CANON_PROGRAM_MISSING};
    if (!find(name, program->path, sizeof program->path))
        return;
    canon_executable_look(program->path, &found);
    program->refusal = found.refusal;
    program->kind = CANON_PROGRAM_JAVA; /* if it cannot be read, whoever starts it will tell */
    if (found.kind == CANON_EXECUTABLE_SCRIPT)
        look_script(&found, program);
    else if (found.kind == CANON_EXECUTABLE_NATIVE && !is_starter(program->path))
        program->kind = CANON_PROGRAM_NATIVE;
    else if (found.kind == CANON_EXECUTABLE_REFUSED && !is_starter(program->path))
        program->kind = CANON_PROGRAM_REFUSED;
}

bool canon_program_choose(const char *kind, const char *command, struct canon_program *program, bool *native)
{
    canon_program_look(command, program);
    if (kind && strcmp(kind, "java") != 0 && strcmp(kind, "native") != 0) {
        canon_say("--kind=%s: there are java and native", kind);
        return false;
    }
    *native = kind ? strcmp(kind, "native") == 0
                   : program->kind == CANON_PROGRAM_NATIVE || program->kind == CANON_PROGRAM_REFUSED ||
                         (*program->interpreter && !program->is_shell);
    if (*native && program->refusal) {
        canon_say("%s cannot be recorded: %s", command, program->refusal);
        return false;
    }
    return true;
}
