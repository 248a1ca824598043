/* Threads that write to standard output all the time, by themselves: each write is seen, so their order is
 * kept. */
#include "trail.h"

#include <unistd.h>

static void *work(void *number)
{
    char line[64];
    for (int i = 0; i < 2000; i++) {
        int n = snprintf(line, sizeof line, "%ld %d\n", (long)number, i);
        if (write(1, line, (size_t)n) != n)
            return NULL;
        for (volatile int k = 0; k < 2000; k++)
            continue;
    }
    return NULL;
}

int main(void)
{
    crew_run(work);
    return 0;
}
