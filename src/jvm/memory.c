/*
 * memory.c: see memory.h.
 *
 * Who gets a block comes after whoever gave it back: both are operations that touch its address (locks.h).
 * Where there is no order (threads of the library's own, what the JVM does at moments of its own) memory is
 * libc's, and a block that is given back is not used again for a while.
 */
#include "jvm/memory.h"

#include "jvm/blocks.h"
#include "jvm/locks.h"
#include "jvm/threads.h"
#include "launch/protocol.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static bool replays(void)
{
    return canon_role_now() == CANON_ROLE_REPLAYER;
}

static bool has_order(const struct canon_thread *thread)
{
    return !canon_agent.edges || thread->block.lane || thread->alone;
}

/* A step of the thread's: where the memory is. False: it is not one. */
static bool find(struct canon_native *native, struct canon_thread *thread, size_t size, void **memory)
{
    int64_t place = 0;
    if (!has_order(thread))
        return false;
    canon_thread_steps(thread);
    struct canon_step *step = canon_step_begin(thread->strand, CANON_EVENT_NATIVE, native->id);
    if (step) {
        if (!canon_step_gets(step)) {
            *memory = canon_block_find(size);
            place = *memory ? (int64_t)((uint64_t)*memory - CANON_BLOCKS_FROM) : 0;
        }
        canon_step_int(step, &place);
        canon_step_end(thread->strand, CANON_EVENT_NATIVE, native->id);
    }
    canon_thread_stepped(thread);
    *memory = place ? (void *)(CANON_BLOCKS_FROM + (uint64_t)place) : NULL;
    if (step && *memory && replays() && !canon_block_place(*memory, size))
        canon_step_mismatch(thread->strand, "memory where it was", "there is none to be had");
    return step;
}

/* Memory for the program; false: it is not canon's to give. */
static bool obtain(struct canon_native *native, size_t size, void **memory)
{
    int error = errno;
    if (!find(native, canon_thread_self(), size, memory))
        return false;
    if (*memory)
        canon_lock_touch((uint64_t)*memory);
    errno = *memory ? error : ENOMEM;
    return true;
}

static void give(void *memory)
{
    struct canon_thread *thread = canon_thread_self();
    bool ordered = has_order(thread);
    int error = errno;
    memory = canon_block_whole(memory);
    if (ordered)
        canon_lock_touch((uint64_t)memory);
    canon_block_give(memory, replays(), ordered);
    errno = error;
}

/* ---- the functions ------------------------------------------------------------------------------------- */

static uint64_t allocate(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    void *memory;
    return obtain(native, frame->integers[0], &memory) ? (uint64_t)memory : canon_native_run(native, frame);
}

static uint64_t allocate_zeroed(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    void *memory;
    size_t size;
    if (__builtin_mul_overflow(frame->integers[0], frame->integers[1], &size) ||
        !obtain(native, size, &memory))
        return canon_native_run(native, frame);
    return (uint64_t)(memory ? memset(memory, 0, size) : NULL);
}

static void *resized(struct canon_native *native, void *memory, size_t size)
{
    void *moved;
    size_t room = canon_block_room(memory);
    if (size <= room && size >= room / 2)
        return memory;
    if (!obtain(native, size, &moved))
        moved = malloc(size);
    if (!moved)
        return NULL;
    memcpy(moved, memory, room < size ? room : size);
    give(memory);
    return moved;
}

static uint64_t resize(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    void *memory = (void *)frame->integers[0], *fresh;
    size_t size = frame->integers[1];
    if (!memory && obtain(native, size, &fresh))
        return (uint64_t)fresh;
    if (!canon_block_is_there(memory))
        return canon_native_run(native, frame);
    if (size)
        return (uint64_t)resized(native, memory, size);
    give(memory);
    return 0;
}

