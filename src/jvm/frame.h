/*
 * frame.h: a Java frame as a person reads it.
 */
#ifndef CANON_JVM_FRAME_H
#define CANON_JVM_FRAME_H

#include "jvm/agent.h"

/* "org.example.Cache.fill:17"; with " (native)" or nothing for the line. False: the JVM does not tell. */
bool canon_frame_text(const jvmtiFrameInfo *frame, char *text, size_t size);

#endif
