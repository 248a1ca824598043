/*
 * clone.c: new processes, and programs that become others. (Threads are made by pthread_create: threads.c.)
 *
 *   fork    the child goes on as a part of its own. A replay that is to have it forks for real.
 *   vfork   (also posix_spawn) the child shares the memory, and its parent waits: it is the parent's thread
 * that goes on, in another process. Its steps are in the parent's strand, and a replay takes them, too, since
 * they leave traces in the memory. exec    the program that begins is a part of its own: exec.c
 */
#include "native/arena.h"
#include "native/call.h"
#include "native/children.h"
#include "native/exec.h"
#include "native/heap.h"
#include "native/memory.h"
#include "native/ordered.h"
#include "native/parts.h"
#include "native/patch.h"
#include "native/signals.h"
#include "native/threads.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* What the parent has back when the child that shares its memory is gone. */
struct canon_spawn {
    void *shown, *actions;
};

static uint64_t flags_of(const struct canon_frame *frame)
{
    if (frame->rax == SYS_vfork)
        return CLONE_VM | CLONE_VFORK;
    if (frame->rax == SYS_fork)
        return 0;
    return frame->rax == SYS_clone3 ? *(const uint64_t *)frame->rdi : (uint64_t)frame->rdi;
}

/* The event: the child's number, and its part. */
static void describe(struct canon_self *self, long *result, int *part)
{
    struct canon_step *step = canon_call_begin(self, "clone", result);
    int64_t number = *part;
    if (!step)
        return;
    canon_step_int(step, &number);
    canon_call_end(self, "clone");
    *part = (int)number;
}

/* ---- fork ---------------------------------------------------------------------------------------------- */

/* Whether it is to be done; if not, the result is in the frame. */
static bool fork_begins(struct canon_self *self, struct canon_frame *frame)
{
    self->cloned = 0;
    if (canon_native_replays()) {
        long result = 0;
        describe(self, &result, &self->cloned);
        if (result <= 0 || !canon_part_is_wanted(self->cloned)) {
            frame->rax = result;
            return false;
        }
        self->forked_pid = (int)result;
    } else {
        self->cloned = canon_part_reserve();
        if (canon_memory_is_shared())
            canon_role_note(CANON_NOTE_LIMIT, "memory is shared with children: what one process reads there "
                                              "that another has written is not in the trace");
        if (!self->cloned)
            canon_role_note(CANON_NOTE_LIMIT, "a child process could not be recorded");
    }
    self->cloning = CANON_CLONES_FORK;
    canon_heap_fork_begins();
    return true;
}

/* Replay of a part that began with this fork: its parent has no more to do than to end as it does. */
static _Noreturn void end_like(long real)
{
    int status = 0;
    while (canon_raw_syscall(SYS_wait4, real, (long)&status, 0, 0, 0, 0) == -EINTR)
        ;
    canon_raw_syscall(SYS_exit_group, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), 0, 0,
                      0, 0, 0);
    __builtin_unreachable();
}

static void fork_ended(struct canon_self *self, struct canon_frame *frame)
{
    long result = frame->rax;
    canon_heap_fork_ended();
    if (result == 0) {
        canon_part_forked(self, self->cloned);
    } else if (!canon_native_replays()) {
        describe(self, &result, &self->cloned);
    } else {
        if (result < 0)
            canon_native_give_up("cannot replay: the system has no room for another process");
        if (canon_part_leads())
            end_like(result);
        canon_children_add(self->forked_pid, (int)result);
        frame->rax = self->forked_pid;
    }
}

/* ---- vfork --------------------------------------------------------------------------------------------- */

static void spawn_begins(struct canon_self *self)
{
    struct canon_spawn *spawn = canon_arena_get(sizeof *spawn);
    *spawn = (struct canon_spawn){canon_shown_save(), canon_signals_save()};
    self->spawn = spawn;
    self->cloning = CANON_CLONES_SPAWN;
}

/* In the parent: the child is gone, in the middle of its last system call. */
static void spawn_ended(struct canon_self *self, struct canon_frame *frame)
{
    struct canon_spawn *spawn = self->spawn;
    long real = frame->rax, result = real;
    int none = 0;
    self->spawn = NULL;
    canon_shown_restore(spawn->shown);
    canon_signals_restore(spawn->actions);
    canon_arena_put(spawn);
    canon_exec_forget();
    describe(self, &result, &none);
    if (canon_native_replays() && real > 0)
        canon_children_add((int)result, (int)real);
    frame->rax = result;
}

/* ---- both ---------------------------------------------------------------------------------------------- */

long canon_native_clone_begins(struct canon_frame *frame, long origin)
{
    (void)origin;
    struct canon_self *self = &canon_self;
    uint64_t flags = flags_of(frame);
    self->cloning = CANON_CLONES_NOTHING;
    if (!canon_native_looks(self))
        return 1;
    int error = canon_native_enter(self);
    long goes_on = 1;
    if (flags & CLONE_THREAD || (flags & CLONE_VM && !(flags & CLONE_VFORK))) {
        canon_role_note(CANON_NOTE_LIMIT, "a thread was made without pthread_create: it is not recorded");
    } else {
        if (canon_has_order(self))
            canon_world_publish(self);
        if (flags & CLONE_VM)
            spawn_begins(self);
        else
            goes_on = fork_begins(self, frame);
    }
    canon_native_leave(self, error);
    return goes_on;
}

long canon_native_clone_ended(struct canon_frame *frame, long origin)
{
    (void)origin;
    struct canon_self *self = &canon_self;
    int cloning = self->cloning;
    if (cloning == CANON_CLONES_NOTHING || (cloning == CANON_CLONES_SPAWN && frame->rax == 0))
        return 0;
    self->cloning = CANON_CLONES_NOTHING;
    if (cloning == CANON_CLONES_SPAWN)
        self->inside = 0; /* the child has left it in the middle of something; a fork has locks */
    int error = canon_native_enter(self);
    if (cloning == CANON_CLONES_FORK)
        fork_ended(self, frame);
    else
        spawn_ended(self, frame);
    canon_native_leave(self, error);
    return 0;
}

/* One that comes by way of syscall(), on canon's own stack, of which a fork has a copy. */
void canon_clone_called(struct canon_self *self, struct canon_frame *frame, long origin)
{
    self->inside--;
    if (flags_of(frame) & CLONE_VM) {
        canon_role_note(CANON_NOTE_LIMIT, "a thread was made without pthread_create: it is not recorded");
        frame->rax = canon_frame_perform(frame);
    } else if (canon_native_clone_begins(frame, origin)) {
        frame->rax = canon_frame_perform(frame);
        canon_native_clone_ended(frame, origin);
    }
    self->inside++;
}
