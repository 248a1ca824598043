/*
 * transfer.c: see transfer.h.
 *
 * Objects go by value: class and fields, superclass's first, references followed. That is right for what
 * natives of the JDK hand out (addresses, interfaces, figures). Threads go by the names of their strands, and
 * classes by theirs: those are there at replay, too. It is not meant for other live things such as class
 * loaders, which table rows must not name.
 */
#include "jvm/transfer.h"

#include "base/assert.h"
#include "base/log.h"
#include "jvm/threads.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OBJECTS_MAX = 4096, DEPTH_MAX = 32 };

/* ---- classes and their fields ------------------------------------------------------------------------ */

struct field {
    jfieldID id;
    char type;
};

struct shape {
    jclass class; /* global reference */
    bool is_enum; /* constants go by name: there is one of each */
    bool is_thread;
    char *signature;
    struct field *fields;
    size_t count;
    struct shape *next;
};

static struct shape *_Atomic shapes; /* grows only; entries never change */

/* Not static, and not one that canon has put there. */
static bool is_programs(const char *name, jint modifiers)
{
    return !(modifiers & 0x0008) && !(modifiers & 0x1000 && strncmp(name, "canon", 5) == 0);
}

static void add_fields(struct shape *shape, jclass class)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jint count = 0;
    jfieldID *ids = NULL;
    if ((*jvmti)->GetClassFields(jvmti, class, &count, &ids))
        return;
    shape->fields = realloc(shape->fields, (shape->count + (size_t)count + 1) * sizeof *shape->fields);
    canon_assert(shape->fields);
    for (jint i = 0; i < count; i++) {
        jint modifiers = 0;
        char *name = NULL, *signature = NULL;
        (*jvmti)->GetFieldModifiers(jvmti, class, ids[i], &modifiers);
        if (!(*jvmti)->GetFieldName(jvmti, class, ids[i], &name, &signature, NULL) &&
            is_programs(name, modifiers))
            shape->fields[shape->count++] = (struct field){ids[i], signature[0]};
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)ids);
}

static const struct shape *shape_of(JNIEnv *env, jclass class)
{
    for (struct shape *shape = shapes; shape; shape = shape->next)
        if ((*env)->IsSameObject(env, shape->class, class))
            return shape;
    struct shape *shape = calloc(1, sizeof *shape);
    canon_assert(shape);
    char *signature = NULL;
    (*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, class, &signature, NULL);
    canon_assert(signature);
    shape->signature = strdup(signature);
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    shape->class = (*env)->NewGlobalRef(env, class);
    jclass enumeration = (*env)->FindClass(env, "java/lang/Enum");
    shape->is_enum = (*env)->IsAssignableFrom(env, class, enumeration);
    shape->is_thread = (*env)->IsAssignableFrom(env, class, (*env)->FindClass(env, "java/lang/Thread"));
    for (jclass at = class; at; at = (*env)->GetSuperclass(env, at))
        add_fields(shape, at);
    shape->next = shapes;
    while (!atomic_compare_exchange_weak(&shapes, &shape->next, shape))
        ;
    return shape;
}

/* ---- primitives ---------------------------------------------------------------------------------------- */

void canon_transfer_primitive(struct canon_step *step, char type, uint64_t *bits)
{
    if (type == 'F' || type == 'D') {
        canon_step_raw(step, type == 'F' ? 'f' : 'd', bits, type == 'F' ? 4 : 8);
        return;
    }
    /* The upper bits of a register that holds a narrow value mean nothing. */
    int64_t value = type == 'Z'   ? (uint8_t)*bits
                    : type == 'B' ? (int8_t)*bits
                    : type == 'C' ? (uint16_t)*bits
                    : type == 'S' ? (int16_t)*bits
                    : type == 'I' ? (int32_t)*bits
                                  : (int64_t)*bits;
    canon_step_int(step, &value);
    *bits = (uint64_t)value;
}

/* One field of primitive type. */
#define PRIMITIVE_FIELD(letter, Name, type)                                                                  \
    case letter: {                                                                                           \
        uint64_t bits = 0;                                                                                   \
        type value = (*env)->Get##Name##Field(env, object, field->id);                                       \
        memcpy(&bits, &value, sizeof value);                                                                 \
        canon_transfer_primitive(step, letter, &bits);                                                       \
        memcpy(&value, &bits, sizeof value);                                                                 \
        if (canon_step_gets(step) && !step->in.failed)                                                       \
            (*env)->Set##Name##Field(env, object, field->id, value);                                         \
        break;                                                                                               \
    }

