/* invalid free: of a variable */
#include "bug.h"
static char variable[64];
int main(void)
{
    void *volatile wrong = variable;
    free(wrong); /* guilty */
    return 0;
}
