/*
 * optrace.c: see optrace.h. A file a strand has, for each operation, its number, the number of the place (a
 * hash of the Java frames above it, which the file of names tells), and which of all strands' operations it
 * was.
 */
#include "jvm/optrace.h"

#include "base/map.h"
#include "jvm/frame.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { FRAMES = 40, SHOWN = 24 };

/* Protects everything here; leaf lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *names;
static struct canon_map frames; /* hash of method and place in it -> its text */
static struct canon_map known;  /* places that `names` has */
static struct {
    char *strand;
    FILE *file;
} logs[CANON_LANE_COUNT];

bool canon_optrace_is_on(void)
{
    return getenv("CANON_TEST_OPTRACE") != NULL;
}

static FILE *open_log(const char *name)
{
    char path[1000];
    bool replaying = canon_role_now() == CANON_ROLE_REPLAYER;
    int start =
        snprintf(path, sizeof path, "%s/%s-", getenv("CANON_TEST_OPTRACE"), replaying ? "replay" : "record");
    snprintf(path + start, sizeof path - (size_t)start, "%s", name);
    for (char *c = path + start; *c; c++)
        *c = isalnum((unsigned char)*c) || *c == '.' ? *c : '_';
    FILE *file = fopen(path, "w");
    if (file)
        setvbuf(file, NULL, _IONBF, 0); /* a replay that diverges just ends */
    return file;
}

static FILE *log_of(const struct canon_lane *lane)
{
    const char *name = canon_strand_label(lane->strand);
    if (!logs[lane->number].strand || strcmp(logs[lane->number].strand, name) != 0) {
        if (logs[lane->number].file)
            fclose(logs[lane->number].file);
        free(logs[lane->number].strand);
        logs[lane->number].strand = strdup(name);
        logs[lane->number].file = open_log(name);
    }
    return logs[lane->number].file;
}

/* Hidden classes have numbers that differ from run to run. */
static void cut_numbers(char *name)
{
    char *lambda = strstr(name, "$$Lambda");
    if (lambda)
        strcpy(lambda, "$$Lambda");
}

static char *describe(const jvmtiFrameInfo *frame)
{
    char text[500] = "?";
    canon_frame_text(frame, text, sizeof text);
    cut_numbers(text);
    for (char *at = text; *at; at++)
        *at = *at == ' ' ? '_' : *at;
    return strdup(text);
}

static const char *text_of(const jvmtiFrameInfo *frame)
{
    uint64_t key = XXH3_64bits(frame, sizeof *frame);
    union canon_map_value *value = canon_map_put(&frames, key);
    if (!value->pointer)
        value->pointer = describe(frame);
    return value->pointer;
}

static uint32_t place_now(void)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jvmtiFrameInfo stack[FRAMES];
    jint count = 0;
    if ((*jvmti)->GetStackTrace(jvmti, NULL, 0, FRAMES, stack, &count))
        return 0;
    char text[10000];
    size_t used = 0;
    for (jint i = 0, shown = 0; i < count && shown < SHOWN; i++) {
        const char *frame = text_of(&stack[i]);
        if (strncmp(frame, "java.lang.Canon", 15) == 0)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, " %.390s", frame);
        shown++;
    }
    uint32_t place = (uint32_t)XXH3_64bits(text, used);
    if (!canon_map_get(&known, place)) {
        canon_map_put(&known, place);
        if (!names)
            names = open_log("names");
        fprintf(names, "%u%.*s\n", place, (int)used, text);
    }
    return place;
}

void canon_optrace_add(struct canon_lane *lane)
{
    pthread_mutex_lock(&lock);
    FILE *file = log_of(lane);
    static uint32_t moment;
    uint32_t entry[3] = {(uint32_t)canon_lane_operations(lane), place_now(), ++moment};
    if (file)
        fwrite(entry, sizeof entry, 1, file);
    pthread_mutex_unlock(&lock);
}
