/*
 * image.c: see image.h.
 *
 *   the JVM:   FindResource(name) -> place, size      GetResource(place, size) -> bytes ClassFileLoadHook
 *   here:      reads, rewrites, tells the new size    hands out what was made                nothing to do
 */
#include "jvm/image.h"

#include "jvm/archiving.h"
#include "jvm/fields.h"
#include "jvm/helpers.h"
#include "jvm/hooks.h"
#include "launch/protocol.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { HELPER_PLACE = -1 }; /* no place in an image */

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

static void *_Atomic opened; /* the image, once the JVM has asked it for something */

const char *canon_image_module(const char *name)
{
    char package[1024];
    void *image = atomic_load(&opened);
    const char *slash = strrchr(name, '/');
    size_t length = slash ? (size_t)(slash - name) : 0;
    if (!length || length >= sizeof package || !image || !real.module_of)
        return NULL;
    memcpy(package, name, length);
    package[length] = '\0';
    return real.module_of(image, package);
}

uint8_t *canon_image_read(const char *name, size_t *length)
{
    void *image = atomic_load(&opened);
    const char *module = canon_image_module(name);
    int64_t size = 0, place = module ? real.find(image, module, "9.0", name, &size) : 0;
    uint8_t *bytes = place && size > 0 ? malloc((size_t)size) : NULL;
    if (bytes)
        real.get(image, place, (char *)bytes, size);
    *length = (size_t)size;
    return bytes;
}

/*
 * Reads and rewrites the class at `place`; `*size` becomes its new size. False: it cannot be made the same
 * for everybody, so an archive must do without it.
 */
static bool prepare(void *image, int64_t place, int64_t *size)
{
    uint8_t *made = NULL;
    last.bytes = malloc((size_t)*size);
    if (!last.bytes)
        return true;
    last.place = place;
    last.size = (size_t)*size;
    real.get(image, place, (char *)last.bytes, *size);
    int32_t sites = canon_fields_sites();
    int status = canon_hooks_rewrite(last.bytes, last.size, &made, &last.size);
    if (status == 1) {
        free(last.bytes);
        last.bytes = made;
        *size = (int64_t)last.size;
    }
    return !canon_agent.archiving || (status >= 0 && canon_fields_sites() == sites);
}

/* A helper class, as if the image had it. */
static int64_t find_helper(const char *module, const char *name, int64_t *size)
{
    size_t length = 0;
    const unsigned char *bytes =
        canon_agent.archived && strcmp(module, "java.base") == 0 ? canon_helper_find(name, &length) : NULL;
    last.bytes = bytes ? malloc(length) : NULL;
    if (!last.bytes)
        return 0;
    memcpy(last.bytes, bytes, length);
    last.size = length;
    *size = (int64_t)length;
    return last.place = HELPER_PLACE;
}

/* `name` without its ".class", in `class`; false: it is none. */
static bool class_name(const char *name, char *class, size_t size)
{
    size_t length = strlen(name);
    if (length <= 6 || strcmp(name + length - 6, ".class") != 0 || length - 6 >= size)
        return false;
    memcpy(class, name, length - 6);
    class[length - 6] = '\0';
    return true;
}

static int64_t find(void *image, const char *module, const char *version, const char *name, int64_t *size)
{
    char class[1024];
    int64_t place = real.find(image, module, version, name, size);
    drop_bytes();
    last.name = 0;
    if (!atomic_exchange(&opened, image) && canon_agent.archiving)
        canon_archiving_list();
    if (!class_name(name, class, sizeof class))
        return place;
    if (!place)
        place = find_helper(module, class, size);
    else if (!prepare(image, place, size))
        return 0;
    if (place)
        last.name = checksum_of(class, strlen(class));
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
    static const struct canon_image_calls OURS = {find, get, NULL};
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
