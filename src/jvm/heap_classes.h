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
    bool is_canons; /* canon has put it in; which of them there are depends on what canon does */
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
    uint32_t before; /* JVMTI's number of the first field below: of interfaces nobody has instances */
    uint32_t count;  /* fields it declares, */
    struct canon_heap_fields *fields;
    uint32_t total;   /* and with those of its superclasses, which come first: */
    uint32_t *places; /* where they are, counted from 1 without canon's; 0: it does not count */
};

struct canon_heap_classes {
    struct canon_heap_class_info *classes;
    uint32_t count;
};

/* Finds and tags all. The local references need a frame of the caller's. */
int canon_heap_classes_find(JNIEnv *env, struct canon_graph *graph, struct canon_heap_classes *classes);
void canon_heap_classes_free(struct canon_heap_classes *classes);

/* The place of a field in its object or class, by the number that the walk gives it; 0: it does not count. */
static inline uint32_t canon_heap_place(const struct canon_heap_class_info *class, uint32_t number)
{
    return number >= class->before && number - class->before < class->total
               ? class->places[number - class->before]
               : 0;
}

/* The same of one that the class itself declares. */
static inline uint32_t canon_heap_own_place(const struct canon_heap_class_info *class, uint32_t index)
{
    return class->places[class->total - class->count + index];
}

#endif