static uint64_t resize_array(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    size_t size;
    if (__builtin_mul_overflow(frame->integers[1], frame->integers[2], &size)) {
        errno = ENOMEM;
        return 0;
    }
    struct canon_frame of_bytes = *frame;
    of_bytes.integers[1] = size;
    of_bytes.integers[2] = 1;
    if (frame->integers[0] && !canon_block_is_there((void *)frame->integers[0]))
        return canon_native_run(native, &of_bytes);
    return resize(native, env, &of_bytes);
}

static bool obtain_aligned(struct canon_native *native, size_t alignment, size_t size, void **memory)
{
    if (alignment <= 16)
        return obtain(native, size, memory);
    size_t whole;
    if (alignment & (alignment - 1) || __builtin_add_overflow(size, CANON_BLOCK_MORE(alignment), &whole) ||
        !obtain(native, whole, memory))
        return false;
    if (*memory)
        *memory = canon_block_align(*memory, alignment);
    return true;
}

static uint64_t allocate_aligned(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    void *memory;
    return obtain_aligned(native, frame->integers[0], frame->integers[1], &memory)
               ? (uint64_t)memory
               : canon_native_run(native, frame);
}

/* C++ has the size first. */
static uint64_t make_aligned(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    void *memory;
    return obtain_aligned(native, frame->integers[1], frame->integers[0], &memory)
               ? (uint64_t)memory
               : canon_native_run(native, frame);
}

static uint64_t allocate_into(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    void *memory;
    int error = errno;
    if (frame->integers[1] < sizeof(void *) ||
        !obtain_aligned(native, frame->integers[1], frame->integers[2], &memory))
        return canon_native_run(native, frame);
    errno = error;
    if (!memory)
        return ENOMEM;
    *(void **)frame->integers[0] = memory;
    return 0;
}

static uint64_t copy(struct canon_native *native, struct canon_frame *frame, size_t length)
{
    void *memory;
    if (!obtain(native, length + 1, &memory))
        return canon_native_run(native, frame);
    if (!memory)
        return 0;
    memcpy(memory, (void *)frame->integers[0], length);
    ((char *)memory)[length] = '\0';
    return (uint64_t)memory;
}

static uint64_t copy_text(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    return copy(native, frame, strlen((char *)frame->integers[0]));
}

static uint64_t copy_part(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    return copy(native, frame, strnlen((char *)frame->integers[0], frame->integers[1]));
}

static uint64_t release(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    if (!canon_block_is_there((void *)frame->integers[0]))
        return canon_native_run(native, frame);
    give((void *)frame->integers[0]);
    return 0;
}

canon_special_fn canon_memory_special(const char *name)
{
    static const struct canon_special SPECIALS[] = {
        {"allocate", allocate},
        {"allocate_zeroed", allocate_zeroed},
        {"allocate_aligned", allocate_aligned},
        {"allocate_into", allocate_into},
        {"make_aligned", make_aligned},
        {"resize", resize},
        {"resize_array", resize_array},
        {"copy_text", copy_text},
        {"copy_part", copy_part},
        {"release", release},
    };
    return canon_special_named(SPECIALS, sizeof SPECIALS / sizeof *SPECIALS, name);
}

/* ---- others: libc, libraries that are not followed, threads that canon does not know ---------------------
 */

static void free_for_others(void *memory)
{
    canon_block_give(memory, replays(), false);
}

static void *resize_for_others(void *memory, size_t size)
{
    void *moved = size ? malloc(size) : NULL;
    size_t room = canon_block_room(memory);
    if (moved)
        memcpy(moved, memory, room < size ? room : size);
    if (moved || !size)
        free_for_others(memory);
    return moved;
}

void canon_memory_prepare(void)
{
    static const struct canon_memory_calls OURS = {CANON_BLOCKS_FROM, CANON_BLOCKS_SIZE, free_for_others,
                                                   resize_for_others, canon_block_room};
    canon_memory_interpose_fn interpose =
        (canon_memory_interpose_fn)dlsym(RTLD_DEFAULT, CANON_MEMORY_INTERPOSE);
    if (interpose)
        interpose(&OURS);
}
