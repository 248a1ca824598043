/* heap_rules.c: see heap_rules.h. */
#include "jvm/heap_rules.h"

#include "base/assert.h"

#include <fnmatch.h>
#include <stddef.h>
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

    /* What class loaders open, which a program may share, has other numbers at replay. */
    {"Ljava/io/FileDescriptor;", " append parent closed "},
    {"Ljava/io/FileCleanable;", ""},

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

    /* Images of letters, with addresses in arrays. */
    {"Lsun/font/*Strike*", ""},
};

/* Whether a list of words between blanks has the field. */
static bool is_listed(const char *list, const char *field)
{
    size_t length = strlen(field);
    const char *at = list;
    while (length && (at = strstr(at, field)) && !(at > list && at[-1] == ' ' && at[length] == ' '))
        at++;
    return length && at;
}

/* Memory of native code, and of buffers, is elsewhere each time. */
static bool is_address(const char *signature, const char *field, char type)
{
    static const char *const PACKAGES[] = {"Ljava/", "Ljavax/", "Ljdk/", "Lsun/", "Lcom/sun/"};
    static const char FIELDS[] =
        " address allocationAddress ID dataPointer disposerMethodPointer glyphInfoPtr nativePtr nativeScaler "
        "pContext pData pHandle pNativeScalerContext pScalerContext splashPtr structPointer ";
    bool of_jdk = false;
    for (size_t i = 0; i < sizeof PACKAGES / sizeof *PACKAGES; i++)
        of_jdk |= strncmp(signature, PACKAGES[i], strlen(PACKAGES[i])) == 0;
    return of_jdk && type == 'J' && is_listed(FIELDS, field);
}

bool canon_heap_field_counts(const char *signature, const char *field, char type)
{
    if (is_address(signature, field, type))
        return false;
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++)
        if (fnmatch(RULES[i].classes, signature, FNM_NOESCAPE) == 0)
            return is_listed(RULES[i].fields, field);
    return true;
}

bool canon_heap_has_statics(const char *signature)
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
