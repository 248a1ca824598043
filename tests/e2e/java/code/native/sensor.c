/* sensor.c: a JNI library of somebody else's: what its natives return is known to nobody but the outside. */
#include <jni.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

JNIEXPORT jlong JNICALL Java_NativeLibrary_clock(JNIEnv *env, jclass class)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (jlong)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The second line of a file, or an exception. */
JNIEXPORT jstring JNICALL Java_NativeLibrary_read(JNIEnv *env, jclass class, jstring path)
{
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    char line[256] = "";
    FILE *file = fopen(name, "r");
    (*env)->ReleaseStringUTFChars(env, path, name);
    if (!file) {
        (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"), "no sensor");
        return NULL;
    }
    for (int i = 0; i < 2 && fgets(line, sizeof line, file); i++)
        ;
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
    return (*env)->NewStringUTF(env, line);
}

/* Fills arrays, and takes enough arguments for some to be on the stack. */
JNIEXPORT jdouble JNICALL Java_NativeLibrary_sample(JNIEnv *env, jobject self, jbyteArray bytes, jint a,
                                                    jint b, jlong c, jdouble d, jintArray numbers, jfloat e,
                                                    jint f)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    jbyte low = (jbyte)now.tv_nsec;
    jint nanos = (jint)now.tv_nsec;
    (*env)->SetByteArrayRegion(env, bytes, a, 1, &low);
    (*env)->SetIntArrayRegion(env, numbers, b, 1, &nanos);
    return (jdouble)(c + f) * d + (jdouble)e + (jdouble)nanos / 7;
}

JNIEXPORT jint JNICALL Java_NativeLibrary_sum(JNIEnv *env, jclass class, jint a, jint b)
{
    return a + b;
}
