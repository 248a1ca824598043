/* inits.c: see inits.h. */
#include "jvm/inits.h"

#include "base/assert.h"
#include "base/log.h"
#include "base/map.h"
#include "jvm/fields.h"
#include "jvm/loads.h"
#include "jvm/order.h"
#include "jvm/requests.h"
#include "order/lane.h"
#include "trace/reader.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

enum {
    NAP_NANOS = 100000,
    GRACE_NANOS = 50000000, /* from when a class is linked until the JVM knows who initialises it */
    STUCK_SECONDS = 2,      /* less than lanes have: order/wait.c */
};

/* Ids of ORDER events in the strand "notes", and flags in there. */
enum { NOTED_INIT = 0, NOTED_LINK = 1 };
enum { BY_ITSELF = 1 }; /* an interface that is not initialised with the classes that implement it */

/* One class that was linked or initialised when the program had several threads. */
struct canon_init {
    char *strand; /* its initialiser's */
    char *by; /* label of the strand that initialised it; NULL: it had no initialiser, or did not get to it */
    char *linker; /* likewise of the one that linked it; NULL: not known */
    bool by_itself;
    atomic_bool linked;
    _Atomic int64_t linked_at; /* in nanoseconds */
    atomic_bool begun;
    atomic_bool ended;
};

/* Written before the program starts, read by all. */
static struct canon_map inits; /* struct canon_init by the name of the initialiser's strand */
static struct canon_map names; /* of the classes alone, whoever loaded them */
static bool any;

static int64_t now_nanos(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static uint64_t key_of(const char *text, size_t length)
{
    return XXH3_64bits(text, length);
}

/* Name of the class's initialiser's strand, malloc'd; NULL for arrays and the like. */
static char *strand_of(JNIEnv *env, jclass type)
{
    char *signature = NULL, *strand = NULL;
    jobject loader = NULL;
    if ((*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, type, &signature, NULL))
        return NULL;
    if (signature[0] == 'L') {
        (*canon_agent.jvmti)->GetClassLoader(canon_agent.jvmti, type, &loader);
        signature[strlen(signature) - 1] = '\0';
        for (char *at = signature; *at; at++)
            *at = *at == '/' ? '.' : *at;
        strand = canon_init_strand(env, loader, signature + 1, 0);
        (*env)->DeleteLocalRef(env, loader);
    }
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    return strand;
}

/* ---- recorder ------------------------------------------------------------------------------------------ */

/* An interface is initialised with the classes that implement it only if it has code for their objects. */
static bool is_by_itself(jclass type)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jint modifiers = 0, count = 0;
    jmethodID *methods = NULL;
    if ((*jvmti)->GetClassModifiers(jvmti, type, &modifiers) || !(modifiers & CANON_ACC_INTERFACE) ||
        (*jvmti)->GetClassMethods(jvmti, type, &count, &methods))
        return false;
    bool alone = true;
    for (jint i = 0; i < count; i++) {
        modifiers = CANON_ACC_ABSTRACT;
        (*jvmti)->GetMethodModifiers(jvmti, methods[i], &modifiers);
        alone &= (modifiers & (CANON_ACC_ABSTRACT | CANON_ACC_STATIC)) != 0;
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)methods);
    return alone;
}

static bool is_of_jdk(jclass type)
{
    jobject loader = NULL;
    (*canon_agent.jvmti)->GetClassLoader(canon_agent.jvmti, type, &loader);
    return !loader;
}

static void record(uint64_t what, jclass type, const char *strand)
{
    struct canon_buffer items = {0};
    struct canon_step step = {.way = CANON_STEP_PUT, .out = &items};
    char *name = (char *)strand, *by = (char *)canon_strand_label(canon_thread_self()->strand);
    int64_t flags = is_by_itself(type) ? BY_ITSELF : 0;
    canon_step_text(&step, &name);
    canon_step_text(&step, &by);
    canon_step_int(&step, &flags);
    canon_role_log(CANON_EVENT_ORDER, what, &items);
    canon_buffer_free(&items);
}

/*
 * Not classes of the JDK: the JVM and code without order (UNORDERED, QUIET in hooks.c) need those when they
 * like.
 */
static bool matters(jclass type)
{
    const struct canon_thread *thread = canon_thread_self();
    return thread->lane && canon_order_is_shared() && !is_of_jdk(type);
}

/* ---- replayer ------------------------------------------------------------------------------------------ */

/* "init LOADER a.b.C#0": the name as class files have it. */
static void remember_name(const char *strand)
{
    char *name = strdup(strrchr(strand, ' ') + 1);
    canon_assert(name);
    name[strcspn(name, "#")] = '\0';
    for (char *at = name; *at; at++)
        *at = *at == '.' ? '/' : *at;
    canon_map_put(&names, key_of(name, strlen(name)))->number = 1;
    free(name);
}

