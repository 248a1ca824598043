/*
 * heap_rules.h: what of a Java heap counts for its digest (heap.h): what the program has made of it, and not
 * what the JVM, the JDK or canon keep there for themselves, when they like. Knows no JNI.
 */
#ifndef CANON_JVM_HEAP_RULES_H
#define CANON_JVM_HEAP_RULES_H

#include <stdbool.h>

/* A class as JVMTI spells it, "Lorg/example/Main$$Lambda.0x7f00;", as it goes into the digest and as a person
 * reads it: "org.example.Main$$Lambda". What the JVM numbers has no number. malloc'd. */
char *canon_heap_class_name(const char *signature);

/* Whether a field counts that this class itself declares; what it leads to counts only then. `type` is the
 * first letter of its descriptor. */
bool canon_heap_field_counts(const char *signature, const char *field, char type);

/* Whether the class's static fields count, if it is not one of the JDK's: not those of generated ones. */
bool canon_heap_has_statics(const char *signature);

#endif
