/*
 * A lock of the program's own that waits by futex, atomics that are waited for, and a promise.
 * by: canon-c++
 * flags: -std=c++20
 */
#include "trail.h"

#include <atomic>
#include <future>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

enum { ROUNDS = 3000 };

std::atomic<int> held, phase;
unsigned long guarded, trails[CREW];

void lock()
{
    int none = 0;
    if (held.compare_exchange_strong(none, 1))
        return;
    while (held.exchange(2))
        syscall(SYS_futex, &held, FUTEX_WAIT_PRIVATE, 2, nullptr, nullptr, 0);
}

void unlock()
{
    if (held.exchange(0) == 2)
        syscall(SYS_futex, &held, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void work(unsigned long self, std::shared_future<int> start)
{
    unsigned long trail = start.get();
    for (int i = 0; i < ROUNDS; i++) {
        lock();
        guarded = trail_add(guarded, self);
        trail = trail_add(trail, guarded);
        if (i % 50 == 0)
            std::this_thread::yield();
        unlock();
        if (i % 500 != 0)
            continue;
        if (phase.fetch_add(1) % CREW == CREW - 1)
            phase.notify_all();
        for (int now = phase; now < (i / 500 + 1) * CREW; now = phase)
            phase.wait(now);
    }
    trails[self] = trail;
}

}

int main()
{
    std::promise<int> start;
    auto started = start.get_future().share();
    std::vector<std::thread> crew;
    for (unsigned long i = 0; i < CREW; i++)
        crew.emplace_back(work, i, started);
    usleep(1000);
    start.set_value(7);
    for (auto &thread : crew)
        thread.join();
    for (unsigned long trail : trails)
        printf("%lx\n", trail);
}