/* ---- objects ------------------------------------------------------------------------------------------- */

/* One walk over a graph: the objects met so far, by number. */
struct walk {
    struct canon_step *step;
    JNIEnv *env;
    jobject seen[OBJECTS_MAX];
    size_t count;
    int depth;
};

static void walk_object(struct walk *walk, jobject *object);

static void walk_fields(struct walk *walk, jobject object, const struct shape *shape)
{
    struct canon_step *step = walk->step;
    JNIEnv *env = walk->env;
    for (size_t i = 0; i < shape->count; i++) {
        const struct field *field = &shape->fields[i];
        switch (field->type) {
            PRIMITIVE_FIELD('Z', Boolean, jboolean)
            PRIMITIVE_FIELD('B', Byte, jbyte)
            PRIMITIVE_FIELD('C', Char, jchar)
            PRIMITIVE_FIELD('S', Short, jshort)
            PRIMITIVE_FIELD('I', Int, jint)
            PRIMITIVE_FIELD('J', Long, jlong)
            PRIMITIVE_FIELD('F', Float, jfloat)
            PRIMITIVE_FIELD('D', Double, jdouble)
        default: {
            jobject value = canon_step_gets(step) ? NULL : (*env)->GetObjectField(env, object, field->id);
            walk_object(walk, &value);
            if (canon_step_gets(step) && !step->in.failed)
                (*env)->SetObjectField(env, object, field->id, value);
            if (value)
                (*env)->DeleteLocalRef(env, value);
        }
        }
    }
}

char *canon_java_text(JNIEnv *env, jstring string)
{
    jsize length = (*env)->GetStringUTFLength(env, string);
    char *text = malloc((size_t)length + 1);
    canon_assert(text);
    (*env)->GetStringUTFRegion(env, string, 0, (*env)->GetStringLength(env, string), text);
    text[length] = '\0';
    return text;
}

static size_t element_size(char element)
{
    return element == 'Z' || element == 'B'   ? 1
           : element == 'C' || element == 'S' ? 2
           : element == 'I' || element == 'F' ? 4
                                              : 8;
}

static jarray new_primitive_array(JNIEnv *env, char element, jsize length)
{
    switch (element) {
    case 'Z':
        return (*env)->NewBooleanArray(env, length);
    case 'B':
        return (*env)->NewByteArray(env, length);
    case 'C':
        return (*env)->NewCharArray(env, length);
    case 'S':
        return (*env)->NewShortArray(env, length);
    case 'I':
        return (*env)->NewIntArray(env, length);
    case 'J':
        return (*env)->NewLongArray(env, length);
    case 'F':
        return (*env)->NewFloatArray(env, length);
    case 'D':
        return (*env)->NewDoubleArray(env, length);
    default:
        return NULL;
    }
}

void canon_transfer_array(struct canon_step *step, JNIEnv *env, jarray array, char element)
{
    size_t size = (size_t)(*env)->GetArrayLength(env, array) * element_size(element);
    void *data = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    canon_assert(data);
    canon_step_bytes(step, data, size);
    (*env)->ReleasePrimitiveArrayCritical(env, array, data, canon_step_gets(step) ? 0 : JNI_ABORT);
}

void canon_transfer_region(struct canon_step *step, JNIEnv *env, jbyteArray array, jint offset, jint length)
{
    char *data = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    canon_assert(data);
    canon_step_bytes(step, data + offset, (size_t)length);
    (*env)->ReleasePrimitiveArrayCritical(env, array, data, canon_step_gets(step) ? 0 : JNI_ABORT);
}

/* FindClass takes "java/lang/String" and "[Ljava/lang/String;", not "Ljava/lang/String;". */
static jclass find_class(JNIEnv *env, const char *signature)
{
    char name[1024];
    size_t length = strlen(signature);
    if (length >= sizeof name)
        return NULL;
    memcpy(name, signature, length + 1);
    if (name[0] != 'L')
        return (*env)->FindClass(env, name);
    name[length - 1] = '\0';
    return (*env)->FindClass(env, name + 1);
}

/* The class of an object to be made; failure makes the step fail. */
static jclass class_from(struct walk *walk, const char *signature)
{
    jclass class = signature ? find_class(walk->env, signature) : NULL;
    if (!class) {
        (*walk->env)->ExceptionClear(walk->env);
        walk->step->in.failed = true;
    }
    return class;
}

