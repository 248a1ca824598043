/*
 * threads.c: threads get their strand from who started them: the parent's name and the child's number,
 * which is the same in every run. "thread main", "thread main.1", "thread main.1.2"...
 */
#include "jvm/threads.h"

#include "base/assert.h"
#include "base/map.h"
#include "jvm/order.h"
#include "jvm/refs.h"
#include "jvm/requests.h"
#include "jvm/serial.h"
#include "jvm/services.h"
#include "jvm/transfer.h"
#include "order/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

static __thread struct canon_thread self __attribute__((tls_model("initial-exec")));

/* A thread between Thread.start0 and its own first step. */
struct birth {
    jobject thread; /* global reference */
    char *strand;
    bool service;
    bool early;     /* before the program: it may begin before or after that */
    int64_t *clock; /* order/clock.h */
    struct birth *next;
};

/* Protects births; leaf lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct birth *births;

struct canon_thread *canon_thread_self(void)
{
    return &self;
}

static struct canon_strand *main_strand;

void canon_thread_switch(struct canon_strand *strand)
{
    bool quiet = self.strand && !self.block.lane;
    self.strand = strand;
    self.hashes = self.children = self.hidden_names = self.numbered = 0;
    self.inits = 0;
    self.block = (struct canon_block){.turn = INT64_MAX};
    if (strand) {
        const char *name = canon_strand_label(strand);
        self.block.id_base = (int64_t)(XXH3_64bits(name, strlen(name)) << 32);
    }
    canon_order_begins(&self, quiet);
    canon_refs_arm(&self);
}

void canon_thread_ends_process(void)
{
    canon_requests_catch_up(&self);
    self.ends_process = true;
    if (self.lane) /* others may still come as far as they did, and need not wait for it */
        atomic_fetch_add(&self.lane->still, 1);
    canon_role_finish(self.strand);
}

void canon_thread_is_main(void)
{
    if (main_strand)
        return;
    main_strand = canon_strand_open(CANON_STRAND_MAIN);
    canon_thread_switch(main_strand);
    canon_clock_begin(self.lane, NULL);
}

struct canon_strand *canon_thread_main(void)
{
    return main_strand;
}

static void call_it(JNIEnv *env, jobject thread, const char *label);

void canon_thread_publish(JNIEnv *env, jthread thread)
{
    if (self.strand && self.strand == main_strand)
        call_it(env, thread, CANON_STRAND_MAIN);
    static jfieldID block;
    if (!block)
        block = (*env)->GetFieldID(env, (*env)->FindClass(env, "java/lang/Thread"), "canonBlock", "J");
    if (block)
        (*env)->SetLongField(env, thread, block, (jlong)&self.block);
    else
        (*env)->ExceptionClear(env);
}

/* Whether its steps are the program's progress: not those of services, nor of class loading. */
static bool makes_progress(const struct canon_thread *thread)
{
    return !thread->service && !thread->load;
}

void canon_thread_steps(struct canon_thread *thread)
{
    canon_requests_catch_up(thread);
    thread->step_lane = thread->block.lane;
    thread->block.lane = 0; /* Java code that a native calls is part of the step */
    if (makes_progress(thread))
        canon_progress_begin();
}

void canon_thread_stepped(struct canon_thread *thread)
{
    thread->block.lane = thread->step_lane;
    if (thread->lane && canon_agent.edges)
        canon_lane_done(thread->lane); /* a step counts, so that others can come after it */
    canon_refs_arm(thread);
    canon_lane_arm(thread->lane);
    canon_signal_stepped(thread);
    if (makes_progress(thread))
        canon_progress_end();
}

/* What a thread is to canon, by its class and name. */
enum thread_kind { OF_PROGRAM, OF_JVM, SERVICE };

/* From the field: JVMTI does not tell names before the program starts. */
static char *name_of(JNIEnv *env, jobject thread)
{
    jfieldID field =
        (*env)->GetFieldID(env, (*env)->GetObjectClass(env, thread), "name", "Ljava/lang/String;");
    jstring name = field ? (*env)->GetObjectField(env, thread, field) : NULL;
    (*env)->ExceptionClear(env);
    return name ? canon_java_text(env, name) : strdup("");
}

