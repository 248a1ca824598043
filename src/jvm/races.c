/* races.c: see races.h. */
#include "jvm/races.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/map.h"
#include "jvm/frame.h"
#include "order/lane.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { MOST_SITES = 1 << 20, MOST_STATIC = 1 << 16, MOST_SHOWN = 200, FRAMES = 12, WRITES = 1, STATIC = 2 };

/* Where a class accesses a plain field. */
struct race_site {
    char *where; /* class and method */
    char *field; /* class and name */
    uint64_t key;
};

/* Protects all tables here; leaf lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct race_site *sites[MOST_SITES / 1024];
static int32_t site_count;
static struct canon_map fields; /* by key: numbers from 1 */
static struct canon_map known;  /* pairs of sites that were told */
static unsigned found;
static struct canon_map listed; /* fields, by name */
static const char *list = "";   /* the file for them */

void canon_races_into(const char *path)
{
    list = path;
}

static bool begins_with(struct canon_utf8 text, const char *start)
{
    return text.length >= strlen(start) && memcmp(text.text, start, strlen(start)) == 0;
}

/* Written by whoever comes first, always with the same value; or of classes whose locks have no order. */
static bool is_harmless(const struct canon_ref *ref)
{
    return canon_utf8_is(ref->owner, "java/lang/String") || canon_utf8_is(ref->owner, "java/net/URI") ||
           begins_with(ref->owner, "java/lang/ref/") || begins_with(ref->owner, "jdk/internal/ref/") ||
           canon_utf8_is(ref->name, "hash") || canon_utf8_is(ref->name, "hashCode");
}

static char *name_of(struct canon_utf8 class, struct canon_utf8 member)
{
    char *made = NULL;
    if (asprintf(&made, "%.*s.%.*s", (int)class.length, class.text, (int)member.length, member.text) < 0)
        made = NULL;
    canon_assert(made);
    for (char *at = made; *at; at++)
        *at = *at == '/' ? '.' : *at;
    return made;
}

int32_t canon_race_site(void *context, const struct canon_class *cls, const struct canon_member *method,
                        const struct canon_ref *ref, bool writes)
{
    (void)context;
    if (!ref || is_harmless(ref))
        return -1;
    pthread_mutex_lock(&lock);
    int32_t number = site_count < MOST_SITES ? site_count++ : -1;
    if (number >= 0) {
        struct race_site **block = &sites[number / 1024];
        if (!*block)
            *block = calloc(1024, sizeof **block);
        canon_assert(*block);
        struct race_site *site = &(*block)[number % 1024];
        site->where = name_of(cls->name, method->name);
        site->field = name_of(ref->owner, ref->name);
        site->key = XXH3_64bits(ref->name.text, ref->name.length);
    }
    pthread_mutex_unlock(&lock);
    return number < 0 ? -1 : number << 2 | (writes ? WRITES : 0);
}

static struct race_site *site_at(int32_t number)
{
    return number >= 0 && number < MOST_SITES && sites[number / 1024] ? &sites[number / 1024][number % 1024]
                                                                      : NULL;
}

unsigned canon_races_found(void)
{
    return found;
}

/* ---- natives of java.lang.CanonRaces (found by name) --------------------------------------------------- */

JNIEXPORT jint JNICALL Java_java_lang_CanonRaces_fieldAt(JNIEnv *env, jclass unused, jint site,
                                                         jboolean is_static);
JNIEXPORT void JNICALL Java_java_lang_CanonRaces_found(JNIEnv *env, jclass unused, jint lane, jint site,
                                                       jint other_lane, jint other_site);

/* The number of the field: by name, since it is about one object; of static fields by class, too. */
jint Java_java_lang_CanonRaces_fieldAt(JNIEnv *env, jclass unused, jint number, jboolean is_static)
{
    (void)env, (void)unused;
    const struct race_site *site = site_at(number);
    if (!site)
        return 1;
    uint64_t key = is_static ? XXH3_64bits(site->field, strlen(site->field)) : site->key;
    pthread_mutex_lock(&lock);
    union canon_map_value *value = canon_map_put(&fields, key);
    if (!value->number)
        value->number = fields.count;
    jint field = (jint)value->number;
    pthread_mutex_unlock(&lock);
    return field < MOST_STATIC ? field : 1;
}

static const char *strand_on(int lane)
{
    const struct canon_lane *at = canon_lane_at(lane);
    return at->strand ? canon_strand_label(at->strand) : "a thread that has ended";
}

static void show_stack(void)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jvmtiFrameInfo stack[FRAMES];
    jint count = 0, shown = 0;
    (*jvmti)->GetStackTrace(jvmti, NULL, 0, FRAMES, stack, &count);
    for (jint i = 0; i < count && shown < FRAMES / 2; i++) {
        char text[300];
        if (!canon_frame_text(&stack[i], text, sizeof text) || strncmp(text, "java.lang.Canon", 15) == 0)
            continue;
        fprintf(stderr, "      %s\n", text);
        shown++;
    }
}

/* A field's first race. */
static void add_to_list(const char *field)
{
    union canon_map_value *value = canon_map_put(&listed, XXH3_64bits(field, strlen(field)));
    FILE *file = value->number++ || !*list ? NULL : fopen(list, "ae");
    if (!file)
        return;
    fprintf(file, "%s\n", field);
    fclose(file);
}

static void tell(const struct race_site *site, const char *did, const struct race_site *other,
                 const char *other_did, int lane, int other_lane)
{
    fprintf(stderr, "canon: race on %s\n  %s by %s in %s, and nothing orders that with\n  %s by %s in\n",
            site->field, other_did, strand_on(other_lane), other->where, did, strand_on(lane));
    show_stack();
}

void Java_java_lang_CanonRaces_found(JNIEnv *env, jclass unused, jint lane, jint number, jint other_lane,
                                     jint other_number)
{
    (void)env, (void)unused;
    const struct race_site *site = site_at(number >> 2), *other = site_at(other_number >> 2);
    if (!site || !other)
        return;
    uint64_t pair = (uint64_t)(uint32_t)number << 32 | (uint32_t)other_number;
    pthread_mutex_lock(&lock);
    union canon_map_value *value = canon_map_put(&known, pair);
    bool is_new = !value->number++;
    if (is_new)
        add_to_list(site->field);
    if (is_new && found++ < MOST_SHOWN && !(*list && canon_agent.quiet))
        tell(site, number & WRITES ? "written" : "read", other, other_number & WRITES ? "written" : "read",
             lane, other_lane);
    pthread_mutex_unlock(&lock);
}

int canon_races_enable(JNIEnv *env)
{
    jclass races = (*env)->FindClass(env, "java/lang/CanonRaces");
    /* That initialises it. */
    return races && (*env)->GetStaticFieldID(env, races, "STATICS", "J") ? 0 : CANON_E_UNSUPPORTED;
}
