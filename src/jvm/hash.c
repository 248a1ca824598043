/*
 * hash.c: see hash.h. The work is done in java.lang.CanonHash; here are its natives and the redirection of
 * the JVM's. Compiled code that finds a hash in an object's header never comes here.
 */
#include "jvm/hash.h"

#include "base/error.h"
#include "jvm/firsts.h"
#include "jvm/inits.h"
#include "jvm/loaders.h"
#include "jvm/threads.h"
#include "jvm/transfer.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Hash codes that canon does not choose: the JVM's own (see launch.c), and those asked for before VMInit. */
enum { VM_HASH = 1, EARLY_HASH = 2, NEUTRAL = 1 };
#define HASH_MASK ((uint64_t)0x7fffffff)

static jclass helper;
static jclass class_class, loader_class, module_class, string_class, thread_class;
static jfieldID module_name, module_loader, thread_id;
static jmethodID hash_method;
static jmethodID class_method;
static jmethodID known_method;
static jint (*vm_hash)(JNIEnv *, jobject);
static void (*vm_notify)(JNIEnv *, jobject);
static jboolean (*vm_holds)(JNIEnv *, jclass, jobject);

/* Where the JVM keeps the hash in the mark word: layout of markWord.hpp, which changed in JDK 22. */
static int find_shift(void)
{
    return canon_agent.version >= 22 ? 11 : 8;
}

/* Locks that are not inflated: JDK 17 puts a pointer to the stack in place of the mark word. */
static bool kept_when_locked(void)
{
    return canon_agent.version >= 23;
}

static jint as_hash(XXH64_hash_t bits)
{
    jint hash = (jint)(bits & HASH_MASK);
    return hash > EARLY_HASH ? hash : EARLY_HASH + 1;
}

/*
 * Of a hidden class's name, what follows the dot is an address. JDK 17 numbers lambdas as they are linked,
 * and threads may do that at the same time.
 */
static size_t lasting_length(const char *signature)
{
    size_t length = strcspn(signature, ".");
    while (canon_agent.ordered && signature[length] && length && signature[length - 1] >= '0' &&
           signature[length - 1] <= '9')
        length--;
    return length;
}

jint canon_hash_of_name(jclass class)
{
    char *signature = NULL;
    (*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, class, &signature, NULL);
    XXH64_hash_t hash = signature ? XXH3_64bits(signature, lasting_length(signature)) : 1;
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    return as_hash(hash);
}

/*
 * The natives are found by name, as the JVM does for agents: registering them would make it print a warning.
 */
JNIEXPORT jint JNICALL Java_java_lang_CanonHash_nextHash(JNIEnv *env, jclass unused, jobject object,
                                                         jint tries);
JNIEXPORT void JNICALL Java_java_lang_CanonHash_took(JNIEnv *env, jclass unused, jobject object,
                                                     jboolean won);
JNIEXPORT jint JNICALL Java_java_lang_CanonHash_vmHash(JNIEnv *env, jclass unused, jobject object);
JNIEXPORT jint JNICALL Java_java_lang_CanonHash_inflate(JNIEnv *env, jclass unused, jobject object);

/* That it is the object's hash code which somebody chooses. */
static struct canon_first first_of(JNIEnv *env, jobject object)
{
    jclass class = (*env)->GetObjectClass(env, object);
    struct canon_first first = {"java/lang/Object.hashCode", (uint32_t)canon_hash_of_name(class)};
    (*env)->DeleteLocalRef(env, class);
    return first;
}

/* Of what it says; 0 if there is none. */
static XXH64_hash_t hash_of_text(JNIEnv *env, jstring string)
{
    const char *text = string ? (*env)->GetStringUTFChars(env, string, NULL) : NULL;
    XXH64_hash_t hash = text ? XXH3_64bits(text, strlen(text)) : 0;
    if (text)
        (*env)->ReleaseStringUTFChars(env, string, text);
    return hash;
}

static jint hash_of_module(JNIEnv *env, jobject module)
{
    jstring name = (*env)->GetObjectField(env, module, module_name);
    jobject loader = (*env)->GetObjectField(env, module, module_loader);
    const char *of = canon_loader_of(env, loader)->name;
    XXH64_hash_t hash = XXH3_64bits_withSeed(of, strlen(of), hash_of_text(env, name));
    (*env)->DeleteLocalRef(env, loader);
    (*env)->DeleteLocalRef(env, name);
    return as_hash(hash);
}

/*
 * Of what is known by a name: its hash code is the same whoever asks first. Code without order (loaders,
 * reflection) asks about little else. 0: it has no name.
 */
