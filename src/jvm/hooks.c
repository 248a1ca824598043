/*
 * hooks.c: see hooks.h. The table below is the whole of what is rewritten.
 */
#include "jvm/hooks.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/log.h"
#include "classfile/lockfree.h"
#include "classfile/rewrite.h"
#include "jvm/children.h"
#include "jvm/define.h"
#include "jvm/digest.h"
#include "jvm/fields.h"
#include "jvm/image.h"
#include "jvm/inits.h"
#include "jvm/loaders.h"
#include "jvm/loads.h"
#include "jvm/races.h"
#include "jvm/racy.h"
#include "jvm/requests.h"
#include "jvm/services.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELPER "java/lang/Canon."
#define RECORD "java/lang/CanonRecord"
#define REPLAY "java/lang/CanonReplay"
#define SERIAL "java/lang/CanonSerial"
#define VECTOR "java/lang/CanonVector"
#define REF "java/lang/ref/"
#define OBJECT "Ljava/lang/Object;"
#define REFERENCE "Ljava/lang/ref/Reference;"
#define QUEUE "Ljava/lang/ref/ReferenceQueue;"

/* A reference class: where it keeps what canon knows of it, and who hears of its creation. */
#define REFERENCE_FIELDS(class)                                                                              \
    {CANON_RULE_FIELD, REF class, "canonHold", OBJECT, .access = 0x1081},                                    \
        {CANON_RULE_FIELD, REF class, "canonState", "J", .access = 0x1081},                                  \
    {                                                                                                        \
        CANON_RULE_FIELD, REF class, "canonId", "J", .access = 0x1081                                        \
    }
/* Work of the JVM's own, at moments of its own: nobody's looks at references, nobody's hash codes. */
#define QUIET(class, name)                                                                                   \
    {                                                                                                        \
        CANON_RULE_WRAP, class, name, "*", .helper = HELPER "enterQuiet()J",                                 \
                                           .exit_helper = HELPER "leaveQuiet(J)V"                            \
    }
/* Work that the collector or the JVM sets off, whose locks are nobody's order. */
#define UNORDERED(class, name)                                                                               \
    {                                                                                                        \
        CANON_RULE_WRAP, class, name, "*", .helper = HELPER "enterUnordered()J",                             \
                                           .exit_helper = HELPER "leaveUnordered(J)V"                        \
    }
#define REFERENCE_CREATED(class, descriptor)                                                                 \
    {                                                                                                        \
        CANON_RULE_RESULT, REF class, "<init>", descriptor, .helper = HELPER "created(" OBJECT OBJECT ")V",  \
                                                            .pass = CANON_PASS_THIS | CANON_PASS_ARGUMENT    \
    }

static bool is_racy(void *context, struct canon_utf8 class, struct canon_utf8 field)
{
    (void)context;
    return canon_field_is_racy(class, field);
}

static bool has_racy(void *context, struct canon_utf8 class, struct canon_utf8 field)
{
    (void)context;
    return canon_racy_class(class) || canon_field_is_racy(class, field);
}

static bool is_alone(void *context, struct canon_utf8 class, struct canon_utf8 method)
{
    (void)context;
    return canon_racy_method_alone(class, method);
}

#define ATOMIC "java/util/concurrent/atomic/Atomic"
#define RANDOM "java/lang/CanonRandom"
static bool is_thread_local_random(void *context, struct canon_utf8 class)
{
    (void)context;
    return canon_utf8_is(class, "java/util/concurrent/ThreadLocalRandom");
}

/* Who looks at the clock for the JDK's statistics of loading alone, and does not when others have just
 * loaded. */
static bool keeps_statistics(void *context, struct canon_utf8 class)
{
    (void)context;
    return canon_utf8_is(class, "java/lang/ClassLoader") || canon_utf8_is(class, "java/net/URLClassLoader") ||
           canon_utf8_is(class, "java/util/zip/ZipFile") ||
           canon_utf8_is(class, "jdk/internal/perf/PerfCounter");
}

