/* Threads, mutexes and condition variables of C11. */
#include <stdio.h>
#include <threads.h>

enum { CREW = 4, ROUNDS = 2000 };

static mtx_t mutex;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static int turns[CREW], first = -1;
static unsigned long seen;

static void begin(void)
{
    seen = 17;
}

static int work(void *argument)
{
    int self = *(int *)argument, waits = 0;
    call_once(&once, begin);
    for (int i = 0; i < ROUNDS; i++) {
        mtx_lock(&mutex);
        if (first < 0)
            first = self;
        if (i % 100 == 0 && turns[(self + 1) % CREW] < i) {
            struct timespec until;
            timespec_get(&until, TIME_UTC);
            until.tv_nsec = (until.tv_nsec + 100000) % 1000000000;
            waits += cnd_timedwait(&changed, &mutex, &until) == thrd_timedout;
        }
        turns[self] = i;
        seen = seen * 31 + (unsigned long)self;
        cnd_signal(&changed);
        mtx_unlock(&mutex);
    }
    return waits;
}

int main(void)
{
    thrd_t crew[CREW];
    int numbers[CREW], waits = 0;
    mtx_init(&mutex, mtx_timed);
    cnd_init(&changed);
    for (int i = 0; i < CREW; i++) {
        numbers[i] = i;
        if (thrd_create(&crew[i], work, &numbers[i]) != thrd_success)
            return 1;
    }
    for (int i = 0; i < CREW; i++) {
        int result;
        thrd_join(crew[i], &result);
        waits = waits * 100 + result;
    }
    printf("%lx %d %d\n", seen, first, waits);
    return 0;
}
