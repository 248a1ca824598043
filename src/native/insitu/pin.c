/*
 * pin.c: how a fault that comes of what nothing orders is made to happen again.
 *
 * On the way to the end there may be more of that. The same tries suppose what is usual: a thread that waits
 * for another one has told it something just before, without a lock (a flag that says that it is to end), and
 * it did so late: else the other one would have done less. So it waits earlier, before the code that leads to
 * the operation at which it has to. And a thread that is about to end goes on when all others wait.
 *
 * When the program ended, one thread was at the place of its end and the others somewhere behind their last
 * operation. Where they were is known, and a breakpoint of the processor's stops a thread there. What is not
 * known is who came there first. So most tries let the one that ends the program come to its place, or some
 * instructions before it, then the others to theirs, and then it goes on; every third one lets the others
 * come first.
 */
#include "native/decode.h"
#include "native/insitu/insitu.h"
#include "native/insitu/kept.h"
#include "trace/reader.h"

#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

enum {
    PATIENCE_MS = 100,
    SETTLE_MS = 10,
    LATE_MS = 5,
    BACK = 3,
    USUAL_LOOKS = 1000, /* for what is usual, before it is given up */
    USUAL_US = 50,      /* between two of them */
};

static void nap(int ms)
{
    struct timespec time = {.tv_nsec = ms * 1000000L};
    canon_raw_syscall(SYS_nanosleep, (long)&time, 0, 0, 0, 0, 0);
}

