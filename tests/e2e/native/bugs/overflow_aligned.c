/* overflow: of a block with an alignment */
#include "bug.h"
int main(void)
{
    double *block = aligned_alloc(256, 512);
    use(block)[volatile_size(64)] = 1.5; /* guilty */
    free(block);
    return 0;
}
