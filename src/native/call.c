/*
 * call.c: see call.h. The event of a call: its result, a text for each path, a checksum of all else that went
 * in, and what came out. A call that failed because of a bad address is only its result.
 */
#include "native/call.h"

#include "base/assert.h"
#include "native/arena.h"
#include "native/children.h"
#include "native/insitu/insitu.h"
#include "native/ordered.h"
#include "native/patch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <xxhash.h>

/* ---- events -------------------------------------------------------------------------------------------- */

/* Names of calls are few, and constants: their ids are found by address. */
enum { SLOTS = 1024 };
static struct {
    const char *_Atomic name;
    _Atomic uint64_t id;
} slots[SLOTS];
static _Atomic int slots_lock; /* of who fills a slot */

static uint64_t id_of(const char *name)
{
    size_t at = (uint64_t)name * 0x9e3779b97f4a7c15u >> 54;
    if (atomic_load_explicit(&slots[at].name, memory_order_acquire) == name)
        return slots[at].id;
    uint64_t id = canon_role_name(name);
    canon_spin_lock(&slots_lock);
    if (!slots[at].name) {
        slots[at].id = id;
        atomic_store_explicit(&slots[at].name, name, memory_order_release);
    }
    canon_spin_unlock(&slots_lock);
    return id;
}

void canon_call_forked(void)
{
    memset(slots, 0, sizeof slots);
    slots_lock = 0;
}

struct canon_step *canon_call_begin(struct canon_self *self, const char *name, long *result)
{
    struct canon_step *step = canon_step_begin(self->strand, CANON_EVENT_NATIVE, id_of(name));
    if (!step)
        return NULL;
    int64_t value = *result;
    canon_step_int(step, &value);
    *result = value;
    return step;
}

void canon_call_end(struct canon_self *self, const char *name)
{
    canon_step_end(self->strand, CANON_EVENT_NATIVE, id_of(name));
    if (self->lane)
        canon_lane_arm(self->lane);
}

void canon_call_check(struct canon_self *self, struct canon_step *step, const char *name, uint64_t hash)
{
    uint32_t checksum = (uint32_t)(hash ^ hash >> 32);
    canon_strand_add_check(self->strand, checksum);
    if (canon_step_check(step, checksum) || step->in.failed)
        return;
    char expected[100], actual[100];
    snprintf(expected, sizeof expected, "%s with the recorded arguments and data", name);
    snprintf(actual, sizeof actual, "%s with others", name);
    canon_step_mismatch(self->strand, expected, actual);
}

void canon_call_check_text(struct canon_self *self, struct canon_step *step, const char *text)
{
    char *expected = NULL;
    canon_strand_add_check(self->strand, (uint32_t)XXH3_64bits(text, strlen(text)));
    if (!canon_step_check_text(step, text, &expected) && !step->in.failed)
        canon_step_mismatch(self->strand, expected ? expected : "other text", text);
    free(expected);
}

void canon_call_bytes(struct canon_step *step, void *data, size_t size)
{
    canon_step_bytes(step, data, size);
}

uint64_t canon_call_mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x9e3779b97f4a7c15u ^ hash >> 29;
}

