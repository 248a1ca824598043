/*
 * syscall.c: every system call of the program arrives here.
 */
#include "native/arena.h"
#include "native/call.h"
#include "native/exec.h"
#include "native/insitu/insitu.h"
#include "native/patch.h"
#include "native/signals.h"
#include "native/special.h"
#include "native/threads.h"
#include "native/zones.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* Calls of the runtime itself, and of threads that are not recorded. */
static long pass(const struct canon_self *self, struct canon_frame *frame)
{
    if (frame->rax == SYS_mmap && !frame->rdi && self->inside)
        frame->rdi = (long)canon_arena_place((size_t)frame->rsi); /* not where the program's come to lie */
    return canon_frame_perform(frame);
}

/*
 * The loader opens, reads and maps libraries, in a replay too. What it found is compared: without the library
 * nothing would be right that follows.
 */
static void load(struct canon_self *self, struct canon_frame *frame)
{
    long now = canon_frame_perform(frame);
    if (frame->rax == SYS_openat) {
        const char *path = (const char *)frame->rsi;
        long result = now < 0 ? now : 0;
        long before = result;
        struct canon_step *step = canon_call_begin(self, "load", &result);
        if (step) {
            canon_call_check_text(self, step, path);
            canon_call_end(self, "load");
        }
        if (result != before)
            canon_step_mismatch(self->strand,
                                result ? "a library that is not there" : "a library that is there", path);
    }
    frame->rax = now;
}

/* There is no row: what it leaves in memory is not known. */
static void call_unknown(struct canon_self *self, struct canon_frame *frame)
{
    char text[64];
    snprintf(text, sizeof text, "system call %ld", frame->rax);
    canon_role_note(CANON_NOTE_UNSUPPORTED, text);
    struct canon_call row = {
        .name = "unknown system call", .class = CANON_CALL_IRREVOCABLE, .args = {{CANON_ARG_POINTER, 0, 0}}};
    canon_call_by_row(self, frame, &row);
}

/* The same when recording and when replaying; who was put back does it again. */
static void repeat(struct canon_self *self, struct canon_frame *frame)
{
    (void)CANON_INSITU_POINT(self);
    frame->rax = canon_frame_perform(frame);
    canon_insitu_leave(self);
}

static bool is_memory(long number)
{
    return number == SYS_mmap || number == SYS_munmap || number == SYS_mremap || number == SYS_brk;
}

static void look(struct canon_self *self, struct canon_frame *frame, long origin)
{
    const struct canon_call *row = canon_call_row(frame->rax);
    canon_special_fn special = row && row->class == CANON_CALL_SPECIAL ? canon_special_of(frame->rax) : NULL;
    if (origin == CANON_ORIGIN_LOADER && !is_memory(frame->rax))
        load(self, frame);
    else if (special)
        special(self, frame, origin);
    else if (!row || row->class == CANON_CALL_SPECIAL)
        call_unknown(self, frame);
    else if (row->class == CANON_CALL_REPEATABLE)
        repeat(self, frame);
    else if (row->class == CANON_CALL_REFUSED) {
        canon_role_note(CANON_NOTE_REFUSED, row->name);
        frame->rax = -ENOSYS;
    } else
        canon_call_by_row(self, frame, row);
}

long canon_native_syscall(struct canon_frame *frame, long origin)
{
    struct canon_self *self = &canon_self;
    if (!canon_native_looks(self)) {
        if (frame->rax == SYS_execve || frame->rax == SYS_execveat)
            canon_exec(self, frame, origin);
        else
            frame->rax = pass(self, frame);
        return 0;
    }
    int error = canon_native_enter(self);
    struct canon_frame asked = *frame;
    self->frame = frame;
    self->calls += frame->rax != SYS_futex; /* of those, libc makes some that depend on timing */
    canon_signals_before(self);
    do {
        *frame = asked;
        look(self, frame, origin);
    } while (canon_signals_deliver(self, &asked, frame->rax));
    self->frame = NULL;
    canon_native_leave(self, error);
    return 0;
}