static void load(const struct canon_event *event)
{
    struct canon_step step = {.way = CANON_STEP_GET, .in = canon_reader_over(event->payload, event->size)};
    char *strand = NULL, *by = NULL;
    int64_t flags = 0;
    canon_step_text(&step, &strand);
    canon_step_text(&step, &by);
    canon_step_int(&step, &flags);
    if (!step.in.failed && strand && by && strrchr(strand, ' ')) {
        union canon_map_value *place = canon_map_put(&inits, key_of(strand, strlen(strand)));
        struct canon_init *init = place->pointer ? place->pointer : calloc(1, sizeof *init);
        canon_assert(init);
        place->pointer = init;
        init->by_itself = flags & BY_ITSELF;
        char **who = event->id == NOTED_INIT ? &init->by : &init->linker;
        free(*who);
        *who = by;
        by = NULL;
        remember_name(strand);
        any = true;
        if (!init->strand) {
            init->strand = strand;
            strand = NULL;
        }
    }
    free(strand);
    free(by);
}

void canon_inits_load(void)
{
    const struct canon_trace_strand *notes = canon_trace_find(canon_role_trace(), "notes");
    struct canon_cursor cursor;
    struct canon_event event;
    if (!notes || canon_agent.unordered)
        return;
    canon_cursor_start(&cursor, notes);
    while (!canon_cursor_next(&cursor, &event))
        if (event.kind == CANON_EVENT_ORDER && (event.id == NOTED_INIT || event.id == NOTED_LINK))
            load(&event);
    canon_cursor_stop(&cursor);
}

static struct canon_init *find(const char *strand)
{
    union canon_map_value *found = canon_map_get(&inits, key_of(strand, strlen(strand)));
    return found ? found->pointer : NULL;
}

static void check_who(const char *what, const char *strand, const char *recorded)
{
    const struct canon_strand *now = canon_thread_self()->strand;
    if (recorded && (!now || strcmp(recorded, canon_strand_label(now)) != 0))
        canon_log("jvm", CANON_LOG_WARN, "%s: %s by %s, which was to be %s", strand, what,
                  now ? canon_strand_label(now) : "the JVM", recorded);
}

/* ---- both ---------------------------------------------------------------------------------------------- */

/* Not of hidden classes: whoever first needs a lambda links it. */
static void count(jclass type, const char *strand)
{
    if (canon_agent.ordered && !canon_agent.serial && matters(type) && !strstr(strand, ".0x"))
        canon_thread_self()->inits++;
}

void canon_inits_linked(JNIEnv *env, jclass type)
{
    bool recording = canon_role_now() == CANON_ROLE_RECORDER;
    if (recording ? !canon_agent.ordered || canon_agent.serial || is_of_jdk(type) || !matters(type) : !any)
        return;
    char *strand = strand_of(env, type);
    struct canon_init *init = recording || !strand ? NULL : find(strand);
    if (strand)
        count(type, strand);
    if (recording && strand)
        record(NOTED_LINK, type, strand);
    if (init) {
        check_who("linked", strand, init->linker);
        init->linked_at = now_nanos();
        atomic_store(&init->linked, true);
    }
    free(strand);
}

struct canon_init *canon_inits_begun(jclass type, const char *strand)
{
    enum canon_role_kind role = canon_role_now();
    if (role == CANON_ROLE_RECORDER && canon_agent.ordered && !canon_agent.serial && matters(type))
        record(NOTED_INIT, type, strand);
    struct canon_init *init = role == CANON_ROLE_REPLAYER && any ? find(strand) : NULL;
    if (type)
        count(type, strand);
    if (init) {
        check_who("initialised", strand, init->by);
        atomic_store(&init->begun, true);
    }
    return init;
}

void canon_inits_ended(struct canon_init *init)
{
    if (init)
        atomic_store(&init->ended, true);
}

/* ---- replayer: sites ----------------------------------------------------------------------------------- */

/* Protects the three below; leaf lock. Who has a number may look at its name. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct canon_map numbers; /* one more than that of a class and a field, by names and who asks */
static int32_t number_count;
static char *fields[CANON_SITES]; /* names, by number; NULL: it is not one of a field */

static bool is_named(void *context, struct canon_utf8 name)
{
    (void)context;
    return canon_map_get(&names, key_of(name.text, name.length));
}

