/*
 * special.c: see special.h. Most of them decide by an argument what goes in and out, and are ordinary then.
 */
#include "native/special.h"

#include "base/assert.h"
#include "native/children.h"
#include "native/detect/evidence.h"
#include "native/exec.h"
#include "native/insitu/insitu.h"
#include "native/memory.h"
#include "native/ordered.h"
#include "native/parts.h"
#include "native/patch.h"
#include "native/signals.h"
#include "native/threads.h"

#include <asm/ioctls.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

/* ---- fcntl, ioctl, prctl ------------------------------------------------------------------------------- */

/* A row for this one call: the third argument is a number, or `in` or `out` bytes. */
static struct canon_call row_for(const char *name, int in, int out)
{
    struct canon_call row = {
        .name = name, .class = CANON_CALL_REVOCABLE, .args = {{CANON_ARG_INT, 0, 0}, {CANON_ARG_INT, 0, 0}}};
    if (in)
        row.args[2] = (struct canon_arg){CANON_ARG_IN, CANON_ARG_ALONE, (uint16_t)in};
    else if (out)
        row.args[2] = (struct canon_arg){CANON_ARG_OUT, CANON_ARG_ALONE, (uint16_t)out};
    else
        row.args[2] = (struct canon_arg){CANON_ARG_LONG, 0, 0};
    return row;
}

static void call_fcntl(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    long what = (int)frame->rsi;
    bool locks = what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK || what == F_OFD_SETLKW;
    bool tells = what == F_GETLK || what == F_OFD_GETLK;
    struct canon_call row = row_for("fcntl", 0, tells ? 32 : 0);
    if (locks)
        row.args[2].kind = CANON_ARG_LOCK;
    if (what == F_SETLKW || what == F_OFD_SETLKW)
        row.flags = CANON_CALL_BLOCKS | CANON_CALL_WAITS;
    if (what == F_GETFD || what == F_GETFL || what == F_GETOWN)
        row.args[2].kind = CANON_ARG_POINTER; /* has no third argument */
    canon_call_by_row(self, frame, &row);
}

enum { INTERFACE = sizeof(struct ifreq) };
static const struct {
    unsigned request;
    int in, out;
} REQUESTS[] = {
    {TCGETS, 0, 36},
    {TCSETS, 36, 0},
    {TCSETSW, 36, 0},
    {TCSETSF, 36, 0},
    {TIOCGWINSZ, 0, 8},
    {TIOCSWINSZ, 8, 0},
    {TIOCGPGRP, 0, 4},
    {TIOCSPGRP, 4, 0},
    {FIONREAD, 0, 4},
    {FIONBIO, 4, 0},
    {TIOCOUTQ, 0, 4},
    {FIOASYNC, 4, 0},
    {TCFLSH, 0, 0},
    {TCSBRK, 0, 0},
    {FIOCLEX, 0, 0},
    {FIONCLEX, 0, 0},
    {TIOCSCTTY, 0, 0},
    {TIOCNOTTY, 0, 0},
    {TIOCGSID, 0, 4},
    {SIOCATMARK, 0, 4},
    {TIOCGPTN, 0, 4},
    {TIOCSPTLCK, 4, 0},
    {TCXONC, 0, 0},
    {FIGETBSZ, 0, 4},
    {FICLONE, 0, 0},
    {FS_IOC_GETFLAGS, 0, 4},
    {BLKGETSIZE64, 0, 8},
    {BLKSSZGET, 0, 4},
    {SIOCGIFNAME, 0, INTERFACE},
    {SIOCGIFFLAGS, 0, INTERFACE},
    {SIOCGIFADDR, 0, INTERFACE},
    {SIOCGIFBRDADDR, 0, INTERFACE},
    {SIOCGIFNETMASK, 0, INTERFACE},
    {SIOCGIFMTU, 0, INTERFACE},
    {SIOCGIFHWADDR, 0, INTERFACE},
    {SIOCGIFINDEX, 0, INTERFACE},
    {SIOCGIFDSTADDR, 0, INTERFACE},
};

