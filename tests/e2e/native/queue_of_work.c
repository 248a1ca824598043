/* A bounded queue with condition variables; who gets which item. */
#include "trail.h"

enum { ITEMS = 4000, ROOM = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int queue[ROOM], count, made, taken;
static unsigned long seen;

static void *work(void *number)
{
    pthread_mutex_lock(&mutex);
    while (taken < ITEMS) {
        if ((unsigned long)number % 2 == 0 && made < ITEMS) {
            if (count == ROOM) {
                pthread_cond_wait(&emptied, &mutex);
                continue;
            }
            queue[count++] = made++;
            pthread_cond_signal(&filled);
        } else if (count) {
            seen = trail_add(seen, (unsigned long)queue[--count] * 16 + (unsigned long)number);
            taken++;
            pthread_cond_broadcast(&emptied);
        } else {
            pthread_cond_wait(&filled, &mutex);
        }
    }
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    crew_run(work);
    printf("%lx\n", seen);
    return 0;
}
