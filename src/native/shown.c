/*
 * shown.c: output that a person sees: standard output and error, and descriptors that were made from them. A
 * replay shows it; all other output only goes as far as being compared.
 */
#include "native/arena.h"
#include "native/call.h"
#include "role/watch.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

enum { DESCRIPTORS = 1024 };

/* For each descriptor, which of the two it is, plus one; the first three are known beforehand. */
static uint8_t kinds[DESCRIPTORS] = {[1] = 1, [2] = 2};
static _Atomic int lock;

void canon_shown_lock(void)
{
    canon_spin_lock(&lock);
}

void canon_shown_unlock(void)
{
    canon_spin_unlock(&lock);
}

int canon_shown(int fd)
{
    return fd >= 0 && fd < DESCRIPTORS ? kinds[fd] : 0;
}

static void set(long fd, int kind)
{
    if (fd >= 0 && fd < DESCRIPTORS)
        kinds[fd] = (uint8_t)kind;
}

/* What is opened by a name of an open descriptor. */
static int opened(const char *path)
{
    if (strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0)
        return 0; /* to scan it takes longer than all else about it */
    int fd = strcmp(path, "/dev/stdout") == 0 ? 1 : strcmp(path, "/dev/stderr") == 0 ? 2 : -1;
    if (fd < 0 && sscanf(path, "/dev/fd/%d", &fd) != 1)
        sscanf(path, "/proc/self/fd/%d", &fd);
    return canon_shown(fd);
}

void canon_shown_follow(const struct canon_frame *frame, long result)
{
    if (result < 0)
        return;
    switch (frame->rax) {
    case SYS_close:
        set((int)frame->rdi, 0);
        break;
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3:
        set(result, canon_shown((int)frame->rdi));
        break;
    case SYS_fcntl:
        if (frame->rsi == F_DUPFD || frame->rsi == F_DUPFD_CLOEXEC)
            set(result, canon_shown((int)frame->rdi));
        break;
    case SYS_close_range:
        for (long fd = frame->rdi;
             !(frame->rdx & CLOSE_RANGE_CLOEXEC) && fd < DESCRIPTORS && fd <= frame->rsi; fd++)
            set(fd, 0);
        break;
    case SYS_open:
        set(result, opened((const char *)frame->rdi));
        break;
    case SYS_openat:
        set(result, opened((const char *)frame->rsi));
        break;
    case SYS_socket:
    case SYS_accept:
    case SYS_accept4:
        set(result, 0);
        break;
    default:
        break;
    }
}

/* ---- children ------------------------------------------------------------------------------------------ */

void canon_shown_forked(void)
{
    lock = 0;
}

void *canon_shown_save(void)
{
    return memcpy(canon_arena_get(sizeof kinds), kinds, sizeof kinds);
}

void canon_shown_restore(void *saved)
{
    memcpy(kinds, saved, sizeof kinds);
    canon_arena_put(saved);
}

void canon_shown_tell(char *text, size_t size, char between)
{
    size_t used = 0;
    *text = '\0';
    for (int fd = 0; fd < DESCRIPTORS && used + 16 < size; fd++)
        if (kinds[fd] && canon_raw_syscall(SYS_fcntl, fd, F_GETFD, 0, 0, 0, 0) >= 0)
            used += (size_t)snprintf(text + used, size - used, "%s%d:%d", used ? (char[]){between, 0} : "",
                                     fd, kinds[fd]);
}

void canon_shown_told(const char *text)
{
    int fd, kind, n;
    memset(kinds, 0, sizeof kinds);
    for (; sscanf(text, "%d:%d%n", &fd, &kind, &n) == 2; text += n + (text[n] != '\0'))
        set(fd, kind == 1 || kind == 2 ? kind : 0);
}

/* ---- showing it ---------------------------------------------------------------------------------------- */

/*
 * Whose output it is now: outputs of all processes are numbered. Not for ever: one that comes before may have
 * been made by a process that was killed, and is not in the trace.
 */
static void await_turn(struct canon_watch *watch, uint64_t number)
{
    enum { PATIENCE = 3000 }; /* milliseconds in which nothing moves */
    uint64_t done = watch->done;
    for (int still = 0; watch->shown + 1 < number && still < PATIENCE * 4; still++) {
        canon_raw_syscall(SYS_nanosleep, (long)&(struct timespec){.tv_nsec = 250000}, 0, 0, 0, 0, 0);
        if (watch->done != done)
            still = 0;
        done = watch->done;
    }
}

uint64_t canon_shown_number(void)
{
    return canon_native.watch ? atomic_fetch_add(&canon_native.watch->shown, 1) + 1 : 0;
}

void canon_shown_begin(uint64_t number)
{
    if (canon_native.takes_turns && canon_native.watch && number)
        await_turn(canon_native.watch, number);
}

void canon_shown_end(uint64_t number)
{
    if (canon_native.takes_turns && canon_native.watch && number > canon_native.watch->shown)
        canon_native.watch->shown = number;
}

void canon_shown_put(int fd, const void *data, size_t size)
{
    const char *at = data;
    if (canon_native.quiet)
        return;
    if (canon_native.watch)
        canon_watch_output_begins(canon_native.watch);
    for (size_t left = size; left;) {
        long n = canon_raw_syscall(SYS_write, canon_shown(fd), (long)at, (long)left, 0, 0, 0);
        if (n == -EINTR || n == -EAGAIN)
            continue;
        if (n <= 0)
            break;
        at += n;
        left -= (size_t)n;
    }
    if (canon_native.watch)
        canon_watch_output_ended(canon_native.watch, size && ((const char *)data)[size - 1] == '\n');
}
