/* Threads that print to the same stream, with and without a buffer. */
#include "trail.h"

static void *work(void *number)
{
    for (int i = 0; i < 500; i++)
        printf("%ld: %d\n", (long)number, i);
    for (int i = 0; i < 20; i++)
        fprintf(stderr, "%ld: %d\n", (long)number, i);
    return NULL;
}

int main(void)
{
    crew_run(work);
    return 0;
}
