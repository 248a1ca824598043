/* roles.c: see roles.h. */
#include "roles.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ENDED = 0, DIVERGED = 70, NOT_STARTED = 3 };

struct run {
    enum canon_role_kind kind;
    const char *part;
    program_fn program;
};

struct canon_watch *run_watch;
static struct seen *shared; /* in a shared mapping */

static _Noreturn void note_divergence(const struct canon_divergence *divergence)
{
    shared->diverged = true;
    shared->kind = divergence->kind;
    shared->number = divergence->number;
    shared->has_expected = divergence->expected;
    shared->has_actual = divergence->actual;
    snprintf(shared->strand, sizeof shared->strand, "%s", divergence->strand_name);
    snprintf(shared->expected, sizeof shared->expected, "%s",
             divergence->expected ? divergence->expected : "");
    snprintf(shared->actual, sizeof shared->actual, "%s", divergence->actual ? divergence->actual : "");
    _exit(DIVERGED);
}

static int run(void *argument)
{
    const struct run *run = argument;
    struct canon_role_config config = {
        .kind = run->kind, .part = run->part, .diverged = note_divergence, .watch = run_watch};
    char problem[512] = "";
    if (canon_role_start(&config, problem, sizeof problem)) {
        dprintf(STDERR_FILENO, "cannot start the role: %s\n", problem);
        return NOT_STARTED;
    }
    run->program(shared);
    shared->finished = true;
    return ENDED;
}

void run_role(enum canon_role_kind kind, const char *part, program_fn program, struct seen *seen,
              struct canon_buffer *errors)
{
    struct run what = {kind, part, program};
    struct outcome outcome = {0};
    if (!shared)
        shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(shared, MAP_FAILED);
    memset(shared, 0, sizeof *shared);
    int status = test_in_child(run, &what, errors ? &outcome : NULL);
    *seen = *shared;
    if (errors)
        *errors = outcome.errors;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        fail_msg("the program hangs");
    if (WIFSIGNALED(status))
        fail_msg("the program was ended by signal %d", WTERMSIG(status));
    assert_int_equal(WEXITSTATUS(status), seen->diverged ? DIVERGED : ENDED);
}

void run_recorder(const char *part, program_fn program, struct seen *seen)
{
    run_role(CANON_ROLE_RECORDER, part, program, seen, NULL);
    assert_true(seen->finished);
}

void run_replayer(const char *part, program_fn program, struct seen *seen)
{
    run_role(CANON_ROLE_REPLAYER, part, program, seen, NULL);
}

int64_t do_native(struct canon_strand *strand, const char *name, int64_t value)
{
    uint64_t id = canon_role_name(name);
    struct canon_step *step = canon_step_begin(strand, CANON_EVENT_NATIVE, id);
    if (step) {
        canon_step_int(step, &value);
        canon_step_end(strand, CANON_EVENT_NATIVE, id);
    }
    return value;
}

void do_output(struct canon_strand *strand, const char *name, const char *input)
{
    uint64_t id = canon_role_name(name);
    struct canon_step *step = canon_step_begin(strand, CANON_EVENT_NATIVE, id);
    if (!step)
        return;
    char *expected = NULL;
    if (!canon_step_check_text(step, input, canon_step_gets(step) ? &expected : NULL))
        canon_step_mismatch(strand, expected, input);
    free(expected);
    canon_step_end(strand, CANON_EVENT_NATIVE, id);
}
