/*
 * special.c: natives that need a function of their own; SPECIAL rows of the table name them here.
 */
#include "jvm/define.h"
#include "jvm/firsts.h"
#include "jvm/hash.h"
#include "jvm/inits.h"
#include "jvm/libraries.h"
#include "jvm/natives.h"
#include "jvm/order.h"
#include "jvm/requests.h"
#include "jvm/serial.h"
#include "jvm/services.h"
#include "jvm/threads.h"
#include "jvm/transfer.h"
#include "role/memo.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* The thread gets its strand from its parent (threads.c), whose step it is to start it. */
static uint64_t thread_start(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    struct canon_thread *thread = canon_thread_self();
    if (canon_thread_starts(env, (jobject)frame->integers[1]) && thread->depth == 0) {
        canon_thread_steps(thread);
        if (canon_step_begin(thread->strand, CANON_EVENT_NATIVE, native->id))
            canon_step_end(thread->strand, CANON_EVENT_NATIVE, native->id);
        canon_thread_stepped(thread);
    }
    return canon_native_run(native, frame);
}

/*
 * Who parks looks again, when it is back, at what it waits for; that is where a replay waits. Parking may
 * always come back at once, so at replay it does.
 */
static uint64_t park(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    struct canon_thread *thread = canon_thread_self();
    bool paused = canon_turns_pause(thread, true);
    if (canon_role_now() != CANON_ROLE_REPLAYER || !thread->block.lane)
        canon_native_run(native, frame);
    else if (!canon_agent.serial)
        sched_yield();
    canon_turns_resume(thread, paused);
    return 0;
}

static uint64_t yield(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    if (canon_agent.serial)
        canon_turns_yield(canon_thread_self());
    else
        canon_native_run(native, frame);
    return 0;
}

/* The process ends without a word to anybody: the trace must be closed first. */
static uint64_t halt(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    canon_thread_ends_process();
    return canon_native_run(native, frame);
}

/* Nobody waits at replay; whether it was interrupted is what the recording says. */
static uint64_t sleep_or_not(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    struct canon_thread *thread = canon_thread_self();
    bool replaying = canon_role_now() == CANON_ROLE_REPLAYER;
    if (!thread->strand || thread->depth)
        return canon_native_run(native, frame);
    jthrowable thrown = NULL;
    bool paused = canon_turns_pause(thread, true);
    canon_thread_steps(thread);
    if (!replaying) {
        canon_native_run(native, frame);
        thrown = (*env)->ExceptionOccurred(env);
        (*env)->ExceptionClear(env);
    }
    canon_turns_resume(thread, paused);
    canon_order_end_wait(env, thread, native->id, &thrown);
    canon_thread_stepped(thread);
    if (thrown)
        (*env)->Throw(env, thrown);
    return 0;
}

/*
 * The JDK's reaper waits for a child. Its threads come and go as they like, so the answer is kept by the
 * child's number (role/memo.h). At replay nothing takes time; but the child does not end before the program
 * has come as far as it had then.
 */
static uint64_t wait_child(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    uint64_t pid = canon_frame_arg(native, frame, 1);
    uint64_t key = XXH3_64bits_withSeed(&pid, sizeof pid, XXH3_64bits(native->name, strlen(native->name)));
    struct canon_buffer items = {0};
    struct canon_step step = {.way = CANON_STEP_PUT, .out = &items};
    int64_t result = 0, progress = 0;
    if (canon_role_now() == CANON_ROLE_REPLAYER) {
        step.way = CANON_STEP_GET;
        while (!canon_memo_get(key, &step.in))
            pause(); /* it was still running when the recording ended */
    } else {
        result = (int32_t)canon_native_run(native, frame);
        progress = (int64_t)canon_progress();
    }
    canon_step_int(&step, &result);
    canon_step_int(&step, &progress);
    if (canon_step_gets(&step))
        canon_progress_await((uint64_t)progress);
    else
        canon_memo_put(key, native->id, &items);
    canon_buffer_free(&items);
    canon_child_ends((int64_t)pid);
    return (uint64_t)result;
}