static jfieldID enum_name(JNIEnv *env)
{
    static jfieldID id;
    if (!id)
        id = (*env)->GetFieldID(env, (*env)->FindClass(env, "java/lang/Enum"), "name", "Ljava/lang/String;");
    return id;
}

/* A thread by what canon calls it, a class by its signature. */
static void put_live(struct canon_step *step, JNIEnv *env, jobject object, bool is_thread)
{
    char *signature = NULL, *label = NULL;
    if (is_thread)
        label = canon_thread_label(env, object);
    else if (!(*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, object, &signature, NULL))
        label = strdup(signature);
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    canon_step_tag(step, is_thread ? 'T' : 'C');
    canon_step_text(step, &label);
    free(label);
}

static void put_object(struct walk *walk, jobject object)
{
    JNIEnv *env = walk->env;
    struct canon_step *step = walk->step;
    for (size_t i = 0; i < walk->count; i++)
        if ((*env)->IsSameObject(env, walk->seen[i], object)) {
            int64_t number = (int64_t)i;
            canon_step_tag(step, 'r');
            canon_step_int(step, &number);
            return;
        }
    const struct shape *shape = shape_of(env, (*env)->GetObjectClass(env, object));
    char *signature = shape->signature;
    if (walk->count == OBJECTS_MAX || walk->depth > DEPTH_MAX) {
        canon_log("jvm", CANON_LOG_WARN, "object graph of %s is too large", signature);
        canon_step_tag(step, 'n');
        return;
    }
    walk->seen[walk->count++] = (*env)->NewLocalRef(env, object);
    int64_t length = signature[0] == '[' ? (*env)->GetArrayLength(env, object) : 0;
    if (strcmp(signature, "Ljava/lang/String;") == 0) {
        char *text = canon_java_text(env, object);
        canon_step_text(step, &text);
        free(text);
    } else if (signature[0] == '[') {
        bool primitive = strchr("ZBCSIJFD", signature[1]) != NULL;
        canon_step_tag(step, primitive ? 'p' : 'a');
        canon_step_text(step, &signature);
        canon_step_int(step, &length);
        if (primitive)
            canon_transfer_array(step, env, object, signature[1]);
        for (int64_t i = 0; !primitive && i < length; i++) {
            jobject element = (*env)->GetObjectArrayElement(env, object, (jsize)i);
            walk_object(walk, &element);
            (*env)->DeleteLocalRef(env, element);
        }
    } else if (shape->is_thread || strcmp(signature, "Ljava/lang/Class;") == 0) {
        put_live(step, env, object, shape->is_thread);
    } else if (shape->is_enum) {
        canon_step_tag(step, 'e');
        canon_step_text(step, &signature);
        jstring name = (*env)->GetObjectField(env, object, enum_name(env));
        char *text = canon_java_text(env, name);
        canon_step_text(step, &text);
        free(text);
    } else {
        canon_step_tag(step, 'o');
        canon_step_text(step, &signature);
        walk_fields(walk, object, shape);
    }
}

static jobject get_array(struct walk *walk, bool primitive)
{
    JNIEnv *env = walk->env;
    struct canon_step *step = walk->step;
    char *signature = NULL;
    int64_t length = -1;
    canon_step_text(step, &signature);
    canon_step_int(step, &length);
    jobject array = NULL;
    if (signature && signature[0] == '[' && length >= 0 && length <= (int64_t)canon_reader_left(&step->in)) {
        if (primitive) {
            array = new_primitive_array(env, signature[1], (jsize)length);
            if (array)
                canon_transfer_array(step, env, array, signature[1]);
        } else {
            jclass element = class_from(walk, signature + 1);
            array = element ? (*env)->NewObjectArray(env, (jsize)length, element, NULL) : NULL;
        }
    }
    free(signature);
    if (!array) {
        step->in.failed = true;
        return NULL;
    }
    walk->seen[walk->count++] = array;
    for (int64_t i = 0; !primitive && i < length && !step->in.failed; i++) {
        jobject value = NULL;
        walk_object(walk, &value);
        (*env)->SetObjectArrayElement(env, array, (jsize)i, value);
    }
    return array;
}

