/*
 * format.h: how a trace is laid out on disk. docs/trace-format.md tells the whole story.
 *
 * A part of a trace (one process) is a directory with these files:
 *
 *   NAME.chunks   file header, then chunks, each of one strand:
 *
 *     +-------------+--------+------+--------+--------+------+--------+---
 *     | file header | chunk  | name | stored | chunk  | name | stored | ...
 *     +-------------+--------+------+--------+--------+------+--------+---
 *
 *   NAME.live     the chunk being filled, through a shared mapping, so that what was logged
 *                 outlives a SIGKILL. One 64-bit word says which chunk it is and how many bytes
 *                 of it are whole events; removed when the strand ends in order.
 *
 * A strand's bytes are the concatenation of its chunks. Events follow each other in them without
 * regard to chunk ends:
 *
 *     varint(id << 3 | kind)  varint(length)  payload[length]
 *
 * All numbers are little-endian.
 */
#ifndef CANON_TRACE_FORMAT_H
#define CANON_TRACE_FORMAT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define CANON_TRACE_VERSION 1u
#define CANON_FILE_MAGIC "CANONTRC"
#define CANON_LIVE_MAGIC "CANONLIV"
#define CANON_CHUNK_MAGIC 0x4b4e4843u /* "CHNK" */

enum {
    CANON_CHUNK_RAW_MAX = 1 << 24,   /* a class strand may be one large chunk */
    CANON_EVENT_MAX = 1 << 30,       /* bytes of one event's payload: who reads it has all of it in memory */
    CANON_CHUNK_NAME_MAX = 4000,     /* bytes of a strand's name */
    CANON_LIVE_CAPACITY = 256 << 10, /* bytes gathered before a chunk is sealed */
    CANON_LIVE_HEADER = 4096,
    CANON_BULK_MIN = 512, /* bytes of an event in a chunk, on average, that is not compressed at first */
};

/* What kind of step an event is; the low three bits of its head. */
#define CANON_EVENT_KINDS(X)                                                                                 \
    X(NATIVE, 0, "native")       /* id: which native (see NAME); payload: items */                           \
    X(NAME, 1, "name")           /* strand "names": payload is the name of native `id` */                    \
    X(NOTE, 2, "note")           /* id: enum canon_note; payload: text */                                    \
    X(SIGNAL, 3, "signal")       /* id: signal number, delivered to the process here */                      \
    X(ORDER, 4, "order")         /* id: lane << 1 | takes, or 0; payload: see docs/trace-format.md */        \
    X(PROCESS, 5, "process")     /* strands "process", "vm": id: enum canon_process_item */                  \
    X(REFERENCE, 6, "reference") /* a reference was found cleared */                                         \
    X(END, 7, "end") /* the strand ended in order: varint events, checksum of its checks, operations */

enum canon_event_kind {
#define X(name, number, text) CANON_EVENT_##name = (number),
    CANON_EVENT_KINDS(X)
#undef X
};

/* The names of natives; the first strand that a recorder opens. */
#define CANON_STRAND_NAMES "names"

/* The heap at the end of the process; only with `record --heap-digest`. */
#define CANON_STRAND_HEAP "heap"

struct canon_file_header {
    char magic[8];
    uint32_t version;
    uint32_t header_size;
};
static_assert(sizeof(struct canon_file_header) == 16, "stored");

enum {
    CANON_CHUNK_ZSTD = 1, /* stored bytes are one zstd frame; else they are the raw bytes */
    CANON_CHUNK_LAST = 2, /* no more chunks of this strand: it was closed in order */
};

struct canon_chunk_header {
    uint32_t magic;
    uint16_t flags;
    uint16_t name_size;
    uint32_t raw_size;
    uint32_t stored_size;
    uint32_t sequence; /* 0, 1, 2... within the strand */
    uint32_t events;   /* events that end in this chunk */
    uint64_t checksum; /* XXH3 of the name and the stored bytes, with header_checksum as seed */
    uint32_t reserved;
    uint32_t header_checksum; /* XXH3, low half, of this header up to `checksum` */
};
static_assert(sizeof(struct canon_chunk_header) == 40, "stored");
static_assert(offsetof(struct canon_chunk_header, checksum) == 24, "stored");

