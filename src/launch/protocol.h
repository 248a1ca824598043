/*
 * protocol.h: what `canon` tells the launch library inside the programs it starts, by environment.
 * The launch library removes these before the JVM starts: the program sees its own environment.
 */
#ifndef CANON_LAUNCH_PROTOCOL_H
#define CANON_LAUNCH_PROTOCOL_H

#define CANON_ENV_MODE "CANON_MODE"       /* "record" or "replay" */
#define CANON_ENV_TRACE "CANON_TRACE"     /* record: the trace; replay: the part. Absolute */
#define CANON_ENV_HOME "CANON_HOME"       /* directory of canon's libraries. Absolute */
#define CANON_ENV_OPTIONS "CANON_OPTIONS" /* options of the agent, comma-separated */
#define CANON_ENV_PRELOAD "CANON_PRELOAD" /* LD_PRELOAD as it was before canon */

/* Options of the agent; those that end in = have a value. */
#define CANON_OPTION_QUIET "quiet"           /* replay: do not show the program's output */
#define CANON_OPTION_UNENFORCED "unenforced" /* replay, for tests: run everything for real */
#define CANON_OPTION_WATCH "watch="          /* replay: path of the page for role/watch.h */
#define CANON_OPTION_NATIVE "native="        /* pattern of natives to be recorded; many */

#define CANON_LIB_LAUNCH "libcanon-launch.so"
#define CANON_LIB_JVM "libcanon-jvm.so"

#endif
