/*
 * report.c: what a person sees when a replay cannot go on.
 */
#include "jvm/agent.h"
#include "jvm/digest.h"
#include "jvm/frame.h"
#include "jvm/heap.h"
#include "jvm/natives.h"
#include "jvm/threads.h"
#include "launch/process.h"
#include "order/lane.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 40, LAST_EVENTS = 10, LANES_SHOWN = 64, OTHERS_FRAMES = 12 };

struct text {
    char bytes[65536];
    size_t used;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text->bytes + text->used, sizeof text->bytes - text->used, format, args);
    va_end(args);
    if (n > 0)
        text->used += (size_t)n;
    if (text->used > sizeof text->bytes - 1)
        text->used = sizeof text->bytes - 1;
}

static const char *sentence(enum canon_divergence_kind kind)
{
    switch (kind) {
    case CANON_DIVERGED_KIND:
        return "the program did another step than in the recording";
    case CANON_DIVERGED_INPUT:
        return "the program did the recorded step, but with other data";
    case CANON_DIVERGED_ITEMS:
        return "what was recorded does not fit this step";
    case CANON_DIVERGED_EXTRA:
        return "the program goes on after the last recorded step of this strand";
    case CANON_DIVERGED_MISSING:
        return "the program ended before the recorded steps did";
    case CANON_DIVERGED_STRAND:
        return "the program does something that the recording has no strand for";
    case CANON_DIVERGED_FILE:
        return "class loading asks for something that it did not read in the recording";
    case CANON_DIVERGED_STUCK:
        return "threads wait for each other, which they did not in the recording";
    case CANON_DIVERGED_TRACE:
        return "the trace is damaged";
    case CANON_DIVERGED_NONE:
        break;
    }
    return "";
}

static void add_likely_cause(struct text *text, enum canon_divergence_kind kind)
{
    const char *changed = canon_digest_changed();
    add(text, "  likely:   ");
    if (kind == CANON_DIVERGED_TRACE)
        add(text, "run `canon verify` on the trace\n");
    else if (canon_agent.other_vm)
        add(text, "another JDK: recorded with JVM %s, replaying with %s\n", canon_agent.recorded_vm,
            canon_agent.other_vm);
    else if (changed)
        add(text, "class %s is not the one that was recorded\n", changed);
    else
        add(text, "%s, or an input that canon does not capture (see the notes of `canon info`)\n",
            canon_agent.ordered && !canon_agent.serial
                ? "a data race (`canon replay --races` looks for it, `canon record --order=serial` orders it)"
                : "a data race");
}

static void add_frames(struct text *text, const jvmtiFrameInfo *frames, jint count)
{
    for (jint i = 0; i < count; i++) {
        char frame[500];
        if (canon_frame_text(&frames[i], frame, sizeof frame))
            add(text, "    %s\n", frame);
    }
}

static void add_stack(struct text *text)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jvmtiFrameInfo frames[FRAMES];
    jint count = 0;
    if ((*jvmti)->GetStackTrace(jvmti, NULL, 0, FRAMES, frames, &count))
        return;
    add(text, "  Java stack:\n");
    add_frames(text, frames, count);
}

static const char *name_of(const struct canon_lane *lane)
{
    return lane->strand ? canon_strand_label(lane->strand) : "a strand that has ended";
}

/* What every strand waits for, if strands do. */
static void add_lanes(struct text *text)
{
    add(text, "  strands, and how many operations they have done:\n");
    for (int i = 1, shown = 0; i <= canon_lane_most() && shown < LANES_SHOWN; i++) {
        const struct canon_lane *lane = canon_lane_at(i);
        if (!lane->strand)
            continue;
        shown++;
        add(text, "    %s: %lld", name_of(lane), (long long)canon_lane_operations(lane));
        int other = atomic_load(&lane->awaited);
        if (other)
            add(text, ", waits for operation %lld of %s", (long long)lane->awaited_operations,
                name_of(canon_lane_at(other)));
        add(text, "\n");
    }
}

static void add_all_stacks(struct text *text, JNIEnv *env)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jvmtiStackInfo *infos;
    jint count = 0;
    if ((*jvmti)->GetAllStackTraces(jvmti, OTHERS_FRAMES, &infos, &count))
        return;
    for (jint i = 0; i < count && infos[i].thread; i++) {
        char *label = infos[i].frame_count ? canon_thread_label(env, infos[i].thread) : NULL;
        if (label) {
            add(text, "  %s:\n", label);
            add_frames(text, infos[i].frame_buffer, infos[i].frame_count);
        }
        free(label);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)infos);
}

