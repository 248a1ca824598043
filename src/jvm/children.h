/* children.h: the output of a child process that has ended; see children.c. */
#ifndef CANON_JVM_CHILDREN_H
#define CANON_JVM_CHILDREN_H

#include "jvm/agent.h"

/* Stands for ProcessPipeInputStream.processExited, which the JDK's reaper thread calls. */
void canon_child_exited(JNIEnv *env, jobject stream);
/* Stands for ProcessPipeOutputStream.processExited, which closes the child's standard input. */
void canon_child_input_exited(JNIEnv *env, jobject stream);

#endif