/* System.identityHashCode; Object.hashCode is bound before tables can be asked. */
static uint64_t identity_hash(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)native;
    jobject object = (jobject)frame->integers[2];
    return object ? (uint64_t)canon_hash_of(env, object) : 0;
}

/*
 * "a.b.C$$Lambda$7/0x0000000800001000" of "La/b/C$$Lambda$7.0x0000000800001000;", with other numbers; NULL
 * for what is no hidden class. Malloc'd. The `count`th that `label` chooses.
 */
static char *hidden_name(jclass class, const char *label, uint32_t count)
{
    char *signature = NULL, *name = NULL;
    if ((*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, class, &signature, NULL))
        return NULL;
    char *address = signature[0] == 'L' ? strstr(signature, ".0x") : NULL;
    if (address) {
        uint64_t chosen = XXH3_64bits_withSeed(label, strlen(label), count);
        int digits = (int)strlen(address) - (int)sizeof ".0x;" + 1;
        char *end = address;
        while (canon_agent.ordered && end[-1] >= '0' && end[-1] <= '9')
            end--; /* JDK 17 numbers lambdas as they are linked */
        char number[16] = "";
        if (end < address)
            snprintf(number, sizeof number, "%u", count);
        *end = '\0';
        for (char *at = signature; *at; at++)
            *at = *at == '/' ? '.' : *at;
        if (asprintf(&name, "%s%s/0x%0*llx", signature + 1, number, digits,
                     (unsigned long long)chosen & 0xffffffff) < 0)
            name = NULL;
    }
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    return name;
}

/* Names of hidden classes end in an address: one that comes from the strand stands for it. */
static uint64_t class_name(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    jclass class = (jclass)frame->integers[1];
    struct canon_thread *thread = canon_thread_self();
    char *text = thread->strand
                     ? hidden_name(class, canon_strand_label(thread->strand), thread->hidden_names + 1)
                     : NULL;
    if (!text)
        return canon_native_run(native, frame);
    jfieldID field =
        (*env)->GetFieldID(env, (*env)->FindClass(env, "java/lang/Class"), "name", "Ljava/lang/String;");
    struct canon_first first = {"java/lang/Class.getName", (uint32_t)canon_hash_of_name(class)};
    jobject name = NULL;
    enum canon_first_turn turn = canon_first_counts(thread) ? CANON_FIRST_LATER : CANON_FIRST_NONE;
    for (int tries = 0; !(name = (*env)->GetObjectField(env, class, field)) && turn == CANON_FIRST_LATER;)
        turn = canon_first_turn(thread, first, tries++);
    if (!name && turn == CANON_FIRST_NONE) {
        free(text);
        text = hidden_name(class, "", 0);
    }
    bool won = !name; /* another one may have been faster, while this one waited for its turn */
    if (won) {
        name = (*env)->NewStringUTF(env, text);
        (*env)->SetObjectField(env, class, field, name);
    }
    if (turn == CANON_FIRST_MINE) {
        thread->hidden_names += won;
        canon_first_decided(thread, first, won);
    }
    free(text);
    return (uint64_t)name;
}

static jobject field_of(JNIEnv *env, jobject object, const char *name, const char *type)
{
    jfieldID id = (*env)->GetFieldID(env, (*env)->GetObjectClass(env, object), name, type);
    if (id)
        return (*env)->GetObjectField(env, object, id);
    (*env)->ExceptionClear(env);
    return NULL;
}

/* ---- what initialises classes: inits.h ---------------------------------------------------------------- */

/* Class.forName0: the class is only known when it is there. */
static uint64_t find_class(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    enum { INITIALISE = 3 }; /* where the argument is */
    if (canon_role_now() == CANON_ROLE_REPLAYER && (uint8_t)frame->integers[INITIALISE]) {
        frame->integers[INITIALISE] = JNI_FALSE;
        jclass type = (jclass)canon_native_run(native, frame);
        frame->integers[INITIALISE] = JNI_TRUE;
        if (!type || (*env)->ExceptionCheck(env))
            return 0;
        canon_inits_await(env, type);
        (*env)->DeleteLocalRef(env, type);
    }
    return canon_native_run(native, frame);
}