uint64_t canon_call_mix_bytes(uint64_t hash, const void *data, size_t size)
{
    return canon_call_mix(hash, data ? XXH3_64bits(data, size) : 1);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* Most calls have few arguments: nothing is behind the last one. */
static bool has_arg(const struct canon_call *row, int number)
{
    return number < 6 && row->args[number].kind != CANON_ARG_NONE;
}

struct call {
    const struct canon_call *row;
    struct canon_frame *frame;
    uint32_t room[6]; /* VARYING: bytes that the program has room for */
    int kept;         /* the argument whose bytes are `input` by now; -1: none */
    uint8_t input[32];
    bool shown;
    int64_t number; /* of the output, if it is shown */
};

static long arg(const struct call *call, int number)
{
    return *canon_frame_arg(call->frame, number);
}

/* Bytes of an fd_set of as many bits. */
static size_t set_size(long bits)
{
    return bits < 0 || bits > 1 << 20 ? 0 : ((size_t)bits + 63) / 64 * 8;
}

static size_t in_size(const struct call *call, const struct canon_arg *spec)
{
    return spec->other == CANON_ARG_ALONE ? spec->size : (size_t)arg(call, spec->other);
}

/* What fits into one event is looked at; the kernel takes no more at once either. */
static uint64_t mix_vector(uint64_t hash, const struct iovec *vector, long count)
{
    for (long i = 0; vector && i < count && i < 1024; i++)
        hash = canon_call_mix_bytes(hash, vector[i].iov_base, vector[i].iov_len);
    return hash;
}

/* What is behind the end of a path does not count: nobody has written it. */
static uint64_t mix_address(uint64_t hash, const struct sockaddr *address, size_t size)
{
    const struct sockaddr_un *local = (const struct sockaddr_un *)address;
    size_t head = offsetof(struct sockaddr_un, sun_path);
    if (address && size > head && local->sun_family == AF_UNIX && local->sun_path[0])
        size = head + strnlen(local->sun_path, size - head);
    return canon_call_mix_bytes(hash, address, size);
}

/* There are gaps in it, and a field that is not used. */
static uint64_t mix_lock(uint64_t hash, const struct flock *lock)
{
    if (!lock)
        return hash;
    hash = canon_call_mix(hash, (uint64_t)lock->l_type << 16 | (uint64_t)lock->l_whence);
    return canon_call_mix(canon_call_mix(hash, (uint64_t)lock->l_start), (uint64_t)lock->l_len);
}

static uint64_t mix_arg(const struct call *call, int number, uint64_t hash)
{
    const struct canon_arg *spec = &call->row->args[number];
    long value = arg(call, number);
    switch (spec->kind) {
    case CANON_ARG_INT:
        return canon_call_mix(hash, (uint32_t)value);
    case CANON_ARG_CLOCK:
        return canon_call_mix(hash, (int)value < 0 ? 0 : (uint32_t)value);
    case CANON_ARG_LONG:
        return canon_call_mix(hash, (uint64_t)value);
    case CANON_ARG_IN:
        return canon_call_mix_bytes(hash, number == call->kept ? call->input : (const void *)value,
                                    in_size(call, spec));
    case CANON_ARG_ADDRESS:
        return mix_address(hash, (const struct sockaddr *)value, (uint32_t)arg(call, spec->other));
    case CANON_ARG_EPOLL:
        return arg(call, 1) == EPOLL_CTL_DEL
                   ? hash
                   : canon_call_mix_bytes(hash, (const void *)value, sizeof(struct epoll_event));
    case CANON_ARG_LOCK:
        return mix_lock(hash, (const struct flock *)value);
    case CANON_ARG_VECTOR_IN:
        return mix_vector(hash, (const struct iovec *)value, arg(call, spec->other));
    default:
        return hash;
    }
}

static void describe_in(struct canon_self *self, struct canon_step *step, const struct call *call)
{
    uint64_t hash = 0;
    for (int i = 0; has_arg(call->row, i); i++) {
        const char *path = (const char *)arg(call, i);
        if (call->row->args[i].kind == CANON_ARG_PATH)
            canon_call_check_text(self, step, path ? path : "");
        hash = mix_arg(call, i, hash);
    }
    canon_call_check(self, step, call->row->name, hash);
}

static void describe_vector(struct canon_step *step, const struct iovec *vector, long count, size_t left)
{
    for (long i = 0; i < count && left; i++) {
        size_t part = vector[i].iov_len < left ? vector[i].iov_len : left;
        if (part)
            canon_call_bytes(step, vector[i].iov_base, part);
        left -= part;
    }
    if (left)
        step->in.failed = true;
}

/* Bytes that the program has got there; at most what it has room for, whatever a trace says. */
static size_t out_size(const struct call *call, int number, long result)
{
    const struct canon_arg *spec = &call->row->args[number];
    size_t count, most;
    switch (spec->kind) {
    case CANON_ARG_OUT:
        return spec->other == CANON_ARG_ALONE ? spec->size : (size_t)arg(call, spec->other) * spec->size;
    case CANON_ARG_RESULT:
        count = result > 0 ? (size_t)result : 0;
        most = (size_t)arg(call, spec->other);
        return (count < most ? count : most) * spec->size;
    case CANON_ARG_VARYING:
        return 0; /* see below */
    case CANON_ARG_LENGTH:
        return 4;
    case CANON_ARG_SETS:
        return set_size((int)arg(call, spec->other));
    default:
        return 0;
    }
}

static void describe_out(struct canon_step *step, const struct call *call, long result)
{
    for (int i = 0; has_arg(call->row, i); i++) {
        const struct canon_arg *spec = &call->row->args[i];
        void *at = (void *)arg(call, i);
        if (!at)
            continue;
        if (spec->kind == CANON_ARG_VECTOR_RESULT) {
            describe_vector(step, at, arg(call, spec->other), result > 0 ? (size_t)result : 0);
        } else if (spec->kind == CANON_ARG_VARYING && arg(call, spec->other)) {
            /* The length comes later among the arguments: so it is told here first. */
            uint32_t *length = (uint32_t *)arg(call, spec->other);
            canon_call_bytes(step, length, 4);
            size_t size = *length < call->room[i] ? *length : call->room[i];
            canon_call_bytes(step, at, size);
        } else {
            if (spec->kind == CANON_ARG_RESULT && arg(call, spec->other) && result > arg(call, spec->other))
                step->in.failed = true; /* more than there is room for: no kernel says that */
            size_t size = out_size(call, i, result);
            if (size)
                canon_call_bytes(step, at, size);
        }
    }
}

/* Room for what comes out is told before the call, in the place where the length comes out. */
static void note_room(struct call *call)
{
    for (int i = 0; has_arg(call->row, i); i++) {
        const struct canon_arg *spec = &call->row->args[i];
        const uint32_t *length = spec->kind == CANON_ARG_VARYING ? (uint32_t *)arg(call, spec->other) : NULL;
        call->room[i] = length && arg(call, i) ? *length : 0;
    }
}

/* Whether what comes out is put where what goes in is: `nanosleep(&time, &time)`. */
static bool is_overwritten(const struct call *call, int number)
{
    for (int i = 0; has_arg(call->row, i); i++)
        if (call->row->args[i].kind == CANON_ARG_OUT && arg(call, i) == arg(call, number))
            return true;
    return false;
}

/* Keeps what will not be there any more when the call is described. The kernel looks whether it can be read.
 */
static void keep_input(struct call *call)
{
    for (int i = 0; has_arg(call->row, i); i++) {
        const struct canon_arg *spec = &call->row->args[i];
        if (spec->kind != CANON_ARG_IN || spec->other != CANON_ARG_ALONE || !is_overwritten(call, i))
            continue;
        struct iovec to = {call->input, spec->size}, from = {(void *)arg(call, i), spec->size};
        canon_assert(spec->size <= sizeof call->input);
        if (canon_raw_syscall(SYS_process_vm_readv, canon_native.real_pid, (long)&to, 1, (long)&from, 1, 0) >
            0)
            call->kept = i;
    }
}

static void describe(struct canon_self *self, struct call *call, long *result)
{
    struct canon_step *step = canon_call_begin(self, call->row->name, result);
    if (!step)
        return;
    if (*result != -EFAULT) {
        describe_in(self, step, call);
        if (*result >= 0 || call->row->flags & CANON_CALL_FAILS_OUT)
            describe_out(step, call, *result);
        if (call->shown && *result > 0)
            canon_step_int(step, &call->number);
    }
    canon_call_end(self, call->row->name);
}

/* ---- doing it ------------------------------------------------------------------------------------------ */

static long perform(struct canon_self *self, const struct canon_frame *frame, const struct canon_call *row)
{
    if (frame->rax == SYS_clock_gettime || frame->rax == SYS_gettimeofday) {
        long (*real)(long, long) = canon_vdso_real(frame->rax); /* without the kernel */
        if (real)
            return real(frame->rdi, frame->rsi);
    }
    if (!(row->flags & CANON_CALL_BLOCKS))
        return canon_frame_perform(frame);
    return canon_raw_blocking(frame->rax, frame->rdi, frame->rsi, frame->rdx, frame->r10, frame->r8,
                              frame->r9, &self->pending);
}

static void show(const struct canon_frame *frame, const struct canon_call *row, long result)
{
    size_t left = result > 0 ? (size_t)result : 0;
    if (row->args[1].kind == CANON_ARG_IN) {
        canon_shown_put((int)frame->rdi, (const void *)frame->rsi, left);
        return;
    }
    const struct iovec *vector = (const struct iovec *)frame->rsi;
    for (long i = 0; i < frame->rdx && left; i++) {
        size_t part = vector[i].iov_len < left ? vector[i].iov_len : left;
        canon_shown_put((int)frame->rdi, vector[i].iov_base, part);
        left -= part;
    }
}

/* Whether others may see its effect; whether it may have seen theirs. */
static bool publishes(const struct canon_call *row)
{
    return !(row->flags & CANON_CALL_ASKS) && row->class != CANON_CALL_RECORDABLE &&
           !(row->class == CANON_CALL_REVOCABLE && row->flags & CANON_CALL_BLOCKS);
}

static bool follows(const struct canon_call *row)
{
    return !(row->flags & CANON_CALL_ASKS) && (row->flags & CANON_CALL_BLOCKS || !publishes(row));
}

/* Output that is shown keeps the order of turns. */
static enum canon_turns_way way_of(const struct canon_call *row, bool shown)
{
    if (shown || !(row->flags & CANON_CALL_BLOCKS || row->class == CANON_CALL_IRREVOCABLE))
        return CANON_TURNS_KEEP;
    return row->flags & CANON_CALL_WAITS ? CANON_TURNS_LONG : CANON_TURNS_BRIEF;
}

/* Data that goes from one descriptor to another, past the program; -1 if the call does no such thing. */
static int copies_to(const struct canon_frame *frame)
{
    switch (frame->rax) {
    case SYS_sendfile:
        return (int)frame->rdi;
    case SYS_tee:
        return (int)frame->rsi;
    case SYS_splice:
    case SYS_copy_file_range:
        return (int)frame->rdx;
    default:
        return -1;
    }
}

void canon_call_by_row(struct canon_self *self, struct canon_frame *frame, const struct canon_call *row)
{
    if (canon_shown(copies_to(frame))) {
        frame->rax =
            -EINVAL; /* as if these files could not: the program copies by itself then, in canon's sight */
        return;
    }
    struct call call = {.row = row, .frame = frame, .kept = -1};
    struct canon_frame before = *frame;
    bool ordered = canon_has_order(self);
    bool writes = row->args[1].kind == CANON_ARG_IN || row->args[1].kind == CANON_ARG_VECTOR_IN;
    bool shown = call.shown = writes && canon_shown((int)frame->rdi);
    long result = 0;
    note_room(&call);
    if (shown && ordered && canon_native_replays())
        canon_lane_begin(self->lane);                          /* who comes first must find it unlocked */
    bool paused = canon_turns_pause(self, way_of(row, shown)); /* whose turn is next must, too */
    if (shown)
        canon_shown_lock();
    if (ordered && publishes(row))
        canon_world_publish(self);
    if (!canon_native_replays() && !CANON_INSITU_POINT(self)) {
        keep_input(&call);
        result = perform(self, frame, row);
        if (shown && result > 0)
            call.number = (int64_t)canon_shown_number();
        canon_insitu_leave(self);
    }
    canon_turns_resume(self, paused);
    if (ordered && follows(row))
        canon_world_follow(self);
    describe(self, &call, &result);
    if (shown && canon_native_replays() && result > 0) {
        canon_shown_begin((uint64_t)call.number);
        show(frame, row, result);
        canon_shown_end((uint64_t)call.number);
    }
    if (shown)
        canon_shown_unlock();
    canon_shown_follow(&before, result);
    if (canon_native_replays())
        canon_children_follow(&before, result);
    if (before.rax == SYS_gettid)
        self->tid = (int)result;
    frame->rax = result;
}
