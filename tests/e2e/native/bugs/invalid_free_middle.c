/* invalid free: of an address inside a block */
#include "bug.h"
int main(void)
{
    char *block = use(malloc(20)), *volatile inside = block + 16;
    free(inside); /* guilty */
    free(block);
    return 0;
}
