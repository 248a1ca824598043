/* overflow: of a block that is a mapping of its own */
#include "bug.h"
int main(void)
{
    size_t size = 40 << 20;
    char *block = malloc(size);
    use(block)[volatile_size(size)] = 1; /* guilty */
    free(block);
    return 0;
}
