/* fields.c: see fields.h. */
#include "jvm/fields.h"

#include "base/assert.h"
#include "classfile/lazy.h"
#include "classfile/lockfree.h"
#include "jvm/classpath.h"
#include "jvm/image.h"
#include "jvm/loaders.h"
#include "jvm/racy.h"
#include "role/memo.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- fields of classes that were seen, and of the JDK's ------------------------------------------------ */

struct known_field {
    uint64_t name;   /* its key */
    uint64_t key;    /* of name and descriptor */
    uint16_t access; /* volatile if the field counts as that, too: racy.h */
};

struct known_class {
    uint64_t key; /* of its name */
    uint64_t super;
    char *super_name; /* NULL: none */
    char **interfaces;
    uint32_t interface_count;
    char *name;
    struct known_field *fields;
    uint32_t field_count;
    bool looked_up;           /* on the class path, and not loaded yet */
    struct known_class *next; /* in its bucket */
};

enum { BUCKETS = 4096 };

/* Protects both tables of this file; leaf lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known_class *buckets[BUCKETS];

static _Thread_local bool on_class_path; /* the class being rewritten is */

static uint64_t key_of(struct canon_utf8 text, uint64_t seed)
{
    return XXH3_64bits_withSeed(text.text, text.length, seed);
}

static struct known_class *find_known(uint64_t key)
{
    struct known_class *known = buckets[key % BUCKETS];
    while (known && known->key != key)
        known = known->next;
    return known;
}

/* What is known of a field; `racy` says whether it counts as volatile anyway. */
static struct known_field known_field(const struct canon_member *field, bool racy)
{
    uint64_t name = key_of(field->name, 0);
    return (struct known_field){name, key_of(field->descriptor, name),
                                (uint16_t)(field->access | (racy ? CANON_ACC_VOLATILE : 0))};
}

static struct known_field *known_fields(const struct canon_class *cls)
{
    struct known_field *fields = calloc(cls->field_count + 1u, sizeof *fields);
    bool *racy = calloc(cls->field_count + 1u, sizeof *racy);
    canon_assert(fields && racy);
    canon_class_lazy_fields(cls, canon_racy_if_lazy(cls->name), racy);
    if (canon_racy_if_lazy(cls->name))
        canon_class_offset_fields(cls, racy);
    for (uint32_t i = 0; i < cls->field_count; i++)
        fields[i] = known_field(&cls->fields[i], racy[i]);
    free(racy);
    return fields;
}

static struct known_class *remember(const struct canon_class *cls)
{
    struct canon_utf8 name = cls->name;
    struct known_class *known = calloc(1, sizeof *known);
    canon_assert(known);
    known->key = key_of(name, 0);
    known->name = strndup(name.text, name.length);
    canon_assert(known->name);
    struct canon_utf8 super = canon_class_super_name(cls);
    known->super_name = super.length ? strndup(super.text, super.length) : NULL;
    known->interfaces = calloc(cls->interface_count + 1u, sizeof *known->interfaces);
    canon_assert(known->interfaces);
    for (uint32_t i = 0; i < cls->interface_count; i++) {
        struct canon_utf8 interface = canon_class_interface(cls, i);
        known->interfaces[known->interface_count++] = strndup(interface.text, interface.length);
    }
    known->fields = known_fields(cls);
    known->field_count = cls->field_count;
    known->next = buckets[known->key % BUCKETS];
    return buckets[known->key % BUCKETS] = known;
}

/* Whether another class of that name has a field that is volatile in just one of the two. */
static bool contradicts(const struct known_class *known, const struct canon_class *cls)
{
    struct known_field *fields = known_fields(cls);
    bool other = false;
    for (uint32_t i = 0; i < cls->field_count; i++)
        for (uint32_t j = 0; j < known->field_count; j++)
            other |= known->fields[j].key == fields[i].key &&
                     (known->fields[j].access ^ fields[i].access) & CANON_ACC_VOLATILE;
    free(fields);
    return other;
}

