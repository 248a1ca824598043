/*
 * digest.h: whether the classes of a replay are those of the recording. Class files that Java code reads come
 * out of the trace; but classes that the program makes, and those of a boot class path of its own, do not.
 */
#ifndef CANON_JVM_DIGEST_H
#define CANON_JVM_DIGEST_H

#include "jvm/agent.h"
#include "launch/process.h"

/* When the agent is loaded. */
void canon_digest_prepare(const struct canon_process *process);
/* A class is about to be defined: recorder: notes its checksum; replayer: compares it. */
void canon_digest_class(jobject loader, const char *name, const unsigned char *data, size_t size);
/* Replayer: the first class that was not the same, NULL if all were. */
const char *canon_digest_changed(void);

#endif
