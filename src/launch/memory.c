/*
 * memory.c: blocks that canon has given to libraries of the program's (jvm/memory.h) come back here from
 * whoever frees them: libc itself, for one. All others are whose they were.
 */
#include "launch/launch_internal.h"
#include "launch/protocol.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

EXPORT void canon_launch_interpose_memory(const struct canon_memory_calls *ours);
EXPORT void free(void *memory);
EXPORT void *realloc(void *memory, size_t size);
EXPORT size_t malloc_usable_size(void *memory);

static const struct canon_memory_calls nobody;
static _Atomic(const struct canon_memory_calls *) memory_calls = &nobody;

void canon_launch_interpose_memory(const struct canon_memory_calls *ours)
{
    atomic_store(&memory_calls, ours);
}

static inline const struct canon_memory_calls *owner(const void *memory)
{
    const struct canon_memory_calls *calls = atomic_load_explicit(&memory_calls, memory_order_relaxed);
    return __builtin_expect((uint64_t)memory - calls->from < calls->size, 0) ? calls : NULL;
}

static struct {
    _Atomic(void *) free;
    _Atomic(void *) realloc;
    _Atomic(void *) malloc_usable_size;
} next;

/* The next one that is called so; NULL while that is being found out, which may free something by itself. */
static void *find(_Atomic(void *) *kept, const char *name)
{
    static __thread bool finding;
    void *function = atomic_load_explicit(kept, memory_order_relaxed);
    if (__builtin_expect(!function, 0) && !finding) {
        finding = true;
        function = dlsym(RTLD_NEXT, name);
        finding = false;
        atomic_store_explicit(kept, function, memory_order_relaxed);
    }
    return function;
}

void free(void *memory)
{
    const struct canon_memory_calls *calls = owner(memory);
    if (calls) {
        calls->free(memory);
        return;
    }
    void (*function)(void *) = (void (*)(void *))find(&next.free, "free");
    if (function)
        function(memory);
}

void *realloc(void *memory, size_t size)
{
    const struct canon_memory_calls *calls = owner(memory);
    if (calls)
        return calls->resize(memory, size);
    void *(*function)(void *, size_t) = (void *(*)(void *, size_t))find(&next.realloc, "realloc");
    return function ? function(memory, size) : NULL;
}

size_t malloc_usable_size(void *memory)
{
    const struct canon_memory_calls *calls = owner(memory);
    if (calls)
        return calls->room(memory);
    size_t (*function)(void *) = (size_t(*)(void *))find(&next.malloc_usable_size, "malloc_usable_size");
    return function ? function(memory) : 0;
}
