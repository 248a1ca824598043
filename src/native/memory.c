/*
 * memory.c: see memory.h. Which address the kernel chooses depends on what all threads have mapped before: so
 * these calls are alone while they run, and in the order of threads.
 */
#include "native/memory.h"

#include "native/ordered.h"
#include "native/patch.h"
#include "native/stack.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static bool begin(struct canon_self *self)
{
    bool ordered = canon_has_order(self);
    if (ordered)
        canon_touch_begin(self, &canon_words.memory);
    return ordered;
}

static void end(struct canon_self *self, bool ordered)
{
    if (ordered)
        canon_touch_end(self, &canon_words.memory);
}

/* Replay: the kernel did not do again what it had done. */
static _Noreturn void refused(struct canon_self *self, const char *name, long recorded, long now)
{
    char expected[100], actual[100];
    snprintf(expected, sizeof expected, "%s -> %#lx", name, (unsigned long)recorded);
    snprintf(actual, sizeof actual, "%s -> %#lx", name, (unsigned long)now);
    canon_step_mismatch(self->strand, expected, actual);
}

/* ---- mmap ---------------------------------------------------------------------------------------------- */

/*
 * Files that are mapped to be shared: mappings of the same file show the same memory. In a replay a file of
 * memory stands for it, and has the contents of the first mapping of each page; what the program writes later
 * is there already.
 */
struct shared_file {
    uint64_t device, inode;
    int fd;
    uint64_t known; /* bytes from the beginning that have contents */
};
enum { SHARED_FILES = 256 };
static struct shared_file shared_files[SHARED_FILES];

static struct shared_file *shared_file_of(uint64_t device, uint64_t inode)
{
    struct shared_file *file = shared_files, *end = shared_files + SHARED_FILES;
    while (file < end && file->fd && (file->device != device || file->inode != inode))
        file++;
    if (file == end)
        return NULL;
    if (!file->fd) {
        long fd = canon_raw_syscall(SYS_memfd_create, (long)"canon-shared", MFD_CLOEXEC, 0, 0, 0, 0);
        long high = fd < 0 ? fd : canon_raw_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 900, 0, 0, 0);
        if (high < 0)
            return NULL;
        canon_raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
        *file = (struct shared_file){device, inode, (int)high, 0};
    }
    return file;
}

/* Replayer: maps the file's stand-in; `bytes` are the contents from the offset on. */
static long map_shared(const struct canon_frame *frame, const struct stat *about, const uint8_t *bytes,
                       size_t size, long at, long place)
{
    struct shared_file *file = shared_file_of(about->st_dev, about->st_ino);
    uint64_t from = (uint64_t)frame->r9, to = from + (uint64_t)frame->rsi;
    if (!file)
        return -ENOMEM;
    if (to > file->known) {
        canon_raw_syscall(SYS_ftruncate, file->fd, (long)to, 0, 0, 0, 0);
        uint64_t first = file->known > from ? file->known : from;
        if (first < from + size)
            canon_raw_syscall(SYS_pwrite64, file->fd, (long)(bytes + (first - from)),
                              (long)(from + size - first), (long)first, 0, 0);
        file->known = to;
    }
    return canon_raw_syscall(SYS_mmap, at, frame->rsi, frame->rdx, MAP_SHARED | place, file->fd, frame->r9);
}

/* Bytes of the file that are in the mapping; what is behind them is zero. */
static size_t file_bytes(const struct canon_frame *frame, struct stat *about)
{
    memset(about, 0, sizeof *about);
    if (canon_raw_syscall(SYS_fstat, (int)frame->r8, (long)about, 0, 0, 0, 0) || !S_ISREG(about->st_mode) ||
        about->st_size <= frame->r9)
        return 0;
    size_t left = (size_t)(about->st_size - frame->r9);
    return left < (size_t)frame->rsi ? left : (size_t)frame->rsi;
}