static jobject get_plain(struct walk *walk)
{
    char *signature = NULL;
    canon_step_text(walk->step, &signature);
    jclass class = class_from(walk, signature);
    free(signature);
    jobject object = class ? (*walk->env)->AllocObject(walk->env, class) : NULL;
    if (!object) {
        walk->step->in.failed = true;
        return NULL;
    }
    walk->seen[walk->count++] = object;
    walk_fields(walk, object, shape_of(walk->env, class));
    return object;
}

/* It may be about to begin: without the order of threads, and if it is one of the JVM's own. */
static jobject await_thread(JNIEnv *env, const char *label)
{
    jobject thread = NULL;
    for (int tries = 0; !(thread = canon_thread_labelled(env, label)) && tries < 2000; tries++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return thread;
}

/*
 * Whoever loaded the class. It is asked which loader that was, to show it: one of the JDK's own does for a
 * class that is not loaded yet here.
 */
static jobject loaded_class(JNIEnv *env, const char *signature)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jint count = 0;
    jclass *classes = NULL, found = NULL;
    if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes))
        return NULL;
    for (jint i = 0; i < count; i++) {
        char *its = NULL;
        if (!found && !(*jvmti)->GetClassSignature(jvmti, classes[i], &its, NULL) &&
            strcmp(its, signature) == 0)
            found = (*env)->NewLocalRef(env, classes[i]);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)its);
        (*env)->DeleteLocalRef(env, classes[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)classes);
    return found ? found : (*env)->FindClass(env, "java/lang/Object");
}

static jobject get_live(struct walk *walk, bool is_thread)
{
    char *label = NULL;
    canon_step_text(walk->step, &label);
    jobject object = !label      ? NULL
                     : is_thread ? await_thread(walk->env, label)
                                 : loaded_class(walk->env, label);
    free(label);
    if (object)
        walk->seen[walk->count++] = object;
    else
        walk->step->in.failed = true;
    return object;
}

static jobject get_constant(struct walk *walk)
{
    JNIEnv *env = walk->env;
    char *signature = NULL, *name = NULL;
    canon_step_text(walk->step, &signature);
    canon_step_text(walk->step, &name);
    jclass class = class_from(walk, signature);
    jfieldID field = class && name ? (*env)->GetStaticFieldID(env, class, name, signature) : NULL;
    jobject constant = field ? (*env)->GetStaticObjectField(env, class, field) : NULL;
    (*env)->ExceptionClear(env);
    if (constant)
        walk->seen[walk->count++] = constant;
    else
        walk->step->in.failed = true;
    free(signature);
    free(name);
    return constant;
}

static jobject get_object(struct walk *walk)
{
    struct canon_step *step = walk->step;
    if (walk->count == OBJECTS_MAX || walk->depth > DEPTH_MAX) {
        step->in.failed = true;
        return NULL;
    }
    if (canon_step_peek(step) == 's') {
        char *text = NULL;
        canon_step_text(step, &text);
        jobject string = text ? (*walk->env)->NewStringUTF(walk->env, text) : NULL;
        free(text);
        walk->seen[walk->count++] = string;
        return string;
    }
    char tag = canon_step_tag(step, 0);
    int64_t number = -1;
    switch (tag) {
    case 'n':
        return NULL;
    case 'r':
        canon_step_int(step, &number);
        if (number >= 0 && number < (int64_t)walk->count)
            return (*walk->env)->NewLocalRef(walk->env, walk->seen[number]);
        break;
    case 'p':
    case 'a':
        return get_array(walk, tag == 'p');
    case 'o':
        return get_plain(walk);
    case 'T':
    case 'C':
        return get_live(walk, tag == 'T');
    case 'e':
        return get_constant(walk);
    }
    step->in.failed = true;
    return NULL;
}

static void walk_object(struct walk *walk, jobject *object)
{
    walk->depth++;
    if (canon_step_gets(walk->step)) {
        jobject made = get_object(walk);
        *object = made ? (*walk->env)->NewLocalRef(walk->env, made) : NULL;
    } else if (*object) {
        put_object(walk, *object);
    } else {
        canon_step_tag(walk->step, 'n');
    }
    walk->depth--;
}

/* Runs `visit` in a walk of its own, with room for its local references. */
#define WALK(step_, env_, visit)                                                                             \
    do {                                                                                                     \
        struct walk *walk = calloc(1, sizeof *walk);                                                         \
        canon_assert(walk);                                                                                  \
        walk->step = (step_);                                                                                \
        walk->env = (env_);                                                                                  \
        visit;                                                                                               \
        free(walk);                                                                                          \
    } while (0)

