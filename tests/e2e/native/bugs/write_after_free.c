/* write after free: through a pointer that was kept */
#include "bug.h"
struct node {
    struct node *next;
    int value;
};
int main(void)
{
    struct node *first = calloc(1, sizeof *first), *kept = first;
    use(first);
    free(first);
    kept->value = 3; /* guilty */
    use(kept);
    return 0;
}