void canon_fields_learn(const struct canon_class *cls)
{
    pthread_mutex_lock(&lock);
    struct known_class *known = find_known(key_of(cls->name, 0));
    bool other = known && contradicts(known, cls);
    if (!known)
        known = remember(cls);
    known->looked_up = false;
    pthread_mutex_unlock(&lock);
    if (!other)
        return;
    char text[400];
    snprintf(text, sizeof text, "there are two classes %.*s: volatile fields of one were not recorded",
             (int)cls->name.length, cls->name.text);
    canon_role_note(CANON_NOTE_LIMIT, text);
}

static struct known_class *learn(const uint8_t *data, size_t size)
{
    struct canon_class cls;
    if (canon_class_open(&cls, data, size))
        return NULL;
    struct known_class *known = remember(&cls);
    canon_class_close(&cls);
    return known;
}

static uint8_t *read_from_image(struct canon_utf8 name, size_t *size)
{
    char path[1024];
    int length = snprintf(path, sizeof path, "%.*s.class", (int)name.length, name.text);
    return length > 0 && (size_t)length < sizeof path ? canon_image_read(path, size) : NULL;
}

/* NULL if neither the image nor the class path has the class. */
static const struct known_class *known_class(struct canon_utf8 name)
{
    pthread_mutex_lock(&lock);
    struct known_class *known = find_known(key_of(name, 0));
    bool look = on_class_path && canon_role_now() == CANON_ROLE_RECORDER;
    if (!known) {
        size_t size = 0;
        uint8_t *of_jdk = read_from_image(name, &size);
        uint8_t *data = !of_jdk && look ? canon_classpath_read(name, &size) : of_jdk;
        known = data ? learn(data, size) : NULL;
        if (known)
            known->looked_up = !of_jdk;
        free(data);
    }
    pthread_mutex_unlock(&lock);
    return known;
}

/* -1: not known. `looked_up` is set if it would not be known at replay. */
static int access_now(const struct canon_ref *ref, bool *looked_up)
{
    uint64_t key = key_of(ref->descriptor, key_of(ref->name, 0));
    const struct known_class *known = known_class(ref->owner);
    while (known) {
        *looked_up |= known->looked_up;
        for (uint32_t i = 0; i < known->field_count; i++)
            if (known->fields[i].key == key)
                return known->fields[i].access |
                       (canon_racy_field(canon_utf8_from(known->name), ref->name) ? CANON_ACC_VOLATILE : 0);
        if (!known->super_name)
            return CANON_ACC_FINAL; /* of an interface */
        known = known_class(canon_utf8_from(known->super_name));
    }
    return -1;
}

/* The same in both roles, for classes of the class path. */
static int access_of(const struct canon_ref *ref)
{
    static _Atomic uint64_t id;
    bool looked_up = false, recording = canon_role_now() == CANON_ROLE_RECORDER;
    int64_t access = access_now(ref, &looked_up);
    if (!on_class_path || (recording ? !looked_up || access < 0 : access >= 0))
        return (int)access;
    struct canon_buffer items = {0};
    struct canon_step step = {.way = recording ? CANON_STEP_PUT : CANON_STEP_GET, .out = &items};
    uint64_t key = key_of(ref->descriptor, key_of(ref->name, key_of(ref->owner, 0)));
    if (recording || canon_memo_get(key, &step.in))
        canon_step_int(&step, &access);
    if (recording)
        canon_memo_put(key, canon_role_name_kept("java/lang/reflect/Field.getModifiers", &id), &items);
    canon_buffer_free(&items);
    return step.in.failed ? -1 : (int)access;
}

bool canon_field_is_racy(struct canon_utf8 class, struct canon_utf8 field)
{
    if (canon_racy_field(class, field))
        return true;
    const struct known_class *known = canon_racy_if_lazy(class) ? known_class(class) : NULL;
    uint64_t name = key_of(field, 0);
    for (uint32_t i = 0; known && i < known->field_count; i++)
        if (known->fields[i].name == name && known->fields[i].access & CANON_ACC_VOLATILE)
            return true;
    return false;
}

bool canon_fields_declares(struct canon_utf8 class, const char *field)
{
    const struct known_class *known = known_class(class);
    uint64_t name = key_of(canon_utf8_from(field), 0);
    for (uint32_t i = 0; known && i < known->field_count; i++)
        if (known->fields[i].name == name && known->fields[i].access & CANON_ACC_STATIC)
            return true;
    return false;
}

