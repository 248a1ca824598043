/* overflow: of a block that is never freed, found when the program ends */
#include "bug.h"
int main(void)
{
    int *numbers = calloc(10, sizeof *numbers);
    use(numbers);
    for (int i = 0; i <= 10; i++)
        numbers[i] = i; /* guilty */
    return use(numbers) ? 0 : 1;
}
