/* overflow: text that is longer than expected */
#include "bug.h"
int main(void)
{
    char *text = malloc(8);
    use(text);
    sprintf(text, "%d items", (int)volatile_size(1000)); /* guilty */
    puts(text);
    free(text);
    return 0;
}
