/*
 * heavy.h: edits that touch as much of a class as possible, for tests that let a JVM or a fuzzer judge
 * the result. All helpers are static methods of one class (java/lang/CanonTest.java is one).
 */
#ifndef CANON_TESTS_CLASSFILE_HEAVY_H
#define CANON_TESTS_CLASSFILE_HEAVY_H

#include "classfile/class.h"

enum heavy_mode {
    HEAVY_NOTHING, /* every method is edited, with nothing: the result must be the class itself */
    HEAVY_CALLS,   /* try/finally with a token, calls around monitors, field accesses, synchronized methods */
    HEAVY_NOPS,    /* calls, and nops in front of, between and behind all instructions */
};

/* As canon_editor_finish; `left_alone` counts methods that would have become too big. */
int heavy_rewrite(enum heavy_mode mode, const void *data, size_t length, const char *helper,
                  uint8_t **new_data, size_t *new_length, uint32_t *left_alone);

#endif
