/* streams.c: see streams.h. */
#include "jvm/streams.h"

#include "jvm/functions.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* A stream that is open. */
struct stream {
    FILE *file;
    int fd;
    struct stream *next;
};

static struct stream *streams;                           /* protected by: */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* leaf */

typedef int (*open_fn)(const char *, int, int);
typedef int (*close_fn)(int);
typedef ssize_t (*read_fn)(int, void *, size_t);
typedef ssize_t (*write_fn)(int, const void *, size_t);
typedef off_t (*seek_fn)(int, off_t, int);

static struct {
    open_fn open;
    close_fn close;
    read_fn read;
    write_fn write;
    seek_fn seek;
} calls;

static void prepare(void)
{
    calls.open = (open_fn)canon_function_stand_in("open");
    calls.close = (close_fn)canon_function_stand_in("close");
    calls.read = (read_fn)canon_function_stand_in("read");
    calls.write = (write_fn)canon_function_stand_in("write");
    calls.seek = (seek_fn)canon_function_stand_in("lseek");
}

static bool is_ready(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare);
    return calls.open && calls.close && calls.read && calls.write && calls.seek;
}

static ssize_t stream_read(void *cookie, char *data, size_t size)
{
    return calls.read(((struct stream *)cookie)->fd, data, size);
}

/* Of these two, unlike of the others, 0 says that it failed. */
static ssize_t stream_write(void *cookie, const char *data, size_t size)
{
    ssize_t written = calls.write(((struct stream *)cookie)->fd, data, size);
    return written < 0 ? 0 : written;
}

static int stream_seek(void *cookie, off64_t *offset, int whence)
{
    off_t place = calls.seek(((struct stream *)cookie)->fd, *offset, whence);
    if (place < 0)
        return -1;
    *offset = place;
    return 0;
}

static int stream_close(void *cookie)
{
    struct stream *stream = cookie;
    pthread_mutex_lock(&lock);
    struct stream **at = &streams;
    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    pthread_mutex_unlock(&lock);
    int status = calls.close(stream->fd);
    free(stream);
    return status;
}

static uint64_t make(int fd, const char *mode)
{
    static const cookie_io_functions_t FUNCTIONS = {stream_read, stream_write, stream_seek, stream_close};
    struct stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return 0;
    stream->fd = fd;
    stream->file = fopencookie(stream, mode, FUNCTIONS);
    if (!stream->file) {
        free(stream);
        return 0;
    }
    pthread_mutex_lock(&lock);
    stream->next = streams;
    streams = stream;
    pthread_mutex_unlock(&lock);
    return (uint64_t)stream->file;
}

/* As open wants it; -1: that is no mode. */
static int flags_of(const char *mode)
{
    int flags = mode[0] == 'r'   ? O_RDONLY
                : mode[0] == 'w' ? O_WRONLY | O_CREAT | O_TRUNC
                : mode[0] == 'a' ? O_WRONLY | O_CREAT | O_APPEND
                                 : -1;
    if (flags < 0)
        return -1;
    if (strchr(mode, '+'))
        flags = (flags & ~O_ACCMODE) | O_RDWR;
    return flags | (strchr(mode, 'e') ? O_CLOEXEC : 0) | (strchr(mode, 'x') ? O_EXCL : 0);
}

uint64_t canon_stream_open(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    const char *path = (const char *)frame->integers[0], *mode = (const char *)frame->integers[1];
    if (!path || !mode || flags_of(mode) < 0 || strstr(mode, "ccs=") || !is_ready())
        return canon_native_run(native, frame);
    int fd = calls.open(path, flags_of(mode), 0666);
    return fd < 0 ? 0 : make(fd, mode);
}

uint64_t canon_stream_of(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    const char *mode = (const char *)frame->integers[1];
    return mode && is_ready() ? make((int)frame->integers[0], mode) : canon_native_run(native, frame);
}

uint64_t canon_stream_number(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    int fd = -1;
    pthread_mutex_lock(&lock);
    for (struct stream *stream = streams; stream; stream = stream->next)
        if (stream->file == (FILE *)frame->integers[0])
            fd = stream->fd;
    pthread_mutex_unlock(&lock);
    return fd >= 0 ? (uint64_t)fd : canon_native_run(native, frame);
}
