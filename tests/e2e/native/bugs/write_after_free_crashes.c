/* write after free: and the program ends by a fault; signal: 11 */
#include "bug.h"
int main(void)
{
    char *block = use(malloc(300)), *volatile stale = block;
    free(block);
    stale[299] = 1; /* guilty */
    *(volatile int *)volatile_size(16) = 1;
    return 0;
}
