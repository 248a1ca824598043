/*
 * report.c: what a person sees when a replay cannot go on.
 */
#include "order/report.h"
#include "jvm/agent.h"
#include "jvm/digest.h"
#include "jvm/frame.h"
#include "jvm/heap.h"
#include "jvm/natives.h"
#include "jvm/threads.h"
#include "launch/process.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 40, OTHERS_FRAMES = 12 };

static void add_likely_cause(struct canon_report *text, enum canon_divergence_kind kind)
{
    const char *changed = canon_digest_changed();
    canon_report_add(text, "  likely:   ");
    if (kind == CANON_DIVERGED_TRACE)
        canon_report_add(text, "run `canon verify` on the trace\n");
    else if (canon_agent.other_vm)
        canon_report_add(text, "another JDK: recorded with JVM %s, replaying with %s\n",
                         canon_agent.recorded_vm, canon_agent.other_vm);
    else if (changed)
        canon_report_add(text, "class %s is not the one that was recorded\n", changed);
    else
        canon_report_add(
            text, "%s, or an input that canon does not capture (see the notes of `canon info`)\n",
            canon_agent.ordered && !canon_agent.serial ? "a data race (`canon discover --races` finds them "
                                                         "and lists them for `canon record --racy=LIST`; "
                                                         "--order=serial orders them all)"
                                                       : "a data race");
}

static void add_frames(struct canon_report *text, const jvmtiFrameInfo *frames, jint count)
{
    for (jint i = 0; i < count; i++) {
        char frame[500];
        if (canon_frame_text(&frames[i], frame, sizeof frame))
            canon_report_add(text, "    %s\n", frame);
    }
}

static void add_stack(struct canon_report *text)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jvmtiFrameInfo frames[FRAMES];
    jint count = 0;
    if ((*jvmti)->GetStackTrace(jvmti, NULL, 0, FRAMES, frames, &count))
        return;
    canon_report_add(text, "  Java stack:\n");
    add_frames(text, frames, count);
}

static void add_all_stacks(struct canon_report *text, JNIEnv *env)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jvmtiStackInfo *infos;
    jint count = 0;
    if ((*jvmti)->GetAllStackTraces(jvmti, OTHERS_FRAMES, &infos, &count))
        return;
    for (jint i = 0; i < count && infos[i].thread; i++) {
        char *label = infos[i].frame_count ? canon_thread_label(env, infos[i].thread) : NULL;
        if (label) {
            canon_report_add(text, "  %s:\n", label);
            add_frames(text, infos[i].frame_buffer, infos[i].frame_count);
        }
        free(label);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)infos);
}

static void write_out(const struct canon_report *text)
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
    static struct canon_report text;
    canon_report_begin(&text, divergence);
    if (divergence->kind == CANON_DIVERGED_NONE) {
        write_out(&text);
        _exit(CANON_EXIT_ENDED);
    }
    char *given = canon_call_text();
    if (given && *given)
        canon_report_add(&text, "  given:    %s\n", given);
    JNIEnv *env = NULL;
    if ((*canon_agent.vm)->GetEnv(canon_agent.vm, (void **)&env, JNI_VERSION_1_8) == JNI_OK && env) {
        if ((*env)->ExceptionCheck(env))
            (*env)->ExceptionClear(env);
        add_stack(&text);
    }
    canon_report_past(&text, divergence);
    if (divergence->kind == CANON_DIVERGED_STUCK && env)
        add_all_stacks(&text, env);
    add_likely_cause(&text, divergence->kind);
    write_out(&text);
    _exit(CANON_EXIT_DIVERGED);
}

/* ---- the heap at the end ------------------------------------------------------------------------------- */

static struct canon_report heap_text;
enum { CLASSES_SHOWN = 12 };

static void add_difference(void *context, const struct canon_heap_class *recorded,
                           const struct canon_heap_class *now)
{
    size_t *shown = context;
    if (++*shown > CLASSES_SHOWN)
        return;
    canon_report_add(&heap_text, "    %s: ", now->name);
    if (recorded->instances == now->instances)
        canon_report_add(&heap_text, "%llu, with other contents\n", (unsigned long long)now->instances);
    else
        canon_report_add(&heap_text, "%llu recorded, %llu now\n", (unsigned long long)recorded->instances,
                         (unsigned long long)now->instances);
}

_Noreturn void canon_report_heap(const struct canon_heap_summary *recorded,
                                 const struct canon_heap_summary *now)
{
    size_t shown = 0;
    canon_report_add(&heap_text, "canon: DIVERGENCE: the program ended as recorded, but with another heap\n");
    canon_report_add(&heap_text, "  expected: %llu objects, digest %016llx\n",
                     (unsigned long long)recorded->objects, (unsigned long long)recorded->digest);
    canon_report_add(&heap_text, "  actual:   %llu objects, digest %016llx\n",
                     (unsigned long long)now->objects, (unsigned long long)now->digest);
    canon_report_add(&heap_text, "  classes that differ:\n");
    size_t all = canon_heap_differences(recorded, now, add_difference, &shown);
    if (!all)
        canon_report_add(&heap_text, "    none: the same objects refer to each other in another way\n");
    if (all > CLASSES_SHOWN)
        canon_report_add(&heap_text, "    and %zu more\n", all - CLASSES_SHOWN);
    write_out(&heap_text);
    _exit(CANON_EXIT_DIVERGED);
}

_Noreturn void canon_report_unsupported(const char *what)
{
    struct canon_report text = {.used = 0};
    canon_report_add(&text, "canon: cannot replay: %s\n", what);
    write_out(&text);
    _exit(CANON_EXIT_FAILURE);
}
