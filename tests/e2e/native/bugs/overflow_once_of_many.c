/* overflow: of one block among a hundred thousand */
#include "bug.h"
static void fill(int *block, int count)
{
    for (int i = 0; i < count; i++)
        block[i] = i; /* guilty */
}
int main(void)
{
    for (int i = 0; i < 100000; i++) {
        int count = i % 50 + 1;
        int *block = malloc((size_t)count * sizeof *block);
        fill(use(block), i == 77777 ? count + 1 : count);
        free(block);
    }
    return 0;
}