static jint named_hash(JNIEnv *env, jobject object)
{
    if ((*env)->IsInstanceOf(env, object, class_class))
        return canon_hash_of_name(object);
    if ((*env)->IsInstanceOf(env, object, module_class))
        return hash_of_module(env, object);
    if ((*env)->IsInstanceOf(env, object, thread_class))
        return as_hash(
            XXH3_64bits_withSeed("thread", 6, (XXH64_hash_t)(*env)->GetLongField(env, object, thread_id)));
    if (!(*env)->IsInstanceOf(env, object, loader_class))
        return 0;
    const char *name = canon_loader_of(env, object)->name;
    return as_hash(XXH3_64bits(name, strlen(name)));
}

/*
 * Of anything else that code without order asks for, whenever it does: all of a class have the same. But for
 * strings, which have a content: Class.getMethods has tables of names by their identity.
 */
static jint shared_hash(JNIEnv *env, jobject object)
{
    return (*env)->IsInstanceOf(env, object, string_class) ? as_hash(hash_of_text(env, object))
                                                           : (jint)first_of(env, object).key;
}

jint Java_java_lang_CanonHash_nextHash(JNIEnv *env, jclass unused, jobject object, jint tries)
{
    (void)unused;
    jint named = named_hash(env, object);
    if (named)
        return named;
    struct canon_thread *thread = canon_thread_self();
    enum canon_first_turn turn = canon_first_counts(thread)
                                     ? canon_first_turn(thread, first_of(env, object), tries)
                                     : CANON_FIRST_NONE;
    thread->hash_counts = turn == CANON_FIRST_MINE;
    if (turn != CANON_FIRST_MINE)
        return turn == CANON_FIRST_LATER ? 0 : shared_hash(env, object);
    const char *name = canon_strand_label(thread->strand);
    return as_hash(XXH3_64bits_withSeed(name, strlen(name), thread->hashes + 1));
}

void Java_java_lang_CanonHash_took(JNIEnv *env, jclass unused, jobject object, jboolean won)
{
    (void)unused;
    struct canon_thread *thread = canon_thread_self();
    if (!thread->hash_counts)
        return;
    thread->hash_counts = false;
    thread->hashes += won;
    canon_first_decided(thread, first_of(env, object), won);
}

jint Java_java_lang_CanonHash_vmHash(JNIEnv *env, jclass unused, jobject object)
{
    (void)unused;
    return vm_hash(env, object);
}

/*
 * Asking for the JVM's hash code inflates a lock, too, if the object has none yet. But if another thread lets
 * go of the lock meanwhile, the JVM's stays in the object, where everybody takes it for the object's own. So
 * that is for locks of the current thread. To notify those that wait for another thread's lock only inflates
 * it, and throws.
 */
jint Java_java_lang_CanonHash_inflate(JNIEnv *env, jclass unused, jobject object)
{
    (void)unused;
    struct canon_thread *thread = canon_thread_self();
    int64_t lane = thread->block.lane;
    if (vm_holds(env, NULL, object)) {
        jint hash = vm_hash(env, object);
        return hash > VM_HASH ? hash : 0;
    }
    thread->block.lane = 0; /* for the exception */
    vm_notify(env, object);
    (*env)->ExceptionClear(env);
    thread->block.lane = lane;
    return 0;
}

/* ---- before Java code can do it --------------------------------------------------------------------- */

/*
 * Gives an object, whose hash code nobody but the JVM knows, this one; whether it has one now. Nothing moves
 * objects that early: there is one thread, and it is here. A handle that is no plain pointer (ZGC) is left
 * alone.
 */
static bool set_early(jobject handle, jint hash)
{
    uintptr_t object = *(uintptr_t *)handle;
    if (object % sizeof(uint64_t))
        return false;
    uint64_t *mark = (uint64_t *)object, mask = HASH_MASK << find_shift();
    if ((*mark & 3) == NEUTRAL && (*mark & mask) >> find_shift() <= VM_HASH)
        *mark = (*mark & ~mask) | (uint64_t)hash << find_shift();
    return true;
}

/*
 * A native that tells of threads names the objects that they wait for. At replay it is not run, and the
 * object has no hash code until the program asks for it: so it gets none now, and the native any number.
 */
static jint told_hash(JNIEnv *env, jobject object, struct canon_thread *thread)
{
    jint known = (*env)->CallStaticIntMethod(env, helper, known_method, object);
    return known > VM_HASH ? known : as_hash(XXH3_64bits_withSeed("", 0, ++thread->told_hashes));
}

/* Asked so early that no class can be looked up. */
static bool is_class(JNIEnv *env, jobject object)
{
    char *signature = NULL;
    jclass type = (*env)->GetObjectClass(env, object);
    (*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, type, &signature, NULL);
    bool is = signature && strcmp(signature, "Ljava/lang/Class;") == 0;
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    (*env)->DeleteLocalRef(env, type);
    return is;
}

