/*
 * heap.c: see heap.h.
 *
 *   roots   an array of what static fields and threads refer to, in an order that is the same every time;
 *           JVMTI walks from there, and tells all references it meets to reference_met
 *   graph   what of them counts: a node an object, met for the first time; its tag is the node's number
 *
 * No Java code may run here, since the strands are at their ends: FindClass, too, would ask a class loader.
 */
#include "jvm/heap.h"

#include "base/assert.h"
#include "base/error.h"
#include "heap/graph.h"
#include "jvm/heap_classes.h"
#include "jvm/heap_rules.h"
#include "jvm/threads.h"
#include "jvm/vmflags.h"
#include "launch/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A reference from outside the heap. */
struct root {
    uint32_t node;  /* the class's static fields, or the list of threads, in the graph */
    uint32_t place; /* which field, or which thread */
    jobject object; /* local reference */
};

struct walk {
    JNIEnv *env;
    struct canon_graph *graph;
    struct canon_heap_classes classes;
    struct root *roots;
    uint32_t root_count, root_capacity;
    uint32_t of_class; /* classes in the graph: java.lang.Class, */
    uint32_t other;    /* and that of what is of a class that was loaded meanwhile */
    jint running;      /* threads of the program that do not wait */
    int error;
};

/* The tag of the array of roots; those of objects are even, see heap_classes.h. */
#define ROOTS_TAG ((jlong)-2)

/* The place of the class, in a node that is no array: those of fields begin with 1. */
enum { CLASS_PLACE = 0 };

/* ---- the walk: nothing may be asked here but what the callbacks are given ---------------------------------
 */

static struct canon_heap_class_info *class_at(const struct walk *walk, jlong tag)
{
    return tag & 1 && (uint64_t)(tag >> 1) < walk->classes.count ? &walk->classes.classes[tag >> 1] : NULL;
}

/* A node for a class's static fields, which a person finds under its name. */
static uint32_t statics_node(struct walk *walk, const struct canon_heap_class_info *class)
{
    char *name = canon_heap_class_name(class->signature), *label = NULL;
    if (asprintf(&label, "%s (static fields)", name) < 0)
        label = NULL;
    canon_assert(label);
    uint32_t node = canon_graph_node(walk->graph, canon_graph_class(walk->graph, label));
    free(label);
    free(name);
    return node;
}

/* A Class object is its name, and has its static fields: what the JVM and the JDK keep in it is theirs. */
static uint32_t class_node(struct walk *walk, struct canon_heap_class_info *what)
{
    if (what->node)
        return what->node;
    if (what->statics == CANON_STATICS_BY_REACH)
        return what->node = statics_node(walk, what);
    char *name = canon_heap_class_name(what->signature);
    what->node = canon_graph_node(walk->graph, walk->of_class);
    if (what->node)
        canon_graph_content(walk->graph, what->node, 0, name, strlen(name));
    free(name);
    return what->node;
}

/* The node of an object; `*is_new` if it was not met before. 0: there is no room. */
static uint32_t node_of(struct walk *walk, jlong class_tag, jlong *tag, jint length, bool *is_new)
{
    const struct canon_heap_class_info *class = class_at(walk, class_tag);
    struct canon_heap_class_info *itself = class_at(walk, *tag);
    *is_new = itself && itself->statics == CANON_STATICS_BY_REACH && !itself->node;
    if (itself)
        return class_node(walk, itself);
    if (*tag)
        return (uint32_t)(*tag >> 1);
    uint32_t node = canon_graph_node(walk->graph, class ? class->number : walk->other);
    if (node && length >= 0)
        canon_graph_content(walk->graph, node, UINT32_MAX, &length, sizeof length);
    *tag = (jlong)node << 1;
    *is_new = class != NULL; /* of other classes it is not known what counts */
    return node;
}

/* Where a reference comes from, in the graph; false if it does not count. */
static bool find_origin(const struct walk *walk, jvmtiHeapReferenceKind kind,
                        const jvmtiHeapReferenceInfo *info, jlong class_tag, jlong tag, struct root *from)
{
    const struct canon_heap_class_info *class = class_at(walk, class_tag), *itself = class_at(walk, tag);
    from->node = itself ? itself->node : (uint32_t)(tag >> 1);
    switch (kind) {
    case JVMTI_HEAP_REFERENCE_FIELD:
        from->place = !itself && class ? canon_heap_place(class, (uint32_t)info->field.index) : 0;
        return from->place;
    case JVMTI_HEAP_REFERENCE_STATIC_FIELD:
        from->place = itself ? canon_heap_place(itself, (uint32_t)info->field.index) : 0;
        return from->place;
    case JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT:
        from->place = (uint32_t)info->array.index;
        if (tag == ROOTS_TAG)
            *from = walk->roots[info->array.index];
        return true;
    case JVMTI_HEAP_REFERENCE_CLASS:
    case JVMTI_HEAP_REFERENCE_SUPERCLASS:
        from->place = CLASS_PLACE;
        return true; /* if it leads to static fields, see below */
    default:
        return false;
    }
}