enum { DEPTH_MOST = 64 }; /* class files may say anything, that they inherit from themselves too */

static bool knows_none(struct canon_utf8 name, bool (*is)(void *context, struct canon_utf8 name),
                       void *context, int depth)
{
    const struct known_class *known = depth < DEPTH_MOST ? known_class(name) : NULL;
    if (!known || is(context, name))
        return false;
    for (uint32_t i = 0; i < known->interface_count; i++) /* fields are inherited from them, too */
        if (!knows_none(canon_utf8_from(known->interfaces[i]), is, context, depth + 1))
            return false;
    return !known->super_name || knows_none(canon_utf8_from(known->super_name), is, context, depth + 1);
}

bool canon_fields_knows_none(struct canon_utf8 name, bool (*is)(void *context, struct canon_utf8 name),
                             void *context)
{
    return knows_none(name, is, context, 0);
}

/* ---- sites --------------------------------------------------------------------------------------------- */

struct site {
    char *owner;
    char *name;
    char *descriptor;
    jweak loader; /* of the class that has the site; NULL: the boot loader */
};

static struct site *sites[CANON_SITES / 1024];
static int32_t site_count;
static _Thread_local JNIEnv *loader_env;
static _Thread_local jobject loader;
static _Thread_local jweak loader_ref; /* made when the first site of a class needs it */

int32_t canon_fields_sites(void)
{
    pthread_mutex_lock(&lock);
    int32_t count = site_count;
    pthread_mutex_unlock(&lock);
    return count;
}

void canon_fields_from_loader(JNIEnv *env, jobject of)
{
    static const char SYSTEM[] = "Ljdk/internal/loader/ClassLoaders$AppClassLoader;";
    loader_env = env;
    loader = of;
    loader_ref = NULL;
    on_class_path = of && strncmp(canon_loader_of(env, of)->name, SYSTEM, sizeof SYSTEM - 1) == 0;
}

const char *canon_fields_loader(void)
{
    return canon_loader_of(loader_env, loader)->name;
}

static char *copy(struct canon_utf8 text)
{
    char *made = strndup(text.text, text.length);
    canon_assert(made);
    return made;
}

static int32_t new_site(const struct canon_ref *ref, bool is_static)
{
    if (is_static && loader && !loader_ref)
        loader_ref = (*loader_env)->NewWeakGlobalRef(loader_env, loader);
    pthread_mutex_lock(&lock);
    int32_t number = site_count < CANON_SITES ? site_count++ : -1;
    if (number >= 0) {
        struct site **block = &sites[number / 1024];
        if (!*block)
            *block = calloc(1024, sizeof **block);
        canon_assert(*block);
        (*block)[number % 1024] =
            (struct site){copy(ref->owner), copy(ref->name), copy(ref->descriptor), loader_ref};
    }
    pthread_mutex_unlock(&lock);
    return number;
}

enum canon_field_kind canon_field_kind(void *context, const struct canon_class *cls,
                                       const struct canon_ref *ref, bool is_static, int32_t *site)
{
    (void)context, (void)cls;
    int access = access_of(ref);
    if (access >= 0)
        return access & CANON_ACC_VOLATILE ? CANON_FIELD_ORDERED
               : access & CANON_ACC_FINAL  ? CANON_FIELD_FINAL
                                           : CANON_FIELD_PLAIN;
    *site = new_site(ref, is_static);
    if (*site >= 0)
        return CANON_FIELD_UNKNOWN;
    canon_role_note(CANON_NOTE_LIMIT, "too many classes: volatile fields of some were not recorded");
    return CANON_FIELD_PLAIN;
}

/* By what the JVM says of the class. */
static bool is_racy(jclass class, const char *field)
{
    char *signature = NULL;
    if ((*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, class, &signature, NULL))
        return false;
    struct canon_utf8 name = {signature + 1, (uint32_t)strlen(signature) - 2};
    bool racy = canon_field_is_racy(name, canon_utf8_from(field));
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    return racy;
}

static bool is_class(jclass class, const char *name)
{
    char *signature = NULL;
    if ((*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, class, &signature, NULL))
        return false;
    size_t length = strlen(name);
    bool is = strncmp(signature + 1, name, length) == 0 && signature[length + 1] == ';';
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    return is;
}

