/*
 * table.c: see table.h. To add a call is to add a row; docs/design.md tells what the classes mean.
 */
#include "native/table.h"

#include <stddef.h>
#include <sys/syscall.h>

#define P                                                                                                    \
    {                                                                                                        \
        CANON_ARG_POINTER, 0, 0                                                                              \
    }
#define I                                                                                                    \
    {                                                                                                        \
        CANON_ARG_INT, 0, 0                                                                                  \
    }
#define L                                                                                                    \
    {                                                                                                        \
        CANON_ARG_LONG, 0, 0                                                                                 \
    }
#define CLOCK                                                                                                \
    {                                                                                                        \
        CANON_ARG_CLOCK, 0, 0                                                                                \
    }
#define PATH                                                                                                 \
    {                                                                                                        \
        CANON_ARG_PATH, 0, 0                                                                                 \
    }
#define IN(n)                                                                                                \
    {                                                                                                        \
        CANON_ARG_IN, n, 1                                                                                   \
    }
#define IN_FIXED(bytes)                                                                                      \
    {                                                                                                        \
        CANON_ARG_IN, CANON_ARG_ALONE, bytes                                                                 \
    }
#define ADDRESS(n)                                                                                           \
    {                                                                                                        \
        CANON_ARG_ADDRESS, n, 1                                                                              \
    }
#define EPOLL                                                                                                \
    {                                                                                                        \
        CANON_ARG_EPOLL, 0, 0                                                                                \
    }
#define OUT(bytes)                                                                                           \
    {                                                                                                        \
        CANON_ARG_OUT, CANON_ARG_ALONE, bytes                                                                \
    }
#define OUT_EACH(n, bytes)                                                                                   \
    {                                                                                                        \
        CANON_ARG_OUT, n, bytes                                                                              \
    }
/* At most as many of them as argument `n` says. */
#define RESULT(n, bytes)                                                                                     \
    {                                                                                                        \
        CANON_ARG_RESULT, n, bytes                                                                           \
    }
#define VARYING(n)                                                                                           \
    {                                                                                                        \
        CANON_ARG_VARYING, n, 0                                                                              \
    }
#define LENGTH                                                                                               \
    {                                                                                                        \
        CANON_ARG_LENGTH, 0, 4                                                                               \
    }
#define VECTOR_IN(n)                                                                                         \
    {                                                                                                        \
        CANON_ARG_VECTOR_IN, n, 0                                                                            \
    }
#define VECTOR_RESULT(n)                                                                                     \
    {                                                                                                        \
        CANON_ARG_VECTOR_RESULT, n, 0                                                                        \
    }
#define SETS(n)                                                                                              \
    {                                                                                                        \
        CANON_ARG_SETS, n, 0                                                                                 \
    }

