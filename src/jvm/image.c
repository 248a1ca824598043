/*
 * image.c: see image.h.
 *
 *   the JVM:   FindResource(name) -> place, size      GetResource(place, size) -> bytes ClassFileLoadHook
 *   here:      reads, rewrites, tells the new size    hands out what was made                nothing to do
 */
#include "jvm/image.h"

#include "jvm/fields.h"
#include "jvm/hooks.h"
#include "launch/protocol.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static struct canon_image_calls real;

/* The class that this thread asked for last. */
static _Thread_local struct {
    uint64_t name; /* checksum; 0: none */
    int64_t place;
    uint8_t *bytes; /* until they are fetched */
    size_t size;
} last;

static uint64_t checksum_of(const char *name, size_t length)
{
    return XXH3_64bits(name, length) | 1;
}

static void drop_bytes(void)
{
    free(last.bytes);
    last.bytes = NULL;
}

/* Where the class being rewritten is. */
static _Thread_local struct {
    void *image;
    const char *module;
    const char *version;
} source;

/* Another class, of the same module or of java.base. */
static uint8_t *read_other(const char *name, size_t *length)
{
    int64_t size = 0, place = real.find(source.image, source.module, source.version, name, &size);
    if (!place)
        place = real.find(source.image, "java.base", source.version, name, &size);
    uint8_t *bytes = place && size > 0 ? malloc((size_t)size) : NULL;
    if (bytes)
        real.get(source.image, place, (char *)bytes, size);
    *length = (size_t)size;
    return bytes;
}

/* Reads and rewrites the class at `place`; `*size` becomes its new size. */
static void prepare(void *image, int64_t place, int64_t *size)
{
    uint8_t *made = NULL;
    last.bytes = malloc((size_t)*size);
    if (!last.bytes)
        return;
    last.place = place;
    last.size = (size_t)*size;
    real.get(image, place, (char *)last.bytes, *size);
    canon_fields_from_image(read_other);
    bool rewritten = canon_hooks_rewrite(last.bytes, last.size, &made, &last.size);
    canon_fields_from_image(NULL);
    if (rewritten) {
        free(last.bytes);
        last.bytes = made;
        *size = (int64_t)last.size;
    }
}

static int64_t find(void *image, const char *module, const char *version, const char *name, int64_t *size)
{
    int64_t place = real.find(image, module, version, name, size);
    size_t length = strlen(name);
    drop_bytes();
    last.name = 0;
    if (place && length > 6 && strcmp(name + length - 6, ".class") == 0) {
        last.name = checksum_of(name, length - 6);
        source.image = image;
        source.module = module;
        source.version = version;
        prepare(image, place, size);
    }
    return place;
}

static int64_t get(void *image, int64_t place, char *buffer, int64_t size)
{
    if (!last.bytes || place != last.place || size != (int64_t)last.size)
        return real.get(image, place, buffer, size);
    memcpy(buffer, last.bytes, last.size);
    drop_bytes();
    return size;
}

void canon_image_prepare(void)
{
    static const struct canon_image_calls OURS = {find, get};
    canon_image_interpose_fn interpose = (canon_image_interpose_fn)dlsym(RTLD_DEFAULT, CANON_IMAGE_INTERPOSE);
    if (interpose)
        interpose(&OURS, &real);
}

bool canon_image_gave(const char *name)
{
    bool gave = name && last.name && last.name == checksum_of(name, strlen(name));
    last.name = 0;
    return gave;
}
