/* underflow: a loop that goes back too far */
#include "bug.h"
int main(void)
{
    char *text = strdup("trim me   ");
    char *end = use(text) + strlen(text);
    for (char *at = end - 1; at >= text - 1; at--)
        *at = *at == ' ' ? '\0' : 'x'; /* guilty */
    free(text);
    return 0;
}
