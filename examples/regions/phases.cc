/* SPDX-License-Identifier: MIT */
/*
 * Phases of a C++ program.  A region also ends when an exception leaves its
 * scope, and another thread may end it.
 *
 *     c++ phases.cc -o phases -pthread $(pkg-config --cflags --libs libpmon)
 *     PMON_REGIONS=out ./phases; cat out/regions
 */
#include <pmon.h>

#include <iostream>
#include <stdexcept>
#include <thread>

static void
load()
{
    PMON_REGION_SCOPE("LOAD");
    throw std::runtime_error("nothing to load");
}

class Solver {
public:
    Solver() : worker_([this] { solve(); })
    {
    }
    ~Solver()
    {
        worker_.join();
    }

private:
    void solve()
    {
        pmon_region_scope scope("SOLVE");
        for (int i = 1; i < 1000000; i++)
            sum_ += 1.0 / i;
        pmon_region_end(waiting_);
    }

    pmon_region waiting_ = pmon_region_begin("WAIT_FOR_SOLVER");
    double sum_ = 0;
    std::thread worker_;
};

int
main()
{
    PMON_REGION_SCOPE("MAIN");
    try {
        load();
    } catch (const std::exception &error) {
        std::cout << error.what() << "\n";
    }
    Solver solver;
    return 0;
}