static jint JNICALL reference_met(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
                                  jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
                                  jlong *referrer_tag, jint length, void *context)
{
    (void)size;
    struct walk *walk = context;
    const struct canon_heap_class_info *itself = class_at(walk, *tag);
    struct root from = {0};
    if (!referrer_tag || !find_origin(walk, kind, info, referrer_class_tag, *referrer_tag, &from))
        return 0;
    /* Whoever has an instance has the class. */
    if ((kind == JVMTI_HEAP_REFERENCE_CLASS || kind == JVMTI_HEAP_REFERENCE_SUPERCLASS) &&
        (!itself || itself->statics != CANON_STATICS_BY_REACH))
        return 0;
    bool is_new;
    uint32_t to = node_of(walk, class_tag, tag, length, &is_new);
    if (!to)
        return JVMTI_VISIT_ABORT;
    canon_graph_edge(walk->graph, from.node, from.place, to);
    return is_new ? JVMTI_VISIT_OBJECTS : 0;
}

static size_t size_of(jvmtiPrimitiveType type)
{
    switch (type) {
    case JVMTI_PRIMITIVE_TYPE_BOOLEAN:
    case JVMTI_PRIMITIVE_TYPE_BYTE:
        return 1;
    case JVMTI_PRIMITIVE_TYPE_CHAR:
    case JVMTI_PRIMITIVE_TYPE_SHORT:
        return 2;
    case JVMTI_PRIMITIVE_TYPE_INT:
    case JVMTI_PRIMITIVE_TYPE_FLOAT:
        return 4;
    default:
        return 8;
    }
}

static jint JNICALL field_met(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
                              jlong class_tag, jlong *tag, jvalue value, jvmtiPrimitiveType type,
                              void *context)
{
    struct walk *walk = context;
    struct root from = {0};
    if (find_origin(walk, kind, info, class_tag, *tag, &from))
        canon_graph_content(walk->graph, from.node, from.place, &value, size_of(type));
    return 0;
}

static jint JNICALL numbers_met(jlong class_tag, jlong size, jlong *tag, jint count, jvmtiPrimitiveType type,
                                const void *elements, void *context)
{
    (void)class_tag, (void)size;
    struct walk *walk = context;
    if (*tag > 0 && !(*tag & 1))
        canon_graph_content(walk->graph, (uint32_t)(*tag >> 1), 0, elements, (size_t)count * size_of(type));
    return 0;
}

static jint JNICALL text_met(jlong class_tag, jlong size, jlong *tag, const jchar *text, jint length,
                             void *context)
{
    (void)class_tag, (void)size;
    struct walk *walk = context;
    if (*tag > 0 && !(*tag & 1))
        canon_graph_content(walk->graph, (uint32_t)(*tag >> 1), 0, text, (size_t)length * sizeof *text);
    return 0;
}

/* ---- roots -----------------------------------------------------------------------------------------------
 */

/* A null is none. */
static void add_root(struct walk *walk, uint32_t node, uint32_t place, jobject object)
{
    if (!object)
        return;
    if (walk->root_count == walk->root_capacity) {
        walk->root_capacity = 2 * walk->root_capacity + 1024;
        struct root *more = realloc(walk->roots, walk->root_capacity * sizeof *more);
        canon_assert(more);
        walk->roots = more;
    }
    walk->roots[walk->root_count++] = (struct root){node, place, object};
}

static void add_static(struct walk *walk, const struct canon_heap_class_info *class, uint32_t node,
                       uint32_t index)
{
    JNIEnv *env = walk->env;
    const struct canon_heap_fields *field = &class->fields[index];
    uint32_t place = canon_heap_own_place(class, index);
    jvalue value = {.j = 0};
    switch (field->type) {
#define CASE(letter, member, Name)                                                                           \
    case letter:                                                                                             \
        value.member = (*env)->GetStatic##Name##Field(env, class->class, field->id);                         \
        break
        CASE('Z', z, Boolean);
        CASE('B', b, Byte);
        CASE('C', c, Char);
        CASE('S', s, Short);
        CASE('I', i, Int);
        CASE('J', j, Long);
        CASE('F', f, Float);
        CASE('D', d, Double);
#undef CASE
    default:
        add_root(walk, node, place, (*env)->GetStaticObjectField(env, class->class, field->id));
        return;
    }
    canon_graph_content(walk->graph, node, place, &value, sizeof value);
}