/* A list of network interfaces, as long as the program has room for. */
static void call_interfaces(struct canon_self *self, struct canon_frame *frame)
{
    struct ifconf *list = (struct ifconf *)frame->rdx;
    long result = canon_native_replays() ? 0 : canon_frame_perform(frame);
    struct canon_step *step = canon_call_begin(self, "ioctl", &result);
    if (step && !result) {
        int room = list->ifc_len;
        canon_call_bytes(step, &list->ifc_len, sizeof list->ifc_len);
        if (list->ifc_buf && list->ifc_len >= 0 && list->ifc_len <= room)
            canon_call_bytes(step, list->ifc_buf, (size_t)list->ifc_len);
    }
    if (step)
        canon_call_end(self, "ioctl");
    frame->rax = result;
}

static void call_ioctl(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    unsigned request = (unsigned)frame->rsi;
    if (request == SIOCGIFCONF) {
        call_interfaces(self, frame);
        return;
    }
    int in = 0, out = 0;
    size_t i = 0, count = sizeof REQUESTS / sizeof *REQUESTS;
    while (i < count && REQUESTS[i].request != request)
        i++;
    if (i < count) {
        in = REQUESTS[i].in;
        out = REQUESTS[i].out;
    } else {
        char text[80];
        snprintf(text, sizeof text, "ioctl %#x", request);
        canon_role_note(CANON_NOTE_UNSUPPORTED, text);
        out = _IOC_DIR(request) & _IOC_READ ? (int)_IOC_SIZE(request) : 0; /* as its number says */
    }
    struct canon_call row = row_for("ioctl", in, out);
    if (i == count && !out)
        row.args[2].kind = CANON_ARG_POINTER;
    canon_call_by_row(self, frame, &row);
}

static void call_prctl(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    if (frame->rdi == PR_SET_NAME || frame->rdi == PR_GET_NAME || frame->rdi == PR_SET_VMA) {
        frame->rax = canon_frame_perform(frame); /* the thread is there at replay, too */
        return;
    }
    struct canon_call row = {.name = "prctl", .class = CANON_CALL_REVOCABLE, .args = {{CANON_ARG_INT, 0, 0}}};
    if (frame->rdi == PR_GET_PDEATHSIG || frame->rdi == PR_GET_CHILD_SUBREAPER || frame->rdi == PR_GET_TSC)
        row.args[1] = (struct canon_arg){CANON_ARG_OUT, CANON_ARG_ALONE, 4};
    canon_call_by_row(self, frame, &row);
}

/* Its effective user comes first or second. */
static void call_user(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    if (!self->spawn)
        canon_part_owner(frame->rax == SYS_setuid ? frame->rdi : frame->rsi);
    canon_call_by_row(self, frame, canon_call_row(frame->rax));
}

/* Recorder: does a call that may wait. */
static long block(struct canon_self *self, const struct canon_frame *frame)
{
    if (canon_native_replays() || CANON_INSITU_POINT(self))
        return 0;
    long result = canon_raw_blocking(frame->rax, frame->rdi, frame->rsi, frame->rdx, 0, 0, 0, &self->pending);
    canon_insitu_leave(self);
    return result;
}

/* ---- messages ------------------------------------------------------------------------------------------ */