static enum thread_kind kind_of(JNIEnv *env, jobject thread)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    char *signature = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, (*env)->GetObjectClass(env, thread), &signature, NULL))
        return OF_JVM;
    enum thread_kind kind = OF_PROGRAM;
    if (strcmp(signature, "Ljava/lang/ref/Reference$ReferenceHandler;") == 0)
        kind = OF_JVM;
    if (strcmp(signature, "Ljava/lang/ref/Finalizer$FinalizerThread;") == 0)
        kind = SERVICE;
    bool innocuous = strcmp(signature, "Ljdk/internal/misc/InnocuousThread;") == 0;
    if (innocuous || strcmp(signature, "Ljava/lang/Thread;") == 0) {
        char *name = name_of(env, thread);
        if (strncmp(name, "process reaper", 14) == 0 || (innocuous && strcmp(name, "Common-Cleaner") == 0))
            kind = OF_JVM;
        if (innocuous && strncmp(name, "Cleaner-", 8) == 0)
            kind = SERVICE;
        free(name);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return kind;
}

bool canon_thread_is_of_program(JNIEnv *env, jthread thread)
{
    jfieldID block = (*env)->GetFieldID(env, (*env)->GetObjectClass(env, thread), "canonBlock", "J");
    (*env)->ExceptionClear(env);
    return block && (*env)->GetLongField(env, thread, block) && kind_of(env, thread) == OF_PROGRAM;
}

/* ---- threads as values --------------------------------------------------------------------------------- */

#define OF_JVM_LABEL "jvm " /* and the thread's name */
#define LABELLED "a thread, as a value"

static jfieldID strand_field(JNIEnv *env)
{
    static jfieldID field;
    if (!field)
        field = (*env)->GetFieldID(env, (*env)->FindClass(env, "java/lang/Thread"), "canonStrand",
                                   "Ljava/lang/String;");
    canon_assert(field);
    return field;
}

char *canon_thread_label(JNIEnv *env, jobject thread)
{
    static _Atomic uint64_t known;
    canon_role_name_kept(LABELLED, &known); /* a replay has to know beforehand that threads are asked for */
    jstring strand = (*env)->GetObjectField(env, thread, strand_field(env));
    if (strand)
        return canon_java_text(env, strand);
    char *name = name_of(env, thread), *label = NULL;
    if (asprintf(&label, OF_JVM_LABEL "%s", name) < 0)
        label = NULL;
    canon_assert(label);
    free(name);
    return label;
}

/*
 * Replay: threads by their strands, if the recording asks for threads at all. They are kept: one that lived
 * when the recording listed it may have ended here. Protected by `lock`.
 */
static struct canon_map labelled;
static bool is_asked_for;

void canon_threads_prepare(void)
{
    is_asked_for = canon_role_has_name(LABELLED);
}

static uint64_t label_key(const char *label)
{
    return XXH3_64bits(label, strlen(label)) | 1;
}

/* The thread gets its label. */
static void call_it(JNIEnv *env, jobject thread, const char *label)
{
    jstring text = (*env)->NewStringUTF(env, label);
    (*env)->SetObjectField(env, thread, strand_field(env), text);
    (*env)->DeleteLocalRef(env, text);
    if (!is_asked_for)
        return;
    pthread_mutex_lock(&lock);
    canon_map_put(&labelled, label_key(label))->pointer = (*env)->NewGlobalRef(env, thread);
    pthread_mutex_unlock(&lock);
}

/* One that lives, of the JVM's own. */
static jobject named_by_jvm(JNIEnv *env, const char *name)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jint count = 0;
    jthread *threads = NULL;
    jobject found = NULL;
    if ((*jvmti)->GetAllThreads(jvmti, &count, &threads))
        return NULL;
    for (jint i = 0; i < count; i++) {
        char *its = name_of(env, threads[i]);
        if (!found && strcmp(its, name) == 0 && !(*env)->GetObjectField(env, threads[i], strand_field(env)))
            found = (*env)->NewLocalRef(env, threads[i]);
        free(its);
        (*env)->DeleteLocalRef(env, threads[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)threads);
    return found;
}

jobject canon_thread_labelled(JNIEnv *env, const char *label)
{
    if (strncmp(label, OF_JVM_LABEL, strlen(OF_JVM_LABEL)) == 0)
        return named_by_jvm(env, label + strlen(OF_JVM_LABEL));
    pthread_mutex_lock(&lock);
    const union canon_map_value *found = canon_map_get(&labelled, label_key(label));
    jobject thread = found && found->pointer ? (*env)->NewLocalRef(env, found->pointer) : NULL;
    pthread_mutex_unlock(&lock);
    return thread;
}

