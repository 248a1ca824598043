/* fuzz_jar.c: bytes as a jar; the first of its names are asked for. */
#include "classfile/jar.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("jar", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    struct canon_jar *jar = canon_jar_open(fd);
    for (size_t at = 0; jar && at + 7 < size; at++) {
        const uint8_t *end = memmem(data + at, size - at, ".class", 6);
        size_t made = 0;
        if (!end)
            break;
        for (const uint8_t *name = end; name > data && name + 16 > end; name--) {
            uint8_t *bytes = canon_jar_read(
                jar, (struct canon_utf8){(const char *)name - 1, (uint32_t)(end - name + 1)}, &made);
            if (bytes && made && bytes[0] + bytes[made - 1] < 0)
                abort();
            free(bytes);
        }
        at = (size_t)(end - data);
    }
    canon_jar_close(jar);
    return 0;
}
