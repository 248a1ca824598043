/*
 * define.c: classes that Java code defines: libjava calls these two of the JVM, which are interposed so that
 * the agent can rewrite the class (jvm/define.h). Without an agent that wants to, everything passes.
 */
#include "launch/launch_internal.h"
#include "launch/protocol.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { HIDDEN = 2 }; /* of the flags of JVM_LookupDefineClass; such a class is nobody's to rewrite */

typedef jclass (*define_fn)(JNIEnv *, const char *, jobject, const jbyte *, jsize, jobject, const char *);
typedef jclass (*lookup_define_fn)(JNIEnv *, jclass, const char *, const jbyte *, jsize, jobject, jboolean,
                                   int, jobject);

EXPORT jclass JVM_DefineClassWithSource(JNIEnv *env, const char *name, jobject loader, const jbyte *bytes,
                                        jsize size, jobject domain, const char *source);
EXPORT jclass JVM_LookupDefineClass(JNIEnv *env, jclass lookup, const char *name, const jbyte *bytes,
                                    jsize size, jobject domain, jboolean initialize, int flags, jobject data);
EXPORT void canon_launch_interpose_define(const struct canon_define_calls *ours);

static _Atomic(const struct canon_define_calls *) calls;

void canon_launch_interpose_define(const struct canon_define_calls *ours)
{
    atomic_store(&calls, ours);
}

void canon_launch_agent_comes(void)
{
    const struct canon_define_calls *now = atomic_load(&calls);
    if (now)
        now->agent_comes();
}

/* What the agent makes of a class. */
struct remade {
    const struct canon_define_calls *by; /* NULL: nobody looked at it */
    uint8_t *made;                       /* NULL: it stays as it is */
    size_t size;
};

static struct remade remake(JNIEnv *env, const char *name, jobject loader, jclass neighbour,
                            const jbyte **bytes, jsize *size)
{
    struct remade class = {.by = *bytes && *size > 0 ? atomic_load(&calls) : NULL};
    if (class.by && class.by->rewrite(env, name, loader, neighbour, (const uint8_t *)*bytes, (size_t)*size,
                                      &class.made, &class.size)) {
        *bytes = (const jbyte *)class.made;
        *size = (jsize) class.size;
    }
    return class;
}

static void finish(struct remade *class)
{
    if (class->by)
        class->by->done();
    free(class->made);
}

jclass JVM_DefineClassWithSource(JNIEnv *env, const char *name, jobject loader, const jbyte *bytes,
                                 jsize size, jobject domain, const char *source)
{
    static define_fn real;
    if (!real)
        real = (define_fn)canon_launch_of_vm("JVM_DefineClassWithSource");
    struct remade class = remake(env, name, loader, NULL, &bytes, &size);
    jclass defined = real(env, name, loader, bytes, size, domain, source);
    finish(&class);
    return defined;
}

jclass JVM_LookupDefineClass(JNIEnv *env, jclass lookup, const char *name, const jbyte *bytes, jsize size,
                             jobject domain, jboolean initialize, int flags, jobject data)
{
    static lookup_define_fn real;
    if (!real)
        real = (lookup_define_fn)canon_launch_of_vm("JVM_LookupDefineClass");
    if (flags & HIDDEN)
        return real(env, lookup, name, bytes, size, domain, initialize, flags, data);
    struct remade class = remake(env, name, NULL, lookup, &bytes, &size);
    jclass defined = real(env, lookup, name, bytes, size, domain, initialize, flags, data);
    finish(&class);
    return defined;
}
