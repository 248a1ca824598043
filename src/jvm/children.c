/*
 * children.c: the output of a child process that has ended.
 *
 * The JDK's reaper thread then empties the pipe into memory, racing with the program that reads it. Where
 * nobody else holds the pipe's other end that is not needed: a pipe keeps its contents, and ends after
 * them. So it is left out, when recording as when replaying, and the program is the only reader. Where a
 * grandchild holds the pipe it is done, since the program may rely on reading an end; whether was recorded.
 */
#include "jvm/children.h"

#include "jvm/threads.h"
#include "role/memo.h"

#include <poll.h>
#include <string.h>
#include <xxhash.h>

static jobject field(JNIEnv *env, jobject object, const char *name, const char *type)
{
    jfieldID id = object ? (*env)->GetFieldID(env, (*env)->GetObjectClass(env, object), name, type) : NULL;
    (*env)->ExceptionClear(env);
    return id ? (*env)->GetObjectField(env, object, id) : NULL;
}

/* The descriptor that the stream reads from, -1 if it is closed. */
static int descriptor_of(JNIEnv *env, jobject stream)
{
    jobject pipe = field(env, stream, "in", "Ljava/io/InputStream;");
    jobject descriptor = field(env, pipe, "fd", "Ljava/io/FileDescriptor;");
    if (!descriptor)
        return -1;
    jfieldID number = (*env)->GetFieldID(env, (*env)->GetObjectClass(env, descriptor), "fd", "I");
    return (*env)->GetIntField(env, descriptor, number);
}

/* Whether nobody can write to the pipe any more. */
static bool has_ended(int fd)
{
    struct pollfd poller = {fd, POLLIN, 0};
    return poll(&poller, 1, 0) == 1 && poller.revents & POLLHUP;
}

/* What the JDK does. */
static void process_exited(JNIEnv *env, jobject stream)
{
    jmethodID method = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, stream), "processExited", "()V");
    if (method)
        (*env)->CallVoidMethod(env, stream, method);
}

/* The reaper or the program itself may come here, so the answer goes by the descriptor (role/memo.h). */
static bool is_left_alone(int fd)
{
    static const char NAME[] = "java/lang/ProcessImpl$ProcessPipeInputStream.processExited()V";
    uint64_t key = XXH3_64bits_withSeed(&fd, sizeof fd, XXH3_64bits(NAME, strlen(NAME)));
    struct canon_buffer items = {0};
    struct canon_step step = {.way = CANON_STEP_PUT, .out = &items};
    int64_t ended = 1;
    if (canon_role_now() == CANON_ROLE_REPLAYER) {
        step.way = CANON_STEP_GET;
        if (canon_memo_get(key, &step.in))
            canon_step_int(&step, &ended);
    } else {
        ended = has_ended(fd);
        canon_step_int(&step, &ended);
        canon_memo_put(key, canon_role_name(NAME), &items);
    }
    canon_buffer_free(&items);
    return ended;
}

void canon_child_input_exited(JNIEnv *env, jobject stream)
{
    struct canon_thread *thread = canon_thread_self();
    thread->depth++; /* nobody's event: whether the reaper or the program comes here is a matter of timing */
    process_exited(env, stream);
    thread->depth--;
}

void canon_child_exited(JNIEnv *env, jobject stream)
{
    int fd = descriptor_of(env, stream);
    if (fd < 0)
        return; /* the program has closed it */
    if (canon_role_now() != CANON_ROLE_PASSTHROUGH && is_left_alone(fd))
        return;
    canon_role_note(CANON_NOTE_LIMIT,
                    "a child's output was still open when it ended: the JDK's reaper reads it too");
    process_exited(env, stream);
}
