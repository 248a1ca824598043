/*
 * shown.c: output that a person sees: standard output and error, and descriptors that were made from them. A
 * replay shows it; all other output only goes as far as being compared.
 */
#include "native/arena.h"
#include "native/call.h"
#include "role/watch.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

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
    case SYS_open:
    case SYS_openat:
    case SYS_socket:
    case SYS_accept:
    case SYS_accept4:
        set(result, 0);
        break;
    default:
        break;
    }
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
