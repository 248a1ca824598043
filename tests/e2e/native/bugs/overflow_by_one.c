/* overflow: a string's end behind the end of its block */
#include "bug.h"
int main(void)
{
    const char *name = "canon";
    char *copy = malloc(strlen(name));
    for (size_t i = 0; i <= strlen(name); i++)
        copy[i] = name[i]; /* guilty */
    printf("%.5s\n", copy);
    free(copy);
    return 0;
}
