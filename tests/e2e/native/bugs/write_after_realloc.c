/* write after free: through the address of before realloc */
#include "bug.h"
int main(void)
{
    char *old = use(malloc(50)), *volatile stale = old;
    char *block = realloc(old, 60);
    stale[10] = 'x'; /* guilty */
    use(block);
    free(block);
    return 0;
}