#define ROW(call, kind, ...) [SYS_##call] = {#call, CANON_CALL_##kind, 0, {__VA_ARGS__}}
/* Of which it does not matter what other threads have done before. */
#define ASKS(call, ...) [SYS_##call] = {#call, CANON_CALL_RECORDABLE, CANON_CALL_ASKS, {__VA_ARGS__}}
#define BLOCKS(call, kind, ...) [SYS_##call] = {#call, CANON_CALL_##kind, CANON_CALL_BLOCKS, {__VA_ARGS__}}
#define WAITS(call, kind, ...)                                                                               \
    [SYS_##call] = {#call, CANON_CALL_##kind, CANON_CALL_BLOCKS | CANON_CALL_WAITS, {__VA_ARGS__}}
/* What is left to sleep comes out of a call that was interrupted. */
#define SLEEPS(call, kind, ...)                                                                              \
    [SYS_##call] = {#call,                                                                                   \
                    CANON_CALL_##kind,                                                                       \
                    CANON_CALL_BLOCKS | CANON_CALL_WAITS | CANON_CALL_ASKS | CANON_CALL_FAILS_OUT,           \
                    {__VA_ARGS__}}

enum {
    STAT = 144,
    STATFS = 120,
    TIME = 16,
    RUSAGE = 144,
    TIMER = 32,
    FD_PAIR = 8,
    POLLFD = 8,
    EPOLL_EVENT = 12,
    CHILD_INFO = 128,
    UTSNAME = 390,
    SYSINFO = 112,
    STATX = 256,
};

static const struct canon_call CALLS[] = {
    /* descriptors */
    BLOCKS(read, REVOCABLE, I, RESULT(2, 1), L),
    BLOCKS(pread64, RECORDABLE, I, RESULT(2, 1), L, L),
    BLOCKS(readv, REVOCABLE, I, VECTOR_RESULT(2), I),
    BLOCKS(preadv, RECORDABLE, I, VECTOR_RESULT(2), I, L, L),
    BLOCKS(preadv2, RECORDABLE, I, VECTOR_RESULT(2), I, L, L, I),
    BLOCKS(write, IRREVOCABLE, I, IN(2), L),
    BLOCKS(pwrite64, IRREVOCABLE, I, IN(2), L, L),
    BLOCKS(writev, IRREVOCABLE, I, VECTOR_IN(2), I),
    BLOCKS(pwritev, IRREVOCABLE, I, VECTOR_IN(2), I, L, L),
    BLOCKS(pwritev2, IRREVOCABLE, I, VECTOR_IN(2), I, L, L, I),
    BLOCKS(sendfile, IRREVOCABLE, I, I, OUT(8), L),
    BLOCKS(splice, IRREVOCABLE, I, OUT(8), I, OUT(8), L, I),
    BLOCKS(tee, IRREVOCABLE, I, I, L, I),
    BLOCKS(copy_file_range, IRREVOCABLE, I, OUT(8), I, OUT(8), L, I),
    ROW(lseek, REVOCABLE, I, L, I),
    BLOCKS(open, REVOCABLE, PATH, I, I),
    BLOCKS(openat, REVOCABLE, I, PATH, I, I),
    BLOCKS(openat2, REVOCABLE, I, PATH, IN(3), L),
    ROW(creat, IRREVOCABLE, PATH, I),
    ROW(close, DEFERRABLE, I),
    ROW(close_range, DEFERRABLE, I, I, I),
    ROW(dup, REVOCABLE, I),
    ROW(dup2, REVOCABLE, I, I),
    ROW(dup3, REVOCABLE, I, I, I),
    ROW(pipe, REVOCABLE, OUT(FD_PAIR)),
    ROW(pipe2, REVOCABLE, OUT(FD_PAIR), I),
    ROW(fcntl, SPECIAL, I, I, P),
    ROW(ioctl, SPECIAL, I, I, P),
    WAITS(flock, REVOCABLE, I, I),
    ROW(fsync, IRREVOCABLE, I),
    ROW(fdatasync, IRREVOCABLE, I),
    ROW(sync_file_range, IRREVOCABLE, I, L, L, I),
    ROW(syncfs, IRREVOCABLE, I),
    ROW(sync, IRREVOCABLE),
    ROW(fadvise64, RECORDABLE, I, L, L, I),
    ROW(readahead, RECORDABLE, I, L, L),
    ROW(fallocate, IRREVOCABLE, I, I, L, L),
    ROW(ftruncate, IRREVOCABLE, I, L),
    ROW(truncate, IRREVOCABLE, PATH, L),
    ROW(memfd_create, REVOCABLE, PATH, I),

    /* files by name */
    ROW(stat, RECORDABLE, PATH, OUT(STAT)),
    ROW(lstat, RECORDABLE, PATH, OUT(STAT)),
    ROW(fstat, RECORDABLE, I, OUT(STAT)),
    ROW(newfstatat, RECORDABLE, I, PATH, OUT(STAT), I),
    ROW(statx, RECORDABLE, I, PATH, I, I, OUT(STATX)),
    ROW(statfs, RECORDABLE, PATH, OUT(STATFS)),
    ROW(fstatfs, RECORDABLE, I, OUT(STATFS)),
    ROW(access, RECORDABLE, PATH, I),
    ROW(faccessat, RECORDABLE, I, PATH, I),
    ROW(faccessat2, RECORDABLE, I, PATH, I, I),
    ROW(readlink, RECORDABLE, PATH, RESULT(2, 1), L),
    ROW(readlinkat, RECORDABLE, I, PATH, RESULT(3, 1), L),
    ROW(getdents, REVOCABLE, I, RESULT(2, 1), L),
    ROW(getdents64, REVOCABLE, I, RESULT(2, 1), L),
    ROW(getcwd, RECORDABLE, RESULT(1, 1), L),
    ROW(chdir, REVOCABLE, PATH),
    ROW(fchdir, REVOCABLE, I),
    ROW(mkdir, IRREVOCABLE, PATH, I),
    ROW(mkdirat, IRREVOCABLE, I, PATH, I),
    ROW(rmdir, IRREVOCABLE, PATH),
    ROW(unlink, IRREVOCABLE, PATH),
    ROW(unlinkat, IRREVOCABLE, I, PATH, I),
    ROW(rename, IRREVOCABLE, PATH, PATH),
    ROW(renameat, IRREVOCABLE, I, PATH, I, PATH),
    ROW(renameat2, IRREVOCABLE, I, PATH, I, PATH, I),
    ROW(link, IRREVOCABLE, PATH, PATH),
    ROW(linkat, IRREVOCABLE, I, PATH, I, PATH, I),
    ROW(symlink, IRREVOCABLE, PATH, PATH),
    ROW(symlinkat, IRREVOCABLE, PATH, I, PATH),
    ROW(mknod, IRREVOCABLE, PATH, I, L),
    ROW(mknodat, IRREVOCABLE, I, PATH, I, L),
    ROW(chmod, IRREVOCABLE, PATH, I),
    ROW(fchmod, IRREVOCABLE, I, I),
    ROW(fchmodat, IRREVOCABLE, I, PATH, I),
    ROW(chown, IRREVOCABLE, PATH, I, I),
    ROW(lchown, IRREVOCABLE, PATH, I, I),
    ROW(fchown, IRREVOCABLE, I, I, I),
    ROW(fchownat, IRREVOCABLE, I, PATH, I, I, I),
    ROW(utime, IRREVOCABLE, PATH, IN_FIXED(16)),
    ROW(utimes, IRREVOCABLE, PATH, IN_FIXED(32)),
    ROW(utimensat, IRREVOCABLE, I, PATH, IN_FIXED(32), I),
    ROW(futimesat, IRREVOCABLE, I, PATH, IN_FIXED(32)),
    ROW(umask, REVOCABLE, I),
    ROW(chroot, IRREVOCABLE, PATH),
    ROW(getxattr, RECORDABLE, PATH, PATH, RESULT(3, 1), L),
    ROW(lgetxattr, RECORDABLE, PATH, PATH, RESULT(3, 1), L),
    ROW(fgetxattr, RECORDABLE, I, PATH, RESULT(3, 1), L),
    ROW(listxattr, RECORDABLE, PATH, RESULT(2, 1), L),
    ROW(llistxattr, RECORDABLE, PATH, RESULT(2, 1), L),
    ROW(flistxattr, RECORDABLE, I, RESULT(2, 1), L),
    ROW(setxattr, IRREVOCABLE, PATH, PATH, IN(3), L, I),
    ROW(lsetxattr, IRREVOCABLE, PATH, PATH, IN(3), L, I),
    ROW(fsetxattr, IRREVOCABLE, I, PATH, IN(3), L, I),
    ROW(removexattr, IRREVOCABLE, PATH, PATH),
    ROW(fremovexattr, IRREVOCABLE, I, PATH),
    ROW(inotify_init, REVOCABLE, ),
    ROW(inotify_init1, REVOCABLE, I),
    ROW(inotify_add_watch, REVOCABLE, I, PATH, I),
    ROW(inotify_rm_watch, REVOCABLE, I, I),

    /* waiting for descriptors */
    WAITS(poll, RECORDABLE, OUT_EACH(1, POLLFD), L, I),
    WAITS(ppoll, RECORDABLE, OUT_EACH(1, POLLFD), L, OUT(TIME), P, P),
    WAITS(select, RECORDABLE, I, SETS(0), SETS(0), SETS(0), OUT(TIME)),
    WAITS(pselect6, RECORDABLE, I, SETS(0), SETS(0), SETS(0), OUT(TIME), P),
    ROW(epoll_create, REVOCABLE, I),
    ROW(epoll_create1, REVOCABLE, I),
    ROW(epoll_ctl, REVOCABLE, I, I, I, EPOLL),
    WAITS(epoll_wait, RECORDABLE, I, RESULT(2, EPOLL_EVENT), I, I),
    WAITS(epoll_pwait, RECORDABLE, I, RESULT(2, EPOLL_EVENT), I, I, P, P),
    WAITS(epoll_pwait2, RECORDABLE, I, RESULT(2, EPOLL_EVENT), I, P, P, P),
    ROW(eventfd, REVOCABLE, I),
    ROW(eventfd2, REVOCABLE, I, I),
    ROW(signalfd, REVOCABLE, I, P, L),
    ROW(signalfd4, REVOCABLE, I, P, L, I),
    ROW(timerfd_create, REVOCABLE, I, I),
    ROW(timerfd_settime, REVOCABLE, I, I, IN_FIXED(TIMER), OUT(TIMER)),
    ROW(timerfd_gettime, RECORDABLE, I, OUT(TIMER)),

    /* sockets */
    ROW(socket, REVOCABLE, I, I, I),
    ROW(socketpair, REVOCABLE, I, I, I, OUT(FD_PAIR)),
    ROW(bind, IRREVOCABLE, I, ADDRESS(2), I),
    ROW(listen, IRREVOCABLE, I, I),
    BLOCKS(connect, IRREVOCABLE, I, ADDRESS(2), I),
    WAITS(accept, IRREVOCABLE, I, VARYING(2), LENGTH),
    WAITS(accept4, IRREVOCABLE, I, VARYING(2), LENGTH, I),
    ROW(getsockname, RECORDABLE, I, VARYING(2), LENGTH),
    ROW(getpeername, RECORDABLE, I, VARYING(2), LENGTH),
    ROW(getsockopt, RECORDABLE, I, I, I, VARYING(4), LENGTH),
    ROW(setsockopt, IRREVOCABLE, I, I, I, IN(4), I),
    ROW(shutdown, IRREVOCABLE, I, I),
    BLOCKS(sendto, IRREVOCABLE, I, IN(2), L, I, ADDRESS(5), I),
    BLOCKS(recvfrom, IRREVOCABLE, I, RESULT(2, 1), L, I, VARYING(5), LENGTH),
    BLOCKS(sendmsg, SPECIAL, I, P, I),
    BLOCKS(recvmsg, SPECIAL, I, P, I),

    /* time */
    ASKS(time, OUT(8)),
    ASKS(gettimeofday, OUT(TIME), OUT(8)),
    ASKS(clock_gettime, CLOCK, OUT(TIME)),
    ASKS(clock_getres, CLOCK, OUT(TIME)),
    ASKS(times, OUT(32)),
    SLEEPS(nanosleep, RECORDABLE, IN_FIXED(TIME), OUT(TIME)),
    SLEEPS(clock_nanosleep, RECORDABLE, CLOCK, I, IN_FIXED(TIME), OUT(TIME)),
    ROW(alarm, REVOCABLE, I),
    ROW(setitimer, REVOCABLE, I, IN_FIXED(32), OUT(32)),
    ASKS(getitimer, I, OUT(32)),
    ROW(timer_create, REVOCABLE, CLOCK, P, OUT(4)),
    ROW(timer_settime, REVOCABLE, I, I, IN_FIXED(TIMER), OUT(TIMER)),
    ASKS(timer_gettime, I, OUT(TIMER)),
    ASKS(timer_getoverrun, I),
    ROW(timer_delete, REVOCABLE, I),

    /* who and where */
    ASKS(getpid),
    ASKS(gettid),
    ASKS(getppid),
    ASKS(getpgid, I),
    ASKS(getpgrp),
    ASKS(getsid, I),
    ROW(setpgid, IRREVOCABLE, I, I),
    ROW(setsid, IRREVOCABLE),
    ASKS(getuid),
    ASKS(geteuid),
    ASKS(getgid),
    ASKS(getegid),
    ASKS(getresuid, OUT(4), OUT(4), OUT(4)),
    ASKS(getresgid, OUT(4), OUT(4), OUT(4)),
    ASKS(getgroups, I, RESULT(0, 4)),
    ROW(setgroups, IRREVOCABLE, L, P),
    ROW(setuid, SPECIAL, I),
    ROW(setgid, IRREVOCABLE, I),
    ROW(setreuid, SPECIAL, I, I),
    ROW(setregid, IRREVOCABLE, I, I),
    ROW(setresuid, SPECIAL, I, I, I),
    ROW(setresgid, IRREVOCABLE, I, I, I),
    ASKS(capget, P, OUT(24)),
    ROW(capset, IRREVOCABLE, P, P),
    ASKS(uname, OUT(UTSNAME)),
    ASKS(sysinfo, OUT(SYSINFO)),
    ASKS(getrusage, I, OUT(RUSAGE)),
    ASKS(getrlimit, I, OUT(16)),
    ROW(setrlimit, IRREVOCABLE, I, IN_FIXED(16)),
    ROW(prlimit64, IRREVOCABLE, I, I, IN_FIXED(16), OUT(16)),
    ASKS(getpriority, I, I),
    ROW(setpriority, IRREVOCABLE, I, I, I),
    ASKS(getrandom, RESULT(1, 1), L, I),
    ASKS(getcpu, OUT(4), OUT(4)),
    ASKS(sched_getaffinity, P, L, RESULT(1, 1)),
    ROW(sched_setaffinity, IRREVOCABLE, P, L, P),
    ASKS(sched_getparam, P, OUT(4)),
    ROW(sched_setparam, IRREVOCABLE, P, P),
    ASKS(sched_getscheduler, P),
    ROW(sched_setscheduler, IRREVOCABLE, P, I, P),
    ASKS(sched_get_priority_max, I),
    ASKS(sched_get_priority_min, I),
    ASKS(ioprio_get, I, I),
    ROW(ioprio_set, IRREVOCABLE, I, I, I),
    ROW(personality, IRREVOCABLE, L),
    ROW(sethostname, IRREVOCABLE, P, L),

    /* other processes */
    WAITS(wait4, IRREVOCABLE, I, OUT(4), I, OUT(RUSAGE)),
    WAITS(waitid, IRREVOCABLE, I, I, OUT(CHILD_INFO), I, OUT(RUSAGE)),
    ROW(kill, SPECIAL, I, I),
    ROW(tkill, SPECIAL, P, I),
    ROW(tgkill, SPECIAL, I, P, I),
    ROW(execve, SPECIAL, PATH, P, P),
    ROW(execveat, SPECIAL, I, PATH, P, P, I),
    ROW(exit, SPECIAL, I),
    ROW(exit_group, SPECIAL, I),
    ROW(fork, SPECIAL),
    ROW(vfork, SPECIAL),
    ROW(clone, SPECIAL, L),
    ROW(clone3, SPECIAL, P, L),
    ROW(pidfd_open, REVOCABLE, I, I),
    ROW(pidfd_send_signal, IRREVOCABLE, I, I, P, I),
    ROW(mount, IRREVOCABLE, P, P, P, L, P),
    ROW(umount2, IRREVOCABLE, PATH, I),
    ROW(unshare, IRREVOCABLE, I),
    ROW(shmget, REVOCABLE, I, L, I),
    ROW(shmctl, REVOCABLE, I, I, P),
    ROW(semget, REVOCABLE, I, I, I),
    ROW(semop, IRREVOCABLE, I, P, L),
    ROW(semctl, REVOCABLE, I, I, I, P),
    ROW(prctl, SPECIAL, I, L, L, L, L),

    /* memory: memory.c */
    ROW(mmap, SPECIAL, P, L, I, I, I, L),
    ROW(munmap, SPECIAL, P, L),
    ROW(mremap, SPECIAL, P, L, L, I, P),
    ROW(brk, SPECIAL, P),
    ROW(mprotect, REPEATABLE),
    ROW(madvise, REPEATABLE),
    ROW(mlock, REPEATABLE),
    ROW(mlock2, REPEATABLE),
    ROW(munlock, REPEATABLE),
    ROW(mlockall, REPEATABLE),
    ROW(munlockall, REPEATABLE),
    ROW(msync, REPEATABLE),
    ROW(mbind, REPEATABLE),
    ROW(set_mempolicy, REPEATABLE),
    ROW(get_mempolicy, RECORDABLE, OUT(4), SETS(2), L, P, L),
    ROW(mincore, RECORDABLE, P, L, P),
    ROW(pkey_alloc, REPEATABLE),
    ROW(pkey_free, REPEATABLE),
    ROW(pkey_mprotect, REPEATABLE),

    /* threads of this process, which a replay has, too */
    ROW(futex, SPECIAL),
    ROW(sched_yield, SPECIAL),
    ROW(membarrier, REPEATABLE),
    ROW(set_robust_list, REPEATABLE),
    ROW(get_robust_list, REPEATABLE),
    ROW(rseq, REPEATABLE),
    ROW(set_tid_address, REPEATABLE),
    ROW(arch_prctl, REPEATABLE),

    /* signals: signals.c */
    ROW(rt_sigaction, SPECIAL, I, P, P, L),
    ROW(rt_sigprocmask, SPECIAL),
    ROW(rt_sigpending, RECORDABLE, OUT(8), L),
    BLOCKS(rt_sigsuspend, SPECIAL, P, L),
    WAITS(rt_sigtimedwait, RECORDABLE, IN_FIXED(8), OUT(CHILD_INFO), P, L),
    BLOCKS(pause, SPECIAL),
    ROW(sigaltstack, REPEATABLE),
    ROW(rt_sigreturn, REPEATABLE),
    ROW(restart_syscall, REPEATABLE),

    /* memory that the kernel and the program share, beyond canon's sight */
    ROW(io_uring_setup, REFUSED),
    ROW(io_uring_enter, REFUSED),
    ROW(io_uring_register, REFUSED),
    ROW(io_setup, REFUSED),
    ROW(userfaultfd, REFUSED),
};

const struct canon_call *canon_call_row(long number)
{
    if (number < 0 || number >= canon_call_most() || !CALLS[number].name)
        return NULL;
    return &CALLS[number];
}

long canon_call_most(void)
{
    return sizeof CALLS / sizeof *CALLS;
}
