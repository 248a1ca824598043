/*
 * launch_internal.h: what the files of the launch library share.
 */
#ifndef CANON_LAUNCH_LAUNCH_INTERNAL_H
#define CANON_LAUNCH_LAUNCH_INTERNAL_H

#include "launch/process.h"

#include <jni.h>
#include <limits.h>
#include <stdbool.h>

#define EXPORT __attribute__((visibility("default")))

struct canon_launch {
    struct canon_process recorded; /* replay: how the recorded process was started */
    struct canon_process found;    /* record: files that the launcher looked for */
    bool in_launcher;              /* between JLI_Launch and the creation of the VM */
    bool making_vm;                /* one that gets the agent */
    bool recording;
    char part[PATH_MAX]; /* replay: directory of the trace part */
};

extern struct canon_launch canon_launch;

/* A function that libjvm exports. */
void *canon_launch_of_vm(const char *name);
/* An agent is being loaded into the running JVM. */
void canon_launch_agent_comes(void);

/* The archive that the JVM is to start with, malloc'd, or NULL. */
char *canon_launch_archive(const JavaVMInitArgs *args, const char *vm_library, bool replaying);
/* Options of a JVM that makes one. */
void canon_launch_make_archive(JavaVMInitArgs *args, const char *vm_library);

#endif
