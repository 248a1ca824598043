/* loaders.c: see loaders.h. */
#include "jvm/loaders.h"

#include "base/assert.h"
#include "base/map.h"
#include "jvm/threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Held while a loader gets its name, and protects the maps. */
static pthread_mutex_t naming = PTHREAD_MUTEX_INITIALIZER;
static struct canon_map numbers; /* how many there were, by class and maker */
static struct canon_map own;     /* replayer: weak references to own loaders, by name */

static uint64_t key_of(const char *text)
{
    return XXH3_64bits(text, strlen(text));
}

static char *class_of(JNIEnv *env, jobject object)
{
    char *signature = NULL;
    jclass class = (*env)->GetObjectClass(env, object);
    (*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, class, &signature, NULL);
    (*env)->DeleteLocalRef(env, class);
    char *copy = strdup(signature ? signature : "?");
    canon_assert(copy);
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    return copy;
}

static bool is_of_jdk(const char *class)
{
    return strncmp(class, "Ljdk/internal/loader/", 21) == 0;
}

/* "main.2" for the third of its class that "thread main" made; just a number without a strand. */
static struct canon_loader *name_loader(const char *class, const struct canon_strand *maker)
{
    const char *label = maker ? canon_strand_label(maker) : "";
    const char *blank = strchr(label, ' ');
    char by[128] = "";
    if (strlen(label) < sizeof by - 1)
        snprintf(by, sizeof by, "%s%s", blank ? blank + 1 : label, maker ? "." : "");
    else
        snprintf(by, sizeof by, "%016llx.", (unsigned long long)key_of(label));
    size_t size = strlen(class) + strlen(by) + 16;
    struct canon_loader *loader = calloc(1, sizeof *loader + size);
    canon_assert(loader);
    int used = snprintf(loader->name, size, "%s%s", class, by);
    unsigned number = (unsigned)canon_map_put(&numbers, key_of(loader->name))->number++;
    snprintf(loader->name + used, size - (size_t)used, "%u", number);
    loader->of_jdk = is_of_jdk(class);
    return loader;
}

/* A field of java.lang.ClassLoader; NULL if there is none. */
static jfieldID field_of(JNIEnv *env, const char *name, const char *type)
{
    jclass class = (*env)->FindClass(env, "java/lang/ClassLoader");
    jfieldID field = (*env)->GetFieldID(env, class, name, type);
    (*env)->DeleteLocalRef(env, class);
    (*env)->ExceptionClear(env);
    return field;
}

/* Where a loader has the address of its struct; NULL if the JVM's ClassLoader did not get it. */
static jfieldID name_field(JNIEnv *env)
{
    static _Atomic(jfieldID) field;
    if (!field)
        field = field_of(env, "canonName", "J");
    return field;
}

/*
 * Who asks for a loader first has made it: its constructor asks for its hash code. But not one that was there
 * before the program started, whoever needs its name now.
 */
static const struct canon_strand *maker_of(const char *class)
{
    const struct canon_thread *thread = canon_thread_self();
    return is_of_jdk(class) || thread->block.quiet ? NULL : thread->strand;
}

static struct canon_loader *find(JNIEnv *env, jobject object)
{
    static struct canon_loader BOOT = {.of_jdk = true, .name = "boot"};
    jfieldID field = object ? name_field(env) : NULL;
    if (!field)
        return &BOOT;
    struct canon_loader *loader = (struct canon_loader *)(*env)->GetLongField(env, object, field);
    if (loader)
        return loader;
    char *class = class_of(env, object);
    pthread_mutex_lock(&naming);
    loader = (struct canon_loader *)(*env)->GetLongField(env, object, field);
    if (!loader)
        loader = name_loader(class, maker_of(class));
    (*env)->SetLongField(env, object, field, (jlong)loader);
    pthread_mutex_unlock(&naming);
    free(class);
    return loader;
}

const struct canon_loader *canon_loader_of(JNIEnv *env, jobject object)
{
    return find(env, object);
}

/* ---- loaders of the program's own ---------------------------------------------------------------------- */

static bool is_own(JNIEnv *env, jobject object)
{
    static _Atomic(jfieldID) parent_field;
    jobject of_class = NULL;
    jclass class = (*env)->GetObjectClass(env, object);
    (*canon_agent.jvmti)->GetClassLoader(canon_agent.jvmti, class, &of_class);
    (*env)->DeleteLocalRef(env, class);
    if (of_class) {
        (*env)->DeleteLocalRef(env, of_class);
        return true;
    }
    if (!parent_field)
        parent_field = field_of(env, "parent", "Ljava/lang/ClassLoader;");
    jobject parent = parent_field ? (*env)->GetObjectField(env, object, parent_field) : NULL;
    bool has = parent && find(env, parent)->own;
    (*env)->DeleteLocalRef(env, parent);
    return has;
}

/*
 * The JVM takes a loader for parallel capable that has a map of locks. Otherwise it would lock the loader by
 * itself, without a word to canon; and on 17 let nobody else load a class that a thread has asked for which
 * at replay has to wait for another. What ClassLoader does with the map: Canon.loadingLock.
 */
static bool make_parallel(JNIEnv *env, jobject object)
{
    jfieldID locks = field_of(env, "parallelLockMap", "Ljava/util/concurrent/ConcurrentHashMap;");
    jfieldID flag = field_of(env, "canonSerial", "Z");
    jobject map = locks && flag ? (*env)->GetObjectField(env, object, locks) : NULL;
    if (map || !locks || !flag) {
        (*env)->DeleteLocalRef(env, map);
        return false;
    }
    jclass class = (*env)->FindClass(env, "java/util/concurrent/ConcurrentHashMap");
    map = (*env)->NewObject(env, class, (*env)->GetMethodID(env, class, "<init>", "()V"));
    (*env)->SetBooleanField(env, object, flag, JNI_TRUE);
    (*env)->SetObjectField(env, object, locks, map);
    (*env)->DeleteLocalRef(env, map);
    (*env)->DeleteLocalRef(env, class);
    return true;
}

void canon_loader_made(JNIEnv *env, jobject object)
{
    struct canon_thread *thread = canon_thread_self();
    struct canon_loader *loader = find(env, object);
    if (!canon_agent.ordered || canon_agent.serial || canon_agent.vector || !is_own(env, object))
        return;
    int64_t lane = thread->block.lane;
    thread->block.lane = 0; /* for Java code that this calls */
    loader->serial = make_parallel(env, object);
    loader->own = true;
    thread->block.lane = lane;
    if (canon_role_now() != CANON_ROLE_REPLAYER)
        return;
    jweak reference = (*env)->NewWeakGlobalRef(env, object);
    pthread_mutex_lock(&naming);
    canon_map_put(&own, key_of(loader->name))->pointer = reference;
    pthread_mutex_unlock(&naming);
}

jobject canon_loader_find(JNIEnv *env, const char *name)
{
    pthread_mutex_lock(&naming);
    union canon_map_value *found = canon_map_get(&own, key_of(name));
    jweak reference = found ? found->pointer : NULL;
    pthread_mutex_unlock(&naming);
    return reference ? (*env)->NewLocalRef(env, reference) : NULL;
}
