// std::thread, std::async, condition variables, static variables of functions; streams of C++.
#include <atomic>
#include <condition_variable>
#include <future>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::condition_variable changed;
static std::vector<std::string> seen;

static const std::string &first_user(int number)
{
    static const std::string who = "made by " + std::to_string(number);
    return who;
}

static void work(int number)
{
    const std::string &who = first_user(number);
    for (int i = 0; i < 300; i++) {
        std::unique_lock<std::mutex> held(mutex);
        if (i % 10 == 0)
            changed.wait_for(held, std::chrono::microseconds(100));
        seen.push_back(std::to_string(number) + who);
        changed.notify_all();
    }
}

int main()
{
    std::vector<std::thread> crew;
    for (int i = 0; i < 4; i++)
        crew.emplace_back(work, i);
    auto other = std::async(std::launch::async, [] {
        std::lock_guard<std::mutex> held(mutex);
        return seen.size();
    });
    for (auto &thread : crew)
        thread.join();
    std::size_t hash = other.get();
    for (const auto &text : seen)
        hash = hash * 31 + std::hash<std::string>()(text);
    std::cout << first_user(-1) << ' ' << hash << std::endl;
    return 0;
}