void canon_transfer_object(struct canon_step *step, JNIEnv *env, jobject *object)
{
    if (!canon_step_gets(step) && !*object) {
        canon_step_tag(step, 'n');
        return;
    }
    (*env)->PushLocalFrame(env, 256);
    WALK(step, env, walk_object(walk, object));
    jobject kept = (*env)->PopLocalFrame(env, canon_step_gets(step) ? *object : NULL);
    if (canon_step_gets(step))
        *object = kept;
}

void canon_transfer_fields(struct canon_step *step, JNIEnv *env, jobject object)
{
    (*env)->PushLocalFrame(env, 256);
    const struct shape *shape = shape_of(env, (*env)->GetObjectClass(env, object));
    WALK(step, env, walk_fields(walk, object, shape));
    (*env)->PopLocalFrame(env, NULL);
}

void canon_transfer_elements(struct canon_step *step, JNIEnv *env, jobjectArray array)
{
    jsize length = (*env)->GetArrayLength(env, array);
    for (jsize i = 0; i < length; i++) {
        jobject value = canon_step_gets(step) ? NULL : (*env)->GetObjectArrayElement(env, array, i);
        canon_transfer_object(step, env, &value);
        if (canon_step_gets(step) && !step->in.failed)
            (*env)->SetObjectArrayElement(env, array, i, value);
    }
}

/* ---- exceptions ---------------------------------------------------------------------------------------- */

static jfieldID throwable_message(JNIEnv *env)
{
    static jfieldID id;
    if (!id)
        id = (*env)->GetFieldID(env, (*env)->FindClass(env, "java/lang/Throwable"), "detailMessage",
                                "Ljava/lang/String;");
    return id;
}

/* UnixException carries a number instead of a message; its getMessage would call a native. */
static jfieldID errno_field(JNIEnv *env, jclass class, const char *signature)
{
    if (strcmp(signature, "Lsun/nio/fs/UnixException;") != 0)
        return NULL;
    return (*env)->GetFieldID(env, class, "errno", "I");
}

static jthrowable make_exception(JNIEnv *env, jclass class, jstring message, bool has_errno, jint number)
{
    const char *descriptor = has_errno ? "(I)V" : "(Ljava/lang/String;)V";
    jmethodID constructor = (*env)->GetMethodID(env, class, "<init>", descriptor);
    if (constructor)
        return has_errno ? (*env)->NewObject(env, class, constructor, number)
                         : (*env)->NewObject(env, class, constructor, message);
    (*env)->ExceptionClear(env);
    constructor = (*env)->GetMethodID(env, class, "<init>", "()V");
    if (!constructor) {
        (*env)->ExceptionClear(env);
        return NULL;
    }
    jthrowable made = (*env)->NewObject(env, class, constructor);
    if (made)
        (*env)->SetObjectField(env, made, throwable_message(env), message);
    return made;
}

static void put_exception(struct canon_step *step, JNIEnv *env, jthrowable exception)
{
    jclass class = (*env)->GetObjectClass(env, exception);
    char *signature = NULL;
    (*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, class, &signature, NULL);
    canon_assert(signature);
    canon_step_text(step, &signature);
    jstring message = (*env)->GetObjectField(env, exception, throwable_message(env));
    char *text = message ? canon_java_text(env, message) : NULL;
    canon_step_text(step, &text);
    free(text);
    jfieldID number = errno_field(env, class, signature);
    int64_t value = number ? (*env)->GetIntField(env, exception, number) : -1;
    canon_step_int(step, &value);
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
}

static jthrowable get_exception(struct canon_step *step, JNIEnv *env)
{
    char *signature = NULL, *text = NULL;
    int64_t value = -1;
    canon_step_text(step, &signature);
    canon_step_text(step, &text);
    canon_step_int(step, &value);
    jclass class = signature ? find_class(env, signature) : NULL;
    jthrowable made = NULL;
    if (class)
        made = make_exception(env, class, text ? (*env)->NewStringUTF(env, text) : NULL,
                              errno_field(env, class, signature) != NULL, (jint)value);
    else
        (*env)->ExceptionClear(env);
    if (!made)
        step->in.failed = true;
    free(signature);
    free(text);
    return made;
}

void canon_transfer_exception(struct canon_step *step, JNIEnv *env, jthrowable *exception)
{
    canon_step_tag(step, 'x');
    if (canon_step_gets(step))
        *exception = get_exception(step, env);
    else
        put_exception(step, env, *exception);
}
