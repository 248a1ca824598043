/* reals.c: see reals.h. */
#include "native/native.h"

#include "native/reals.h"

#include <dlfcn.h>

struct canon_reals canon_reals;
void *canon_real_dlopen; /* raw.S */

bool canon_reals_find(void)
{
#define X(name, version)                                                                                     \
    canon_reals.name = (__typeof__(name) *)((version) ? dlvsym(RTLD_NEXT, #name, (version) ? (version) : "") \
                                                      : dlsym(RTLD_NEXT, #name));                            \
    if (!canon_reals.name)                                                                                   \
        return false;
    CANON_REALS(X)
#undef X
    canon_real_dlopen = dlsym(RTLD_NEXT, "dlopen");
    return canon_real_dlopen;
}