static uint64_t mix_message(const struct msghdr *message)
{
    uint64_t hash = canon_call_mix_bytes(0, message->msg_name, message->msg_name ? message->msg_namelen : 0);
    for (size_t i = 0; i < message->msg_iovlen && i < 1024; i++)
        hash = canon_call_mix_bytes(hash, message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
    return canon_call_mix_bytes(hash, message->msg_control,
                                message->msg_control ? message->msg_controllen : 0);
}

/* Recorder: does it. */
static long pass_message(struct canon_self *self, const struct canon_frame *frame)
{
    bool paused = canon_turns_pause(self, CANON_TURNS_BRIEF);
    long result = block(self, frame);
    canon_turns_resume(self, paused);
    return result;
}

static void call_sendmsg(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    bool ordered = canon_has_order(self);
    if (ordered)
        canon_world_publish(self);
    long result = pass_message(self, frame);
    struct canon_step *step = canon_call_begin(self, "sendmsg", &result);
    if (step && result != -EFAULT)
        canon_call_check(
            self, step, "sendmsg",
            canon_call_mix(mix_message((const struct msghdr *)frame->rsi), (uint32_t)frame->rdi));
    if (step)
        canon_call_end(self, "sendmsg");
    frame->rax = result;
}

/* Lengths that came out; what they are lengths of follows. Never more than there is room for. */
static void describe_message(struct canon_step *step, struct msghdr *message, long result)
{
    struct {
        uint32_t name;
        int32_t flags;
        uint64_t control;
    } lengths = {message->msg_namelen, message->msg_flags, message->msg_controllen}, room = lengths;
    canon_step_bytes(step, &lengths, sizeof lengths);
    if (canon_step_gets(step) &&
        (lengths.control > room.control || (message->msg_name && lengths.name > 4096))) {
        step->in.failed = true;
        return;
    }
    if (message->msg_name)
        canon_step_bytes(step, message->msg_name, lengths.name < room.name ? lengths.name : room.name);
    if (message->msg_control)
        canon_step_bytes(step, message->msg_control, lengths.control);
    message->msg_namelen = lengths.name;
    message->msg_flags = lengths.flags;
    message->msg_controllen = lengths.control;
    size_t left = result > 0 ? (size_t)result : 0;
    for (size_t i = 0; i < message->msg_iovlen && left; i++) {
        size_t part = message->msg_iov[i].iov_len < left ? message->msg_iov[i].iov_len : left;
        canon_step_bytes(step, message->msg_iov[i].iov_base, part);
        left -= part;
    }
}

static void call_recvmsg(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    struct msghdr *message = (struct msghdr *)frame->rsi;
    long result = pass_message(self, frame);
    if (canon_has_order(self))
        canon_world_follow(self);
    struct canon_step *step = canon_call_begin(self, "recvmsg", &result);
    if (step && result != -EFAULT)
        canon_call_check(self, step, "recvmsg", canon_call_mix(0, (uint32_t)frame->rdi));
    if (step && result >= 0)
        describe_message(step, message, result);
    if (step)
        canon_call_end(self, "recvmsg");
    frame->rax = result;
}

/* ---- waiting for other threads --------------------------------------------------------------------------
 */

static bool is_wait(int what)
{
    return what == FUTEX_WAIT || what == FUTEX_WAIT_BITSET || what == FUTEX_LOCK_PI ||
           what == FUTEX_LOCK_PI2 || what == FUTEX_WAIT_REQUEUE_PI;
}

/*
 * Where memory that threads look at is ordered, who waits and who is woken is recorded, as it is with what
 * comes from outside; a replay does not wait. It does what else there is to be done: there is one request
 * that changes memory.
 */
static void record_futex(struct canon_self *self, struct canon_frame *frame)
{
    int what = (int)frame->rsi & FUTEX_CMD_MASK;
    bool waits = is_wait(what);
    uint64_t hash =
        canon_call_mix(canon_call_mix((uint64_t)frame->rdi, (uint32_t)frame->rsi), (uint32_t)frame->rdx);
    if (waits && what != FUTEX_WAIT && what != FUTEX_WAIT_BITSET)
        canon_role_note(CANON_NOTE_LIMIT,
                        "a mutex that hands on priorities: not recorded with --order=serial");
    bool paused = canon_turns_pause(self, waits ? CANON_TURNS_LONG : CANON_TURNS_KEEP);
    long result = 0;
    if (!waits)
        result = canon_frame_perform(frame);
    else if (!canon_native_replays())
        result = canon_raw_blocking(frame->rax, frame->rdi, frame->rsi, frame->rdx, frame->r10, frame->r8,
                                    frame->r9, &self->pending);
    canon_turns_resume(self, paused);
    struct canon_step *step = canon_call_begin(self, "futex", &result);
    if (step) {
        canon_call_check(self, step, "futex", hash);
        canon_call_end(self, "futex");
    }
    frame->rax = result;
}

/* By default that is so for what was built with canon-cc, which makes them by a function. */
static void call_futex(struct canon_self *self, struct canon_frame *frame, long origin)
{
    if (self->turns || (self->counts && canon_native.atomics && origin == CANON_ORIGIN_FUNCTION)) {
        record_futex(self, frame);
        return;
    }
    static atomic_bool noted;
    bool own = origin == CANON_ORIGIN_FUNCTION || origin == CANON_ORIGIN_OTHER;
    if (self->counts && own && !atomic_exchange(&noted, true))
        canon_role_note(
            CANON_NOTE_LIMIT,
            "threads wait by futex, without libc: locks of the program's own, or of OpenMP, have no "
            "order (record with --order=serial, or build with canon-cc)");
    frame->rax = canon_frame_perform(frame);
}

static void call_yield(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    bool paused = canon_turns_pause(self, CANON_TURNS_LONG);
    frame->rax = canon_frame_perform(frame);
    canon_turns_resume(self, paused);
}

/* ---- the end ------------------------------------------------------------------------------------------- */

static void call_exit_group(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    struct canon_strand *strand = self->strand;
    bool replays = canon_native_replays();
    if (self->spawn) /* a child that shares the memory; the program goes on */
        canon_raw_syscall(SYS_exit_group, frame->rdi, 0, 0, 0, 0, 0);
    if (replays)
        canon_strand_rest_at_end(strand);
    canon_evidence_end();
    canon_insitu_still(true);
    if (!canon_native.again) /* else the others go on, until they have come as far as they had */
        canon_role_finish(strand);
    canon_insitu_exits((int)frame->rdi);
    if (replays)
        canon_children_wait();
    canon_raw_syscall(SYS_exit_group, frame->rdi, 0, 0, 0, 0, 0);
}

/* A thread ends: its destructors have run, and libc has nothing left to do in it. */
static void call_exit(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    if (!self->spawn) {
        canon_thread_ends(self);
        canon_insitu_ends(self);
    }
    canon_raw_syscall(SYS_exit, frame->rdi, 0, 0, 0, 0, 0);
}

static const struct {
    long number;
    canon_special_fn function;
} SPECIALS[] = {
    {SYS_fcntl, call_fcntl},
    {SYS_ioctl, call_ioctl},
    {SYS_prctl, call_prctl},
    {SYS_setuid, call_user},
    {SYS_setreuid, call_user},
    {SYS_setresuid, call_user},
    {SYS_sendmsg, call_sendmsg},
    {SYS_recvmsg, call_recvmsg},
    {SYS_exit_group, call_exit_group},
    {SYS_exit, call_exit},
    {SYS_futex, call_futex},
    {SYS_sched_yield, call_yield},
    {SYS_mmap, canon_memory_mmap},
    {SYS_munmap, canon_memory_munmap},
    {SYS_mremap, canon_memory_mremap},
    {SYS_brk, canon_memory_brk},
    {SYS_rt_sigaction, canon_signals_action},
    {SYS_rt_sigprocmask, canon_signals_mask},
    {SYS_rt_sigsuspend, canon_signals_suspend},
    {SYS_pause, canon_signals_suspend},
    {SYS_kill, canon_signals_kill},
    {SYS_tkill, canon_signals_kill},
    {SYS_tgkill, canon_signals_kill},
    {SYS_execve, canon_exec},
    {SYS_execveat, canon_exec},
    {SYS_fork, canon_clone_called},
    {SYS_clone, canon_clone_called},
    {SYS_clone3, canon_clone_called},
};

canon_special_fn canon_special_of(long number)
{
    for (size_t i = 0; i < sizeof SPECIALS / sizeof *SPECIALS; i++)
        if (SPECIALS[i].number == number)
            return SPECIALS[i].function;
    return NULL;
}
