/* report.c: see report.h. */
#include "order/report.h"

#include "order/lane.h"

#include <stdarg.h>
#include <stdio.h>

enum { LAST_EVENTS = 10, LANES_SHOWN = 64 };

void canon_report_add(struct canon_report *report, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(report->bytes + report->used, sizeof report->bytes - report->used, format, args);
    va_end(args);
    if (n > 0)
        report->used += (size_t)n;
    if (report->used > sizeof report->bytes - 1)
        report->used = sizeof report->bytes - 1;
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
    case CANON_DIVERGED_FILE:
        return "class loading asks for something that it did not read in the recording";
    case CANON_DIVERGED_STUCK:
        return "threads wait for each other, which they did not in the recording";
    case CANON_DIVERGED_TRACE:
        return "the trace is damaged";
    case CANON_DIVERGED_NONE:
        break;
    }
    return "";
}

void canon_report_begin(struct canon_report *report, const struct canon_divergence *divergence)
{
    unsigned long long number = divergence->number;
    if (divergence->kind == CANON_DIVERGED_NONE) {
        canon_report_add(report,
                         "canon: the recording ended here (strand \"%s\", event %llu): it was cut off\n",
                         divergence->strand_name, number);
        return;
    }
    canon_report_add(report, "canon: DIVERGENCE: %s\n", sentence(divergence->kind));
    canon_report_add(report, "  strand:   %s\n  event:    #%llu\n", divergence->strand_name, number);
    if (divergence->expected)
        canon_report_add(report, "  expected: %s\n", divergence->expected);
    if (divergence->actual)
        canon_report_add(report, "  actual:   %s\n", divergence->actual);
}

static const char *name_of(const struct canon_lane *lane)
{
    return lane->strand ? canon_strand_label(lane->strand) : "a strand that has ended";
}

static void add_lanes(struct canon_report *report)
{
    canon_report_add(report, "  strands, and how many operations they have done:\n");
    for (int i = 1, shown = 0; i <= canon_lane_most() && shown < LANES_SHOWN; i++) {
        const struct canon_lane *lane = canon_lane_at(i);
        if (!lane->strand)
            continue;
        shown++;
        canon_report_add(report, "    %s: %lld", name_of(lane), (long long)canon_lane_operations(lane));
        int other = atomic_load(&lane->awaited);
        if (other)
            canon_report_add(report, ", waits for operation %lld of %s", (long long)lane->awaited_operations,
                             name_of(canon_lane_at(other)));
        canon_report_add(report, "\n");
    }
}

void canon_report_past(struct canon_report *report, const struct canon_divergence *divergence)
{
    const char *names[LAST_EVENTS];
    size_t count = divergence->strand ? canon_strand_history(divergence->strand, names, LAST_EVENTS) : 0;
    if (count)
        canon_report_add(report, "  last events of the strand:\n");
    for (size_t i = count; i-- > 0;)
        canon_report_add(report, "    #%llu %s\n", (unsigned long long)(divergence->number - 1 - i),
                         names[i]);
    if (divergence->kind == CANON_DIVERGED_STUCK)
        add_lanes(report);
}