static const struct canon_rule RULES[] = {
    {.kind = CANON_RULE_SKIP, .owner = "java/lang/Canon*"},
    {CANON_RULE_REDIRECT, "java/lang/System", "nanoTime", "()J", .helper = HELPER "noTime()J",
     .within = keeps_statistics},

    /* Class loading: loads.h, requests.h. */
    {CANON_RULE_WRAP, "*", "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;",
     .helper = HELPER "enterLoad(" OBJECT OBJECT ")" OBJECT, .pass = CANON_PASS_THIS | CANON_PASS_ARGUMENT,
     .entered_helper = HELPER "loading(" OBJECT ")V", .exit_helper = HELPER "leaveLoad(" OBJECT ")V",
     .caught_helper = HELPER "notLoaded(Ljava/lang/Throwable;" OBJECT ")" OBJECT},
    /* So is the loading of the JDK's own libraries, which whoever is first does. */
    {CANON_RULE_WRAP, "jdk/internal/loader/BootLoader", "loadLibrary", "(Ljava/lang/String;)V",
     .helper = HELPER "enterLoad(" OBJECT OBJECT ")" OBJECT, .pass = CANON_PASS_THIS | CANON_PASS_ARGUMENT,
     .exit_helper = HELPER "leaveLoad(" OBJECT ")V"},

    /* And whoever looks for the first thing in a jar, or in another entry of a class path, opens it. */
    {CANON_RULE_WRAP, "jdk/internal/loader/URLClassPath", "getLoader", "(Ljava/net/URL;)*",
     .helper = HELPER "enterOpen(" OBJECT ")" OBJECT, .pass = CANON_PASS_ARGUMENT,
     .exit_helper = HELPER "leaveLoad(" OBJECT ")V"},

    /* Whoever needs a class first initialises it: a strand of its own, too. */
    {CANON_RULE_WRAP, "*", "<clinit>", "()V", .helper = HELPER "enterInit(Ljava/lang/String;)" OBJECT,
     .pass = CANON_PASS_CLASS, .exit_helper = HELPER "leaveLoad(" OBJECT ")V"},

    /* Class loaders have their names from who made them. */
    {CANON_RULE_FIELD, "java/lang/ClassLoader", "canonName", "J", .access = 0x1081},
    {CANON_RULE_RESULT, "java/lang/ClassLoader", "<init>",
     "(Ljava/lang/Void;Ljava/lang/String;Ljava/lang/ClassLoader;)V",
     .helper = HELPER "loaderMade(" OBJECT ")V", .pass = CANON_PASS_THIS},

    /* Linkage of lambdas and method handles, and the tables behind it, which the collector empties. */
    QUIET("java/lang/invoke/MethodHandleNatives", "link*"),
    QUIET("java/lang/invoke/MethodHandleNatives", "findMethodHandleType"),
    QUIET("java/lang/invoke/MethodType$ConcurrentWeakInternSet", "*"),
    QUIET("jdk/internal/util/ReferencedKeyMap", "*"),
    QUIET("jdk/internal/util/ReferencedKeySet", "*"),

    /* Children that have ended: children.h. */
    {CANON_RULE_REDIRECT, "java/lang/ProcessImpl$ProcessPipeInputStream", "processExited", "()V",
     .helper = HELPER "childExited(" OBJECT ")V"},
    {CANON_RULE_RESULT, "java/lang/ProcessHandleImpl$1", "run", "()V",
     .helper = HELPER "childEnded(" OBJECT ")V", .pass = CANON_PASS_THIS},
    {CANON_RULE_REDIRECT, "java/lang/ProcessImpl$ProcessPipeOutputStream", "processExited", "()V",
     .helper = HELPER "childInputExited(" OBJECT ")V"},

    /* Signals: services.h. */
    {CANON_RULE_ENTRY, "jdk/internal/misc/Signal", "dispatch", "(I)V", .helper = HELPER "dispatching(I)V",
     .pass = CANON_PASS_ARGUMENT},

    /* Of virtual threads canon only hears that they are, unless they are like others: launch.c. */
    {CANON_RULE_ENTRY, "java/lang/VirtualThread", "start", "(Ljdk/internal/vm/ThreadContainer;)V",
     .helper = HELPER "startingVirtual()V"},

    /* Nobody sees the fields that are put into classes. */
    {CANON_RULE_RESULT, "jdk/internal/reflect/Reflection", "filterFields",
     "(Ljava/lang/Class;[Ljava/lang/reflect/Field;)[Ljava/lang/reflect/Field;",
     .helper = HELPER "visibleFields(" OBJECT ")" OBJECT},

    /* Threads know where their counters are, and the name of their strand. */
    {CANON_RULE_FIELD, "java/lang/Thread", "canonBlock", "J", .access = 0x1081},
    {CANON_RULE_FIELD, "java/lang/Thread", "canonStrand", "Ljava/lang/String;", .access = 0x1081},

    /* References: refs.h. The fields are in the subclasses because the collectors know Reference's layout. */
    REFERENCE_FIELDS("WeakReference"),
    REFERENCE_FIELDS("SoftReference"),
    REFERENCE_FIELDS("PhantomReference"),
    REFERENCE_FIELDS("FinalReference"),
    REFERENCE_CREATED("WeakReference", "(" OBJECT ")V"),
    REFERENCE_CREATED("WeakReference", "(" OBJECT QUEUE ")V"),
    REFERENCE_CREATED("SoftReference", "(" OBJECT ")V"),
    REFERENCE_CREATED("SoftReference", "(" OBJECT QUEUE ")V"),
    REFERENCE_CREATED("PhantomReference", "(" OBJECT QUEUE ")V"),
    REFERENCE_CREATED("FinalReference", "(" OBJECT QUEUE ")V"),
    {CANON_RULE_OVERRIDE, REF "WeakReference", "get", "()" OBJECT,
     .helper = HELPER "got(" OBJECT OBJECT ")" OBJECT},
    {CANON_RULE_RESULT, REF "SoftReference", "get", "()" OBJECT,
     .helper = HELPER "got(" OBJECT OBJECT ")" OBJECT, .pass = CANON_PASS_THIS},
    {CANON_RULE_RESULT, REF "Reference", "refersToImpl", "(" OBJECT ")Z",
     .helper = HELPER "refers(Z" OBJECT OBJECT ")Z", .pass = CANON_PASS_THIS | CANON_PASS_ARGUMENT},
    {CANON_RULE_RESULT, REF "PhantomReference", "refersToImpl", "(" OBJECT ")Z",
     .helper = HELPER "refers(Z" OBJECT OBJECT ")Z", .pass = CANON_PASS_THIS | CANON_PASS_ARGUMENT},
    {CANON_RULE_ENTRY, REF "Reference", "clear", "()V", .helper = HELPER "clearing(" OBJECT ")V",
     .pass = CANON_PASS_THIS},
    {CANON_RULE_ENTRY, REF "Reference", "enqueue", "()Z", .helper = HELPER "clearing(" OBJECT ")V",
     .pass = CANON_PASS_THIS},
};