bool canon_inits_site(void *context, const struct canon_class *cls, struct canon_utf8 name,
                      struct canon_utf8 field, int32_t *number)
{
    (void)cls;
    if (!any || canon_fields_knows_none(name, is_named, context))
        return false;
    const char *loader = canon_fields_loader();
    uint64_t key = XXH3_64bits_withSeed(name.text, name.length, XXH3_64bits(loader, strlen(loader)));
    if (field.length)
        key = XXH3_64bits_withSeed(field.text, field.length, key);
    pthread_mutex_lock(&lock);
    union canon_map_value *known = canon_map_put(&numbers, key);
    if (!known->number && number_count < CANON_SITES) {
        fields[number_count] = field.length ? strndup(field.text, field.length) : NULL;
        known->number = (uint64_t)++number_count;
    }
    *number = (int32_t)known->number - 1;
    pthread_mutex_unlock(&lock);
    return *number >= 0;
}

/* ---- replayer: waiting --------------------------------------------------------------------------------- */

/*
 * Waits until somebody else has come to something. Not for ever: the instruction may not be one that
 * initialises the class (the field is inherited from another), and somebody may wait for what comes after it.
 */
static void await(const atomic_bool *done, const char *who, const char *what, const struct canon_init *init)
{
    struct canon_patience patience = {0};
    while (!atomic_load(done))
        if (!canon_order_nap(canon_thread_self()->lane, &patience, STUCK_SECONDS) &&
            !canon_requests_catch_up(canon_thread_self())) {
            canon_log("jvm", CANON_LOG_WARN, "%s does not come to %s %s", who, what, init->strand);
            return;
        }
}

/* Superclasses and interfaces that are initialised before a class, and the class itself, last. */
struct chain {
    struct link {
        jclass type;
        struct canon_init *init;
        bool only_linked; /* not initialised with the class */
    } links[64];
    int count;
};

static void add(JNIEnv *env, struct chain *chain, jclass type, bool implemented)
{
    char *strand = strand_of(env, type);
    struct canon_init *init = strand ? find(strand) : NULL;
    free(strand);
    if (!init)
        return;
    for (int i = 0; i < chain->count; i++)
        if (chain->links[i].init == init)
            return;
    if (chain->count < (int)(sizeof chain->links / sizeof *chain->links))
        chain->links[chain->count++] = (struct link){type, init, implemented && init->by_itself};
}

static jobjectArray interfaces_of(JNIEnv *env, jclass type)
{
    static jmethodID get;
    if (!get)
        get = (*env)->GetMethodID(env, (*env)->FindClass(env, "java/lang/Class"), "getInterfaces0",
                                  "()[Ljava/lang/Class;");
    return get ? (*env)->CallObjectMethod(env, type, get) : NULL;
}

static void add_interfaces(JNIEnv *env, struct chain *chain, jclass type)
{
    jobjectArray all = interfaces_of(env, type);
    for (jsize i = 0; all && i < (*env)->GetArrayLength(env, all); i++) {
        jclass one = (*env)->GetObjectArrayElement(env, all, i);
        add_interfaces(env, chain, one);
        add(env, chain, one, true);
    }
    (*env)->ExceptionClear(env);
}

static void add_all(JNIEnv *env, struct chain *chain, jclass type)
{
    jclass super = (*env)->GetSuperclass(env, type);
    if (super) { /* an interface has none, and initialises no other */
        add_all(env, chain, super);
        add_interfaces(env, chain, type);
    }
    add(env, chain, type, false);
}

static void initialise(JNIEnv *env, jclass type)
{
    jclass unsafe = (*env)->FindClass(env, "jdk/internal/misc/Unsafe");
    jfieldID instance = (*env)->GetStaticFieldID(env, unsafe, "theUnsafe", "Ljdk/internal/misc/Unsafe;");
    jmethodID ensure = (*env)->GetMethodID(env, unsafe, "ensureClassInitialized0", "(Ljava/lang/Class;)V");
    if (instance && ensure)
        (*env)->CallVoidMethod(env, (*env)->GetStaticObjectField(env, unsafe, instance), ensure, type);
    (*env)->ExceptionClear(env); /* whoever needs the class will hear of it */
}

/* Who asks for a class's fields gets it linked. */
static void link_class(JNIEnv *env, jclass type)
{
    jmethodID get = (*env)->GetMethodID(env, (*env)->FindClass(env, "java/lang/Class"), "getDeclaredFields0",
                                        "(Z)[Ljava/lang/reflect/Field;");
    if (get)
        (*env)->CallObjectMethod(env, type, get, JNI_TRUE);
    (*env)->ExceptionClear(env);
}

/*
 * Whether it is the current thread that was to do it: on its present strand, or on one that waits for that to
 * end: then the JVM has it on the list already.
 */
static bool is_mine(const char *who)
{
    return canon_load_within(canon_thread_self(), who);
}

