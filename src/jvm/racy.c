/* racy.c: see racy.h. */
#include "jvm/racy.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

#define CONCURRENT "java/util/concurrent/"

/* Found by programs whose replay took another way. */
static const char *const KNOWN[] = {
    /* Classes that look at plain fields or elements others write, and confirm what they saw later. */
    CONCURRENT "ForkJoin*.*()",
    CONCURRENT "Exchanger*.*()",
    CONCURRENT "Phaser*.*()",
    CONCURRENT "SynchronousQueue*.*()",
    CONCURRENT "LinkedTransferQueue*.*()",
    CONCURRENT "ConcurrentLinked*.*()",
    CONCURRENT "ConcurrentSkipList*.*()",
    CONCURRENT "CompletableFuture*.*()",
    CONCURRENT "SubmissionPublisher*.*()",
    CONCURRENT "locks/AbstractQueued*.*()",
    CONCURRENT "locks/AbstractOwnable*.*()",
    CONCURRENT "locks/ReentrantReadWriteLock*.*()",
    CONCURRENT "locks/StampedLock*.*()",
    CONCURRENT "atomic/Striped64*.*()",
    CONCURRENT "atomic/LongAd*.*()",
    CONCURRENT "atomic/LongAcc*.*()",
    CONCURRENT "atomic/DoubleA*.*()",
    CONCURRENT "ConcurrentHashMap.*ddCount()",
    CONCURRENT "ConcurrentHashMap.sumCount()",
    CONCURRENT "FutureTask.callable", /* null once somebody has finished the task */

    /* A table that is looked at without its lock. */
    "java/lang/ClassValue*.*()",

    /* H2 asks whether anybody waits for a table without holding its lock. */
    "java/util/ArrayDeque.head",
    "java/util/ArrayDeque.tail",
    /* Built by whoever comes first: looked at without the lock, then with it. */
    "org/sunflow/core/Geometry.built*",
    "org/apache/xml/serializer/OutputPropertiesFactory.m_*",
    /* Loops that go on until another thread says stop. */
    "org/h2/server/*.stop",
};

static struct canon_racy *places;
static size_t place_count;

static char *internal_name(const char *text, size_t length)
{
    char *name = strndup(text, length);
    canon_assert(name);
    for (char *at = name; *at; at++)
        *at = *at == '.' ? '/' : *at;
    return name;
}

static bool has_stars(const char *text)
{
    const char *star = strchr(text, '*');
    return star && strchr(star + 1, '*');
}

bool canon_racy_add(const char *place)
{
    const char *dot = strrchr(place, '.');
    if (!dot || dot == place || !dot[1] || strchr(dot, '/'))
        return false;
    size_t length = strlen(dot + 1);
    bool is_method = length > 2 && strcmp(dot + 1 + length - 2, "()") == 0;
    struct canon_racy made = {.class = internal_name(place, (size_t)(dot - place)),
                              .name = strndup(dot + 1, is_method ? length - 2 : length),
                              .is_method = is_method};
    canon_assert(made.name);
    if (has_stars(made.class) || has_stars(made.name)) {
        free(made.class);
        free(made.name);
        return false;
    }
    places = realloc(places, (place_count + 1) * sizeof *places);
    canon_assert(places);
    places[place_count++] = made;
    return true;
}

const struct canon_racy *canon_racy_places(size_t *count)
{
    static bool known;
    for (size_t i = 0; !known && i < sizeof KNOWN / sizeof *KNOWN; i++)
        canon_assert(canon_racy_add(KNOWN[i]));
    known = true;
    *count = place_count;
    return places;
}

static bool matches(const char *pattern, struct canon_utf8 text)
{
    const char *star = strchr(pattern, '*');
    if (!star)
        return canon_utf8_is(text, pattern);
    size_t before = (size_t)(star - pattern), behind = strlen(star + 1);
    return text.length >= before + behind && memcmp(text.text, pattern, before) == 0 &&
           memcmp(text.text + text.length - behind, star + 1, behind) == 0;
}

bool canon_racy_field(struct canon_utf8 class, struct canon_utf8 field)
{
    for (size_t i = 0; i < place_count; i++)
        if (!places[i].is_method && matches(places[i].class, class) && matches(places[i].name, field))
            return true;
    return false;
}

bool canon_racy_class(struct canon_utf8 class)
{
    for (size_t i = 0; i < place_count; i++)
        if (matches(places[i].class, class))
            return true;
    return false;
}
