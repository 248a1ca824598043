/* Threads that hand memory to each other through a pipe, and nothing else. */
#include "trail.h"

#include <unistd.h>

enum { MESSAGES = 1000 };

static int ends[2];
static unsigned long letters[2 * MESSAGES], got[2], trails[2];

static void *work(void *number)
{
    long self = (long)number;
    unsigned long trail = 0;
    for (int i = 0; i < MESSAGES; i++) {
        int at = (int)self * MESSAGES + i;
        if (self < 2) {
            for (volatile int turn = 0; turn < 5000; turn++) /* who does not wait for it comes too early */
                ;
            letters[at] = (unsigned long)at * 7 + 1;
            if (write(ends[1], &at, sizeof at) != sizeof at)
                abort();
        } else {
            if (read(ends[0], &at, sizeof at) != sizeof at)
                abort();
            trail = trail_add(trail, letters[at]);
            got[self - 2] += letters[at] != 0;
        }
    }
    if (self >= 2)
        trails[self - 2] = trail;
    return NULL;
}

int main(void)
{
    if (pipe(ends))
        return 1;
    crew_run(work);
    printf("%lx %lx %lu %lu\n", trails[0], trails[1], got[0], got[1]);
    return 0;
}
