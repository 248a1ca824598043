/*
 * stdio.c: streams. Each has a lock inside libc, out of sight; so the functions that take it are ordered as a
 * whole, as if the stream were a mutex.
 *
 * What is in the table below is what threads share streams with. Functions without a lock (_unlocked, wide
 * characters) are the program's own business.
 */
#include "native/insitu/insitu.h"
#include "native/ordered.h"
#include "native/stack.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>

#undef putc
#undef getc
#undef putchar
#undef getchar

/* As libc has it. */
struct stream_lock {
    int lock, count;
    void *owner;
};

static struct stream_lock *lock_of(FILE *stream)
{
    return (struct stream_lock *)stream->_lock;
}

/* The thread was put back to before it took the lock; but memory may be from after that, or from its middle.
 */
static void take_back(struct stream_lock *lock)
{
    if (!lock->owner || lock->owner == (void *)pthread_self())
        *lock = (struct stream_lock){0};
}

static void take_inside(void *stream)
{
    bool held = lock_of(stream)->owner == (void *)pthread_self(), back = false;
    if (!canon_native_replays() && !(back = CANON_INSITU_POINT(&canon_self))) {
        flockfile(stream); /* recording, who has it first decides; replaying, the order does */
        canon_insitu_leave(&canon_self);
    }
    canon_touch(&canon_self, canon_word_of(stream));
    if (back && !held)
        take_back(lock_of(stream));
    if (canon_native_replays())
        flockfile(stream);
}

/* Nobody has it any more who comes before the next one. */
static void give_inside(void *stream)
{
    bool replays = canon_native_replays();
    if (replays)
        funlockfile(stream);
    canon_touch(&canon_self, canon_word_of(stream));
    if (!replays)
        funlockfile(stream);
}

static void take(FILE *stream)
{
    struct canon_self *self = &canon_self;
    int error = canon_native_enter(self);
    canon_stack_call(take_inside, stream);
    canon_native_leave(self, error);
}

static void give(FILE *stream)
{
    struct canon_self *self = &canon_self;
    int error = canon_native_enter(self);
    canon_stack_call(give_inside, stream);
    canon_native_leave(self, error);
}

/* The real function of that name. */
#define REAL(name)                                                                                           \
    static __typeof__(name) *real;                                                                           \
    if (!real)                                                                                               \
        real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);

#define STREAM(type, name, parameters, arguments, stream)                                                    \
    CANON_EXPORT type name parameters;                                                                       \
    CANON_EXPORT type name parameters                                                                        \
    {                                                                                                        \
        REAL(name)                                                                                           \
        FILE *held = canon_ordered(&canon_self) ? (stream) : NULL;                                           \
        if (held)                                                                                            \
            take(held);                                                                                      \
        type result = real arguments;                                                                        \
        if (held)                                                                                            \
            give(held);                                                                                      \
        return result;                                                                                       \
    }

STREAM(int, puts, (const char *text), (text), stdout)
STREAM(int, putchar, (int c), (c), stdout)
STREAM(int, fputs, (const char *text, FILE *stream), (text, stream), stream)
STREAM(int, fputc, (int c, FILE *stream), (c, stream), stream)
STREAM(int, putc, (int c, FILE *stream), (c, stream), stream)
STREAM(size_t, fwrite, (const void *data, size_t size, size_t count, FILE *stream),
       (data, size, count, stream), stream)
STREAM(int, fflush, (FILE * stream), (stream), stream ? stream : stdout)
STREAM(int, vfprintf, (FILE * stream, const char *format, va_list values), (stream, format, values), stream)
STREAM(int, __vfprintf_chk, (FILE * stream, int flag, const char *format, va_list values),
       (stream, flag, format, values), stream)
STREAM(size_t, fread, (void *data, size_t size, size_t count, FILE *stream), (data, size, count, stream),
       stream)
STREAM(char *, fgets, (char *text, int size, FILE *stream), (text, size, stream), stream)
STREAM(int, fgetc, (FILE * stream), (stream), stream)
STREAM(int, getc, (FILE * stream), (stream), stream)
STREAM(int, getchar, (void), (), stdin)
STREAM(int, ungetc, (int c, FILE *stream), (c, stream), stream)
STREAM(ssize_t, getline, (char **line, size_t *size, FILE *stream), (line, size, stream), stream)
STREAM(ssize_t, getdelim, (char **line, size_t *size, int end, FILE *stream), (line, size, end, stream),
       stream)
STREAM(int, vfscanf, (FILE * stream, const char *format, va_list values), (stream, format, values), stream)
STREAM(int, fseek, (FILE * stream, long offset, int whence), (stream, offset, whence), stream)
STREAM(int, fseeko, (FILE * stream, off_t offset, int whence), (stream, offset, whence), stream)
STREAM(long, ftell, (FILE * stream), (stream), stream)
STREAM(off_t, ftello, (FILE * stream), (stream), stream)
STREAM(int, setvbuf, (FILE * stream, char *buffer, int mode, size_t size), (stream, buffer, mode, size),
       stream)

/* Those with arguments of any number end in the ones above. */
#define FORMATS(name, parameters, call)                                                                      \
    CANON_EXPORT int name parameters;                                                                        \
    CANON_EXPORT int name parameters                                                                         \
    {                                                                                                        \
        va_list values;                                                                                      \
        va_start(values, format);                                                                            \
        int result = call;                                                                                   \
        va_end(values);                                                                                      \
        return result;                                                                                       \
    }

FORMATS(printf, (const char *format, ...), vfprintf(stdout, format, values))
FORMATS(fprintf, (FILE * stream, const char *format, ...), vfprintf(stream, format, values))
FORMATS(__printf_chk, (int flag, const char *format, ...), __vfprintf_chk(stdout, flag, format, values))
FORMATS(__fprintf_chk, (FILE * stream, int flag, const char *format, ...),
        __vfprintf_chk(stream, flag, format, values))
FORMATS(fscanf, (FILE * stream, const char *format, ...), vfscanf(stream, format, values))

CANON_EXPORT int vprintf(const char *format, va_list values)
{
    return vfprintf(stdout, format, values);
}

CANON_EXPORT int __vprintf_chk(int flag, const char *format, va_list values);
CANON_EXPORT int __vprintf_chk(int flag, const char *format, va_list values)
{
    return __vfprintf_chk(stdout, flag, format, values);
}
