/* heap_rules.c: see heap_rules.h. */
#include "jvm/heap_rules.h"

#include "base/assert.h"

#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Classes of which only some fields count; the first rule that fits a class holds. */
static const struct {
    const char *classes; /* pattern */
    const char *fields;  /* those that count, each between blanks */
} RULES[] = {
    /* A text is what it says: its bytes may be shared, its hash code may have been asked for. */
    {"Ljava/lang/String;", ""},
    /* Which stack trace was looked at, what the JVM left in there. */
    {"Ljava/lang/Throwable;", " detailMessage cause suppressedExceptions "},

    /* Of a thread: what the program gave it. Numbers, states and addresses are the JVM's. */
    {"Ljava/lang/Thread;", " name target holder daemon priority uncaughtExceptionHandler "},
    {"Ljava/lang/Thread$FieldHolder;", " task daemon priority "},
    {"Ljava/lang/ThreadGroup;", " name "},
    /* The hash code of a thread local is its number, and the JDK has some, too. */
    {"Ljava/lang/ThreadLocal;", ""},

    /* When a loader is asked, and what it remembers of that. */
    {"Ljava/lang/ClassLoader;", ""},
    {"Ljava/security/SecureClassLoader;", ""},
    {"Ljava/net/URLClassLoader;", ""},
    {"Ljdk/internal/loader/*", ""},
    {"Ljava/lang/Module;", " name "},

    /* The collector's work, and lists of it. */
    {"Ljava/lang/ref/*", ""},
    {"Ljdk/internal/ref/*", ""},

    /* Linkage; caches of reflection; numbers of methods, which follow addresses. */
    {"Ljava/lang/invoke/*", ""},
    {"Ljdk/internal/reflect/*", ""},
    {"Lsun/reflect/*", ""},
    {"Ljava/lang/reflect/Proxy;", " h "},
    {"Ljava/lang/reflect/*", " clazz name type returnType parameterTypes "},
    {"Ljava/lang/ClassValue*", ""},

    /* Memory behind buffers is elsewhere each time. */
    {"Ljava/nio/Buffer;", " mark position limit capacity "},
};

/* Fields that canon has put in. */
static bool is_of_canon(const char *field)
{
    static const char *const FIELDS[] = {"canonBlock",  "canonHeld",    "canonEnd",  "canonOwner",
                                         "canonWordAt", "canonStatics", "canonWord", "canonHold",
                                         "canonState",  "canonId"};
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++)
        if (strcmp(field, FIELDS[i]) == 0)
            return true;
    return false;
}

bool canon_heap_field_counts(const char *signature, const char *field)
{
    if (is_of_canon(field))
        return false;
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++)
        if (fnmatch(RULES[i].classes, signature, FNM_NOESCAPE) == 0) {
            char word[256];
            snprintf(word, sizeof word, " %s ", field);
            return strstr(RULES[i].fields, word);
        }
    return true;
}

bool canon_heap_has_roots(const char *signature)
{
    /* A hidden class has a number behind a dot; a proxy's statics are the methods of its interfaces. */
    return signature[0] == 'L' && !strchr(signature, '.') && !strstr(signature, "$Proxy") &&
           strncmp(signature, "Ljdk/internal/reflect/", 22) != 0;
}

/* Takes away what follows `mark` in a name, if it is there. */
static void cut_behind(char *name, const char *mark)
{
    char *at = strstr(name, mark);
    if (at)
        at[strlen(mark)] = '\0';
}

static const char *primitive(char letter)
{
    static const char *const NAMES[] = {['Z'] = "boolean", ['B'] = "byte", ['C'] = "char",  ['S'] = "short",
                                        ['I'] = "int",     ['J'] = "long", ['F'] = "float", ['D'] = "double"};
    return letter >= 'A' && letter <= 'Z' && NAMES[(int)letter] ? NAMES[(int)letter] : "?";
}

char *canon_heap_class_name(const char *signature)
{
    size_t dimensions = strspn(signature, "[");
    const char *element = signature + dimensions;
    bool is_class = *element == 'L';
    char *name = malloc(strlen(element) + 16 + 2 * dimensions);
    canon_assert(name);
    strcpy(name, is_class ? element + 1 : primitive(*element));
    name[strcspn(name, ";")] = '\0';
    name[strcspn(name, ".")] = '\0'; /* hidden */
    for (char *at = name; *at; at++)
        *at = *at == '/' ? '.' : *at;
    cut_behind(name, "$$Lambda");
    cut_behind(name, "$Proxy");
    cut_behind(name, "java.lang.invoke."); /* which of them is linkage */
    for (size_t i = 0; i < dimensions; i++)
        strcat(name, "[]");
    return name;
}
