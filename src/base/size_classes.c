/* size_classes.c: see heap_classes.h. */
#include "base/size_classes.h"

enum { FINE = 1024, FINE_LOG = 10 }; /* bytes up to which classes are 16 bytes apart */

int canon_size_class(size_t bytes)
{
    if (bytes <= FINE)
        return (int)((bytes + 15) / 16);
    if (bytes > CANON_SIZE_LARGEST)
        return -1;
    int log = 63 - __builtin_clzl(bytes - 1);
    size_t base = (size_t)1 << log, quarter = base / 4;
    return FINE / 16 + (log - FINE_LOG) * 4 + (int)((bytes - 1 - base) / quarter) + 1;
}

size_t canon_size_of_class(int class)
{
    if (class <= FINE / 16)
        return (size_t) class * 16;
    int step = class - FINE / 16 - 1;
    size_t base = (size_t)FINE << step / 4;
    return base + base / 4 * (size_t)(step % 4 + 1);
}