static void add_statics(struct walk *walk, const struct canon_heap_class_info *class)
{
    uint32_t node = statics_node(walk, class);
    if (!node)
        return; /* the graph knows that it has failed */
    canon_graph_root(walk->graph, node);
    for (uint32_t i = 0; i < class->count; i++)
        if (class->fields[i].is_static && class->fields[i].counts)
            add_static(walk, class, node, i);
}

static int by_name(const void *left, const void *right)
{
    return strcmp((*(struct canon_heap_class_info *const *)left)->signature,
                  (*(struct canon_heap_class_info *const *)right)->signature);
}

static void add_all_statics(struct walk *walk)
{
    const struct canon_heap_class_info **sorted = calloc(walk->classes.count + 1, sizeof *sorted);
    size_t count = 0;
    canon_assert(sorted);
    for (uint32_t i = 0; i < walk->classes.count; i++)
        if (walk->classes.classes[i].statics == CANON_STATICS_ROOTS)
            sorted[count++] = &walk->classes.classes[i];
    qsort(sorted, count, sizeof *sorted, by_name);
    for (size_t i = 0; i < count; i++)
        add_statics(walk, sorted[i]);
    free(sorted);
}

struct living {
    jthread thread;
    jlong id; /* threads have theirs in the order in which they were made */
};

static int by_id(const void *left, const void *right)
{
    jlong a = ((const struct living *)left)->id, b = ((const struct living *)right)->id;
    return a < b ? -1 : a > b;
}

static jlong id_of(JNIEnv *env, jthread thread)
{
    jfieldID field = (*env)->GetFieldID(env, (*env)->GetObjectClass(env, thread), "tid", "J");
    (*env)->ExceptionClear(env);
    return field ? (*env)->GetLongField(env, thread, field) : 0;
}

/* Whether the thread waits, for whatever. */
static bool is_settled(jthread thread)
{
    jint state = 0;
    return !(*canon_agent.jvmti)->GetThreadState(canon_agent.jvmti, thread, &state) &&
           state & JVMTI_THREAD_STATE_WAITING;
}

/* The threads of the program that have not ended, but for the one that ends the process. */
static void add_threads(struct walk *walk)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    JNIEnv *env = walk->env;
    jthread *threads = NULL, self = NULL;
    jint count = 0, kept = 0;
    uint32_t node = canon_graph_node(walk->graph, canon_graph_class(walk->graph, "(threads)"));
    if (!node || (*jvmti)->GetAllThreads(jvmti, &count, &threads) ||
        (*jvmti)->GetCurrentThread(jvmti, &self)) {
        walk->error = CANON_E_UNSUPPORTED;
        return;
    }
    struct living *living = calloc((size_t)count + 1, sizeof *living);
    canon_assert(living);
    for (jint i = 0; i < count; i++)
        if (!(*env)->IsSameObject(env, threads[i], self) && canon_thread_is_of_program(env, threads[i]))
            living[kept++] = (struct living){threads[i], id_of(env, threads[i])};
    qsort(living, (size_t)kept, sizeof *living, by_id);
    canon_graph_root(walk->graph, node);
    for (jint i = 0; i < kept; i++) {
        add_root(walk, node, (uint32_t)i, living[i].thread);
        walk->running += !is_settled(living[i].thread);
    }
    free(living);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)threads);
}

/* What the roots refer to, for JVMTI to begin with. */
static jobjectArray array_of_roots(const struct walk *walk)
{
    JNIEnv *env = walk->env;
    jclass object = NULL;
    for (uint32_t i = 0; i < walk->classes.count && !object; i++)
        if (strcmp(walk->classes.classes[i].signature, "Ljava/lang/Object;") == 0)
            object = walk->classes.classes[i].class;
    jobjectArray array = (*env)->NewObjectArray(env, (jsize)walk->root_count, object, NULL);
    if (!array) {
        (*env)->ExceptionClear(env);
        return NULL;
    }
    for (uint32_t i = 0; i < walk->root_count; i++)
        (*env)->SetObjectArrayElement(env, array, (jsize)i, walk->roots[i].object);
    return array;
}

/* ---- the digest
 * -------------------------------------------------------------------------------------------- */

/*
 * Newer JVMs find tags by identity hash codes, which canon has made a constant (-XX:hashCode=2): all tags in
 * one list. The program has come to its end, so they may be any now.
 */
enum { HASH_BY_THREAD = 5 };

