/*
 * clone.c: new processes and new threads, as the kernel sees them. Threads are made by pthread_create
 * (threads.c), which is inside then; here come processes. A replay makes none: what they did to the program
 * is in the trace.
 */
#include "native/call.h"
#include "native/ordered.h"
#include "native/patch.h"
#include "native/threads.h"

#include <sched.h>
#include <string.h>
#include <sys/syscall.h>

static uint64_t flags_of(const struct canon_frame *frame)
{
    if (frame->rax == SYS_vfork)
        return CLONE_VM | CLONE_VFORK;
    return frame->rax == SYS_clone3 ? *(const uint64_t *)frame->rdi : (uint64_t)frame->rdi;
}

long canon_native_clone_begins(struct canon_frame *frame, long origin)
{
    (void)origin;
    struct canon_self *self = &canon_self;
    uint64_t flags = flags_of(frame);
    self->cloning = CANON_CLONES_NOTHING;
    if (!canon_native_looks(self))
        return 1;
    int error = canon_native_enter(self);
    if (flags & CLONE_THREAD) {
        canon_role_note(CANON_NOTE_LIMIT, "a thread was made without pthread_create: it is not recorded");
        canon_native_leave(self, error);
        return 1;
    }
    canon_role_note(CANON_NOTE_LIMIT,
                    "child processes are not recorded; what the program learned of them is");
    if (canon_has_order(self))
        canon_world_publish(self);
    if (canon_native_replays()) {
        long result = 0;
        if (canon_call_begin(self, "clone", &result))
            canon_call_end(self, "clone");
        frame->rax = result;
        canon_native_leave(self, error);
        return 0;
    }
    self->cloning = flags & CLONE_VM ? CANON_CLONES_SPAWN : CANON_CLONES_FORK;
    if (self->cloning == CANON_CLONES_FORK)
        canon_native_leave(self, error);
    return 1; /* a child that shares memory runs while this thread is inside, and waits */
}

long canon_native_clone_ended(struct canon_frame *frame, long origin)
{
    (void)origin;
    struct canon_self *self = &canon_self;
    long result = frame->rax;
    int cloning = self->cloning;
    if (cloning == CANON_CLONES_NOTHING || (result == 0 && cloning == CANON_CLONES_SPAWN))
        return 0;
    self->cloning = CANON_CLONES_NOTHING;
    if (result == 0) {
        canon_native.mode = CANON_ROLE_PASSTHROUGH; /* the trace is the parent's */
        canon_native.records = false;
        self->strand = NULL;
        self->lane = self->counts = self->turns = NULL;
        return 0;
    }
    int error = errno;
    if (cloning == CANON_CLONES_FORK)
        canon_native_enter(self);
    if (canon_call_begin(self, "clone", &result))
        canon_call_end(self, "clone");
    canon_native_leave(self, error);
    return 0;
}

/*
 * The program becomes another one, which is not recorded. A replay ends here, too: nothing of what follows is
 * known.
 */
void canon_clone_exec(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    if (!self->strand || canon_native.mode == CANON_ROLE_PASSTHROUGH || self->cloning) {
        frame->rax = canon_frame_perform(frame); /* a child */
        return;
    }
    const char *path = frame->rax == SYS_execve ? (const char *)frame->rdi : (const char *)frame->rsi;
    long result = canon_native_replays()
                      ? 0
                      : canon_raw_syscall(SYS_faccessat, -100, (long)path, 1 /* X_OK */, 0, 0, 0);
    struct canon_step *step = canon_call_begin(self, "execve", &result);
    if (step) {
        canon_call_check_text(self, step, path);
        canon_call_end(self, "execve");
    }
    if (result < 0) {
        frame->rax = result;
        return;
    }
    canon_role_note(CANON_NOTE_LIMIT, "the program became another one (exec), which is not recorded");
    bool replays = canon_native_replays();
    canon_role_finish(self->strand);
    canon_native.mode = CANON_ROLE_PASSTHROUGH;
    canon_native.records = false;
    if (replays)
        canon_native_give_up("here the program became %s (exec), which was not recorded", path);
    frame->rax = canon_frame_perform(frame);
}