/* Queues of references, where the order of threads is not kept by edges. */
static const struct canon_rule QUEUES[] = {
    {CANON_RULE_ENTRY, REF "ReferenceQueue", "poll", "()" REFERENCE, .helper = HELPER "polling()V"},
    {CANON_RULE_RESULT, REF "ReferenceQueue", "poll", "()" REFERENCE,
     .helper = HELPER "polled(" OBJECT ")" OBJECT},
    {CANON_RULE_RESULT, REF "ReferenceQueue", "remove", "*", .helper = HELPER "removed(" OBJECT ")" OBJECT},
    {CANON_RULE_WRAP, REF "ReferenceQueue", "remove", "*", .helper = HELPER "removing()I",
     .exit_helper = HELPER "leftRemove(I)V"},
};

/* And where it is: at replay nobody waits at a queue, nor finds anything there that is not his. */
#define QUEUE_RULES(way)                                                                                     \
    {                                                                                                        \
        {CANON_RULE_REDIRECT,                                                                                \
         REF "ReferenceQueue",                                                                               \
         "poll",                                                                                             \
         "()" REFERENCE,                                                                                     \
         .helper = HELPER way "Poll(" QUEUE ")" REFERENCE,                                                   \
         .except = REF "ReferenceQueue"},                                                                    \
            {CANON_RULE_REDIRECT,                                                                            \
             REF "ReferenceQueue",                                                                           \
             "remove",                                                                                       \
             "()" REFERENCE,                                                                                 \
             .helper = HELPER way "Remove(" QUEUE ")" REFERENCE,                                             \
             .except = REF "ReferenceQueue"},                                                                \
            {CANON_RULE_REDIRECT,                                                                            \
             REF "ReferenceQueue",                                                                           \
             "remove",                                                                                       \
             "(J)" REFERENCE,                                                                                \
             .helper = HELPER way "Remove(" QUEUE "J)" REFERENCE,                                            \
             .except = REF "ReferenceQueue"},                                                                \
    }
static const struct canon_rule RECORD_QUEUES[] = QUEUE_RULES("record");
static const struct canon_rule REPLAY_QUEUES[] = QUEUE_RULES("replay");

