/* helpers.c: see helpers.h. */
#include "jvm/helpers.h"

#include "base/error.h"

#include <string.h>

/* java/runtime, compiled. */
static const unsigned char CANON_CLASS[] = {
#include "Canon.inc"
};
static const unsigned char HASH_CLASS[] = {
#include "CanonHash.inc"
};
static const unsigned char REFERENCES_CLASS[] = {
#include "CanonReferences.inc"
};
static const unsigned char LANE_CLASS[] = {
#include "CanonLane.inc"
};
static const unsigned char ORDER_CLASS[] = {
#include "CanonOrder.inc"
};
static const unsigned char RECORD_CLASS[] = {
#include "CanonRecord.inc"
};
static const unsigned char VECTOR_CLASS[] = {
#include "CanonVector.inc"
};
static const unsigned char REPLAY_CLASS[] = {
#include "CanonReplay.inc"
};
static const unsigned char UNSAFE_CLASS[] = {
#include "CanonUnsafe.inc"
};
static const unsigned char RANDOM_CLASS[] = {
#include "CanonRandom.inc"
};
static const unsigned char RACES_CLASS[] = {
#include "CanonRaces.inc"
};
static const unsigned char SERIAL_CLASS[] = {
#include "CanonSerial.inc"
};
static const struct {
    const char *name;
    const unsigned char *bytes;
    size_t size;
    int when; /* 0: always, 1: the order of threads is kept, 2: as a vector */
} HELPERS[] = {
    {"java/lang/Canon", CANON_CLASS, sizeof CANON_CLASS, 0},
    {"java/lang/CanonHash", HASH_CLASS, sizeof HASH_CLASS, 0},
    {"java/lang/CanonReferences", REFERENCES_CLASS, sizeof REFERENCES_CLASS, 0},
    {"java/lang/CanonLane", LANE_CLASS, sizeof LANE_CLASS, 1},
    {"java/lang/CanonOrder", ORDER_CLASS, sizeof ORDER_CLASS, 1},
    {"java/lang/CanonRecord", RECORD_CLASS, sizeof RECORD_CLASS, 1},
    {"java/lang/CanonReplay", REPLAY_CLASS, sizeof REPLAY_CLASS, 1},
    {"java/lang/CanonUnsafe", UNSAFE_CLASS, sizeof UNSAFE_CLASS, 1},
    {"java/lang/CanonRandom", RANDOM_CLASS, sizeof RANDOM_CLASS, 1},
    {"java/lang/CanonRaces", RACES_CLASS, sizeof RACES_CLASS, 1},
    {"java/lang/CanonSerial", SERIAL_CLASS, sizeof SERIAL_CLASS, 1},
    {"java/lang/CanonVector", VECTOR_CLASS, sizeof VECTOR_CLASS, 2},
};
enum { HELPER_COUNT = sizeof HELPERS / sizeof *HELPERS };

/* Sorted by when they are needed. */
const char *canon_helper_name(size_t number)
{
    bool needed = number < HELPER_COUNT && canon_agent.ordered + canon_agent.vector >= HELPERS[number].when;
    return needed ? HELPERS[number].name : NULL;
}

const unsigned char *canon_helper_find(const char *name, size_t *size)
{
    const char *known;
    for (size_t i = 0; (known = canon_helper_name(i)); i++)
        if (strcmp(known, name) == 0) {
            *size = HELPERS[i].size;
            return HELPERS[i].bytes;
        }
    return NULL;
}

/* Where the JVM has an archive, they come out of it, or out of the image, when they are needed: image.c. */
int canon_helpers_define(JNIEnv *env)
{
    const char *name;
    int status = 0;
    for (size_t i = 0; !canon_agent.archived && (name = canon_helper_name(i)); i++)
        if (!(*env)->DefineClass(env, name, NULL, (const jbyte *)HELPERS[i].bytes, (jsize)HELPERS[i].size)) {
            (*env)->ExceptionClear(env);
            status = CANON_E_UNSUPPORTED;
        }
    return status;
}
