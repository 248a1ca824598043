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

    /* Names of time zones are filled into an array that all threads have from a cache. */
    "sun/util/cldr/CLDRTimeZoneNameProviderImpl.*()",
    /* Looked at without the lock under which it is made; and a clock that is set anew every two seconds. */
    "java/nio/charset/Charset.defaultCharset",
    "jdk/internal/net/http/common/TimeSource.localSource",

    /* Timer.purge looks at tasks without their lock. */
    "java/util/TimerTask.state",

    /* A table that is looked at without its lock. */
    "java/lang/ClassValue*.*()",

    /* H2 asks whether anybody waits for a table without holding its lock. */
    "java/util/ArrayDeque.head",
    "java/util/ArrayDeque.tail",
    /* Undo logs of others are looked up without a lock, in an array. */
    "org/h2/mvstore/tx/TransactionStore.registerTransaction()",
    "org/h2/mvstore/tx/TransactionStore.collectUndoLogRootReferences()",
    "org/h2/mvstore/tx/TransactionStore.isUndoEmpty()",
    /* Loops that go on until another thread says stop. */
    "org/h2/server/*.stop",

    /* Caffeine, also where it is packed into others: how often what is used, made when there is enough. */
    "*/FrequencySketch.table",

    /* JRuby: what was called at a place the last time; variables of a block, which threads are started with.
     */
    "org/jruby/runtime/callsite/CachingCallSite.cache",
    "org/jruby/runtime/ContextAwareBlockBody.scope",

    /* ZooKeeper answers while it starts: connections look whether there is a server, and its data, yet. */
    "org/apache/zookeeper/server/*.zkServer",
    "org/apache/zookeeper/server/ZooKeeperServer.zkDb",

    /* ActiveMQ: what a message is worth to its broker, and what a connection did last, without the locks that
       others take. */
    "org/apache/activemq/command/MessageId.key",
    "org/apache/activemq/command/MessageId.futureOrSequenceLong",
    "org/apache/activemq/command/ProducerId.key",
    "org/apache/activemq/command/ActiveMQDestination.hashValue",
    "org/apache/activemq/command/ActiveMQTextMessage.text",
    "org/apache/activemq/command/Message.brokerOutTime",
    "org/apache/activemq/command/Message.regionDestination",
    "org/apache/activemq/broker/region/AbstractSubscription.slowConsumer",
    "org/apache/activemq/broker/region/BaseDestination.lastActiveTime",
    "org/apache/activemq/broker/TransportConnection.timeStamp",
    "org/apache/activemq/broker/TransportConnection.markedCandidate",
    "org/apache/activemq/broker/TransportConnection.blockedCandidate",

    /* logback: a loop that goes on until another thread says stop. c3p0: what a task leaves in an array for
       who waits. */
    "ch/qos/logback/core/*.started",
    "com/mchange/v2/c3p0/stmt/GooGooStatementCache*.*()",

    /* Derby: figures that decide when a statement is planned anew; a daemon that is asked whether it has
       stopped. */
    "org/apache/derby/impl/sql/GenericPreparedStatement$RowCountStatistics.*()!",
    "org/apache/derby/impl/sql/GenericPreparedStatement.referencesSessionSchema",
    "org/apache/derby/impl/services/daemon/BasicDaemon.stopped",
    "org/apache/derby/impl/services/daemon/BasicDaemon.stopRequested",
    "org/apache/derby/impl/services/daemon/BasicDaemon.running",
    "org/apache/derby/impl/services/daemon/BasicDaemon.inPause",

    /* HSQLDB: made when first needed. */
    "org/hsqldb/Table*.store",
    "org/hsqldb/ColumnSchema.accessor",

    /* FOP: properties that threads share, made when first needed, and marked as shared. */
    "org/apache/fop/fo/properties/PropertyMaker.defaultProperty",
    "org/apache/fop/fo/properties/*.isCachedValue",

    /* Tables of fonts and glyphs that threads share. */
    "org/apache/batik/bridge/DefaultFontFamilyResolver.*()!",
    "org/apache/batik/gvt/font/AWTGlyphGeometryCache.*()!",
    /* A native library that remembers what it has asked for, without a lock. */
    "sun/font/SunLayoutEngine.layout()!",
    /* Fonts: strikes and glyphs are remembered without a lock. */
    "sun/font/*.*",
    "sun/font/StrikeCache*.*()",
    "sun/font/FileFontStrike*.*()",
    "sun/font/CompositeStrike*.*()",

    /*
     * Made by whoever needs it first, without a lock or looked at before one is taken. Not in the JDK as a
     * whole: much of it is hot (collections, streams), or runs where nothing is ordered (loaders,
     * reflection).
     */
    "*.?",
    "!java/*.?",
    "!javax/*.?",
    "!jdk/*.?",
    "!sun/*.?",
    "!com/sun/*.?",
    "java/awt/*.??",
    "java/beans/*.??",
    "java/security/Provider*.??",
    "java/security/S*.??",
    "java/text/D*Symbols.??",
    "java/util/ResourceBundle*.??",
    "java/util/TimeZone.??",
    "java/util/Currency*.??",
    "java/util/logging/*.??",
    "javax/imageio/*.??",
    "javax/xml/*.??",
    "com/sun/imageio/*.??",
    "com/sun/org/apache/*.??",
    "sun/awt/*.??",
    "sun/java2d/*.??",
    "!sun/java2d/marlin/*.?",
    "!sun/java2d/Disposer*.?",
    "sun/net/*.??",
    "sun/security/*.??",
    "!sun/security/provider/SHA*.?", /* intrinsics: compiled code does not run their bytecode */
    "!sun/security/provider/DigestBase*.?",
    "sun/util/*.??",
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

