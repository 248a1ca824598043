/*
 * rewrite.h: class rewriting by a table of rules. One row is one interception.
 *
 *     static const struct canon_rule RULES[] = {
 *         {CANON_RULE_REDIRECT, "java/lang/System", "nanoTime", "()J",
 *          .helper = "java/lang/Canon.nanoTime()J"},
 *         {CANON_RULE_WRAP, "*", "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;",
 *          .helper = "java/lang/Canon.enter(Ljava/lang/Object;)J", .pass = CANON_PASS_ARGUMENT,
 *          .exit_helper = "java/lang/Canon.exit(J)V"},
 *         {CANON_RULE_FIELD, "java/lang/Thread", "canonStrand", "J", .access = 0x1082},
 *         {CANON_RULE_ACCESS, "*", NULL, NULL, .helper = "java/lang/CanonOrder", .field = what_is},
 *     };
 *
 * Owner, name and descriptor are exact, or have one star, which stands for any text
 * ("java/lang/invoke/Lambda*", "get*Volatile", "*Release"), or are just "*" (NULL is the same). Helpers are
 * static methods, written "owner.name(parameters)result".
 *
 * Empty finalize() methods stay empty, whatever a row says: the JVM treats objects with others differently.
 *
 * Rows are applied in the table's order: of two redirects or arounds for one call the first counts, of two
 * monitor, access or loop rows for one method, too; of two wraps the first is the outer one, where a
 * synchronized method that a monitor row applies to is a wrap. Classes that own helpers are never rewritten.
 *
 * A new kind of rule is a value of enum canon_rule_kind, a row of KINDS in rewrite.c, and the functions
 * that row names.
 */
#ifndef CANON_CLASSFILE_REWRITE_H
#define CANON_CLASSFILE_REWRITE_H

#include "classfile/class.h"

