/*
 * races.h: a replay that looks for data races: accesses to plain fields that no edge of the recording orders
 * (`canon replay --races`). Those are what makes a replay take another way.
 *
 * Every access to a plain field is told to java.lang.CanonRaces, which keeps by object and field who wrote
 * and who read it last, as a lane and its count, and knows from the lanes' clocks (order/clock.h) what comes
 * after what. Elements of arrays are not looked at, nor is what static initialisers do.
 */
#ifndef CANON_JVM_RACES_H
#define CANON_JVM_RACES_H

#include "classfile/rewrite.h"
#include "jvm/agent.h"

/* For CANON_RULE_ACCESS: a number for the site of an access. */
int32_t canon_race_site(void *context, const struct canon_class *cls, const struct canon_member *method,
                        const struct canon_ref *ref, bool writes);
/* A file to which the fields that race are written, one a line; "": none. The path stays the caller's. */
void canon_races_into(const char *path);
/* The program is about to start. */
int canon_races_enable(JNIEnv *env);
/* How many were found. */
unsigned canon_races_found(void);

#endif