static int walk_from_roots(struct walk *walk)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    intptr_t *how_to_hash = canon_vm_flag("hashCode"), before;
    static const jvmtiHeapCallbacks CALLBACKS = {
        .heap_reference_callback = reference_met,
        .primitive_field_callback = field_met,
        .array_primitive_value_callback = numbers_met,
        .string_primitive_value_callback = text_met,
    };
    jobjectArray array = array_of_roots(walk);
    if (!array || !how_to_hash)
        return array ? CANON_E_UNSUPPORTED : CANON_E_NOMEM;
    before = *how_to_hash;
    *how_to_hash = HASH_BY_THREAD;
    bool walked = !(*jvmti)->SetTag(jvmti, array, ROOTS_TAG) &&
                  !(*jvmti)->FollowReferences(jvmti, 0, NULL, array, &CALLBACKS, walk);
    *how_to_hash = before;
    return walked ? 0 : CANON_E_UNSUPPORTED;
}

static int make_summary(struct walk *walk, struct canon_heap_summary *summary)
{
    jvmtiCapabilities capabilities = {.can_tag_objects = 1};
    walk->graph = canon_graph_new();
    if (!walk->graph)
        return CANON_E_NOMEM;
    if ((*canon_agent.jvmti)->AddCapabilities(canon_agent.jvmti, &capabilities) ||
        (*walk->env)->PushLocalFrame(walk->env, 1024))
        return CANON_E_UNSUPPORTED;
    walk->of_class = canon_graph_class(walk->graph, "java.lang.Class");
    walk->other = canon_graph_class(walk->graph, "(other)");
    walk->error = canon_heap_classes_find(walk->env, walk->graph, &walk->classes);
    if (!walk->error) {
        add_all_statics(walk);
        add_threads(walk);
    }
    if (!walk->error)
        walk->error = walk_from_roots(walk);
    (*walk->env)->PopLocalFrame(walk->env, NULL);
    return walk->error ? walk->error : canon_graph_summarise(walk->graph, summary);
}

/* Of the program as it is now; `*running`: how many of its threads may change it at this moment. */
static int take_digest(struct canon_heap_summary *summary, jint *running)
{
    struct walk walk = {0};
    if ((*canon_agent.vm)->GetEnv(canon_agent.vm, (void **)&walk.env, JNI_VERSION_1_8) != JNI_OK)
        return CANON_E_UNSUPPORTED;
    int status = make_summary(&walk, summary);
    *running = walk.running;
    canon_heap_classes_free(&walk.classes);
    canon_graph_free(walk.graph);
    free(walk.roots);
    return status;
}

static void record_digest(void)
{
    struct canon_heap_summary summary = {0};
    struct canon_process heap = {0};
    jint running = 0;
    int status = take_digest(&summary, &running);
    if (!status) {
        char *text = canon_heap_total_text(&summary);
        canon_process_add(&heap, CANON_PROCESS_HEAP_DIGEST, text);
        free(text);
        for (size_t i = 0; i < summary.count; i++) {
            text = canon_heap_class_text(&summary.classes[i]);
            canon_process_add(&heap, CANON_PROCESS_HEAP_CLASS, text);
            free(text);
        }
        status = canon_process_save(canon_agent.part, CANON_STRAND_HEAP, &heap);
        canon_process_free(&heap);
    }
    canon_heap_summary_free(&summary);
    if (status)
        canon_role_note(CANON_NOTE_LIMIT, "no digest of the heap could be made");
    else if (running)
        canon_role_note(CANON_NOTE_LIMIT,
                        "other threads still ran when the digest of the heap was made: that of "
                        "a replay may be another one");
}

/* The recorded one; false if there is none. */
static bool load_digest(struct canon_heap_summary *summary)
{
    struct canon_process heap = {0};
    int status = canon_process_load_strand(canon_role_trace(), CANON_STRAND_HEAP, &heap);
    const char *total = canon_process_text(&heap, CANON_PROCESS_HEAP_DIGEST);
    if (!status && total)
        status = canon_heap_total_parse(total, summary);
    for (size_t i = 0; i < heap.count && !status; i++)
        if (heap.entries[i].item == CANON_PROCESS_HEAP_CLASS)
            status = canon_heap_class_parse(heap.entries[i].text, summary);
    canon_process_free(&heap);
    canon_heap_summary_sort(summary);
    return total && !status;
}

static void compare_digest(void)
{
    struct canon_heap_summary recorded = {0}, now = {0};
    jint running;
    if (load_digest(&recorded)) {
        int status = take_digest(&now, &running);
        if (status)
            canon_report_unsupported("the heap at the end could not be compared");
        else if (recorded.digest != now.digest || recorded.objects != now.objects)
            canon_report_heap(&recorded, &now);
    }
    canon_heap_summary_free(&recorded);
    canon_heap_summary_free(&now);
}

void canon_heap_at_end(void)
{
    if (canon_role_now() == CANON_ROLE_REPLAYER)
        compare_digest();
    else if (canon_agent.heap_digest)
        record_digest();
}