enum canon_rule_kind {
    /* Calls of owner.name+descriptor, wherever they are, become calls of `helper`; method references
     * (Owner::name) too. An object's method passes the object as first argument. A helper written without
     * descriptor ("owner.name") gets that of the call, with the call's owner in front as the type of the
     * object. super.name() calls are left alone without CANON_RULE_SUPER_CALLS. */
    CANON_RULE_REDIRECT,
    /* Methods get `helper` called on entry and `exit_helper` when they end, by whatever way. What `helper`
     * returns, if it does, is the first argument of `exit_helper`; `pass` and `exit_pass` say what else they
     * get. Stars do not match constructors.
     *
     * With `caught_helper`, (Throwable, token)Object, where the token is an Object that `helper` returns, the
     * method returns what that makes of an exception, which it may also throw on; `exit_helper` has been
     * called then. `entered_helper`, (token)V, comes before the method's own code, of which it keeps the
     * method when it throws something that `caught_helper` knows. Only for methods that return an object. */
    CANON_RULE_WRAP,
    /* Methods return helper(result) instead of result. A helper for a supertype is fine: the result is
     * cast back. `pass` says what the helper gets besides; it is read when the method returns, so name only
     * methods that do not overwrite it. For a void method, a constructor too, the helper is void and gets
     * just that. */
    CANON_RULE_RESULT,
    /* Methods call `helper` first; `pass` says what it gets. Not for constructors. */
    CANON_RULE_ENTRY,
    /* Classes get a public method `name``descriptor` (literal, without parameters), which overrides the
     * superclass's and returns helper(super.name(), this). */
    CANON_RULE_OVERRIDE,
    /* Classes get a field `name` of type `descriptor` (both literal) with flags `access`. With
     * CANON_RULE_IF_VOLATILE only classes, not interfaces, that declare a volatile field that is not static,
     * or one that `as_volatile` takes for such; but not java/lang/ref/Reference, whose layout the collectors
     * know. */
    CANON_RULE_FIELD,
    /* Methods call, with the object whose monitor it is, `helper` (NULL: nothing) before they enter a monitor
     * (the object may be null then, and entering throw), `entered_helper` (NULL: nothing, but not both) once
     * they have it, and `exit_helper` before they leave it: all (Object)V. Handlers that release the monitor
     * cover what is called while it is held. A synchronized method with code is no longer synchronized but
     * locks by itself; a native one stays as it is. The JIT compilers insist on `identity_helper`,
     * (Object)Object, for synchronized methods that lock in their body, too: it returns its argument. */
    CANON_RULE_MONITOR,
    /* Methods call `helper`, (Class, int)V, with a class and the number that `initialises` gave it, before an
     * instruction that may initialise that class: new, an access to a static field, a call of a static
     * method. `initialises` is asked once a constant of a class or a field, but not about the class itself,
     * whose code runs only when that is past; except where it names, as its own, a static field that it
     * inherits, maybe from an interface. Not in classes older than version 49, which cannot name classes as
     * values. */
    CANON_RULE_INITIALISE,
    /* Methods tell about their accesses to fields that order threads. `helper` is a class; the methods that
     * are called are those of HELPERS in access.c: before an access read(Object), write(Object),
     * readStatic(int) or writeStatic(int), behind it done(). The object may be null and the access throw;
     * then there is no done(). The int is canon_field_hash. A static field's class is initialised before its
     * helper is called.
     *
     * A field that the class itself declares is ordered if it is volatile, or `as_volatile` takes it for
     * that. `field` is asked for all others, once a reference in the class's constants; without it they are
     * plain. What is unknown is reported with the number that `field` gave it as last argument, of done, too.
     *
     * What a constructor writes before it called another constructor is left alone: helpers may not see such
     * objects.
     *
     * With CANON_RULE_ALL_ACCESSES plain fields are ordered, too, unless they are final; and elements of
     * arrays are, with readArray(Object, int), writeArray(Object, int) and done(). Both not in constructors
     * and class initialisers, where nobody else sees the object.
     *
     * With `plain` they are only told about: before the access plain(Object, int), for static fields
     * plainStatic(int), for elements plainElement(Object, int, int) with the index; the last int is what
     * `plain` gave. */
    CANON_RULE_ACCESS,
    /* Calls of owner.name+descriptor, when the first two arguments are an Object and a long, get `helper`,
     * (Object, long)V, called before with copies of these, and `exit_helper`, ()V, behind. Calls with other
     * arguments, super.name() calls and method references are left alone, and so is what the class `except`
     * calls. If the call throws, `exit_helper` is not called. */
    CANON_RULE_AROUND,
    /* Methods call `helper`, ()V, before every branch that may go back: once each time round a loop, or once
     * more. */
    CANON_RULE_LOOP,
    /* Classes that match `owner` are not rewritten, whatever other rows say. */
    CANON_RULE_SKIP,
    CANON_RULE_KIND_COUNT
};

/* What a wrap's helpers get, in this order. */
enum canon_pass {
    CANON_PASS_CLASS = 1,    /* the class's name as a String: "java.lang.Thread" */
    CANON_PASS_THIS = 2,     /* null in a static method */
    CANON_PASS_ARGUMENT = 4, /* the method's first argument */
};

enum canon_rule_flags {
    CANON_RULE_SUPER_CALLS = 1,  /* of CANON_RULE_REDIRECT */
    CANON_RULE_IF_VOLATILE = 2,  /* of CANON_RULE_FIELD */
    CANON_RULE_ALL_ACCESSES = 4, /* of CANON_RULE_ACCESS */
};

/* What a field is to CANON_RULE_ACCESS. */
enum canon_field_kind {
    CANON_FIELD_PLAIN,
    CANON_FIELD_ORDERED, /* volatile */
    CANON_FIELD_UNKNOWN, /* to be found out when it is accessed */
    CANON_FIELD_FINAL,   /* left alone with CANON_RULE_ALL_ACCESSES, too */
};