/* The class of that name which the loader has found before. */
static jclass loaded_class(JNIEnv *env, const struct site *site)
{
    jobject of = site->loader ? (*env)->NewLocalRef(env, site->loader) : NULL;
    if (!of)
        return (*env)->FindClass(env, site->owner);
    char *dotted = strdup(site->owner);
    canon_assert(dotted);
    for (char *at = dotted; *at; at++)
        *at = *at == '/' ? '.' : *at;
    jmethodID find = (*env)->GetMethodID(env, (*env)->FindClass(env, "java/lang/ClassLoader"),
                                         "findLoadedClass0", "(Ljava/lang/String;)Ljava/lang/Class;");
    jclass class = find ? (*env)->CallObjectMethod(env, of, find, (*env)->NewStringUTF(env, dotted)) : NULL;
    free(dotted);
    return class;
}

static jfieldID field_at(JNIEnv *env, jobject object, const struct site *site, jclass *owner)
{
    if (!object) {
        *owner = loaded_class(env, site);
        return *owner ? (*env)->GetStaticFieldID(env, *owner, site->name, site->descriptor) : NULL;
    }
    *owner = (*env)->GetObjectClass(env, object);
    while (*owner && !is_class(*owner, site->owner))
        *owner = (*env)->GetSuperclass(env, *owner);
    return *owner ? (*env)->GetFieldID(env, *owner, site->name, site->descriptor) : NULL;
}

bool canon_field_is_volatile(JNIEnv *env, jobject object, int32_t number)
{
    if (number < 0 || number >= CANON_SITES || !sites[number / 1024])
        return false;
    const struct site *site = &sites[number / 1024][number % 1024];
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jint modifiers = 0;
    bool racy = false;
    jclass owner = NULL, declaring = NULL;
    if ((*env)->PushLocalFrame(env, 32))
        return false;
    jfieldID field = field_at(env, object, site, &owner);
    (*env)->ExceptionClear(env);
    if (field && !(*jvmti)->GetFieldDeclaringClass(jvmti, owner, field, &declaring)) {
        (*jvmti)->GetFieldModifiers(jvmti, declaring, field, &modifiers);
        racy = is_racy(declaring, site->name);
    }
    (*env)->PopLocalFrame(env, NULL);
    return modifiers & CANON_ACC_VOLATILE || racy;
}

/* Static fields have no offset that JNI would tell. */
static int64_t offset_of(JNIEnv *env, jclass type, jfieldID field)
{
    static jmethodID offset;
    static jobject unsafe;
    if (!unsafe) {
        jclass class = (*env)->FindClass(env, "jdk/internal/misc/Unsafe");
        jfieldID instance = (*env)->GetStaticFieldID(env, class, "theUnsafe", "Ljdk/internal/misc/Unsafe;");
        offset = (*env)->GetMethodID(env, class, "staticFieldOffset0", "(Ljava/lang/reflect/Field;)J");
        unsafe = (*env)->NewGlobalRef(env, (*env)->GetStaticObjectField(env, class, instance));
    }
    jobject reflected = (*env)->ToReflectedField(env, type, field, JNI_TRUE);
    int64_t found = reflected ? (*env)->CallLongMethod(env, unsafe, offset, reflected) : -1;
    (*env)->DeleteLocalRef(env, reflected);
    return found;
}

int32_t canon_field_static_hash(JNIEnv *env, jclass type, int64_t offset)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jint count = 0;
    jfieldID *fields = NULL;
    int32_t hash = 0;
    (*jvmti)->GetClassFields(jvmti, type, &count, &fields);
    for (jint i = 0; i < count && !hash; i++) {
        char *name = NULL, *descriptor = NULL;
        jint modifiers = 0;
        (*jvmti)->GetFieldModifiers(jvmti, type, fields[i], &modifiers);
        if (!(modifiers & CANON_ACC_STATIC) || offset_of(env, type, fields[i]) != offset)
            continue;
        if (!(*jvmti)->GetFieldName(jvmti, type, fields[i], &name, &descriptor, NULL))
            hash = canon_field_hash(canon_utf8_from(name), canon_utf8_from(descriptor));
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)fields);
    (*env)->ExceptionClear(env);
    return hash;
}
