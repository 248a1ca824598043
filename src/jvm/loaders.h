/*
 * loaders.h: class loaders, by names that are the same in every run.
 */
#ifndef CANON_JVM_LOADERS_H
#define CANON_JVM_LOADERS_H

#include "jvm/agent.h"

struct canon_loader {
    bool of_jdk; /* one of the JDK's own */
    /* The order of threads is kept, and it is of a class of the program's, or asks one that is: what it does
     * is part of the program (requests.h). */
    bool own;
    /* An own one that is not parallel capable: the JVM would lock it whenever it asks it for a class. It
     * takes it for parallel capable, and canon locks it. */
    bool serial;
    char name[]; /* "boot", or its class, who made it, and how many of that class it had made before */
};

/* A loader is new. */
void canon_loader_made(JNIEnv *env, jobject loader);
/* What is known of it; stays. */
const struct canon_loader *canon_loader_of(JNIEnv *env, jobject loader);
/* Replayer: an own one, by its name; NULL: there is none. */
jobject canon_loader_find(JNIEnv *env, const char *name);

#endif