/* The strings must stay as long as the compiled rules do. */
struct canon_rule {
    enum canon_rule_kind kind;
    const char *owner;
    const char *name;
    const char *descriptor;
    const char *helper;
    const char *exit_helper;
    const char *entered_helper;  /* of CANON_RULE_MONITOR, and of a wrap with a `caught_helper` */
    const char *caught_helper;   /* of CANON_RULE_WRAP; NULL: none */
    const char *identity_helper; /* of CANON_RULE_MONITOR; NULL: none */
    const char *except;          /* a class whose calls a redirect or an around leaves alone; NULL: none */
    unsigned pass;               /* enum canon_pass */
    unsigned exit_pass;          /* enum canon_pass */
    unsigned flags;              /* enum canon_rule_flags */
    uint16_t access;
    /* Asked besides the `owner` pattern, when it is set. May be called by many threads at once. */
    bool (*owner_matches)(void *context, struct canon_utf8 owner);
    /* And once the class is open, of a row that is about what it has itself (not a skip, redirect or around).
     * Likewise. */
    bool (*class_matches)(void *context, const struct canon_class *cls);
    /* Asked about the class that makes the call, when a redirect or an around has it. Likewise. */
    bool (*within)(void *context, struct canon_utf8 caller);
    /* Of CANON_RULE_ACCESS: what a field is that `cls` accesses and does not declare. For CANON_FIELD_UNKNOWN
     * it sets `site` to a number, not negative. May be called by many threads at once, too. */
    enum canon_field_kind (*field)(void *context, const struct canon_class *cls, const struct canon_ref *ref,
                                   bool is_static, int32_t *site);
    /* Of CANON_RULE_ACCESS: a number for an access to a plain field, or to one that may be plain, in a
     * method; to an element of an array when `ref` is NULL. Negative: this one is not told about. Likewise.
     */
    int32_t (*plain)(void *context, const struct canon_class *cls, const struct canon_member *method,
                     const struct canon_ref *ref, bool writes);
    /* Of CANON_RULE_ACCESS and CANON_RULE_FIELD: whether a field that is not volatile is treated as if it
     * were; NULL: none is. Likewise. */
    bool (*as_volatile)(void *context, struct canon_utf8 owner, struct canon_utf8 field);
    /* Of CANON_RULE_MONITOR: whether a method that is not synchronized is treated as if it were; NULL: none
     * is. Likewise. */
    bool (*as_synchronized)(void *context, struct canon_utf8 owner, struct canon_utf8 method);
    /* Of CANON_RULE_INITIALISE: whether `helper` is to hear of it when a class of that name may get
     * initialised by `cls`, or, with a field's name (else it is empty), the one that it has the static field
     * from; then `number` is not negative. May be called by many threads at once, too. */
    bool (*initialises)(void *context, const struct canon_class *cls, struct canon_utf8 name,
                        struct canon_utf8 field, int32_t *number);
    void *context;
};

/* What helpers get for a static field: the same for all fields of that name and type; not negative. */
int32_t canon_field_hash(struct canon_utf8 name, struct canon_utf8 descriptor);

struct canon_rules;

/* CANON_E_INVALID when a row makes no sense; then `*bad_row` says which. */
int canon_rules_compile(struct canon_rules **rules, const struct canon_rule *table, size_t count,
                        size_t *bad_row);
void canon_rules_free(struct canon_rules *rules);
/* `seen` is called for every class that a row may apply to, before it is rewritten. */
void canon_rules_watch(struct canon_rules *rules, void (*seen)(const struct canon_class *cls));
/* How often a row was applied so far. */
uint64_t canon_rules_hits(const struct canon_rules *rules, size_t row);

/* Leave methods that would get too big as they are (and count them) instead of failing. */
enum canon_rewrite_options { CANON_REWRITE_LEAVE_TOO_BIG = 1 };

struct canon_rewrite_report {
    uint32_t left_alone; /* methods, with CANON_REWRITE_LEAVE_TOO_BIG */
    char where[256];     /* after an error: class and method, as far as known */
};

/* 1 and a malloc'd new class; 0 when no rule applies (nothing is allocated: use the class as it is); or an
 * error: a class that a rule applies to and that cannot be rewritten is an error, not a 0. Any number of
 * threads may rewrite by the same rules. `report` may be NULL. */
int canon_rewrite_class(struct canon_rules *rules, const void *data, size_t length, unsigned options,
                        uint8_t **new_data, size_t *new_length, struct canon_rewrite_report *report);

#endif
