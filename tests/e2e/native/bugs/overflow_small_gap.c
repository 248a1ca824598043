/* overflow: a field behind the end of a structure */
#include "bug.h"
struct small {
    int a, b;
};
struct large {
    int a, b, c, d;
};
int main(void)
{
    struct large *wrong = use(malloc(sizeof(struct small)));
    wrong->a = 1;
    wrong->d = 2; /* guilty */
    use(wrong);
    free(wrong);
    return 0;
}
