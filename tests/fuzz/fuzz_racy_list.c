/* fuzz_racy_list.c: no text makes the reader of lists crash; what it takes, it finds again, in order. */
#include "fuzz.h"

#include "base/assert.h"
#include "native/racy_list.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct canon_racy_list list = {0};
    int line;
    if (canon_racy_list_parse(&list, (const char *)data, size, &line) == 0)
        for (size_t i = 0; i < list.count; i++) {
            const struct canon_racy_site *site = &list.all[i];
            size_t count;
            canon_assert(canon_racy_list_in(&list, &site->id, site->offset, site->offset + 1, &count) ==
                         site);
            canon_assert(count == 1 && strlen(site->name) > 0);
        }
    canon_racy_list_free(&list);
    return 0;
}
