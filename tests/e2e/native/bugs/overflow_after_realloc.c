/* overflow: with the size of before */
#include "bug.h"
int main(void)
{
    size_t size = 200;
    char *block = malloc(size);
    block = realloc(use(block), 100);
    use(block)[volatile_size(size) / 2] = 0; /* guilty */
    free(block);
    return 0;
}
