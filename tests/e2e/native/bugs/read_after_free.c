/* read after free: a pointer is read from freed memory and followed; signal: 11 */
#include "bug.h"
struct node {
    struct node *next;
    int value;
};
int main(void)
{
    struct node *first = calloc(2, sizeof *first), *volatile kept = first;
    first->next = first + 1;
    use(first);
    free(first);
    printf("%d\n", kept->next->value); /* guilty */
    return 0;
}