/* What is rewritten besides where the order of threads is kept: order.h. */
static const struct canon_rule ORDERED_RULES[] = {
    {CANON_RULE_FIELD, "java/lang/Thread", "canonHeld", OBJECT, .access = 0x1081},
    {CANON_RULE_FIELD, "java/lang/Thread", "canonEnd", "J", .access = 0x1081},
    {CANON_RULE_FIELD, "java/lang/Object", "canonOwner", "I", .access = 0x1081},
    {CANON_RULE_FIELD, "java/lang/Class", "canonWordAt", "I", .access = 0x1081},
    {CANON_RULE_FIELD, "java/lang/Class", "canonStatics", OBJECT, .access = 0x1081},
    {CANON_RULE_FIELD, "*", "canonWord", "J", .access = 0x1081, .flags = CANON_RULE_IF_VOLATILE,
     .as_volatile = has_racy},
    {CANON_RULE_FIELD, "java/lang/invoke/MutableCallSite", "canonWord", "J", .access = 0x1081},
    /* From here on a finalizer, a handler or a hook may run beside the program's only thread, which does not
       count yet. */
    {CANON_RULE_ENTRY, "java/lang/ref/Finalizer", "register", "(" OBJECT ")V", .helper = HELPER "sharing()V"},
    {CANON_RULE_ENTRY, "jdk/internal/misc/Signal", "handle",
     "(Ljdk/internal/misc/Signal;Ljdk/internal/misc/Signal$Handler;)Ljdk/internal/misc/Signal$Handler;",
     .helper = HELPER "sharing()V"},
    {CANON_RULE_ENTRY, "java/lang/ApplicationShutdownHooks", "add", "(Ljava/lang/Thread;)V",
     .helper = HELPER "sharing()V"},
    {CANON_RULE_RESULT, "java/lang/Thread", "isAlive", "()Z", .helper = HELPER "alive(Z" OBJECT ")Z",
     .pass = CANON_PASS_THIS},
    {CANON_RULE_RESULT, "java/lang/Thread", "isInterrupted", "()Z",
     .helper = HELPER "interrupted(Z" OBJECT ")Z", .pass = CANON_PASS_THIS},
    {CANON_RULE_REDIRECT, "jdk/internal/misc/VM", "toThreadState", "(I)Ljava/lang/Thread$State;",
     .helper = HELPER "threadState(I)Ljava/lang/Thread$State;"},
    {CANON_RULE_RESULT, "java/lang/Thread$ThreadIdentifiers", "next", "()J", .helper = HELPER "threadId(J)J"},
    {CANON_RULE_RESULT, "java/lang/Thread", "nextThreadID", "()J", .helper = HELPER "threadId(J)J"}, /* 17 */

    /* Random numbers that threads have for themselves. */
    {CANON_RULE_REDIRECT, ATOMIC "Integer", "addAndGet", "(I)I",
     .helper = RANDOM ".first(L" ATOMIC "Integer;I)I", .within = is_thread_local_random},
    {CANON_RULE_REDIRECT, ATOMIC "Long", "getAndAdd", "(J)J", .helper = RANDOM ".first(L" ATOMIC "Long;J)J",
     .within = is_thread_local_random},
    {CANON_RULE_REDIRECT, "jdk/internal/misc/Unsafe", "putInt", "(" OBJECT "JI)V", .helper = RANDOM ".put",
     .within = is_thread_local_random},
    {CANON_RULE_REDIRECT, "jdk/internal/misc/Unsafe", "putLong", "(" OBJECT "JJ)V", .helper = RANDOM ".put",
     .within = is_thread_local_random},
    {CANON_RULE_REDIRECT, "java/util/concurrent/*", "getProbe", "()I", .helper = RANDOM ".probe()I"},
    {CANON_RULE_REDIRECT, "java/util/concurrent/*", "advanceProbe", "(I)I", .helper = RANDOM ".advance(I)I"},
    UNORDERED("java/lang/ref/ReferenceQueue", "*"),
    UNORDERED("java/nio/Bits", "*"), /* waits for the collector to free memory */
    UNORDERED("java/util/WeakHashMap", "expungeStaleEntries"),
    /* What loaders remember of classes depends on which were loaded when. */
    QUIET("jdk/internal/loader/*", "*"),
    {CANON_RULE_FIELD, "java/lang/ClassLoader", "canonSerial", "Z", .access = 0x1081},
    {CANON_RULE_RESULT, "java/lang/ClassLoader", "getClassLoadingLock", "(Ljava/lang/String;)" OBJECT,
     .helper = HELPER "loadingLock(" OBJECT OBJECT ")" OBJECT, .pass = CANON_PASS_THIS},
    QUIET("java/lang/ClassLoader", "getClassLoadingLock"),
    QUIET("java/lang/ClassLoader", "getPackage*"),
    QUIET("java/lang/ClassLoader", "getDefinedPackage*"),
    QUIET("java/lang/ClassLoader", "definePackage"),
    QUIET("java/lang/ClassLoader", "findNative"),
    QUIET("java/lang/Module", "*"),
    /* Caches a thread, which loading classes fills, too; they are emptied when it ends. */
    UNORDERED("sun/nio/fs/NativeBuffers", "*"),
    UNORDERED("sun/nio/ch/Util", "*DirectBuffer"),
    UNORDERED("jdk/internal/misc/TerminatingThreadLocal", "threadTerminated"),
    /* Of a jar, likewise, and what was never closed comes back when the collector finds it. */
    UNORDERED("java/util/zip/ZipFile$CleanableResource", "getInflater"),
    UNORDERED("java/util/zip/ZipFile$CleanableResource", "releaseInflater"),
    UNORDERED("sun/java2d/Disposer*", "*"),
    UNORDERED("java/lang/Process*", "*"), /* with the JDK's reaper: services.h */
    {CANON_RULE_WRAP, "java/lang/ClassLoader", "loadClass",
     "(Ljava/lang/Module;Ljava/lang/String;)Ljava/lang/Class;", .helper = HELPER "enterQuiet()J",
     .exit_helper = HELPER "leaveQuiet(J)V"},
    QUIET("java/lang/Class", "*eflectionData"),
    QUIET("java/lang/Class", "privateGet*"),
    QUIET("java/lang/Class", "annotationData"),
    QUIET("java/lang/Class", "enumConstantDirectory"),
    QUIET("java/lang/reflect/Proxy", "getProxyConstructor"),
    QUIET("java/lang/reflect/Constructor", "acquireConstructorAccessor"),
    QUIET("java/lang/reflect/Method", "acquireMethodAccessor"),
    QUIET("java/lang/reflect/Field", "acquire*"),
    QUIET("jdk/internal/reflect/MethodAccessorGenerator", "generate*"),

    /* Linkage, which has no order either. */
    QUIET("java/lang/invoke/MethodHandles", "*"),
    QUIET("java/lang/invoke/MethodHandles$Lookup", "*"),
    QUIET("java/lang/invoke/MethodHandle", "asType"),
    QUIET("java/lang/invoke/MethodType", "makeImpl"),
    QUIET("java/lang/invoke/Invokers", "*Invoker"),
    QUIET("java/lang/invoke/Invokers", "*LinkerMethod"),
    QUIET("java/lang/invoke/Invokers", "*Form"),
    QUIET("java/lang/invoke/Invokers", "*Function"),
    QUIET("java/lang/invoke/Invokers", "linkTo*"),
    QUIET("java/lang/invoke/Invokers", "maybe*"),
    QUIET("java/lang/invoke/DirectMethodHandle", "*"),
};

static bool begins_with_any(struct canon_utf8 text, const char *const *starts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(starts[i]);
        if (text.length >= length && memcmp(text.text, starts[i], length) == 0)
            return true;
    }
    return false;
}

/*
 * The threads that are in a read or write of a file: who closes it wakes them up, and waits. All readers of
 * the file meet there, but nobody's order depends on who came first: leaving is a read of the set, closing a
 * write.
 */
#define THREAD_SET "sun/nio/ch/NativeThreadSet"
static bool is_thread_set(void *context, struct canon_utf8 class)
{
    (void)context;
    return canon_utf8_is(class, THREAD_SET);
}

