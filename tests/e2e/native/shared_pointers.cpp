/*
 * Who drops a shared pointer last, and so frees what it points at; who upgrades a weak one in time.
 * by: canon-c++
 */
#include "trail.h"

#include <memory>
#include <sched.h>
#include <vector>

namespace {

enum { ROUNDS = 2000 };

thread_local unsigned long *trail;

struct Thing {
    unsigned long number;
    ~Thing() { *trail = trail_add(*trail, number); }
};

std::vector<std::shared_ptr<Thing>> things[CREW];
std::vector<std::weak_ptr<Thing>> weak;
unsigned long trails[CREW];

void *work(void *number)
{
    long self = (long)number;
    trail = &trails[self];
    for (int i = 0; i < ROUNDS; i++) {
        things[self][i].reset();
        auto other = weak[(i + self * 7) % ROUNDS].lock();
        *trail = trail_add(*trail, other ? 1 : 0);
        if (i % 100 == self)
            sched_yield();
    }
    return nullptr;
}

}

int main()
{
    unsigned long rest = 0;
    trail = &rest;
    for (unsigned long i = 0; i < ROUNDS; i++) {
        std::shared_ptr<Thing> thing(new Thing{i});
        weak.push_back(thing);
        for (auto &all : things)
            all.push_back(thing);
    }
    crew_run(work);
    for (unsigned long seen : trails)
        printf("%lx\n", seen);
}
