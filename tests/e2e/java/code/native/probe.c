/* probe.c: a JNI library of somebody else's that asks the system by itself, in many ways. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static jstring text(JNIEnv *env, const char *format, ...) __attribute__((format(printf, 2, 3)));

static jstring text(JNIEnv *env, const char *format, ...)
{
    char line[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    return (*env)->NewStringUTF(env, line);
}

static int opened(JNIEnv *env, jstring path, int flags)
{
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    int fd = open(name, flags, 0600);
    int error = errno;
    (*env)->ReleaseStringUTFChars(env, path, name);
    errno = error;
    return fd;
}

JNIEXPORT jstring JNICALL Java_NativeLibraryAsks_reads(JNIEnv *env, jclass class, jstring path)
{
    char all[513] = "", again[5] = "";
    struct stat status;
    struct iovec parts[] = {{again, 2}, {again + 2, 2}};
    int fd = opened(env, path, O_RDONLY), left = 0;
    if (fd < 0)
        return text(env, "%s", strerror(errno));
    fstat(fd, &status);
    ioctl(fd, FIONREAD, &left);
    ssize_t n = read(fd, all, sizeof all - 1);
    preadv(fd, parts, 2, 1);
    off_t at = lseek(fd, 0, SEEK_CUR);
    int flags = fcntl(fd, F_GETFL), other = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    close(other);
    close(fd);
    return text(env, "%zd of %ld and %d, at %ld, by %d and %d of %x: %s: %s", n, (long)status.st_size, left,
                (long)at, fd, other, flags, again, all);
}

JNIEXPORT jstring JNICALL Java_NativeLibraryAsks_streams(JNIEnv *env, jclass class, jstring path)
{
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    char line[512] = "", last[512] = "";
    FILE *file = fopen(name, "r");
    (*env)->ReleaseStringUTFChars(env, path, name);
    if (!file)
        return text(env, "%s", strerror(errno));
    int count = 0, number = fileno(file);
    while (fgets(line, sizeof line, file) && ++count)
        strcpy(last, line);
    rewind(file);
    int first = fgetc(file);
    fclose(file);
    last[strcspn(last, "\n")] = '\0';
    return text(env, "%d lines of %d, from %c to %s", count, number, first, last);
}

JNIEXPORT jstring JNICALL Java_NativeLibraryAsks_maps(JNIEnv *env, jclass class, jstring path)
{
    int fd = opened(env, path, O_RDWR);
    char *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *data = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0); /* more than there is */
    if (own == MAP_FAILED || data == MAP_FAILED)
        return text(env, "%s", strerror(errno));
    strcpy(own, strchr(data, '\n') + 1);
    memcpy(data, own, 4);
    jstring made = text(env, "%.4s %.20s", data, own);
    munmap(own, 4096);
    munmap(data, 1 << 20);
    close(fd);
    return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED ? made : NULL;
}

/* Functions that it does not import. */
JNIEXPORT jstring JNICALL Java_NativeLibraryAsks_finds(JNIEnv *env, jclass class)
{
    int (*parent)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "getppid");
    time_t (*now)(time_t *) = (time_t(*)(time_t *))dlsym(RTLD_DEFAULT, "time");
    return text(env, "%d at %ld", parent(), (long)now(NULL));
}

JNIEXPORT jstring JNICALL Java_NativeLibraryAsks_draws(JNIEnv *env, jclass class)
{
    unsigned drawn[2] = {0};
    struct timespec real, cpu;
    getrandom(drawn, sizeof drawn, 0);
    clock_gettime(CLOCK_REALTIME, &real);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    return text(env, "%d drew %08x%08x at %ld.%09ld and %ld", getpid(), drawn[0], drawn[1], (long)real.tv_sec,
                real.tv_nsec, cpu.tv_nsec);
}

JNIEXPORT jstring JNICALL Java_NativeLibraryAsks_talks(JNIEnv *env, jclass class)
{
    int ends[2], pair[2];
    char got[16] = "", taken[16] = "";
    struct sockaddr_un name = {0};
    socklen_t length = sizeof name;
    if (pipe2(ends, O_CLOEXEC) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return text(env, "%s", strerror(errno));
    struct pollfd ready = {ends[0], POLLIN, 0};
    int before = poll(&ready, 1, 0);
    write(ends[1], "through", 7);
    int after = poll(&ready, 1, 1000);
    read(ends[0], got, sizeof got - 1);
    send(pair[0], "across", 6, 0);
    recv(pair[1], taken, sizeof taken - 1, 0);
    getsockname(pair[0], (struct sockaddr *)&name, &length);
    for (int i = 0; i < 2; i++) {
        close(ends[i]);
        close(pair[i]);
    }
    errno = 0;
    int again = close(pair[0]);
    return text(env, "%d then %d of %x: %s %s, %d of %d, %d %s", before, after, ready.revents, got, taken,
                name.sun_family, (int)length, again, strerror(errno));
}

JNIEXPORT jstring JNICALL Java_NativeLibraryAsks_stands(JNIEnv *env, jclass class)
{
    char here[4096], *own = getcwd(NULL, 0), *real = realpath(".", NULL);
    struct stat status;
    stat(".", &status);
    if (!getcwd(here, sizeof here))
        here[0] = '\0';
    jstring made = text(env, "%s %d %d, number %ld", here, own && strcmp(own, here) == 0,
                        real && strcmp(real, here) == 0, (long)status.st_ino);
    free(own);
    free(real);
    return made;
}

JNIEXPORT jint JNICALL Java_NativeLibraryAsks_says(JNIEnv *env, jclass class, jint fd, jbyteArray words)
{
    jsize length = (*env)->GetArrayLength(env, words);
    jbyte *bytes = (*env)->GetByteArrayElements(env, words, NULL);
    ssize_t n = write(fd, bytes, (size_t)length);
    (*env)->ReleaseByteArrayElements(env, words, bytes, JNI_ABORT);
    return (jint)n;
}

/* Where memory lies, in all the ways to get it, and that what it holds stays. */
JNIEXPORT jstring JNICALL Java_NativeLibraryAsks_keeps(JNIEnv *env, jclass class)
{
    void *(*make)(size_t) = (void *(*)(size_t))dlsym(RTLD_DEFAULT, "_Znwm"); /* there may be no C++ */
    void (*drop)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "_ZdlPv");
    void *aligned = NULL, *other = aligned_alloc(4096, 8192), *object = make && drop ? make(48) : NULL;
    int *numbers = calloc(100, sizeof *numbers), sum = 0;
    char *line = malloc(2), *name = strdup("handle"), *large = malloc(40 << 20);
    size_t room = 2;
    FILE *lines = fmemopen("a line that is longer than its room\n", 36, "r");
    if (posix_memalign(&aligned, 64, 1000) || !lines || !numbers || !line || !name || !large || !other)
        return NULL;
    ssize_t length = getline(&line, &room, lines); /* libc makes it longer */
    fclose(lines);
    for (int i = 0; i < 100; i++)
        sum += numbers[i];
    memset(large, 7, 40 << 20);
    numbers = realloc(numbers, 1 << 20);
    strcpy(line + 2, "ne");
    jstring made = text(env, "%p %p %p %p %p %p, %d %zd %s %d", aligned, other, object, (void *)numbers,
                        (void *)name, (void *)large, sum, length, line, large[40000000]);
    free(aligned);
    free(other);
    free(numbers);
    free(line);
    free(name);
    free(large);
    if (object)
        drop(object);
    return made;
}