static const struct canon_rule RECORD_SETS[] = {
    {CANON_RULE_FIELD, THREAD_SET, "canonWord", "J", .access = 0x1081},
    {CANON_RULE_ENTRY, THREAD_SET, "remove", "(I)V", .helper = RECORD ".leaveSet(" OBJECT ")V",
     .pass = CANON_PASS_THIS},
    {CANON_RULE_RESULT, THREAD_SET, "signalAndWait", "()V", .helper = RECORD ".closeSet(" OBJECT ")V",
     .pass = CANON_PASS_THIS},
    {CANON_RULE_REDIRECT, "java/lang/Object", "wait", "(J)V", .helper = RECORD ".awaitSet(" OBJECT "J)V",
     .within = is_thread_set},
};
/* At replay there is nobody in it, and nobody to wait for. */
static const struct canon_rule REPLAY_SETS[] = {
    {CANON_RULE_FIELD, THREAD_SET, "canonWord", "J", .access = 0x1081},
    {CANON_RULE_REDIRECT, THREAD_SET, "add", "()I", .helper = REPLAY ".enterSet(" OBJECT ")I"},
    {CANON_RULE_REDIRECT, THREAD_SET, "remove", "(I)V", .helper = REPLAY ".leaveSet(" OBJECT "I)V"},
    {CANON_RULE_REDIRECT, THREAD_SET, "signalAndWait", "()V", .helper = REPLAY ".closeSet(" OBJECT ")V"},
};

/*
 * The order of threads: order.h. Code of the JVM's own moods has none: what it does on a thread of the
 * program differs from run to run.
 */
static bool has_order(void *context, struct canon_utf8 class)
{
    (void)context;
    static const char *const WITHOUT[] = {"java/lang/Canon", "java/lang/ref/", "jdk/internal/reflect/",
                                          "java/lang/invoke/"};
    static const char WITH[] = "java/lang/invoke/VarHandle";
    if (is_thread_set(NULL, class) && canon_agent.edges && !canon_agent.vector)
        return false;
    if (class.length >= sizeof WITH - 1 && memcmp(class.text, WITH, sizeof WITH - 1) == 0)
        return true;
    return !begins_with_any(class, WITHOUT, sizeof WITHOUT / sizeof *WITHOUT);
}

/* Unsafe is made of itself; those calls are part of others. */
static bool orders_calls(void *context, struct canon_utf8 class)
{
    return has_order(context, class) && !canon_utf8_is(class, "jdk/internal/misc/Unsafe");
}

/* Classes that write plainly what others look at. */
static bool is_relaxed(void *context, struct canon_utf8 class)
{
    (void)context;
    static const char *const RELAXED[] = {
        "java/util/concurrent/locks/Abstract",   "java/util/concurrent/ForkJoin",
        "java/util/concurrent/SynchronousQueue", "java/util/concurrent/LinkedTransferQueue",
        "java/util/concurrent/Exchanger",        "java/util/concurrent/locks/StampedLock"};
    return begins_with_any(class, RELAXED, sizeof RELAXED / sizeof *RELAXED);
}

/* What VarHandles of fields are made of: whoever has one shares the field, and its plain accesses are mostly
 * half of something. */
static bool is_field_handle(void *context, struct canon_utf8 class)
{
    (void)context;
    static const char START[] = "java/lang/invoke/VarHandle", KIND[] = "$Field";
    return begins_with_any(class, (const char *const[]){START}, 1) &&
           memmem(class.text, class.length, KIND, sizeof KIND - 1);
}

/* The one of programs, whose plain accesses are, too. */
static bool is_public_unsafe(void *context, struct canon_utf8 class)
{
    (void)context;
    return canon_utf8_is(class, "sun/misc/Unsafe");
}

/* Programs' own lock-free tables. */
static bool is_lock_free(void *context, const struct canon_class *cls)
{
    (void)context;
    return canon_racy_if_lazy(cls->name) && canon_class_is_lock_free(cls);
}

/* Where an `invokedynamic` goes may change: programs in dynamic languages decide by it what they do. */
#define MUTABLE_SITE "java/lang/invoke/MutableCallSite"
#define SITE_CALL(class, name, kind)                                                                         \
    {                                                                                                        \
        CANON_RULE_WRAP, MUTABLE_SITE, name, "*", .helper = class "." kind "(" OBJECT ")V",                  \
                                                  .exit_helper = class ".done()V", .pass = CANON_PASS_THIS   \
    }
#define UNSAFE_CALL(class, pattern, kind, callers)                                                           \
    {                                                                                                        \
        CANON_RULE_AROUND, "jdk/internal/misc/Unsafe", pattern, "*",                                         \
            .helper = class "." kind "At(" OBJECT "J)V", .exit_helper = class ".done()V", .within = callers  \
    }
/* What is done around operations that order threads, by the methods of `class`; `before` and `after`: a
 * monitor is entered. */