/* The first argument is the class. */
static uint64_t initialise(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    if (canon_role_now() == CANON_ROLE_REPLAYER && frame->integers[2])
        canon_inits_await(env, (jclass)frame->integers[2]);
    return canon_native_run(native, frame);
}

/* The first argument is a method or constructor of the class. */
static uint64_t initialise_owner(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    if (canon_role_now() == CANON_ROLE_REPLAYER && frame->integers[2]) {
        jclass type = field_of(env, (jobject)frame->integers[2], "clazz", "Ljava/lang/Class;");
        if (type)
            canon_inits_await(env, type);
        (*env)->DeleteLocalRef(env, type);
    }
    return canon_native_run(native, frame);
}

/* ---- what loaders find out: requests.h ----------------------------------------------------------------- */

static uint64_t find_loaded_class(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    jclass found = (jclass)canon_native_run(native, frame);
    return (uint64_t)canon_request_found(env, (jobject)frame->integers[1], (jstring)frame->integers[2],
                                         found);
}

static uint64_t define_class(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    jobject loader = (jobject)frame->integers[2];
    jstring name = (jstring)frame->integers[3];
    uint64_t key = canon_request_defines(env, loader, name);
    jclass defined = (jclass)canon_native_run(native, frame);
    return (uint64_t)canon_request_defined(env, loader, name, key, defined);
}

/* ---- orders that the JVM does not keep -------------------------------------------------------------- */

struct keyed {
    jobject object;
    char *name;
    char *descriptor; /* of methods whose names are equal; NULL: not needed yet */
};

/* Of methods and constructors; from their fields: asking by jmethodID would initialise their class. */
struct sorting {
    JNIEnv *env;
    jfieldID name, parameters, result; /* NULL: they have none */
};

static jfieldID find_field(JNIEnv *env, jclass class, const char *name, const char *type)
{
    jfieldID id = (*env)->GetFieldID(env, class, name, type);
    (*env)->ExceptionClear(env);
    return id;
}

static struct sorting sorting_of(JNIEnv *env, jobject element)
{
    jclass class = (*env)->GetObjectClass(env, element);
    struct sorting sorting = {.env = env,
                              .name = find_field(env, class, "name", "Ljava/lang/String;"),
                              .parameters = find_field(env, class, "parameterTypes", "[Ljava/lang/Class;"),
                              .result = find_field(env, class, "returnType", "Ljava/lang/Class;")};
    (*env)->DeleteLocalRef(env, class);
    return sorting;
}

static void put_class(struct canon_buffer *key, jclass class)
{
    char *signature = NULL;
    if (class && !(*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, class, &signature, NULL))
        canon_buffer_put(key, signature, strlen(signature));
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
}

static char *descriptor_of(const struct sorting *by, jobject method)
{
    JNIEnv *env = by->env;
    struct canon_buffer text = {0};
    (*env)->PushLocalFrame(env, 16);
    jobjectArray parameters = by->parameters ? (*env)->GetObjectField(env, method, by->parameters) : NULL;
    canon_buffer_put(&text, "(", 1);
    for (jsize i = 0; parameters && i < (*env)->GetArrayLength(env, parameters); i++) {
        jclass parameter = (*env)->GetObjectArrayElement(env, parameters, i);
        put_class(&text, parameter);
        (*env)->DeleteLocalRef(env, parameter);
    }
    canon_buffer_put(&text, ")", 1);
    if (by->result)
        put_class(&text, (*env)->GetObjectField(env, method, by->result));
    (*env)->PopLocalFrame(env, NULL);
    canon_buffer_put(&text, "", 1);
    return (char *)text.data;
}

static const char *kept_descriptor(const struct sorting *by, struct keyed *keyed)
{
    if (!keyed->descriptor)
        keyed->descriptor = descriptor_of(by, keyed->object);
    return keyed->descriptor;
}

