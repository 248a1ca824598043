/*
 * fields.h: which fields order threads. A class that accesses a field of another class does not say whether
 * it is volatile. For classes of the JDK the image tells, and classes loaded before are known; for those of
 * the class path a recorder looks there, and the memo keeps what it found. For all others the site of the
 * access gets a number, and asks when it is run for the first time (java.lang.CanonRecord).
 */
#ifndef CANON_JVM_FIELDS_H
#define CANON_JVM_FIELDS_H

#include "classfile/rewrite.h"
#include "jvm/agent.h"

enum { CANON_SITES = 1 << 18 }; /* as in java.lang.CanonOrder */

/* How many sites have numbers. */
int32_t canon_fields_sites(void);
/* A class that is being loaded: what accesses its fields later need not ask. */
void canon_fields_learn(const struct canon_class *cls);
/* The class being rewritten by the current thread is of this loader. */
void canon_fields_from_loader(JNIEnv *env, jobject loader);

/* Its name (loads.h). */
const char *canon_fields_loader(void);
/* Whether the class and all that it inherits from are known, and none of them `is`. */
bool canon_fields_knows_none(struct canon_utf8 name, bool (*is)(void *context, struct canon_utf8 name),
                             void *context);

/* For CANON_RULE_ACCESS. */
enum canon_field_kind canon_field_kind(void *context, const struct canon_class *cls,
                                       const struct canon_ref *ref, bool is_static, int32_t *site);

/* Whether a field of the class is ordered though it is not volatile: racy.h. */
bool canon_field_is_racy(struct canon_utf8 class, struct canon_utf8 field);

/* Whether a class that is loaded has a static field of that name itself. */
bool canon_fields_declares(struct canon_utf8 class, const char *field);

/* Whether the field at a site is volatile. `object` is NULL for a static field. */
bool canon_field_is_volatile(JNIEnv *env, jobject object, int32_t site);

/* canon_field_hash of the static field of `type` that is at `offset`; 0: there is none. */
int32_t canon_field_static_hash(JNIEnv *env, jclass type, int64_t offset);

#endif
