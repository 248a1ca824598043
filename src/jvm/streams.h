/*
 * streams.h: streams of stdio that libraries of the program open. What libc does for them is out of sight, so
 * they are made of functions that are seen: open, read, write, lseek, close.
 */
#ifndef CANON_JVM_STREAMS_H
#define CANON_JVM_STREAMS_H

#include "jvm/natives.h"

uint64_t canon_stream_open(struct canon_native *native, JNIEnv *env, struct canon_frame *frame);
uint64_t canon_stream_of(struct canon_native *native, JNIEnv *env, struct canon_frame *frame);
uint64_t canon_stream_number(struct canon_native *native, JNIEnv *env, struct canon_frame *frame);

#endif
