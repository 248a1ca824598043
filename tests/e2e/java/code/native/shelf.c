/* shelf.c: a JNI library of somebody else's with state and locks of its own, which Java's threads share. */
#include <errno.h>
#include <jni.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

enum { ROOM = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t tables = PTHREAD_RWLOCK_INITIALIZER;
static sem_t permits;
static int items[ROOM], first, count;
static long last;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    sem_init(&permits, 0, 2);
    return JNI_VERSION_1_8;
}

JNIEXPORT void JNICALL Java_LocksOfALibrary_put(JNIEnv *env, jclass class, jint item)
{
    pthread_mutex_lock(&lock);
    while (count == ROOM)
        pthread_cond_wait(&changed, &lock);
    items[(first + count++) % ROOM] = item;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* Waits for two milliseconds at most; -1: there was nothing. */
JNIEXPORT jint JNICALL Java_LocksOfALibrary_take(JNIEnv *env, jclass class)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 2000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int item = -1, status = 0;
    pthread_mutex_lock(&lock);
    while (count == 0 && status != ETIMEDOUT)
        status = pthread_cond_timedwait(&changed, &lock, &until);
    if (count > 0) {
        item = items[first];
        first = (first + 1) % ROOM;
        count--;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    return item;
}

/* What was written last, or -1 if somebody else is there. */
JNIEXPORT jlong JNICALL Java_LocksOfALibrary_look(JNIEnv *env, jclass class, jlong mine)
{
    if (sem_trywait(&permits))
        return -1;
    long found = -1;
    if (mine % 3 && !pthread_rwlock_tryrdlock(&tables)) {
        found = last;
        pthread_rwlock_unlock(&tables);
    } else if (mine % 3 == 0) {
        pthread_rwlock_wrlock(&tables);
        found = last;
        last = mine;
        pthread_rwlock_unlock(&tables);
    }
    sem_post(&permits);
    return found;
}

/* A handle is an address. */
JNIEXPORT jlong JNICALL Java_HandlesOfALibrary_make(JNIEnv *env, jclass class, jint size)
{
    jint *memory = calloc((size_t)size, sizeof *memory);
    memory[0] = memory[size - 1] = size;
    return (jlong)memory;
}

JNIEXPORT jlong JNICALL Java_HandlesOfALibrary_resize(JNIEnv *env, jclass class, jlong handle, jint size)
{
    jint *memory = realloc((void *)handle, (size_t)size * sizeof *memory);
    memory[size - 1] = memory[0] + 1;
    return (jlong)memory;
}

JNIEXPORT jint JNICALL Java_HandlesOfALibrary_drop(JNIEnv *env, jclass class, jlong handle)
{
    jint size = *(jint *)handle;
    free((void *)handle);
    return size;
}
