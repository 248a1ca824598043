/* step.c: see step.h. */
#include "role/step.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

static void put_tag(struct canon_step *step, char tag)
{
    *canon_buffer_reserve(step->out, 1) = (uint8_t)tag;
    step->out->used++;
}

/* Takes `tag`; anything else there makes the step fail. */
static bool take_tag(struct canon_step *step, char tag)
{
    if (canon_reader_u8(&step->in) != (uint8_t)tag)
        step->in.failed = true;
    return !step->in.failed;
}

char canon_step_peek(const struct canon_step *step)
{
    return step->in.failed || step->in.at == step->in.end ? 0 : (char)*step->in.at;
}

char canon_step_tag(struct canon_step *step, char tag)
{
    if (canon_step_gets(step))
        return canon_reader_left(&step->in) ? (char)canon_reader_u8(&step->in) : 0;
    put_tag(step, tag);
    return tag;
}

void canon_step_int(struct canon_step *step, int64_t *value)
{
    if (canon_step_gets(step)) {
        if (take_tag(step, 'i'))
            *value = canon_unzigzag(canon_reader_varint(&step->in));
    } else {
        uint8_t *at = canon_buffer_reserve(step->out, 1 + CANON_VARINT_MAX);
        *at = 'i';
        step->out->used += 1 + canon_varint_encode(at + 1, canon_zigzag(*value));
    }
}

void canon_step_raw(struct canon_step *step, char tag, void *value, size_t size)
{
    if (canon_step_gets(step)) {
        const uint8_t *bytes = take_tag(step, tag) ? canon_reader_take(&step->in, size) : NULL;
        if (bytes)
            memcpy(value, bytes, size);
    } else {
        put_tag(step, tag);
        canon_buffer_put(step->out, value, size);
    }
}

const uint8_t *canon_step_get_bytes(struct canon_step *step, size_t *size)
{
    if (!take_tag(step, 'b'))
        return NULL;
    *size = canon_reader_varint(&step->in);
    return canon_reader_take(&step->in, *size);
}

void canon_step_bytes(struct canon_step *step, void *data, size_t size)
{
    if (canon_step_gets(step)) {
        size_t recorded = 0;
        const uint8_t *bytes = canon_step_get_bytes(step, &recorded);
        if (bytes && recorded == size)
            memcpy(data, bytes, size);
        else
            step->in.failed = true;
    } else {
        put_tag(step, 'b');
        canon_buffer_put_varint(step->out, size);
        canon_buffer_put(step->out, data, size);
    }
}

void canon_step_text(struct canon_step *step, char **text)
{
    if (canon_step_gets(step)) {
        char tag = canon_step_tag(step, 0);
        *text = tag == 's' ? canon_reader_string(&step->in) : NULL;
        if (tag != 's' && tag != 'n')
            step->in.failed = true;
    } else if (*text) {
        put_tag(step, 's');
        canon_buffer_put_string(step->out, *text);
    } else {
        put_tag(step, 'n');
    }
}

bool canon_step_check(struct canon_step *step, uint32_t checksum)
{
    uint32_t recorded = checksum;
    canon_step_raw(step, 'c', &recorded, sizeof recorded);
    return recorded == checksum;
}

bool canon_step_check_text(struct canon_step *step, const char *text, char **expected)
{
    if (!canon_step_gets(step)) {
        put_tag(step, 't');
        canon_buffer_put_string(step->out, text);
        return true;
    }
    char *recorded = take_tag(step, 't') ? canon_reader_string(&step->in) : NULL;
    bool same = recorded && strcmp(recorded, text) == 0;
    if (expected)
        *expected = recorded;
    else
        free(recorded);
    return same;
}
