/*
 * report.c: what a person sees when a replay cannot go on.
 */
#include "launch/process.h"
#include "native/arena.h"
#include "native/native.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LAST_EVENTS = 10 };

struct text {
    char bytes[16384];
    size_t used;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text->bytes + text->used, sizeof text->bytes - text->used, format, args);
    va_end(args);
    if (n > 0)
        text->used += (size_t)n;
    if (text->used > sizeof text->bytes - 1)
        text->used = sizeof text->bytes - 1;
}

static _Noreturn void end(int status)
{
    canon_raw_syscall(SYS_exit_group, status, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}

static const char *sentence(enum canon_divergence_kind kind)
{
    switch (kind) {
    case CANON_DIVERGED_KIND:
        return "the program did another step than in the recording";
    case CANON_DIVERGED_INPUT:
        return "the program did the recorded step, but with other data";
    case CANON_DIVERGED_ITEMS:
        return "what was recorded does not fit this step";
    case CANON_DIVERGED_EXTRA:
        return "the program goes on after the last recorded step of this strand";
    case CANON_DIVERGED_MISSING:
        return "the program ended before the recorded steps did";
    case CANON_DIVERGED_STRAND:
        return "the program does something that the recording has no strand for";
    case CANON_DIVERGED_TRACE:
        return "the trace is damaged";
    default:
        return "the program took another way";
    }
}

static void add_history(struct text *text, const struct canon_divergence *divergence)
{
    const char *names[LAST_EVENTS];
    size_t count = divergence->strand ? canon_strand_history(divergence->strand, names, LAST_EVENTS) : 0;
    if (count)
        add(text, "  last events of the strand:\n");
    for (size_t i = count; i-- > 0;)
        add(text, "    #%llu %s\n", (unsigned long long)(divergence->number - 1 - i), names[i]);
}

/* How far the order of threads has come. */
static void add_operations(struct text *text, const struct canon_lane *lane)
{
    add(text, "  operation: %lld", (long long)canon_lane_operations(lane));
    if (lane->next != INT64_MAX)
        add(text, "; the recording waits for another thread at %lld",
            (long long)(lane->next / CANON_LANE_STEP));
    add(text, "\n");
}

static void write_out(const struct text *text)
{
    if (canon_native.watch)
        canon_watch_wipe(canon_native.watch);
    for (size_t done = 0; done < text->used;) {
        long n = canon_raw_syscall(SYS_write, STDERR_FILENO, (long)(text->bytes + done),
                                   (long)(text->used - done), 0, 0, 0);
        if (n <= 0)
            return;
        done += (size_t)n;
    }
}

_Noreturn void canon_native_diverged(const struct canon_divergence *divergence)
{
    /* Only the first thread that gets here reports; the others wait for the process to end. */
    static _Atomic int reporting;
    canon_spin_lock(&reporting);
    static struct text text;
    canon_self.inside++;
    if (divergence->kind == CANON_DIVERGED_NONE) {
        add(&text, "canon: the recording ended here (strand \"%s\", event %llu): it was cut off\n",
            divergence->strand_name, (unsigned long long)divergence->number);
        write_out(&text);
        end(CANON_EXIT_ENDED);
    }
    add(&text, "canon: DIVERGENCE: %s\n", sentence(divergence->kind));
    add(&text, "  strand:   %s\n  event:    #%llu\n", divergence->strand_name,
        (unsigned long long)divergence->number);
    if (divergence->expected)
        add(&text, "  expected: %s\n", divergence->expected);
    if (divergence->actual)
        add(&text, "  actual:   %s\n", divergence->actual);
    if (canon_self.lane)
        add_operations(&text, canon_self.lane);
    add_history(&text, divergence);
    add(&text, "  likely:   %s\n",
        divergence->kind == CANON_DIVERGED_TRACE
            ? "run `canon verify` on the trace"
            : "a data race, atomics or locks of the program's own, or an input that canon does not capture "
              "(see the notes of `canon info`)");
    write_out(&text);
    end(CANON_EXIT_DIVERGED);
}

_Noreturn void canon_native_give_up(const char *format, ...)
{
    static struct text text;
    va_list args;
    canon_self.inside++;
    add(&text, "canon: ");
    va_start(args, format);
    int n = vsnprintf(text.bytes + text.used, sizeof text.bytes - text.used - 1, format, args);
    va_end(args);
    text.used += n > 0 ? (size_t)n : 0;
    add(&text, "\n");
    write_out(&text);
    end(CANON_EXIT_FAILURE);
}
