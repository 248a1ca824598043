/*
 * protocol.h: what `canon` tells the launch library inside the programs it starts, by environment, and what
 * the agent asks of it. The launch library removes the variables before the JVM starts: the program sees
 * its own environment.
 */
#ifndef CANON_LAUNCH_PROTOCOL_H
#define CANON_LAUNCH_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CANON_ENV_MODE "CANON_MODE"         /* "record" or "replay" */
#define CANON_ENV_TRACE "CANON_TRACE"       /* record: the trace; replay: the part. Absolute */
#define CANON_ENV_HOME "CANON_HOME"         /* directory of canon's libraries. Absolute */
#define CANON_ENV_OPTIONS "CANON_OPTIONS"   /* options of the agent, comma-separated */
#define CANON_ENV_ARCHIVES "CANON_ARCHIVES" /* directory of archives of classes: archive.h */
#define CANON_ENV_PRELOAD "CANON_PRELOAD"   /* LD_PRELOAD as it was before canon */

/* Options of the agent; those that end in = have a value. */
#define CANON_OPTION_QUIET "quiet"           /* replay: do not show the program's output */
#define CANON_OPTION_HEAP_DIGEST "heap"      /* record: write a digest of the heap at the end */
#define CANON_OPTION_ORDER "order="          /* how the order of threads is kept: see below */
#define CANON_OPTION_UNORDERED "unordered"   /* replay, for tests: let threads run as they like */
#define CANON_OPTION_UNENFORCED "unenforced" /* replay, for tests: run everything for real */
#define CANON_OPTION_DELAYS "delays="        /* replay of native programs, for tests: be late at edges */
#define CANON_OPTION_WATCH "watch="          /* replay: path of the page for role/watch.h */
#define CANON_OPTION_PART "part="            /* record, native: the part that it is to be */
#define CANON_OPTION_PARENT "parent="        /* record, native: of which part it comes, and how: 1.exec */
#define CANON_OPTION_SHOWN "shown="          /* record, native: descriptors that are shown: 1:1;2:2 */
#define CANON_OPTION_TREE "tree"             /* replay, native: children are replayed, too */
#define CANON_OPTION_CHILD "child"           /* replay, native: this is one of them */
#define CANON_OPTION_PATH "path="            /* replay, native: forks to follow, as parts: 2.3 */
#define CANON_OPTION_RACES "races="      /* replay: look for data races; a file for places that race, or "" */
#define CANON_OPTION_ARCHIVED "archived" /* the JVM has an archive of rewritten classes */
#define CANON_OPTION_RACY "racy="        /* place that is ordered as if it were volatile; many */
#define CANON_OPTION_NATIVE "native="    /* pattern of natives to be recorded; many */
#define CANON_OPTION_DETECT "detect="    /* native programs: detectors of the heap, joined by + */
#define CANON_OPTION_FINDINGS "findings=" /* where they tell: path for native/detect/findings.h */
#define CANON_OPTION_SEARCH "search"      /* replay: look who has done what they had found */

#define CANON_OPTION_INSITU "insitu=" /* record: an epoch's milliseconds, ':', megabytes of events */

/* Detectors; also in the trace. */
#define CANON_DETECT_OVERFLOW "overflow"
#define CANON_DETECT_UAF "uaf"

/* How the order of threads is kept; also in the trace. */
#define CANON_ORDER_EDGES "edges"
#define CANON_ORDER_SERIAL "serial"   /* one at a time */
#define CANON_ORDER_COMPARED "vector" /* for comparison: order/vector.c */
#define CANON_ORDER_MONITORS "vector-monitors"
#define CANON_ORDER_LOOPS "serial+loops" /* one at a time, others also in the middle of loops */

/* How the JVM reads its image of classes: functions of libjimage. It finds the first two by dlsym. */
struct canon_image_calls {
    int64_t (*find)(void *image, const char *module, const char *version, const char *name, int64_t *size);
    int64_t (*get)(void *image, int64_t place, char *buffer, int64_t size);
    const char *(*module_of)(void *image, const char *package); /* NULL: of none */
};
/* Exported by the launch library, for the agent: puts the first two of `ours` in the place of what is called
 * now, which is left in `replaced`; as soon as the JVM has asked for them. Both stay. */
#define CANON_IMAGE_INTERPOSE "canon_launch_interpose_image"
typedef void (*canon_image_interpose_fn)(const struct canon_image_calls *ours,
                                         struct canon_image_calls *replaced);

/*
 * Likewise: who rewrites classes that are defined by Java code, and hears that an agent is being loaded into
 * the running JVM. `rewrite` gets a JNIEnv and the loader, or a class of it; what it makes is malloc'd, and
 * `done` is called when the JVM has taken it.
 */
struct canon_define_calls {
    bool (*rewrite)(void *env, const char *name, void *loader, void *neighbour, const uint8_t *data,
                    size_t size, uint8_t **made, size_t *made_size);
    void (*done)(void);
    void (*agent_comes)(void);
};
#define CANON_DEFINE_INTERPOSE "canon_launch_interpose_define"
typedef void (*canon_define_interpose_fn)(const struct canon_define_calls *ours);

/*
 * Likewise: who hears that a library with natives was loaded, and decides what code in such a library gets
 * when it asks dlsym for a function. The JVM is one that asks, too; `follows` tells whose code `caller` is.
 */
struct canon_symbol_calls {
    void (*loaded)(void *handle);
    bool (*follows)(const void *caller);
    void *(*found)(void *handle, const char *name, void *address);
};
#define CANON_SYMBOLS_INTERPOSE "canon_launch_interpose_symbols"
typedef void (*canon_symbols_interpose_fn)(const struct canon_symbol_calls *ours);

/* Likewise: who hears of it when memory between these addresses is freed, resized or measured. */
struct canon_memory_calls {
    uint64_t from, size;
    void (*free)(void *memory);
    void *(*resize)(void *memory, size_t size);
    size_t (*room)(const void *memory);
};
#define CANON_MEMORY_INTERPOSE "canon_launch_interpose_memory"
typedef void (*canon_memory_interpose_fn)(const struct canon_memory_calls *ours);

/* Exported by the agent, for a JVM that makes an archive: from now on classes of the image are rewritten as
 * the options say. Of the JDK's list of classes, those that the archive may have go into `list`. Returns what
 * the archive's name tells of the places that race: archive.h. */
#define CANON_ARCHIVE_START "canon_archive_start"
typedef uint64_t (*canon_archive_start_fn)(const char *options, const char *of_jdk, const char *list);

/*
 * To the preload library of native programs: one variable, "mode SEP trace SEP options SEP preload SEP", with
 * "-" for what is empty, padded with blanks so that it takes as much of the stack when replaying as it took
 * when recording. LD_PRELOAD is padded, too, with colons.
 */
#define CANON_ENV_NATIVE "CANON_NATIVE"
#define CANON_NATIVE_SEPARATOR "\x1f"
#define CANON_NATIVE_NOTHING "-"
enum { CANON_NATIVE_SIZE = 8000, CANON_NATIVE_PRELOAD_SIZE = 4096 };

/* To libcanon-discover.so: where it writes. */
#define CANON_ENV_DISCOVER "CANON_DISCOVER"

#define CANON_LIB_NATIVE "libcanon-native.so"
#define CANON_LIB_DISCOVER "libcanon-discover.so"
#define CANON_LIB_LAUNCH "libcanon-launch.so"
#define CANON_LIB_JVM "libcanon-jvm.so"

#endif
