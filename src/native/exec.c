/*
 * exec.c: see exec.h.
 *
 * The event comes before the exec, after which there is nobody to write it: so canon looks itself whether it
 * will succeed. The program is started by an absolute path, and a script by its interpreter: a replay, which
 * is in another directory and has no script, can do the same.
 */
#include "native/exec.h"

#include "base/log.h"
#include "launch/executable.h"
#include "native/parts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What to do in the place of an exec. */
struct exec {
    char path[4096];
    char **argv, **environment;
    char interpreter[256], option[256];
    long result;     /* 0: it can be done */
    bool recordable; /* canon can come along */
    char *why_not;   /* as a note */
};

/* One a thread: a child that shares the memory leaves it to its parent. */
static __thread struct exec *pending CANON_TLS;

void canon_exec_forget(void)
{
    struct exec *exec = pending;
    pending = NULL;
    if (!exec)
        return;
    char **last = exec->environment;
    while (last && *last)
        last++;
    if (last && exec->recordable) { /* the last two are canon's own */
        free(last[-1]);
        free(last[-2]);
        free(exec->environment);
    }
    free(exec->argv);
    free(exec->why_not);
    free(exec);
}

/* Where relative paths begin: the working directory, or a descriptor. */
static bool base_of(long directory, char *base, size_t size)
{
    char link[64];
    if ((int)directory == AT_FDCWD)
        return getcwd(base, size);
    snprintf(link, sizeof link, "/proc/self/fd/%d", (int)directory);
    ssize_t n = readlink(link, base, size - 1);
    base[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static void find_path(struct exec *exec, long directory, const char *given)
{
    char base[4096];
    int n = snprintf(exec->path, sizeof exec->path, "%s", given);
    if (given[0] != '/' && base_of(directory, base, sizeof base))
        n = snprintf(exec->path, sizeof exec->path, "%s%s%s", base, *given ? "/" : "", given);
    if (n >= (int)sizeof exec->path)
        exec->result = -ENAMETOOLONG;
    else if (faccessat(AT_FDCWD, exec->path, X_OK, AT_EACCESS))
        exec->result = -errno;
}

/* Puts the interpreter in front. */
static void follow_script(struct exec *exec, const struct canon_executable *script, const char *name)
{
    size_t count = 0, n = 0;
    while (exec->argv[count])
        count++;
    char **longer = calloc(count + 5, sizeof *longer), **shorter = exec->argv;
    snprintf(exec->interpreter, sizeof exec->interpreter, "%s", script->interpreter);
    snprintf(exec->option, sizeof exec->option, "%s", script->interpreter_option);
    longer[n++] = exec->interpreter;
    if (*exec->option)
        longer[n++] = exec->option;
    longer[n++] = (char *)name;
    for (size_t i = 1; i < count; i++)
        longer[n++] = shorter[i];
    exec->argv = longer;
    free(shorter);
    snprintf(exec->path, sizeof exec->path, "%s", exec->interpreter);
    if (faccessat(AT_FDCWD, exec->path, X_OK, AT_EACCESS))
        exec->result = -errno;
}

static void look(struct exec *exec, const char *name)
{
    struct canon_executable found;
    canon_executable_look(exec->path, &found);
    if (found.kind == CANON_EXECUTABLE_SCRIPT) {
        follow_script(exec, &found, name);
        canon_executable_look(exec->path, &found);
    }
    if (exec->result)
        return;
    if (found.kind == CANON_EXECUTABLE_UNKNOWN || found.kind == CANON_EXECUTABLE_SCRIPT)
        exec->result = -ENOEXEC;
    else if (found.kind == CANON_EXECUTABLE_NATIVE)
        exec->recordable = true;
    else if (asprintf(&exec->why_not, "%s was started and is not recorded: %s", exec->path,
                      found.refusal                         ? found.refusal
                      : found.kind == CANON_EXECUTABLE_JAVA ? "it is a Java launcher"
                                                            : "it cannot be read") < 0)
        exec->why_not = NULL;
}

/* Recorder: looks at what is asked for. */
static struct exec *prepare(const struct canon_frame *frame)
{
    bool at = frame->rax == SYS_execveat;
    const char *given = (const char *)(at ? frame->rsi : frame->rdi);
    char **argv = (char **)(at ? frame->rdx : frame->rsi),
         **environment = (char **)(at ? frame->r10 : frame->rdx);
    static char *none[] = {NULL};
    struct exec *exec = calloc(1, sizeof *exec);
    size_t count = 0;
    while (argv && argv[count])
        count++;
    exec->argv = calloc(count + 2, sizeof *exec->argv);
    for (size_t i = 0; i < count; i++)
        exec->argv[i] = argv[i];
    exec->environment = environment ? environment : none;
    if (!given || (!*given && !(at && frame->r8 & AT_EMPTY_PATH)))
        exec->result = given ? -ENOENT : -EFAULT;
    else
        find_path(exec, at ? frame->rdi : AT_FDCWD, given);
    if (!exec->result)
        look(exec, given);
    return exec;
}

/* Recorder: its part, and the environment that brings canon along. */
static int make_part(struct exec *exec, const char *how)
{
    int part = exec->recordable ? canon_part_reserve() : 0;
    char **environment = part ? canon_part_environment(exec->environment, part, how) : NULL;
    exec->recordable = environment;
    if (environment)
        exec->environment = environment;
    else
        canon_role_note(CANON_NOTE_LIMIT, exec->why_not ? exec->why_not : "a program could not be recorded");
    return environment ? part : 0;
}

/* A child, or a program, that was not recorded: there is nothing of it to replay. */
static _Noreturn void end_unknown(const struct canon_self *self, const char *path, int part)
{
    if (!self->spawn && !canon_native.is_child && !part)
        canon_native_give_up("here the program became %s (exec), which was not recorded", path);
    if (!self->spawn && !canon_native.is_child && !canon_native.quiet)
        canon_say("here the program became %s (exec): part %d", path, part);
    canon_raw_syscall(SYS_exit_group, 0, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}

static void record(struct canon_self *self, struct canon_frame *frame)
{
    frame->rax = canon_raw_syscall(SYS_execve, (long)pending->path, (long)pending->argv,
                                   (long)pending->environment, 0, 0, 0);
    /* It did not succeed, after all. */
    if (self->spawn)
        canon_role_note(CANON_NOTE_LIMIT,
                        "a program could not be started, which the trace takes for started");
}

static _Noreturn void replay(const struct canon_self *self, const char *path, int part)
{
    if (canon_native.tree && part)
        canon_part_become(part);
    end_unknown(self, path, part);
}

void canon_exec(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    if (!self->strand || canon_native.mode == CANON_ROLE_PASSTHROUGH) {
        frame->rax = canon_frame_perform(frame);
        return;
    }
    bool replays = canon_native_replays();
    const char *path = (const char *)(frame->rax == SYS_execve ? frame->rdi : frame->rsi);
    canon_exec_forget();
    pending = replays ? NULL : prepare(frame);
    long result = replays ? 0 : pending->result;
    int64_t part = replays || result ? 0 : make_part(pending, self->spawn ? "spawn" : "exec");
    struct canon_step *step = canon_call_begin(self, "execve", &result);
    if (step) {
        canon_call_check_text(self, step, path ? path : "");
        canon_step_int(step, &part);
        canon_call_end(self, "execve");
    }
    if (result < 0) {
        canon_exec_forget();
        frame->rax = result;
        return;
    }
    if (!self->spawn) {
        canon_role_finish(self->strand);
        canon_native.mode = CANON_ROLE_PASSTHROUGH;
        canon_native.records = false;
    }
    if (replays)
        replay(self, path, (int)part);
    else
        record(self, frame);
}