struct canon_live_header {
    char magic[8];
    uint32_t version;
    uint32_t capacity;
    uint64_t position; /* sequence << 32 | committed bytes: one word, so that both change at once */
    uint32_t name_size;
    uint32_t reserved;
    char name[CANON_CHUNK_NAME_MAX];
};
static_assert(sizeof(struct canon_live_header) <= CANON_LIVE_HEADER, "stored");
static_assert(offsetof(struct canon_live_header, position) == 16, "stored");

/* How a strand ended: the id of its END event. */
enum canon_end {
    CANON_END_RUNNING = 0,  /* the process ended while it ran */
    CANON_END_FINISHED = 1, /* by itself */
    CANON_END_PROCESS = 2,  /* it ended the process */
};

/* Reasons of a NOTE event. */
#define CANON_NOTES(X)                                                                                       \
    X(UNSUPPORTED, 1, "unsupported native")                                                                  \
    X(THIRD_PARTY, 2, "third-party native, run for real")                                                    \
    X(REFUSED, 3, "native that cannot be captured")                                                          \
    X(LIMIT, 5, "limit of the recording")                                                                    \
    X(WANTED, 6, "third-party native, recorded")                                                             \
    X(EVIDENCE, 7, "memory error")

enum canon_note {
#define X(name, number, text) CANON_NOTE_##name = (number),
    CANON_NOTES(X)
#undef X
};

/* What strand "process" tells of how the process was started; payload: NUL-separated strings. */
#define CANON_PROCESS_ITEMS(X)                                                                               \
    X(KIND, 1, "kind") /* "java" or "native" */                                                              \
    X(PID, 2, "pid")                                                                                         \
    X(EXECUTABLE, 3, "executable") /* the launcher */                                                        \
    X(ARGUMENTS, 4, "arguments")   /* of the launcher, argument files expanded */                            \
    X(DIRECTORY, 5, "directory")                                                                             \
    X(ENVIRONMENT, 6, "environment")                                                                         \
    X(VM_LIBRARY, 7, "vm-library")                                                                           \
    X(VM_OPTIONS, 8, "vm-options") /* as given to JNI_CreateJavaVM, without canon's own */                   \
    X(VM_VERSION, 9, "vm-version")                                                                           \
    X(JAR, 10, "jar")             /* operand of -jar, if any */                                              \
    X(FILE, 11, "file")           /* that the launcher looked for and found */                               \
    X(AGENT_JAR, 12, "agent-jar") /* of -javaagent; the n-th is kept in the file agent-n.jar */              \
    X(MAX_HEAP, 13, "max-heap")   /* bytes */                                                                \
    X(NATIVE, 14, "native")       /* pattern of natives that the user wants recorded */                      \
    X(LEFT_OUT, 15, "left-out")   /* one of vm-options that the JVM did not get */                           \
    X(ORDER, 16, "order")         /* how the order of threads is kept: launch/protocol.h; without: not */    \
    X(RACY, 17, "racy")           /* place that is ordered as if it were volatile */                         \
    X(HEAP_DIGEST, 18, "heap-digest") /* strand "heap": digest, objects: see docs/trace-format.md */         \
    X(HEAP_CLASS, 19, "heap-class")   /* likewise, of one class */                                           \
    X(PLACE, 20, "place")             /* like "racy": all that were in force */                              \
    X(STACK_LIMIT, 21, "stack-limit") /* native: bytes */                                                    \
    X(RANDOM, 22, "random")           /* native: AT_RANDOM, 16 bytes in hexadecimal */                       \
    X(CHECKSUM, 23, "checksum")       /* native: XXH3 of the executable, in hexadecimal */                   \
    X(PARENT, 24, "parent")           /* native: the part that it came from, and how: "1 fork" */            \
    X(SHOWN, 25, "shown")             /* native: descriptors that are standard output or error: "1:1 2:2" */ \
    X(LANES, 26, "lanes")             /* native, after a fork: counts of lanes: "2:120" */                   \
    X(LIBRARY, 27, "library")         /* native: identity and path of one that the program begins with */    \
    X(DETECT, 28, "detect")           /* native: detectors of the heap, as in launch/protocol.h */

enum canon_process_item {
#define X(name, number, text) CANON_PROCESS_##name = (number),
    CANON_PROCESS_ITEMS(X)
#undef X
};

#endif
