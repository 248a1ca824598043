/* underflow: an index below zero */
#include "bug.h"
int main(void)
{
    int *numbers = malloc(400);
    int index = (int)volatile_size(3) - 5;
    use(numbers)[index] = 42; /* guilty */
    free(numbers);
    return 0;
}
