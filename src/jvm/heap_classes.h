/*
 * heap_classes.h: the classes that are loaded, for a walk through the heap (heap.c): JVMTI tells fields by
 * number and classes by tag, and while it walks it may not be asked anything.
 */
#ifndef CANON_JVM_HEAP_CLASSES_H
#define CANON_JVM_HEAP_CLASSES_H

#include "heap/graph.h"
#include "jvm/agent.h"

/* Tags of classes are odd, so that objects can have the even ones. */
#define CANON_CLASS_TAG(number) ((jlong)(number) << 1 | 1)

struct canon_heap_fields {
    jfieldID id;
    char type; /* first letter of its descriptor */
    bool is_static;
    bool counts;
};

/* What becomes of a class's static fields. */
enum canon_heap_statics {
    CANON_STATICS_IGNORED,  /* it is one of the JDK's, was generated, or is not initialised */
    CANON_STATICS_ROOTS,    /* it stays as long as the program */
    CANON_STATICS_BY_REACH, /* the collector may unload it, so they count if the class can be reached */
};

struct canon_heap_class_info {
    jclass class; /* local reference */
    char *signature;
    enum canon_heap_statics statics;
    uint32_t number; /* in the graph */
    uint32_t node;   /* the Class object itself, in the graph; 0: not met */
    uint32_t before; /* number of the first field that `all` is about: of interfaces nobody has instances */
    uint32_t count;  /* fields it declares, */
    struct canon_heap_fields *fields;
    uint32_t total; /* and with those of its superclasses, which come first: */
    bool *all;      /* whether they count */
};

struct canon_heap_classes {
    struct canon_heap_class_info *classes;
    uint32_t count;
};

/* Finds and tags all. The local references need a frame of the caller's. */
int canon_heap_classes_find(JNIEnv *env, struct canon_graph *graph, struct canon_heap_classes *classes);
void canon_heap_classes_free(struct canon_heap_classes *classes);

/* Whether a field counts, by the number that the walk gives it. */
static inline bool canon_heap_counts(const struct canon_heap_class_info *class, uint32_t number)
{
    return number >= class->before && number - class->before < class->total &&
           class->all[number - class->before];
}

#endif
