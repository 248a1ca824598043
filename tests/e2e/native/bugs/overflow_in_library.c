/* overflow: in a shared library; library: yes */
#include "bug.h"
#ifdef LIBRARY
void clear(char *block, size_t size);
void clear(char *block, size_t size)
{
    for (size_t i = 0; i < size; i++)
        block[i] = 1; /* guilty */
}
#else
void clear(char *block, size_t size);
int main(void)
{
    char *block = malloc(30);
    clear(use(block), volatile_size(31));
    free(block);
    return 0;
}
#endif
