/*
 * report.c: what a person sees when a replay cannot go on.
 */
#include "order/report.h"
#include "launch/process.h"
#include "native/arena.h"
#include "native/insitu/insitu.h"
#include "native/native.h"
#include "native/patch.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Noreturn void end(int status)
{
    if (canon_native.is_child && canon_native.watch && status != CANON_EXIT_ENDED)
        canon_native.watch->failed = (uint32_t)status;
    canon_raw_syscall(SYS_exit_group, status, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}

/* How far the order of threads has come. */
static void add_operations(struct canon_report *text, const struct canon_lane *lane)
{
    canon_report_add(text, "  operation: %lld", (long long)canon_lane_operations(lane));
    if (lane->next != INT64_MAX)
        canon_report_add(text, "; the recording waits for another thread at %lld",
                         (long long)(lane->next / CANON_LANE_STEP));
    canon_report_add(text, "\n");
}

/* What has no order, and what would give it one. */
static void add_races(struct canon_report *text)
{
    if (!canon_native.threaded)
        return;
    if (canon_native.serial) {
        canon_report_add(text, "a thread that ran beside the others, or ");
        return;
    }
    canon_report_add(text, "a data race (`canon record --order=serial` orders it), or ");
    if (canon_patch_atomics() && !canon_native.atomics)
        canon_report_add(text,
                         "atomics or locks of its own (atomic instructions in it: %u; --order=serial orders "
                         "them, too, and so does building it with canon-cc), or ",
                         canon_patch_atomics());
}

static void add_likely_cause(struct canon_report *text, enum canon_divergence_kind kind)
{
    canon_report_add(text, "  likely:   ");
    if (kind == CANON_DIVERGED_TRACE) {
        canon_report_add(text, "run `canon verify` on the trace\n");
        return;
    }
    add_races(text);
    canon_report_add(text, "an input that canon does not capture (see the notes of `canon info`)\n");
}

static void write_out(const struct canon_report *text)
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
    canon_insitu_diverged(divergence);
    canon_spin_lock(&reporting);
    static struct canon_report text;
    canon_self.inside++;
    canon_report_begin(&text, divergence);
    if (divergence->kind == CANON_DIVERGED_NONE) {
        if (!canon_native.is_child) /* it was killed, which its parent knows */
            write_out(&text);
        end(CANON_EXIT_ENDED);
    }
    if (canon_self.lane)
        add_operations(&text, canon_self.lane);
    canon_report_past(&text, divergence);
    add_likely_cause(&text, divergence->kind);
    write_out(&text);
    end(CANON_EXIT_DIVERGED);
}

_Noreturn void canon_native_give_up(const char *format, ...)
{
    static struct canon_report text;
    va_list args;
    canon_self.inside++;
    canon_report_add(&text, "canon: ");
    va_start(args, format);
    int n = vsnprintf(text.bytes + text.used, sizeof text.bytes - text.used - 1, format, args);
    va_end(args);
    text.used += n > 0 ? (size_t)n : 0;
    canon_report_add(&text, "\n");
    write_out(&text);
    end(CANON_EXIT_FAILURE);
}
