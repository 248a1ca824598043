/* frame.c: see frame.h. */
#include "jvm/frame.h"

#include <stdio.h>

static int line_of(const jvmtiFrameInfo *frame)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jvmtiLineNumberEntry *lines = NULL;
    jint count = 0, line = -1;
    if (frame->location < 0 || (*jvmti)->GetLineNumberTable(jvmti, frame->method, &count, &lines))
        return -1;
    for (jint i = 0; i < count; i++)
        if (lines[i].start_location <= frame->location)
            line = lines[i].line_number;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)lines);
    return line;
}

static void write_text(const jvmtiFrameInfo *frame, char *signature, const char *name, char *text,
                       size_t size)
{
    for (char *at = signature; *at; at++)
        *at = *at == '/' ? '.' : *at == ';' ? '\0' : *at;
    int line = line_of(frame);
    if (line >= 0)
        snprintf(text, size, "%s.%s:%d", signature + 1, name, line);
    else
        snprintf(text, size, "%s.%s%s", signature + 1, name, frame->location < 0 ? " (native)" : "");
}

bool canon_frame_text(const jvmtiFrameInfo *frame, char *text, size_t size)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    JNIEnv *env = NULL;
    char *name = NULL, *signature = NULL;
    jclass class = NULL;
    (*canon_agent.vm)->GetEnv(canon_agent.vm, (void **)&env, JNI_VERSION_1_8);
    bool told = !(*jvmti)->GetMethodName(jvmti, frame->method, &name, NULL, NULL) &&
                !(*jvmti)->GetMethodDeclaringClass(jvmti, frame->method, &class) &&
                !(*jvmti)->GetClassSignature(jvmti, class, &signature, NULL);
    if (told)
        write_text(frame, signature, name, text, size);
    if (class && env)
        (*env)->DeleteLocalRef(env, class);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return told;
}