static int compare(const void *a, const void *b, void *by)
{
    struct keyed *one = *(struct keyed *const *)a, *other = *(struct keyed *const *)b;
    int names = strcmp(one->name, other->name);
    return names ? names : strcmp(kept_descriptor(by, one), kept_descriptor(by, other));
}

/* Texts are their own names; constructors have none. */
static char *name_of(const struct sorting *by, jobject element)
{
    JNIEnv *env = by->env;
    if (!by->parameters)
        return canon_java_text(env, element);
    jstring name = by->name ? (*env)->GetObjectField(env, element, by->name) : NULL;
    char *text = name ? canon_java_text(env, name) : strdup("");
    (*env)->DeleteLocalRef(env, name);
    return text;
}

static void sort(JNIEnv *env, jobjectArray array, struct keyed *all, struct keyed **sorted, jsize length)
{
    struct sorting by = {.env = env};
    jsize known = 0;
    for (; known < length; known++) {
        struct keyed *keyed = sorted[known] = &all[known];
        if (!(keyed->object = (*env)->GetObjectArrayElement(env, array, known)))
            break;
        if (known == 0)
            by = sorting_of(env, keyed->object);
        keyed->name = name_of(&by, keyed->object);
    }
    if (known < length)
        return;
    qsort_r(sorted, (size_t)length, sizeof *sorted, compare, &by);
    for (jsize i = 0; i < length; i++)
        (*env)->SetObjectArrayElement(env, array, i, sorted[i]->object);
}

/* An array of methods, of constructors or of texts. */
static uint64_t sort_result(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    jobjectArray array = (jobjectArray)canon_native_run(native, frame);
    if (!array || (*env)->ExceptionCheck(env))
        return (uint64_t)array;
    jsize length = (*env)->GetArrayLength(env, array);
    struct keyed *all = calloc((size_t)length + 1, sizeof *all);
    struct keyed **sorted = calloc((size_t)length + 1, sizeof *sorted);
    if (all && sorted && (*env)->EnsureLocalCapacity(env, length + 16) == 0)
        sort(env, array, all, sorted, length);
    for (jsize i = 0; all && i < length; i++) {
        free(all[i].name);
        free(all[i].descriptor);
        (*env)->DeleteLocalRef(env, all[i].object);
    }
    free(all);
    free(sorted);
    return (uint64_t)array;
}

/*
 * A command of the JVM's tells of the moment, but help is always the same, and whoever asks for the JVM's
 * beans asks for all of it. Some of it is made by Java code, which leaves things behind that the program
 * finds (the locale for formats): so it runs at replay, too.
 */
static uint64_t diagnose(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    static const char HELP[] = "help";
    char start[sizeof HELP] = "";
    jstring command = (jstring)canon_frame_arg(native, frame, 1);
    if (command && (*env)->GetStringLength(env, command) >= (jsize)strlen(HELP))
        (*env)->GetStringUTFRegion(env, command, 0, (jsize)strlen(HELP), start);
    bool helps = strcmp(start, HELP) == 0;
    return helps ? canon_native_run(native, frame) : canon_native_record(native, env, frame);
}

canon_special_fn canon_special_named(const struct canon_special *all, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].function;
    return NULL;
}

canon_special_fn canon_special_find(const char *name)
{
    static const struct canon_special SPECIALS[] = {
        {"thread_start", thread_start},
        {"halt", halt},
        {"sleep", sleep_or_not},
        {"sort", sort_result},
        {"identity_hash", identity_hash},
        {"class_name", class_name},
        {"wait_child", wait_child},
        {"park", park},
        {"yield", yield},
        {"find_class", find_class},
        {"find_loaded_class", find_loaded_class},
        {"define_class", define_class},
        {"define_unsafe", canon_define_unsafe},
        {"initialise", initialise},
        {"initialise_owner", initialise_owner},
        {"diagnose", diagnose},
        {"load_library", canon_library_load},
        {"find_entry", canon_library_entry},
    };
    return canon_special_named(SPECIALS, sizeof SPECIALS / sizeof *SPECIALS, name);
}