jint JNICALL canon_hash_of(JNIEnv *env, jobject object)
{
    struct canon_thread *thread = canon_thread_self();
    if (canon_role_now() == CANON_ROLE_PASSTHROUGH)
        return vm_hash(env, object);
    if (thread->tells)
        return told_hash(env, object, thread);
    if (hash_method)
        return (*env)->CallStaticIntMethod(env, helper, hash_method, object);
    set_early(object, is_class(env, object) ? canon_hash_of_name(object) : EARLY_HASH);
    return vm_hash(env, object);
}

void JNICALL canon_hash_class(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass class)
{
    (void)jvmti, (void)thread;
    if (class_method)
        (*env)->CallStaticVoidMethod(env, helper, class_method, class, canon_hash_of_name(class));
    else
        set_early(class, canon_hash_of_name(class));
    if (class_method)
        canon_inits_linked(env, class);
}

/* ---- start ------------------------------------------------------------------------------------------ */

bool canon_hash_is_native(void *address)
{
    return address && address == (void *)vm_hash;
}

int canon_hash_find(void)
{
    void *library = dlopen("libjvm.so", RTLD_NOW | RTLD_NOLOAD);
    if (!library)
        return CANON_E_UNSUPPORTED;
    vm_hash = (jint(*)(JNIEnv *, jobject))dlsym(library, "JVM_IHashCode");
    vm_notify = (void (*)(JNIEnv *, jobject))dlsym(library, "JVM_MonitorNotify");
    vm_holds = (jboolean(*)(JNIEnv *, jclass, jobject))dlsym(library, "JVM_HoldsLock");
    return vm_hash && vm_notify && vm_holds ? 0 : CANON_E_UNSUPPORTED;
}

/* Shows the helper an object whose lock is inflated, which JNI always does. */
static bool understands_locks(JNIEnv *env, jmethodID prepare)
{
    jobject object = (*env)->AllocObject(env, (*env)->FindClass(env, "java/lang/Object"));
    (*env)->MonitorEnter(env, object);
    bool understood =
        (*env)->CallStaticBooleanMethod(env, helper, prepare, object, find_shift(), kept_when_locked());
    (*env)->MonitorExit(env, object);
    return understood;
}

static jclass find_class(JNIEnv *env, const char *name)
{
    jclass found = (*env)->FindClass(env, name);
    return found ? (*env)->NewGlobalRef(env, found) : NULL;
}

static bool find_named(JNIEnv *env)
{
    class_class = find_class(env, "java/lang/Class");
    loader_class = find_class(env, "java/lang/ClassLoader");
    module_class = find_class(env, "java/lang/Module");
    string_class = find_class(env, "java/lang/String");
    thread_class = find_class(env, "java/lang/Thread");
    if (!class_class || !loader_class || !module_class || !string_class || !thread_class)
        return false;
    module_name = (*env)->GetFieldID(env, module_class, "name", "Ljava/lang/String;");
    module_loader = (*env)->GetFieldID(env, module_class, "loader", "Ljava/lang/ClassLoader;");
    thread_id = (*env)->GetFieldID(env, thread_class, "tid", "J");
    return module_name && module_loader && thread_id;
}

/* Classes that were linked before anybody told of it; how many, depends on whether there is an archive of
 * them. */
static void name_early_classes(JNIEnv *env)
{
    jint count = 0;
    jclass *classes = NULL;
    (*canon_agent.jvmti)->GetLoadedClasses(canon_agent.jvmti, &count, &classes);
    for (jint i = 0; i < count; i++) {
        (*env)->CallStaticVoidMethod(env, helper, class_method, classes[i], canon_hash_of_name(classes[i]));
        (*env)->DeleteLocalRef(env, classes[i]);
    }
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)classes);
}

int canon_hash_enable(JNIEnv *env)
{
    helper = find_class(env, "java/lang/CanonHash");
    if (!helper || !find_named(env))
        return CANON_E_UNSUPPORTED;
    jmethodID prepare = (*env)->GetStaticMethodID(env, helper, "prepare", "(Ljava/lang/Object;IZ)Z");
    if (!prepare || !understands_locks(env, prepare))
        return CANON_E_UNSUPPORTED;
    hash_method = (*env)->GetStaticMethodID(env, helper, "hash", "(Ljava/lang/Object;)I");
    known_method = (*env)->GetStaticMethodID(env, helper, "known", "(Ljava/lang/Object;)I");
    class_method = (*env)->GetStaticMethodID(env, helper, "ofClass", "(Ljava/lang/Object;I)V");
    if (!hash_method || !class_method || !known_method)
        return CANON_E_UNSUPPORTED;
    name_early_classes(env);
    return 0;
}
