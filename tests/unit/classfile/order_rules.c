/* order_rules.c: see order_rules.h. */
#include "order_rules.h"

#include <stdatomic.h>

#define HELPER "java/lang/CanonTest"
#define OBJECT "Ljava/lang/Object;"
#define REF "java/lang/ref/"

/* Every reference to another class's field is a site of its own. */
static enum canon_field_kind unknown(void *context, const struct canon_class *cls,
                                     const struct canon_ref *ref, bool is_static, int32_t *site)
{
    static atomic_int sites;
    (void)context, (void)cls, (void)ref, (void)is_static;
    *site = atomic_fetch_add_explicit(&sites, 1, memory_order_relaxed) & INT32_MAX;
    return CANON_FIELD_UNKNOWN;
}

/* Every class that a class names. */
static bool initialises(void *context, const struct canon_class *cls, struct canon_utf8 name,
                        struct canon_utf8 field, int32_t *number)
{
    (void)context, (void)cls, (void)field;
    *number = (int32_t)name.length;
    return true;
}

#define AROUND_OF(class, name)                                                                               \
    {                                                                                                        \
        CANON_RULE_AROUND, class, name, NULL, .helper = HELPER ".before(" OBJECT "J)V",                      \
                                              .exit_helper = HELPER ".behind()V", .except = class            \
    }
#define AROUND(name) AROUND_OF("jdk/internal/misc/Unsafe", name), AROUND_OF("sun/misc/Unsafe", name)

static const struct canon_rule ORDER[] = {
    {CANON_RULE_WRAP, "*", "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;",
     .helper = HELPER ".enterLoad(" OBJECT OBJECT ")" OBJECT, .pass = CANON_PASS_THIS | CANON_PASS_ARGUMENT,
     .entered_helper = HELPER ".loading(" OBJECT ")V", .exit_helper = HELPER ".leaveLoad(" OBJECT ")V",
     .caught_helper = HELPER ".notLoaded(Ljava/lang/Throwable;" OBJECT ")" OBJECT},
    {CANON_RULE_WRAP, "*", "<clinit>", "()V", .helper = HELPER ".enter(Ljava/lang/String;)J",
     .pass = CANON_PASS_CLASS, .exit_helper = HELPER ".exit(J)V"},
    {CANON_RULE_REDIRECT, "java/lang/System", "nanoTime", "()J", .helper = HELPER ".nanoTime()J"},
    {CANON_RULE_FIELD, "java/lang/Thread", "canonBlock", "J", .access = 0x1081},
    {CANON_RULE_FIELD, REF "WeakReference", "canonId", "J", .access = 0x1081},
    {CANON_RULE_RESULT, REF "WeakReference", "<init>", NULL, .helper = HELPER ".created(" OBJECT OBJECT ")V",
     .pass = CANON_PASS_THIS | CANON_PASS_ARGUMENT},
    {CANON_RULE_OVERRIDE, REF "WeakReference", "get", "()" OBJECT,
     .helper = HELPER ".got(" OBJECT OBJECT ")" OBJECT},
    {CANON_RULE_ENTRY, REF "Reference", "clear", "()V", .helper = HELPER ".reading(" OBJECT ")V",
     .pass = CANON_PASS_THIS},
    {CANON_RULE_RESULT, REF "ReferenceQueue", "remove", "*", .helper = HELPER ".same(" OBJECT ")" OBJECT},

    {CANON_RULE_MONITOR, "*", "*", NULL, .helper = HELPER ".before(" OBJECT ")V",
     .entered_helper = HELPER ".held(" OBJECT ")V", .exit_helper = HELPER ".release(" OBJECT ")V",
     .identity_helper = HELPER ".same(" OBJECT ")" OBJECT},
    {CANON_RULE_INITIALISE, "*", "*", NULL, .helper = HELPER ".initialising(Ljava/lang/Class;I)V",
     .initialises = initialises},
    {CANON_RULE_ACCESS, "*", "*", NULL, .helper = HELPER, .field = unknown},
    {CANON_RULE_LOOP, "*", "*", NULL, .helper = HELPER ".enter()V"},
    {CANON_RULE_FIELD, "*", "canonClock", "J", .access = 0x1081, .flags = CANON_RULE_IF_VOLATILE},
    AROUND("compareAnd*"),
    AROUND("weakCompareAndSet*"),
    AROUND("getAnd*"),
    AROUND("get*Volatile"),
    AROUND("put*Volatile"),
    AROUND("get*Acquire"),
    AROUND("put*Release"),
    AROUND("get*Opaque"),
    AROUND("put*Opaque"),
};

enum { COUNT = sizeof ORDER / sizeof ORDER[0] };

struct order_table order_rules(bool all)
{
    static struct canon_rule with_all[COUNT];
    if (!all)
        return (struct order_table){ORDER, COUNT};
    for (size_t i = 0; i < COUNT; i++) {
        with_all[i] = ORDER[i];
        if (ORDER[i].kind == CANON_RULE_ACCESS)
            with_all[i].flags |= CANON_RULE_ALL_ACCESSES;
    }
    return (struct order_table){with_all, COUNT};
}
