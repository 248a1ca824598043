/* double free: of the same pointer */
#include "bug.h"
int main(void)
{
    char *block = use(malloc(20)), *volatile same = block;
    free(block);
    free(same); /* guilty */
    return 0;
}