#define ORDER_RULES(class, before, after)                                                                    \
    {                                                                                                        \
        {CANON_RULE_MONITOR,                                                                                 \
         "*",                                                                                                \
         "*",                                                                                                \
         "*",                                                                                                \
         .helper = before,                                                                                   \
         .entered_helper = after,                                                                            \
         .exit_helper = class ".exiting(" OBJECT ")V",                                                       \
         .identity_helper = class ".identity(" OBJECT ")" OBJECT,                                            \
         .as_synchronized = is_alone,                                                                        \
         .owner_matches = has_order},                                                                        \
            {CANON_RULE_RESULT,                                                                              \
             "*",                                                                                            \
             "clone",                                                                                        \
             "()L*",                                                                                         \
             .helper = class ".cloned(" OBJECT OBJECT ")" OBJECT,                                            \
             .pass = CANON_PASS_THIS,                                                                        \
             .owner_matches = has_order},                                                                    \
            {CANON_RULE_ACCESS,                                                                              \
             "*",                                                                                            \
             "*",                                                                                            \
             "*",                                                                                            \
             .helper = class,                                                                                \
             .owner_matches = has_order,                                                                     \
             .field = canon_field_kind,                                                                      \
             .as_volatile = is_racy},                                                                        \
            UNSAFE_CALL(class, "get*Volatile", "read", orders_calls),                                        \
            UNSAFE_CALL(class, "get*Acquire", "read", orders_calls),                                         \
            UNSAFE_CALL(class, "get*Opaque", "read", orders_calls),                                          \
            UNSAFE_CALL(class, "put*Volatile", "write", orders_calls),                                       \
            UNSAFE_CALL(class, "put*Release", "write", orders_calls),                                        \
            UNSAFE_CALL(class, "put*Opaque", "write", orders_calls),                                         \
            UNSAFE_CALL(class, "compareAnd*", "write", orders_calls),                                        \
            UNSAFE_CALL(class, "weakCompareAndSet*", "write", orders_calls),                                 \
            UNSAFE_CALL(class, "getAnd*", "write", orders_calls),                                            \
            UNSAFE_CALL(class, "putInt", "write", is_relaxed),                                               \
            UNSAFE_CALL(class, "putLong", "write", is_relaxed),                                              \
            UNSAFE_CALL(class, "putReference", "write", is_relaxed),                                         \
            UNSAFE_CALL(class, "getReference", "read", is_relaxed),                                          \
            UNSAFE_CALL(class, "getInt", "read", is_relaxed),                                                \
            UNSAFE_CALL(class, "get*", "read", is_field_handle),                                             \
            UNSAFE_CALL(class, "put*", "write", is_field_handle), SITE_CALL(class, "getTarget", "read"),     \
            SITE_CALL(class, "setTarget", "write"),                                                          \
    }

/* Of these, the most frequent ones are replaced: java.lang.CanonUnsafe. */
#define ONE_CALL(name)                                                                                       \
    {                                                                                                        \
        CANON_RULE_REDIRECT, "jdk/internal/misc/Unsafe", name, "*", .helper = "java/lang/CanonUnsafe." name, \
                                                                    .within = orders_calls                   \
    }
#define ONE_CALL_EACH(type)                                                                                  \
    ONE_CALL("get" type "Volatile"), ONE_CALL("get" type "Acquire"), ONE_CALL("get" type "Opaque"),          \
        ONE_CALL("put" type "Volatile"), ONE_CALL("put" type "Release"), ONE_CALL("put" type "Opaque"),      \
        ONE_CALL("compareAndSet" type), ONE_CALL("weakCompareAndSet" type), ONE_CALL("getAndSet" type)
#define PLAIN_CALL(name, descriptor)                                                                         \
    {                                                                                                        \
        CANON_RULE_REDIRECT, "jdk/internal/misc/Unsafe", name, descriptor,                                   \
            .helper = "java/lang/CanonUnsafe." name, .within = is_public_unsafe                              \
    }
#define PLAIN_CALLS(type, letter)                                                                            \
    PLAIN_CALL("get" type, "(" OBJECT "J)" letter), PLAIN_CALL("put" type, "(" OBJECT "J" letter ")V")
static const struct canon_rule UNSAFE_CALLS[] = {ONE_CALL_EACH("Reference"), ONE_CALL_EACH("Int"),
                                                 ONE_CALL_EACH("Long"),      ONE_CALL("getAndAddInt"),
                                                 ONE_CALL("getAndAddLong"),  PLAIN_CALLS("Reference", OBJECT),
                                                 PLAIN_CALLS("Int", "I"),    PLAIN_CALLS("Long", "J")};

#define ENTERING ".entering(" OBJECT ")V"
#define ENTERED ".entered(" OBJECT ")V"
static const struct canon_rule RECORD_ORDER[] = ORDER_RULES(RECORD, NULL, RECORD ENTERED);
static const struct canon_rule REPLAY_ORDER[] = ORDER_RULES(REPLAY, REPLAY ENTERING, NULL);
static const struct canon_rule SERIAL_ORDER[] = ORDER_RULES(SERIAL, SERIAL ENTERING, SERIAL ENTERED);
static const struct canon_rule VECTOR_ORDER[] = ORDER_RULES(VECTOR, NULL, VECTOR ENTERED);
/* A vector tells who entered, not who left: that a monitor is entered counts once it is. */
static const struct canon_rule VECTOR_REPLAY[] =
    ORDER_RULES(REPLAY, REPLAY ".awaiting(" OBJECT ")V", REPLAY ENTERED);

/* Who hears of operations. */
static const struct engine {
    const char *helper;
    const struct canon_rule *rules;
} RECORDS = {RECORD, RECORD_ORDER}, REPLAYS = {REPLAY, REPLAY_ORDER}, SERIAL_BOTH = {SERIAL, SERIAL_ORDER},
  COMPARES = {VECTOR, VECTOR_ORDER}, COMPARED = {REPLAY, VECTOR_REPLAY};

static const struct engine *engine_of(bool replaying)
{
    if (canon_agent.serial)
        return &SERIAL_BOTH;
    if (canon_agent.vector)
        return replaying ? &COMPARED : &COMPARES;
    return replaying ? &REPLAYS : &RECORDS;
}

/* A replay that looks for data races hears of all other accesses, too. */
static const struct canon_rule RACES[] = {
    {CANON_RULE_FIELD, "java/lang/Object", "canonShadow", "J", .access = 0x1081},
    {CANON_RULE_ACCESS, "*", "*", "*", .helper = REPLAY, .flags = CANON_RULE_ALL_ACCESSES,
     .owner_matches = has_order, .field = canon_field_kind, .as_volatile = is_racy, .plain = canon_race_site},
};

