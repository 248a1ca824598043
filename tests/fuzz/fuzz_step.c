/*
 * fuzz_step.c: the items of a step, taken by an interception that expects anything.
 *
 * The input is split in two at its first zero byte: what the interception asks for, one letter an item, and
 * the bytes of the step.
 */
#include "fuzz.h"
#include "role/step.h"

#include <stdlib.h>
#include <string.h>

static void take_item(struct canon_step *step, uint8_t what)
{
    int64_t number = 0;
    uint8_t bytes[64] = {0};
    char *text = NULL;
    size_t size = 0;
    switch (what % 8) {
    case 0:
        canon_step_int(step, &number);
        break;
    case 1:
        canon_step_raw(step, what % 16 ? 'f' : 'd', bytes, what % 16 ? 4 : 8);
        break;
    case 2:
        canon_step_bytes(step, bytes, what / 8);
        break;
    case 3:
        canon_step_text(step, &text);
        free(text);
        break;
    case 4: {
        const uint8_t *found = canon_step_get_bytes(step, &size);
        if (found && (size_t)(step->in.end - found) < size)
            abort();
        break;
    }
    case 5:
        canon_step_check(step, what);
        break;
    case 6:
        canon_step_check_text(step, "text", what % 16 ? &text : NULL);
        free(text);
        break;
    default:
        if (canon_step_peek(step) && !canon_step_tag(step, 0))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    size_t asked = zero ? (size_t)(zero - data) : size;
    const uint8_t *items = zero ? zero + 1 : data + size;
    struct canon_step step = {.way = CANON_STEP_GET,
                              .in = canon_reader_over(items, (size_t)(data + size - items))};
    for (size_t i = 0; i < asked; i++) {
        bool failed = step.in.failed;
        const uint8_t *before = step.in.at;
        take_item(&step, data[i]);
        if (step.in.at < before || step.in.at > step.in.end || (failed && !step.in.failed))
            abort();
    }
    return 0;
}