/* Stops the running thread before it executes the instruction at `place`. */
static void pin(struct canon_kept_thread *thread, uint64_t place)
{
    struct perf_event_attr about = {
        .size = sizeof about,
        .type = PERF_TYPE_BREAKPOINT,
        .bp_type = HW_BREAKPOINT_X,
        .bp_addr = place,
        .bp_len = sizeof(long),
        .sample_period = 1,
        .sig_data = CANON_KEPT_PIN,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .sigtrap = !canon_kept->debugged,
        .remove_on_exec = !canon_kept->debugged,
    };
    long fd = canon_raw_syscall(SYS_perf_event_open, (long)&about, 0, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
    thread->pin = (int)fd;
    if (fd >= 0 &&
        canon_kept->debugged) { /* debuggers take SIGTRAP for theirs; an instruction or two later */
        struct f_owner_ex owner = {F_OWNER_TID, thread->tid};
        canon_raw_syscall(SYS_fcntl, fd, F_SETOWN_EX, (long)&owner, 0, 0, 0);
        canon_raw_syscall(SYS_fcntl, fd, F_SETSIG, CANON_KEPT_SIGNAL, 0, 0, 0);
        canon_raw_syscall(SYS_fcntl, fd, F_SETFL, O_ASYNC, 0, 0, 0);
    }
}

/*
 * The instruction `back` ones before `place`, for who has read there what it then stumbles over. Where
 * instructions begin is not known: decoding from some bytes before leads to the right ones from most places,
 * so that is right which is found most often.
 */
static uint64_t before(uint64_t place, int back)
{
    enum { LOOK_BACK = 64 };
    int found[LOOK_BACK + 1] = {0}, best = 0;
    for (int from = LOOK_BACK; from > 0; from--) {
        int begins[LOOK_BACK], count = 0, at = from;
        struct canon_insn insn;
        while (at > 0 && canon_insn_decode((const uint8_t *)(place - (uint64_t)at), 16, &insn)) {
            begins[count++] = at;
            at -= insn.size;
        }
        if (at == 0 && count >= back && ++found[begins[count - back]] > found[best])
            best = begins[count - back];
    }
    return place - (uint64_t)best;
}

static bool is_ender(const struct canon_self *self)
{
    return self->lane && self->lane->number == canon_kept->ender;
}

/* The running thread has done all that it had done in the recording, but for computing. */
static bool is_at_last(const struct canon_self *self)
{
    if (!self->lane || !self->strand || self->lane->number > canon_kept->lanes)
        return false;
    const struct canon_kept_lane *reached = &canon_kept->reached[self->lane->number];
    return canon_lane_operations(self->lane) == reached->operations &&
           canon_strand_position(self->strand) == reached->events;
}

/* ---- what is usual --------------------------------------------------------------------------------------
 */

/* Operations of the strand when it ended; -1: it did not. */
static int64_t end_of(const struct canon_strand *strand)
{
    const struct canon_trace_strand *recorded =
        canon_trace_find(canon_role_trace(), canon_strand_label(strand));
    struct canon_cursor cursor;
    struct canon_event event;
    int64_t operations = -1;
    if (!recorded)
        return -1;
    canon_cursor_start(&cursor, recorded);
    while (operations < 0 && !canon_cursor_next(&cursor, &event)) {
        if (event.kind != CANON_EVENT_END || event.id != CANON_END_FINISHED)
            continue;
        struct canon_reader in = canon_reader_over(event.payload, event.size);
        canon_reader_varint(&in);
        canon_reader_varint(&in);
        operations = (int64_t)canon_reader_varint(&in);
    }
    canon_cursor_stop(&cursor);
    return operations;
}

/* Its next operation is that it ends. */
static bool is_about_to_end(const struct canon_self *self)
{
    if (!self->start)
        return false;
    if (!self->kept->ends)
        self->kept->ends = end_of(self->strand);
    return canon_lane_operations(self->lane) == self->kept->ends - 1;
}

static bool is_held(const struct canon_lane *lane)
{
    for (int i = 0; i < CANON_KEPT_THREADS; i++) {
        const struct canon_kept_thread *thread = &canon_kept->threads[i];
        if (thread->tid > 0 && thread->held && thread->self->lane == lane)
            return true;
    }
    return false;
}

/* It waits for one that has not come as far, or is held like this one. */
static bool waits(const struct canon_lane *lane)
{
    int other = atomic_load(&lane->awaited);
    return (other && canon_lane_operations(canon_lane_at(other)) < lane->awaited_operations) || is_held(lane);
}

static bool others_wait(const struct canon_self *self)
{
    for (int i = 1; i <= canon_lane_most(); i++) {
        const struct canon_lane *lane = canon_lane_at(i);
        if (lane != self->lane && atomic_load(&lane->taken) && !waits(lane))
            return false;
    }
    return true;
}

/* Whether a thread that waits for so many operations of a lane waits for the end of who has it, and who is
 * not about to end yet. */
static enum { NO, YES, NOT_KNOWN } waits_for_end(const struct canon_lane *lane, int64_t operations)
{
    for (int i = 0; i < CANON_KEPT_THREADS; i++) {
        const struct canon_kept_thread *thread = &canon_kept->threads[i];
        if (thread->tid > 0 && !thread->ended && thread->self->lane == lane && thread->ends)
            return thread->ends > 0 && operations >= thread->ends && !thread->held ? YES : NO;
    }
    return NOT_KNOWN;
}

/* It need not wait any more before it goes on to where it will wait anyway. */
static bool has_come(const struct canon_lane *lane, int64_t operations)
{
    return canon_lane_operations(lane) >= operations || waits_for_end(lane, operations) == NO;
}

static void do_as_usual(const struct canon_self *self)
{
    struct timespec time = {.tv_nsec = USUAL_US * 1000L};
    int64_t operations = 0;
    bool ends = is_about_to_end(self);
    const struct canon_lane *before = ends ? NULL : canon_lane_comes_after(self->lane, &operations);
    if (!ends && !before)
        return;
    self->kept->held = ends;
    for (int i = 0; i < USUAL_LOOKS && !(ends ? others_wait(self) : has_come(before, operations)); i++)
        canon_raw_syscall(SYS_nanosleep, (long)&time, 0, 0, 0, 0, 0);
    self->kept->held = false;
}

/* ---- the end --------------------------------------------------------------------------------------------
 */

/* The others wait until the keeper has looked at the heap. */
static void wait_for_keeper(const struct canon_self *self)
{
    while (!is_ender(self) && !atomic_load(&canon_kept->further))
        canon_kept_wait(&canon_kept->further, 0, 0);
}

void canon_insitu_delay(struct canon_self *self)
{
    if (!canon_insitu || !self->kept || !self->lane || !self->strand || self->kept->delayed)
        return;
    bool ender_first = canon_kept->tries % 3 != 0;
    if (!is_at_last(self)) {
        if (canon_kept->end == CANON_KEPT_FAULT && ender_first)
            do_as_usual(self);
        return;
    }
    self->kept->delayed = true;
    if (canon_kept->end != CANON_KEPT_FAULT) {
        wait_for_keeper(self);
        return;
    }
    bool ender = is_ender(self);
    if (ender && ender_first && canon_kept->place) {
        pin(self->kept, before(canon_kept->place, BACK * (1 + canon_kept->tries / 3)));
    } else if (ender) {
        nap(LATE_MS * canon_kept->tries);
    } else {
        for (int i = 0; ender_first && !canon_kept->pinned && i < PATIENCE_MS; i++)
            nap(1);
        if (self->kept->place)
            pin(self->kept, self->kept->place);
    }
}

void canon_insitu_pinned(void)
{
    struct canon_kept_thread *thread = canon_self.kept;
    canon_raw_syscall(SYS_close, thread->pin, 0, 0, 0, 0, 0);
    if (!is_ender(&canon_self))
        for (;;) /* until it is put back, or the program ends */
            canon_raw_syscall(SYS_pause, 0, 0, 0, 0, 0, 0);
    canon_kept->pinned = 1;
    nap(SETTLE_MS);
}
