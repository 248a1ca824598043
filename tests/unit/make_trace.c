/*
 * make_trace.c: writes a trace as a recording of a JVM would, without a JVM:
 *
 *   make_trace TRACE [torn]
 *
 * For tests that are about traces and not about Java. "torn": the process ends as if it were killed.
 */
#include "cli/cli.h"
#include "launch/process.h"
#include "role/memo.h"
#include "role/role.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "make_trace: %s\n", what);
    exit(1);
}

static _Noreturn void diverged(const struct canon_divergence *divergence)
{
    fail(divergence->strand_name);
}

static void make_directory(const char *path)
{
    static char *command[] = {"java", "-cp", ".", "Hello", NULL};
    struct canon_trace_info info = {
        .command = command,
        .directory = "/tmp",
        .started = "2024-01-01T00:00:00Z",
        .version = CANON_VERSION,
        .pid = 1000,
        .ended = true,
    };
    snprintf(info.path, sizeof info.path, "%s", path);
    if (canon_trace_create(&info))
        exit(1);
}

static void make_process(const char *part)
{
    struct canon_process process = {0};
    canon_process_add(&process, CANON_PROCESS_KIND, "java");
    canon_process_add(&process, CANON_PROCESS_PID, "1000");
    canon_process_add(&process, CANON_PROCESS_EXECUTABLE, "/nonexistent/bin/java");
    canon_process_add(&process, CANON_PROCESS_ARGUMENTS, "java");
    canon_process_add(&process, CANON_PROCESS_ARGUMENTS, "Hello");
    canon_process_add(&process, CANON_PROCESS_ENVIRONMENT, "HOME=/root");
    if (canon_process_save(part, "process", &process))
        fail("cannot write the process");
    canon_process_free(&process);
}

/* One step with an item of every simple kind. */
static void do_step(struct canon_strand *strand, const char *name, int64_t number)
{
    uint64_t id = canon_role_name(name);
    struct canon_step *step = canon_step_begin(strand, CANON_EVENT_NATIVE, id);
    float f = 1.5f;
    double d = 2.5;
    char *text = "text \"quoted\" \\ caf\xc3\xa9 \xff", *none = NULL;
    canon_step_int(step, &number);
    canon_step_raw(step, 'f', &f, sizeof f);
    canon_step_raw(step, 'd', &d, sizeof d);
    canon_step_bytes(step, &number, sizeof number);
    canon_step_text(step, &text);
    canon_step_text(step, &none);
    canon_step_check(step, (uint32_t)number);
    canon_step_check_text(step, "/some/path", NULL);
    canon_step_end(strand, CANON_EVENT_NATIVE, id);
}

static void make_events(void)
{
    struct canon_strand *main = canon_strand_open("thread main"), *other = canon_strand_open("thread main/1");
    struct canon_buffer answer = {0};
    for (int64_t i = 0; i < 40; i++)
        do_step(main, i % 2 ? "java/lang/System.nanoTime()J" : "java/io/FileInputStream.read0()I", i - 20);
    do_step(other, "java/lang/System.nanoTime()J", 1);
    canon_strand_close(other);
    struct canon_strand *load = canon_strand_open_short("load app Hello#0");
    do_step(load, "java/io/FileInputStream.read0()I", 2);
    canon_strand_close(load);
    canon_buffer_put(&answer, "i\x04", 2);
    canon_memo_put(4711, canon_role_name("java/io/FileInputStream.read0()I"), &answer);
    canon_buffer_free(&answer);
    canon_role_note(CANON_NOTE_UNSUPPORTED, "java/x.y()V");
}

int main(int argc, char **argv)
{
    char part[PATH_MAX], problem[512] = "";
    if (argc < 2)
        fail("usage: make_trace TRACE [torn]");
    make_directory(argv[1]);
    snprintf(part, sizeof part, "%s/1", argv[1]);
    if (mkdir(part, 0700))
        fail("cannot make the part");
    make_process(part);
    struct canon_role_config config = {.kind = CANON_ROLE_RECORDER, .part = part, .diverged = diverged};
    if (canon_role_start(&config, problem, sizeof problem))
        fail(problem);
    make_events();
    if (argc < 3)
        canon_role_finish(NULL);
    _exit(0); /* as if killed, in the torn case */
}