/* What of the place comes behind the last dot. */
static enum canon_racy_kind kind_of(const char *name, bool negated)
{
    size_t length = strlen(name);
    if (strcmp(name, "?") == 0)
        return negated ? CANON_RACY_NOT_LAZY : CANON_RACY_LAZY;
    if (strcmp(name, "??") == 0)
        return CANON_RACY_LAZY_ALL;
    if (length > 3 && strcmp(name + length - 3, "()!") == 0)
        return CANON_RACY_ALONE;
    return length > 2 && strcmp(name + length - 2, "()") == 0 ? CANON_RACY_METHOD : CANON_RACY_FIELD;
}

static void free_place(struct canon_racy *place)
{
    free(place->text);
    free(place->class);
    free(place->name);
}

bool canon_racy_add(const char *text)
{
    bool negated = text[0] == '!';
    const char *class = text + negated, *dot = strrchr(class, '.');
    if (!dot || dot == class || !dot[1] || strchr(dot, '/'))
        return false;
    struct canon_racy made = {.text = strdup(text),
                              .class = internal_name(class, (size_t)(dot - class)),
                              .name = strdup(dot + 1),
                              .kind = kind_of(dot + 1, negated)};
    canon_assert(made.text && made.name);
    if (has_stars(made.class) || has_stars(made.name) || (negated && made.kind != CANON_RACY_NOT_LAZY)) {
        free_place(&made);
        return false;
    }
    if (made.kind == CANON_RACY_METHOD || made.kind == CANON_RACY_ALONE)
        *strchr(made.name, '(') = '\0';
    places = realloc(places, (place_count + 1) * sizeof *places);
    canon_assert(places);
    places[place_count++] = made;
    return true;
}

void canon_racy_add_known(void)
{
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        canon_assert(canon_racy_add(KNOWN[i]));
}

void canon_racy_clear(void)
{
    while (place_count)
        free_place(&places[--place_count]);
}

const struct canon_racy *canon_racy_places(size_t *count)
{
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
        if (places[i].kind == CANON_RACY_FIELD && matches(places[i].class, class) &&
            matches(places[i].name, field))
            return true;
    return false;
}

/* The last place that says something of the class has its way. */
enum canon_lazy canon_racy_if_lazy(struct canon_utf8 class)
{
    for (size_t i = place_count; i-- > 0;)
        if (places[i].kind >= CANON_RACY_LAZY && matches(places[i].class, class))
            return places[i].kind == CANON_RACY_LAZY       ? CANON_LAZY_SHARED
                   : places[i].kind == CANON_RACY_LAZY_ALL ? CANON_LAZY_ALL
                                                           : CANON_LAZY_NONE;
    return CANON_LAZY_NONE;
}

bool canon_racy_method_alone(struct canon_utf8 class, struct canon_utf8 method)
{
    for (size_t i = 0; i < place_count; i++)
        if (places[i].kind == CANON_RACY_ALONE && matches(places[i].class, class) &&
            matches(places[i].name, method))
            return true;
    return false;
}

bool canon_racy_class(struct canon_utf8 class)
{
    for (size_t i = 0; i < place_count; i++)
        if (places[i].kind <= CANON_RACY_METHOD && matches(places[i].class, class))
            return true;
    return false;
}