/* Recorder: the contents, as they are now. */
static void put_contents(struct canon_step *step, const struct canon_frame *frame)
{
    struct stat about;
    size_t size = file_bytes(frame, &about);
    int64_t device = (int64_t)about.st_dev, inode = (int64_t)about.st_ino;
    canon_step_int(step, &device);
    canon_step_int(step, &inode);
    if (size > CANON_EVENT_MAX - 4096) {
        canon_role_note(CANON_NOTE_LIMIT,
                        "a file of more than 1 GiB was mapped: its contents are not in the trace");
        size = 0;
    }
    if (frame->r10 & MAP_SHARED && frame->rdx & PROT_WRITE)
        canon_role_note(
            CANON_NOTE_LIMIT,
            "a file was mapped to be shared: what other processes write there is not in the trace");
    uint8_t *at = canon_buffer_reserve(step->out, size + 16);
    size_t head = 1 + canon_varint_encode(at + 1, size), done = 0;
    *at = 'b';
    while (done < size) {
        long n = canon_raw_syscall(SYS_pread64, (int)frame->r8, (long)(at + head + done), (long)(size - done),
                                   frame->r9 + (long)done, 0, 0);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    memset(at + head + done, 0, size - done);
    step->out->used += head + size;
}

/* Replayer: memory with the recorded contents in the place of the file. */
static long map_contents(struct canon_step *step, const struct canon_frame *frame, long recorded, long place)
{
    size_t size = 0;
    int64_t device = 0, inode = 0;
    canon_step_int(step, &device);
    canon_step_int(step, &inode);
    const uint8_t *bytes = canon_step_get_bytes(step, &size);
    if (!bytes || size > (size_t)frame->rsi || frame->r9 < 0)
        return -EINVAL;
    if ((frame->r10 & MAP_TYPE) != MAP_PRIVATE) {
        struct stat about = {.st_dev = (dev_t)device, .st_ino = (ino_t)inode};
        return map_shared(frame, &about, bytes, size, recorded, place);
    }
    long at = canon_raw_syscall(SYS_mmap, recorded, frame->rsi, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | place, -1, 0);
    if (at != recorded)
        return at;
    memcpy((void *)at, bytes, size);
    if (frame->rdx != (PROT_READ | PROT_WRITE))
        canon_raw_syscall(SYS_mprotect, at, frame->rsi, frame->rdx, 0, 0, 0);
    return at;
}

static bool shares_memory; /* there is memory that children will have in common with this process */

bool canon_memory_is_shared(void)
{
    return shares_memory;
}

static bool is_anonymous(const struct canon_frame *frame)
{
    return frame->r10 & MAP_ANONYMOUS || (int)frame->r8 < 0;
}

static void replay_mmap(struct canon_self *self, struct canon_step *step, const struct canon_frame *frame,
                        long origin, long result)
{
    if (result < 0 && result > -4096)
        return;
    long place = frame->r10 & MAP_FIXED ? MAP_FIXED : MAP_FIXED_NOREPLACE, now;
    if (place == MAP_FIXED && result != frame->rdi)
        refused(self, "mmap", result, frame->rdi); /* a trace must not choose what is overwritten */
    if (is_anonymous(frame) || origin == CANON_ORIGIN_LOADER)
        now = canon_raw_syscall(SYS_mmap, result, frame->rsi, frame->rdx, frame->r10 | place, frame->r8,
                                frame->r9);
    else
        now = map_contents(step, frame, result, place);
    if (now != result && !step->in.failed)
        refused(self, "mmap", result, now);
}

void canon_memory_mmap(struct canon_self *self, struct canon_frame *frame, long origin)
{
    bool ordered = begin(self);
    long result = canon_native_replays() ? 0 : canon_frame_perform(frame);
    shares_memory = shares_memory || (frame->r10 & MAP_SHARED && is_anonymous(frame));
    struct canon_step *step = canon_call_begin(self, "mmap", &result);
    if (step) {
        uint64_t hash = canon_call_mix(0, (uint64_t)frame->rsi);
        hash = canon_call_mix(hash, (uint32_t)frame->rdx);
        hash = canon_call_mix(hash, (uint32_t)frame->r10);
        canon_call_check(self, step, "mmap", hash);
        if (canon_native_replays())
            replay_mmap(self, step, frame, origin, result);
        else if ((result >= 0 || result < -4095) && !is_anonymous(frame) && origin != CANON_ORIGIN_LOADER)
            put_contents(step, frame);
        canon_call_end(self, "mmap");
    }
    if (origin == CANON_ORIGIN_LOADER && frame->rdx & PROT_EXEC && !is_anonymous(frame) &&
        (result >= 0 || result < -4095))
        canon_patch_mapped((const uint8_t *)result, (size_t)frame->rsi, (int)frame->r8, (size_t)frame->r9);
    end(self, ordered);
    frame->rax = result;
}

/* ---- the others ---------------------------------------------------------------------------------------- */

void canon_memory_munmap(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    bool ordered = begin(self);
    long now = canon_frame_perform(frame), result = now;
    struct canon_step *step = canon_call_begin(self, "munmap", &result);
    if (step) {
        uint64_t hash = canon_call_mix(canon_call_mix(0, (uint64_t)frame->rdi), (uint64_t)frame->rsi);
        canon_call_check(self, step, "munmap", hash);
        canon_call_end(self, "munmap");
    }
    end(self, ordered);
    if (now != result)
        refused(self, "munmap", result, now);
    frame->rax = result;
}

static long replay_mremap(const struct canon_frame *frame, long result)
{
    if (result < 0 && result > -4096)
        return result;
    if (result == frame->rdi) /* it had stayed where it was */
        return canon_raw_syscall(SYS_mremap, frame->rdi, frame->rsi, frame->rdx, 0, 0, 0);
    long hold = canon_raw_syscall(SYS_mmap, result, frame->rdx, PROT_NONE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (hold != result)
        return hold;
    return canon_raw_syscall(SYS_mremap, frame->rdi, frame->rsi, frame->rdx,
                             MREMAP_MAYMOVE | MREMAP_FIXED | frame->r10, result, 0);
}

void canon_memory_mremap(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    bool ordered = begin(self);
    long result = canon_native_replays() ? 0 : canon_frame_perform(frame), now = result;
    struct canon_step *step = canon_call_begin(self, "mremap", &result);
    if (step) {
        uint64_t hash = canon_call_mix(canon_call_mix(0, (uint64_t)frame->rdi), (uint64_t)frame->rsi);
        canon_call_check(self, step, "mremap", canon_call_mix(hash, (uint64_t)frame->rdx));
        now = canon_native_replays() ? replay_mremap(frame, result) : result;
        canon_call_end(self, "mremap");
    }
    end(self, ordered);
    if (now != result)
        refused(self, "mremap", result, now);
    frame->rax = result;
}

void canon_memory_brk(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    bool ordered = begin(self);
    long now = canon_frame_perform(frame), result = now;
    struct canon_step *step = canon_call_begin(self, "brk", &result);
    if (step)
        canon_call_end(self, "brk");
    end(self, ordered);
    if (now != result)
        refused(self, "brk", result, now);
    frame->rax = result;
}

/* ---- for the heap -------------------------------------------------------------------------------------- */

static void ask(void *frame)
{
    canon_native_syscall(frame, CANON_ORIGIN_LIBC);
}

void *canon_memory_map(size_t size)
{
    struct canon_frame frame = {.rax = SYS_mmap,
                                .rsi = (long)size,
                                .rdx = PROT_READ | PROT_WRITE,
                                .r10 = MAP_PRIVATE | MAP_ANONYMOUS,
                                .r8 = -1};
    canon_stack_call(ask, &frame);
    return frame.rax < 0 && frame.rax > -4096 ? NULL : (void *)frame.rax;
}

void canon_memory_unmap(void *memory, size_t size)
{
    struct canon_frame frame = {.rax = SYS_munmap, .rdi = (long)memory, .rsi = (long)size};
    canon_stack_call(ask, &frame);
}
