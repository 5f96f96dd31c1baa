/* SPDX-License-Identifier: MIT */
/*
 * For regions.c: a duration taken by std::chrono and kept in a vector.
 */
#include <chrono>
#include <cstdio>
#include <vector>

struct Span {
    const char *name;
    std::chrono::steady_clock::time_point start;
    std::chrono::nanoseconds duration;
};

int
main()
{
    const int count = 200000;
    std::vector<Span> spans;
    spans.reserve(count);
    for (int i = 0; i < count; i++)
        spans.push_back({"", {}, {}}); // touches the memory
    spans.clear();
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; i++) {
        auto start = std::chrono::steady_clock::now();
        spans.push_back({"ANALYZING_PROTOCOL", start,
                         std::chrono::steady_clock::now() - start});
    }
    std::chrono::duration<double, std::nano> all
        = std::chrono::steady_clock::now() - begin;
    std::printf("%.3f C++ std::chrono pair into a vector\n",
                all.count() / count);
}
