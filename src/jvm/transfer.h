/*
 * transfer.h: Java values to and from a step. Each function does both directions (see role/step.h).
 */
#ifndef CANON_JVM_TRANSFER_H
#define CANON_JVM_TRANSFER_H

#include "jvm/agent.h"

/* A primitive of type Z B C S I J F D, as raw bits. */
void canon_transfer_primitive(struct canon_step *step, char type, uint64_t *bits);
/* null, String, array or object graph. GET makes a new local reference. */
void canon_transfer_object(struct canon_step *step, JNIEnv *env, jobject *object);
/* The instance fields of an object that both sides have. */
void canon_transfer_fields(struct canon_step *step, JNIEnv *env, jobject object);
/* The elements of an object array that both sides have. */
void canon_transfer_elements(struct canon_step *step, JNIEnv *env, jobjectArray array);
/* The elements of a primitive array that both sides have. */
void canon_transfer_array(struct canon_step *step, JNIEnv *env, jarray array, char element);
/* Part of a byte array that both sides have. */
void canon_transfer_region(struct canon_step *step, JNIEnv *env, jbyteArray array, jint offset, jint length);
/* An exception. PUT: it is described (and not pending any more). GET: it is created and returned. */
void canon_transfer_exception(struct canon_step *step, JNIEnv *env, jthrowable *exception);

/* A String's text (modified UTF-8); malloc'd. */
char *canon_java_text(JNIEnv *env, jstring string);

#endif
