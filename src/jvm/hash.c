/*
 * hash.c: see hash.h. The work is done in java.lang.Canon.hash; here are its two natives and the
 * redirection of the JVM's. Compiled code that finds a hash in an object's header never comes here.
 */
#include "jvm/hash.h"

#include "base/error.h"
#include "jvm/threads.h"
#include "jvm/transfer.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { VM_HASH = 1 }; /* what the JVM's own hash codes are, see launch.c */

static jclass canon;
static jclass class_class;
static jmethodID hash_method;
static jmethodID set_method;
static jint (*vm_hash)(JNIEnv *, jobject);

/* Of a hidden class's name, what follows the dot is an address. */
static jint from_name(jclass class)
{
    char *signature = NULL;
    (*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, class, &signature, NULL);
    XXH64_hash_t hash = signature ? XXH3_64bits(signature, strcspn(signature, ".")) : 1;
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    return (jint)(hash & 0x7fffffff);
}

/*
 * The natives of java.lang.Canon are found by name, as the JVM does for agents: registering them would
 * make it print a warning.
 */
JNIEXPORT jint JNICALL Java_java_lang_Canon_nextHash(JNIEnv *env, jclass unused, jobject object);
JNIEXPORT jint JNICALL Java_java_lang_Canon_vmHash(JNIEnv *env, jclass unused, jobject object);

jint Java_java_lang_Canon_nextHash(JNIEnv *env, jclass unused, jobject object)
{
    (void)unused;
    jint hash;
    if ((*env)->IsInstanceOf(env, object, class_class)) {
        hash = from_name(object);
    } else {
        struct canon_thread *thread = canon_thread_self();
        bool counted = thread->strand && !thread->block.quiet;
        const char *name = counted ? canon_strand_label(thread->strand) : "";
        uint32_t number = counted ? ++thread->hashes : ++thread->quiet_hashes;
        hash = (jint)(XXH3_64bits_withSeed(name, strlen(name), number) & 0x7fffffff);
    }
    return hash ? hash : 1;
}

jint Java_java_lang_Canon_vmHash(JNIEnv *env, jclass unused, jobject object)
{
    (void)unused;
    return vm_hash(env, object);
}

jint JNICALL canon_hash_of(JNIEnv *env, jobject object)
{
    if (!hash_method || canon_role_now() == CANON_ROLE_PASSTHROUGH)
        return vm_hash(env, object);
    return (*env)->CallStaticIntMethod(env, canon, hash_method, object);
}

bool canon_hash_is_native(void *address)
{
    return address && address == (void *)vm_hash;
}

int canon_hash_find(void)
{
    void *library = dlopen("libjvm.so", RTLD_NOW | RTLD_NOLOAD);
    vm_hash = library ? (jint(*)(JNIEnv *, jobject))dlsym(library, "JVM_IHashCode") : NULL;
    return vm_hash ? 0 : CANON_E_UNSUPPORTED;
}

/* Where the JVM keeps the hash in the mark word: layout of markWord.hpp, which changed in JDK 22. */
static int find_shift(void)
{
    return canon_agent.version >= 22 ? 11 : 8;
}

/* ---- classes -------------------------------------------------------------------------------------------- */

/*
 * Before Java code can do it. Nothing moves objects then: there is one thread, and it is here. A handle
 * that is no plain pointer (ZGC) is left alone; that costs time only, because all hash codes are alike then.
 */
static void set_early(jclass class)
{
    uintptr_t object = *(uintptr_t *)class;
    if (object % sizeof(uint64_t))
        return;
    uint64_t *mark = (uint64_t *)object;
    uint64_t mask = (uint64_t)0x7fffffff << find_shift(), present = (*mark & mask) >> find_shift();
    if ((*mark & 3) == 1 && present <= VM_HASH)
        *mark = (*mark & ~mask) | (uint64_t)from_name(class) << find_shift();
}

void JNICALL canon_hash_class(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass class)
{
    (void)jvmti, (void)thread;
    if (set_method)
        (*env)->CallStaticVoidMethod(env, canon, set_method, class, from_name(class));
    else
        set_early(class);
}

void canon_hash_early_classes(JNIEnv *env)
{
    jint count = 0;
    jclass *classes = NULL;
    (*canon_agent.jvmti)->GetLoadedClasses(canon_agent.jvmti, &count, &classes);
    for (jint i = 0; i < count; i++) {
        set_early(classes[i]);
        (*env)->DeleteLocalRef(env, classes[i]);
    }
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)classes);
}

/* ---- start ---------------------------------------------------------------------------------------------- */

int canon_hash_enable(JNIEnv *env)
{
    canon = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "java/lang/Canon"));
    class_class = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "java/lang/Class"));
    jfieldID shift = (*env)->GetStaticFieldID(env, canon, "hashShift", "I");
    if (!shift)
        return CANON_E_UNSUPPORTED;
    (*env)->SetStaticIntField(env, canon, shift, find_shift());
    hash_method = (*env)->GetStaticMethodID(env, canon, "hash", "(Ljava/lang/Object;)I");
    set_method = (*env)->GetStaticMethodID(env, canon, "setHash", "(Ljava/lang/Object;I)V");
    return hash_method && set_method ? 0 : CANON_E_UNSUPPORTED;
}