/* Where one thread runs at a time: serial.h. */
static const struct canon_rule SERIAL_RULES[] = {
    {CANON_RULE_REDIRECT, "java/lang/Thread", "onSpinWait", "()V", .helper = SERIAL ".onSpinWait()V"},
};

/*
 * Classes in whose loops others may get their turn: the program's, and collections, which programs share. Not
 * those of which compiled code does something else than the bytecode says: intrinsics.
 */
static bool has_points_in_loops(void *context, struct canon_utf8 class)
{
    (void)context;
    static const char *const OF_JDK[] = {"java/", "javax/", "jdk/", "sun/", "com/sun/"};
    static const char *const INTRINSIC[] = {"java/util/Arrays", "java/util/Base64",
                                            "java/util/DualPivotQuicksort", "java/util/zip/"};
    static const char *const SHARED[] = {"java/util/"};
    if (!begins_with_any(class, OF_JDK, sizeof OF_JDK / sizeof *OF_JDK))
        return true;
    return begins_with_any(class, SHARED, 1) &&
           !begins_with_any(class, INTRINSIC, sizeof INTRINSIC / sizeof *INTRINSIC);
}

static const struct canon_rule LOOP_RULES[] = {
    {CANON_RULE_LOOP, "*", "*", "*", .helper = SERIAL ".point()V", .owner_matches = has_points_in_loops},
};

/* Who initialises a class: inits.h. */
static const struct canon_rule REPLAY_INITS[] = {
    {CANON_RULE_INITIALISE, "*", "*", "*", .helper = REPLAY ".initialising(Ljava/lang/Class;I)V",
     .initialises = canon_inits_site},
};

static struct canon_rules *rules;

/* A row for a method, or more, of which accesses to plain fields and elements are ordered, too. */
static struct canon_rule all_accesses(const char *owner, const char *name, const char *helper)
{
    return (struct canon_rule){.kind = CANON_RULE_ACCESS,
                               .owner = owner,
                               .name = name,
                               .descriptor = "*",
                               .helper = helper,
                               .flags = CANON_RULE_ALL_ACCESSES,
                               .field = canon_field_kind,
                               .as_volatile = is_racy};
}

/* Plain modes of VarHandles of arrays: other modes, and fields, are Unsafe's. */
static const char *const PLAIN_MODES[] = {"get", "set"};
enum { MODES = sizeof PLAIN_MODES / sizeof *PLAIN_MODES };

static struct canon_rule *add_racy(struct canon_rule *row, const char *helper)
{
    size_t count;
    const struct canon_racy *places = canon_racy_places(&count);
    for (size_t i = 0; i < count; i++)
        if (places[i].kind == CANON_RACY_METHOD)
            *row++ = all_accesses(places[i].class, places[i].name, helper);
    for (int i = 0; i < MODES; i++)
        *row++ = all_accesses("java/lang/invoke/VarHandle*$Array", PLAIN_MODES[i], helper);
    *row = all_accesses("*", "*", helper);
    row->owner_matches = has_order;
    row->class_matches = is_lock_free;
    return row + 1;
}

int canon_hooks_prepare(bool replaying)
{
    size_t racy;
    canon_racy_places(&racy);
    struct canon_rule *table =
        calloc(1, sizeof RULES + sizeof QUEUES + sizeof ORDERED_RULES + sizeof RACES + sizeof UNSAFE_CALLS +
                      sizeof RECORD_ORDER + sizeof SERIAL_RULES + sizeof LOOP_RULES + sizeof REPLAY_INITS +
                      sizeof REPLAY_SETS + (racy + MODES + 1) * sizeof *table);
    canon_assert(table); /* it stays: what is compiled refers to it */
    struct canon_rule *end = mempcpy(table, RULES, sizeof RULES);
    end = !canon_agent.edges ? mempcpy(end, QUEUES, sizeof QUEUES)
                             : mempcpy(end, replaying ? REPLAY_QUEUES : RECORD_QUEUES, sizeof RECORD_QUEUES);
    if (canon_agent.ordered) {
        end = mempcpy(end, ORDERED_RULES, sizeof ORDERED_RULES);
        const struct engine *engine = engine_of(replaying);
        end = add_racy(end, engine->helper);
        if (canon_agent.races)
            end = mempcpy(end, RACES, sizeof RACES);
        if (engine == &RECORDS || engine == &REPLAYS)
            end = mempcpy(end, UNSAFE_CALLS, sizeof UNSAFE_CALLS);
        /* The first rule is that of monitors. */
        end = mempcpy(end, engine->rules, canon_agent.monitors ? sizeof *engine->rules : sizeof RECORD_ORDER);
        end = mempcpy(end, REPLAY_INITS, replaying && !canon_agent.serial ? sizeof REPLAY_INITS : 0);
        if (engine == &RECORDS)
            end = mempcpy(end, RECORD_SETS, sizeof RECORD_SETS);
        else if (engine == &REPLAYS)
            end = mempcpy(end, REPLAY_SETS, sizeof REPLAY_SETS);
    }
    if (canon_agent.serial)
        end = mempcpy(end, SERIAL_RULES, sizeof SERIAL_RULES);
    if (canon_agent.loops)
        end = mempcpy(end, LOOP_RULES, sizeof LOOP_RULES);
    size_t bad = 0;
    int status = canon_rules_compile(&rules, table, (size_t)(end - table), &bad);
    if (status)
        canon_log("jvm", CANON_LOG_ERROR, "rule %zu makes no sense", bad);
    else if (canon_agent.ordered)
        canon_rules_watch(rules, canon_fields_learn);
    return status;
}