static void add_history(struct text *text, const struct canon_divergence *divergence)
{
    const char *names[LAST_EVENTS];
    size_t count = divergence->strand ? canon_strand_history(divergence->strand, names, LAST_EVENTS) : 0;
    if (count)
        add(text, "  last events of the strand:\n");
    for (size_t i = count; i-- > 0;)
        add(text, "    #%llu %s\n", (unsigned long long)(divergence->number - 1 - i), names[i]);
}

static void write_out(const struct text *text)
{
    if (canon_agent.watch)
        canon_watch_wipe(canon_agent.watch);
    for (size_t done = 0; done < text->used;) {
        ssize_t n = write(STDERR_FILENO, text->bytes + done, text->used - done);
        if (n <= 0)
            return;
        done += (size_t)n;
    }
}

_Noreturn void canon_report_divergence(const struct canon_divergence *divergence)
{
    /* Only the first thread that gets here reports; the others wait for the process to end. */
    static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&once);
    static struct text text;
    if (divergence->kind == CANON_DIVERGED_NONE) {
        add(&text, "canon: the recording ended here (strand \"%s\", event %llu): it was cut off\n",
            divergence->strand_name, (unsigned long long)divergence->number);
        write_out(&text);
        _exit(CANON_EXIT_ENDED);
    }
    add(&text, "canon: DIVERGENCE: %s\n", sentence(divergence->kind));
    add(&text, "  strand:   %s\n  event:    #%llu\n", divergence->strand_name,
        (unsigned long long)divergence->number);
    if (divergence->expected)
        add(&text, "  expected: %s\n", divergence->expected);
    if (divergence->actual)
        add(&text, "  actual:   %s\n", divergence->actual);
    char *given = canon_call_text();
    if (given && *given)
        add(&text, "  given:    %s\n", given);
    JNIEnv *env = NULL;
    if ((*canon_agent.vm)->GetEnv(canon_agent.vm, (void **)&env, JNI_VERSION_1_8) == JNI_OK && env) {
        if ((*env)->ExceptionCheck(env))
            (*env)->ExceptionClear(env);
        add_stack(&text);
    }
    add_history(&text, divergence);
    if (divergence->kind == CANON_DIVERGED_STUCK) {
        add_lanes(&text);
        if (env)
            add_all_stacks(&text, env);
    }
    add_likely_cause(&text, divergence->kind);
    write_out(&text);
    _exit(CANON_EXIT_DIVERGED);
}

/* ---- the heap at the end ------------------------------------------------------------------------------- */

static struct text heap_text;
enum { CLASSES_SHOWN = 12 };

static void add_difference(void *context, const struct canon_heap_class *recorded,
                           const struct canon_heap_class *now)
{
    size_t *shown = context;
    if (++*shown > CLASSES_SHOWN)
        return;
    add(&heap_text, "    %s: ", now->name);
    if (recorded->instances == now->instances)
        add(&heap_text, "%llu, with other contents\n", (unsigned long long)now->instances);
    else
        add(&heap_text, "%llu recorded, %llu now\n", (unsigned long long)recorded->instances,
            (unsigned long long)now->instances);
}

_Noreturn void canon_report_heap(const struct canon_heap_summary *recorded,
                                 const struct canon_heap_summary *now)
{
    size_t shown = 0;
    add(&heap_text, "canon: DIVERGENCE: the program ended as recorded, but with another heap\n");
    add(&heap_text, "  expected: %llu objects, digest %016llx\n", (unsigned long long)recorded->objects,
        (unsigned long long)recorded->digest);
    add(&heap_text, "  actual:   %llu objects, digest %016llx\n", (unsigned long long)now->objects,
        (unsigned long long)now->digest);
    add(&heap_text, "  classes that differ:\n");
    size_t all = canon_heap_differences(recorded, now, add_difference, &shown);
    if (!all)
        add(&heap_text, "    none: the same objects refer to each other in another way\n");
    if (all > CLASSES_SHOWN)
        add(&heap_text, "    and %zu more\n", all - CLASSES_SHOWN);
    write_out(&heap_text);
    _exit(CANON_EXIT_DIVERGED);
}

_Noreturn void canon_report_unsupported(const char *what)
{
    struct text text = {.used = 0};
    add(&text, "canon: cannot replay: %s\n", what);
    write_out(&text);
    _exit(CANON_EXIT_FAILURE);
}
