/*
 * step.h: one intercepted step on its way to or from the stream.
 *
 * The items of a step (its result, what it left in memory, what went in) are described once, with the
 * canon_step_* functions below. When recording they append to the step; when replaying they take from it
 * and change the caller's variable. So the record half and the replay half of an interception are the
 * same lines of code.
 *
 * An item is one tag byte and its value, so that a trace can be shown without knowing the native:
 *
 *     'i' zigzag varint      integer of any width       'b' varint length, bytes
 *     'f' 4 bytes            float                      's' varint length, text (modified UTF-8)
 *     'd' 8 bytes            double                     'n' null
 *     'c' 4 bytes            checksum of what went in   't' varint length, text that went in
 *     'x' the step threw; class, message and details follow
 *     'o' object: class, fields      'a' array of objects: class, length, elements
 *     'e' enum constant: class, name 'p' array of primitives: class, length, bytes
 *     'T' thread: its strand         'C' class: its name
 *     'r' an object seen before in this step: its number
 */
#ifndef CANON_ROLE_STEP_H
#define CANON_ROLE_STEP_H

#include "base/buffer.h"

enum canon_step_way { CANON_STEP_PUT, CANON_STEP_GET };

struct canon_step {
    enum canon_step_way way;
    struct canon_buffer *out; /* PUT: where items go */
    struct canon_reader in;   /* GET: where they come from; `failed` once an item was not as expected */
};

static inline bool canon_step_gets(const struct canon_step *step)
{
    return step->way == CANON_STEP_GET;
}

/* PUT: writes `tag`. GET: returns the tag that is there, 0 at the end of the step. */
char canon_step_tag(struct canon_step *step, char tag);
/* GET only: the next tag without taking it. */
char canon_step_peek(const struct canon_step *step);

void canon_step_int(struct canon_step *step, int64_t *value);
void canon_step_raw(struct canon_step *step, char tag, void *value, size_t size);
/* Bytes of a length that both sides know beforehand. */
void canon_step_bytes(struct canon_step *step, void *data, size_t size);
/* Text; GET allocates it (free it), NULL stands for null. */
void canon_step_text(struct canon_step *step, char **text);
/* GET: the bytes of an item 'b' of unknown length; NULL on failure. */
const uint8_t *canon_step_get_bytes(struct canon_step *step, size_t *size);
/*
 * What went into the step. GET: returns whether it equals what was recorded; in `expected` (if not NULL)
 * the recorded text, to be freed.
 */
bool canon_step_check(struct canon_step *step, uint32_t checksum);
bool canon_step_check_text(struct canon_step *step, const char *text, char **expected);

#endif