static void not_rewritten(const char *where, int status)
{
    char text[400];
    snprintf(text, sizeof text, "class not rewritten: %s: %s", where, canon_error_text(status));
    canon_role_note(CANON_NOTE_LIMIT, text);
    canon_log("jvm", CANON_LOG_WARN, "%s", text);
}

int canon_hooks_rewrite(const uint8_t *data, size_t size, uint8_t **made, size_t *made_size)
{
    struct canon_rewrite_report report = {0};
    int status = canon_rewrite_class(rules, data, size, 0, made, made_size, &report);
    if (status < 0)
        not_rewritten(report.where, status);
    return status;
}

/* A class of that loader. */
static bool rewrite_of(JNIEnv *env, jobject loader, const uint8_t *data, size_t size, uint8_t **made,
                       size_t *made_size)
{
    canon_fields_from_loader(env, loader);
    bool rewritten = canon_hooks_rewrite(data, size, made, made_size) == 1;
    canon_fields_from_loader(env, NULL);
    return rewritten;
}

bool canon_hooks_defined(JNIEnv *env, jobject loader, const char *name, const uint8_t *data, size_t size,
                         uint8_t **made, size_t *made_size)
{
    canon_digest_class(loader, name, data, size);
    canon_request_parsed(env, loader, name);
    return rewrite_of(env, loader, data, size, made, made_size);
}

void JNICALL canon_hooks_class(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader,
                               const char *name, jobject domain, jint size, const unsigned char *data,
                               jint *new_size, unsigned char **new_data)
{
    (void)domain;
    if ((!loader && canon_image_gave(name)) || canon_define_gave(name))
        return;
    uint8_t *made = NULL;
    size_t length = 0;
    if (!(redefined ? rewrite_of(env, loader, data, (size_t)size, &made, &length)
                    : canon_hooks_defined(env, loader, name, data, (size_t)size, &made, &length)))
        return;
    unsigned char *copy = NULL;
    if (!(*jvmti)->Allocate(jvmti, (jlong)length, &copy)) {
        memcpy(copy, made, length);
        *new_data = copy;
        *new_size = (jint)length;
    }
    free(made);
}

int canon_hooks_enable(JNIEnv *env)
{
    jclass canon = (*env)->FindClass(env, "java/lang/Canon");
    jfieldID on = canon ? (*env)->GetStaticFieldID(env, canon, "on", "Z") : NULL;
    if (!on)
        return CANON_E_UNSUPPORTED;
    (*env)->SetStaticBooleanField(env, canon, on, JNI_TRUE);
    return 0;
}

/* ---- natives of java.lang.Canon (found by name) -------------------------------------------------------- */

JNIEXPORT jobject JNICALL Java_java_lang_Canon_enterLoad0(JNIEnv *env, jclass unused, jobject loader,
                                                          jobject name);
JNIEXPORT void JNICALL Java_java_lang_Canon_enterInit0(JNIEnv *env, jclass unused, jstring name);
JNIEXPORT void JNICALL Java_java_lang_Canon_loaderMade0(JNIEnv *env, jclass unused, jobject loader);
JNIEXPORT void JNICALL Java_java_lang_Canon_leaveLoad0(JNIEnv *env, jclass unused);
JNIEXPORT void JNICALL Java_java_lang_Canon_startingVirtual0(JNIEnv *env, jclass unused);
JNIEXPORT void JNICALL Java_java_lang_Canon_childExited(JNIEnv *env, jclass unused, jobject stream);
JNIEXPORT void JNICALL Java_java_lang_Canon_childInputExited(JNIEnv *env, jclass unused, jobject stream);
JNIEXPORT void JNICALL Java_java_lang_Canon_childEnded(JNIEnv *env, jclass unused, jobject task);
JNIEXPORT void JNICALL Java_java_lang_Canon_dispatching0(JNIEnv *env, jclass unused, jint signal);

jobject Java_java_lang_Canon_enterLoad0(JNIEnv *env, jclass unused, jobject loader, jobject name)
{
    (void)unused;
    return canon_load_enter(env, loader, name);
}

void Java_java_lang_Canon_loaderMade0(JNIEnv *env, jclass unused, jobject loader)
{
    (void)unused;
    canon_loader_made(env, loader);
}

void Java_java_lang_Canon_enterInit0(JNIEnv *env, jclass unused, jstring name)
{
    (void)unused;
    canon_init_enter(env, name);
}

void Java_java_lang_Canon_leaveLoad0(JNIEnv *env, jclass unused)
{
    (void)unused;
    canon_load_leave(env);
}

void Java_java_lang_Canon_dispatching0(JNIEnv *env, jclass unused, jint signal)
{
    (void)env, (void)unused;
    canon_signal_dispatched(signal);
}

void Java_java_lang_Canon_startingVirtual0(JNIEnv *env, jclass unused)
{
    (void)env, (void)unused;
    canon_thread_starts_virtual();
}

void Java_java_lang_Canon_childExited(JNIEnv *env, jclass unused, jobject stream)
{
    (void)unused;
    canon_child_exited(env, stream);
}

void Java_java_lang_Canon_childInputExited(JNIEnv *env, jclass unused, jobject stream)
{
    (void)unused;
    canon_child_input_exited(env, stream);
}

void Java_java_lang_Canon_childEnded(JNIEnv *env, jclass unused, jobject task)
{
    (void)env, (void)unused, (void)task;
    canon_child_ended();
}
