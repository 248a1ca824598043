/* define.c: see define.h. */
#include "jvm/define.h"

#include "base/assert.h"
#include "base/log.h"
#include "jvm/hooks.h"
#include "jvm/transfer.h"
#include "launch/protocol.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The class that this thread defines; its bytes are rewritten. */
static _Thread_local struct {
    bool is_one;
    const char *name; /* NULL: its bytes say */
} defining;

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool canon_define_gave(const char *name)
{
    bool gave = defining.is_one && same(defining.name, name);
    defining.is_one = false;
    return gave;
}

static void done(void)
{
    defining.is_one = false;
}

static bool rewrite(void *env, const char *name, void *loader, void *neighbour, const uint8_t *data,
                    size_t size, uint8_t **made, size_t *made_size)
{
    jobject of = loader;
    if (neighbour)
        (*canon_agent.jvmti)->GetClassLoader(canon_agent.jvmti, neighbour, &of);
    bool rewritten = canon_hooks_defined(env, of, name, data, size, made, made_size);
    if (neighbour)
        (*(JNIEnv *)env)->DeleteLocalRef(env, of);
    defining.is_one = true;
    defining.name = name;
    return rewritten;
}

/* ---- Unsafe.defineClass -------------------------------------------------------------------------------- */

static char *internal_name(JNIEnv *env, jstring name)
{
    char *text = name ? canon_java_text(env, name) : NULL;
    for (char *at = text; at && *at; at++)
        *at = *at == '.' ? '/' : *at;
    return text;
}

static jbyteArray new_array(JNIEnv *env, const uint8_t *data, size_t size)
{
    jbyteArray array = (*env)->NewByteArray(env, (jsize)size);
    if (array)
        (*env)->SetByteArrayRegion(env, array, 0, (jsize)size, (const jbyte *)data);
    return array;
}

uint64_t canon_define_unsafe(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    enum { NAME = 2, BYTES, START, LENGTH, LOADER = 5 }; /* registers; LOADER is an argument */
    uint64_t *registers = frame->integers;
    jbyteArray bytes = (jbyteArray)registers[BYTES];
    jint start = (jint)registers[START], length = (jint)registers[LENGTH];
    jsize size = bytes ? (*env)->GetArrayLength(env, bytes) : 0;
    if (!canon_agent.archived || start < 0 || length <= 0 || length > size - start)
        return canon_native_run(native, frame); /* which says what is wrong */
    uint8_t *data = malloc((size_t)length), *made = NULL;
    size_t made_size = 0;
    canon_assert(data);
    (*env)->GetByteArrayRegion(env, bytes, start, length, (jbyte *)data);
    char *name = internal_name(env, (jstring)registers[NAME]);
    jobject loader = (jobject)canon_frame_arg(native, frame, LOADER);
    if (rewrite(env, name, loader, NULL, data, (size_t)length, &made, &made_size)) {
        registers[BYTES] = (uint64_t)new_array(env, made, made_size);
        registers[START] = 0;
        registers[LENGTH] = made_size;
    }
    uint64_t defined = (*env)->ExceptionCheck(env) ? 0 : canon_native_run(native, frame);
    done();
    free(name);
    free(made);
    free(data);
    return defined;
}

/* ---- JNI ----------------------------------------------------------------------------------------------- */

static jclass(JNICALL *real_define)(JNIEnv *, const char *, jobject, const jbyte *, jsize);

static jclass JNICALL define(JNIEnv *env, const char *name, jobject loader, const jbyte *bytes, jsize size)
{
    uint8_t *made = NULL;
    size_t made_size = 0;
    bool rewritten =
        bytes && size > 0 &&
        rewrite(env, name, loader, NULL, (const uint8_t *)bytes, (size_t)size, &made, &made_size);
    jclass defined = real_define(env, name, loader, rewritten ? (const jbyte *)made : bytes,
                                 rewritten ? (jsize)made_size : size);
    done();
    free(made);
    return defined;
}

static bool stand_in_for_jni(void)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jniNativeInterface *functions = NULL;
    if ((*jvmti)->GetJNIFunctionTable(jvmti, &functions))
        return false;
    real_define = functions->DefineClass;
    functions->DefineClass = define;
    bool done = !(*jvmti)->SetJNIFunctionTable(jvmti, functions);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)functions);
    return done;
}

/* ---- agents that come later ---------------------------------------------------------------------------- */

/* It may redefine classes, or add to the boot class path, which only the hook sees. */
static void agent_comes(void)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    if ((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL))
        canon_role_note(CANON_NOTE_LIMIT, "classes that an agent brings are not rewritten");
}

void canon_define_prepare(void)
{
    static const struct canon_define_calls OURS = {rewrite, done, agent_comes};
    canon_define_interpose_fn interpose =
        (canon_define_interpose_fn)dlsym(RTLD_DEFAULT, CANON_DEFINE_INTERPOSE);
    canon_assert(interpose); /* who has given the archive is there */
    interpose(&OURS);
    if (!stand_in_for_jni())
        canon_role_note(CANON_NOTE_LIMIT, "classes that native code defines are not rewritten");
}