/* ---- starting and ending ------------------------------------------------------------------------------- */

/* "service main.3" for a service that "thread main" starts as its third child. */
static char *child_name(bool service)
{
    const char *parent = canon_strand_label(self.strand);
    const char *blank = strchr(parent, ' ');
    char *name = NULL;
    if (asprintf(&name, "%s%s.%u", service && !canon_agent.edges ? CANON_STRAND_SERVICE : CANON_STRAND_THREAD,
                 blank ? blank + 1 : parent, ++self.children) < 0)
        name = NULL;
    canon_assert(name);
    return name;
}

bool canon_thread_starts(JNIEnv *env, jobject child)
{
    enum thread_kind kind = self.strand ? kind_of(env, child) : OF_JVM;
    char *handler = self.strand ? NULL : canon_signal_handler();
    if (kind == OF_JVM && !handler)
        return false;
    if (kind == OF_PROGRAM || (kind == SERVICE && canon_order_is_on()))
        canon_order_starts(env, &self);
    struct birth *birth = calloc(1, sizeof *birth);
    canon_assert(birth);
    birth->thread = (*env)->NewGlobalRef(env, child);
    birth->service = kind == SERVICE || handler;
    birth->early = !canon_order_is_on();
    birth->strand = handler ? handler : child_name(birth->service);
    birth->clock = canon_clock_copy(self.lane);
    call_it(env, child, birth->strand);
    pthread_mutex_lock(&lock);
    birth->next = births;
    births = birth;
    pthread_mutex_unlock(&lock);
    return !handler;
}

void canon_thread_starts_virtual(void)
{
    if (canon_role_now() == CANON_ROLE_REPLAYER)
        canon_report_unsupported("the program starts a virtual thread: what these do was not recorded with "
                                 "--order=none");
    canon_role_note(CANON_NOTE_LIMIT,
                    "the program started virtual threads: what they do is not recorded with "
                    "--order=none, and a replay ends where the first one starts");
}

static struct birth *take_birth(JNIEnv *env, jthread thread)
{
    pthread_mutex_lock(&lock);
    struct birth **at = &births;
    while (*at && !(*env)->IsSameObject(env, (*at)->thread, thread))
        at = &(*at)->next;
    struct birth *birth = *at;
    if (birth)
        *at = birth->next;
    pthread_mutex_unlock(&lock);
    return birth;
}

void JNICALL canon_thread_started(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    (void)jvmti;
    struct birth *birth = take_birth(env, thread);
    if (!birth)
        return;
    self.service = birth->service;
    self.early = birth->early;
    canon_thread_switch(canon_strand_open(birth->strand));
    canon_clock_begin(self.lane, birth->clock);
    canon_thread_publish(env, thread);
    canon_signal_begins(&self);
    canon_order_started(env, &self);
    (*env)->DeleteGlobalRef(env, birth->thread);
    free(birth->strand);
    free(birth);
}

/* Who finds the thread dead comes after its last operation: see order.c. */
static void tell_end(JNIEnv *env, jthread thread)
{
    jfieldID end = (*env)->GetFieldID(env, (*env)->FindClass(env, "java/lang/Thread"), "canonEnd", "J");
    if (end && self.lane)
        (*env)->SetLongField(env, thread, end, self.lane->number << 48 | canon_lane_operations(self.lane));
    (*env)->ExceptionClear(env);
}

void JNICALL canon_thread_ended(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    (void)jvmti;
    struct canon_strand *strand = self.strand;
    canon_turns_point(&self);
    /* The first thread comes here too, but shutdown hooks still belong to the process after that. */
    if (!strand || strcmp(canon_strand_label(strand), CANON_STRAND_MAIN) == 0) {
        canon_turns_end(&self);
        return;
    }
    canon_service_idle(&self);
    canon_order_settle(env, &self);
    canon_requests_catch_up(&self);
    struct canon_lane *lane = self.lane;
    tell_end(env, thread);
    self.strand = NULL;
    self.lane = self.baton = NULL;
    self.block.lane = 0;
    canon_lane_close(lane, strand);
}
