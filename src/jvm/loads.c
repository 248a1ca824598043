/*
 * loads.c: see loads.h.
 *
 * What loaders read from files goes by content (call.c, memo.h); everything else that they do, a look at
 * the clock in a user's loader, say, goes into a short strand named after loader, class and attempt.
 */
#include "jvm/loads.h"

#include "base/assert.h"
#include "jvm/threads.h"
#include "jvm/transfer.h"
#include "order/lane.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* What the thread was before it began to load or initialise. */
struct canon_load {
    struct canon_thread outer;
    struct canon_strand *strand;
    bool by_content;
    bool of_jdk; /* one of the JDK's own loaders */
};

struct loader {
    jweak object;
    char *name;
};

/* Protects the two tables; leaf lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct loader *loaders;
static size_t loader_count;
static struct attempt {
    uint64_t key;
    uint32_t count;
} * attempts;
static size_t attempt_count, attempt_capacity;

static char *class_of(JNIEnv *env, jobject object)
{
    char *signature = NULL;
    jclass class = (*env)->GetObjectClass(env, object);
    (*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, class, &signature, NULL);
    char *copy = strdup(signature ? signature : "?");
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)signature);
    return copy;
}

/* A loader is known by its class and by how many of that class came before it. */
static const char *name_of(JNIEnv *env, jobject loader)
{
    if (!loader)
        return "boot";
    for (size_t i = 0; i < loader_count; i++)
        if ((*env)->IsSameObject(env, loaders[i].object, loader))
            return loaders[i].name;
    char *class = class_of(env, loader);
    size_t length = strlen(class), number = 0;
    for (size_t i = 0; i < loader_count; i++)
        number += strncmp(loaders[i].name, class, length) == 0;
    loaders = realloc(loaders, (loader_count + 1) * sizeof *loaders);
    canon_assert(loaders);
    struct loader *entry = &loaders[loader_count++];
    entry->object = (*env)->NewWeakGlobalRef(env, loader);
    if (asprintf(&entry->name, "%s%zu", class, number) < 0)
        entry->name = NULL;
    canon_assert(entry->name);
    free(class);
    return entry->name;
}

static uint32_t next_attempt(uint64_t key)
{
    if (attempt_count * 2 >= attempt_capacity) {
        struct attempt *old = attempts;
        size_t old_capacity = attempt_capacity;
        attempt_capacity = attempt_capacity ? attempt_capacity * 2 : 1024;
        attempts = calloc(attempt_capacity, sizeof *attempts);
        canon_assert(attempts);
        for (size_t i = 0; i < old_capacity; i++) {
            size_t at = old[i].key & (attempt_capacity - 1);
            while (old[i].count && attempts[at].count)
                at = (at + 1) & (attempt_capacity - 1);
            if (old[i].count)
                attempts[at] = old[i];
        }
        free(old);
    }
    size_t at = key & (attempt_capacity - 1);
    while (attempts[at].count && attempts[at].key != key)
        at = (at + 1) & (attempt_capacity - 1);
    attempt_count += !attempts[at].count;
    attempts[at].key = key;
    return attempts[at].count++;
}

static struct canon_strand *open_strand(const char *what, const char *loader, const char *class)
{
    char name[CANON_CHUNK_NAME_MAX];
    uint64_t key = XXH3_64bits_withSeed(class, strlen(class), XXH3_64bits(loader, strlen(loader)));
    key = XXH3_64bits_withSeed(what, strlen(what), key);
    snprintf(name, sizeof name, "%s%.500s %.3000s#%u", what, loader, class, next_attempt(key));
    return canon_strand_open_short(name);
}

static void enter(struct canon_strand *strand, bool by_content, bool of_jdk)
{
    struct canon_thread *thread = canon_thread_self();
    struct canon_load *load = calloc(1, sizeof *load);
    canon_assert(load);
    *load = (struct canon_load){*thread, strand, by_content, of_jdk};
    canon_thread_switch(strand);
    thread->depth = 0;
    thread->load = load;
}

void canon_load_enter(JNIEnv *env, jobject loader, jstring class_name)
{
    char *class = class_name ? canon_java_text(env, class_name) : strdup("null");
    pthread_mutex_lock(&lock);
    const char *name = name_of(env, loader);
    bool of_jdk = !loader || strncmp(name, "Ljdk/internal/loader/", 21) == 0;
    struct canon_strand *strand = open_strand(CANON_STRAND_LOAD, name, class);
    pthread_mutex_unlock(&lock);
    free(class);
    enter(strand, true, of_jdk);
}

void canon_init_enter(JNIEnv *env, jstring class_name)
{
    char *class = canon_java_text(env, class_name);
    pthread_mutex_lock(&lock);
    struct canon_strand *strand = open_strand(CANON_STRAND_INIT, "", class);
    pthread_mutex_unlock(&lock);
    free(class);
    enter(strand, false, false);
}

bool canon_load_by_content(const struct canon_load *load)
{
    return load && load->by_content;
}

bool canon_load_ignores_clock(const struct canon_load *load)
{
    if (!canon_load_by_content(load))
        return false;
    return load->of_jdk ||
           (canon_role_now() == CANON_ROLE_REPLAYER && !canon_strand_is_recorded(load->strand));
}

void canon_load_leave(void)
{
    struct canon_thread *thread = canon_thread_self();
    struct canon_load *load = thread->load;
    if (!load)
        return;
    struct canon_strand *strand = thread->strand;
    struct canon_lane *lane = thread->lane;
    *thread = load->outer;
    free(load);
    canon_strand_close(strand);
    canon_lane_close(lane);
}
