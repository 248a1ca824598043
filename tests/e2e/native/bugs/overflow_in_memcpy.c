/* overflow: by a function of libc */
#include "bug.h"
int main(void)
{
    char from[100], *to = malloc(sizeof from - 7);
    memset(from, 'x', sizeof from);
    memcpy(use(to), from, volatile_size(sizeof from)); /* guilty */
    free(to);
    return 0;
}