/* Whether the current thread may go on with the class, and has not to wait for others first. */
static bool is_free(const struct link *link)
{
    const struct canon_init *init = link->init;
    return (!init->linker || init->linked || is_mine(init->linker)) &&
           (!init->by || link->only_linked || init->begun || is_mine(init->by));
}

/*
 * Who links a class to initialise it does that right afterwards; but if the class has no initialiser, only
 * the JVM knows when. Until then nobody else may come between.
 */
static void await_initialising(const struct link *link)
{
    jint status = 0;
    while (!(*canon_agent.jvmti)->GetClassStatus(canon_agent.jvmti, link->type, &status) &&
           !(status & JVMTI_CLASS_STATUS_INITIALIZED) && now_nanos() - link->init->linked_at < GRACE_NANOS)
        nanosleep(&(struct timespec){.tv_nsec = NAP_NANOS}, NULL);
}

/* Whether the current thread has to wait for others before it gets to the end of the chain. */
static bool waits_behind(const struct chain *chain, int at)
{
    bool waits = false;
    for (int i = at + 1; i < chain->count; i++)
        waits |= !is_free(&chain->links[i]);
    return waits;
}

static void await_linked(JNIEnv *env, const struct chain *chain, int at)
{
    const struct link *link = &chain->links[at];
    struct canon_init *init = link->init;
    if (!init->linker)
        return;
    bool mine = is_mine(init->linker);
    if (!init->linked && mine && ((init->by && !is_mine(init->by)) || waits_behind(chain, at)))
        link_class(env, link->type); /* else that comes with initialising it */
    if (!init->linked && !mine)
        await(&init->linked, init->linker, "link", init);
    if (!mine && !init->by && !link->only_linked)
        await_initialising(link);
}

/*
 * What is the strand's own to initialise it does as it goes on; but if it has to wait for another's class
 * behind it, whose initialiser in turn waits for this one, now.
 */
static void await_begun(JNIEnv *env, const struct chain *chain, int at)
{
    const struct link *link = &chain->links[at];
    struct canon_init *init = link->init;
    if (!init->by || link->only_linked || init->begun)
        return;
    if (!is_mine(init->by)) {
        await(&init->begun, init->by, "initialise", init);
        return;
    }
    if (waits_behind(chain, at))
        initialise(env, link->type);
}

static bool is_settled(const struct link *link)
{
    const struct canon_init *init = link->init;
    return (!init->linker || init->linked) && (!init->by || link->only_linked || init->ended);
}

/* Whether it is a class that declares such a static field. */
static bool declares(jclass type, const char *field)
{
    char *signature = NULL;
    if ((*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, type, &signature, NULL))
        return false;
    size_t length = strlen(signature);
    bool does =
        length > 2 && canon_fields_declares((struct canon_utf8){signature + 1, (uint32_t)length - 2}, field);
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    return does;
}

/* The class or interface that `type` has a static field from, as the JVM looks for it; NULL: not known. */
static jclass holder_of(JNIEnv *env, jclass type, const char *field)
{
    jclass holder = declares(type, field) ? type : NULL;
    jobjectArray all = holder ? NULL : interfaces_of(env, type);
    for (jsize i = 0; all && !holder && i < (*env)->GetArrayLength(env, all); i++)
        holder = holder_of(env, (*env)->GetObjectArrayElement(env, all, i), field);
    jclass super = holder ? NULL : (*env)->GetSuperclass(env, type);
    return super ? holder_of(env, super, field) : holder;
}

/* `field`: NULL for none. */
static bool await_all(JNIEnv *env, jclass type, const char *field)
{
    struct canon_thread *thread = canon_thread_self();
    if (!any || !thread->strand || canon_load_of_jdk(thread->load) ||
        canon_role_now() != CANON_ROLE_REPLAYER || (*env)->PushLocalFrame(env, 256))
        return false;
    canon_requests_before(thread); /* others may wait for what they do */
    int64_t lane = thread->block.lane;
    thread->block.lane = 0; /* for Java code that this calls */
    struct chain chain = {.count = 0};
    jclass holder = field ? holder_of(env, type, field) : NULL;
    add_all(env, &chain, holder ? holder : type);
    thread->block.lane = lane;
    bool settled = true;
    for (int i = 0; i < chain.count; i++) {
        await_linked(env, &chain, i);
        await_begun(env, &chain, i);
        settled &= is_settled(&chain.links[i]);
    }
    (*env)->PopLocalFrame(env, NULL);
    return settled;
}

bool canon_inits_await(JNIEnv *env, jclass type)
{
    return await_all(env, type, NULL);
}

bool canon_inits_await_at(JNIEnv *env, jclass type, int32_t number)
{
    return await_all(env, type, number >= 0 && number < CANON_SITES ? fields[number] : NULL);
}
