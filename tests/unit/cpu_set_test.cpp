// SPDX-License-Identifier: BSD-3-Clause
#include "node/cpu_set.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "child.hpp"

namespace raddle::node {
namespace {

/// Of the calling thread alone.
cpu_set_t own_affinity() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  sched_getaffinity(0, sizeof cpus, &cpus);
  return cpus;
}

void bind_to_one(const cpu_set_t& cpus, pid_t thread = 0) {
  int first = 0;
  while (!CPU_ISSET(first, &cpus)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  sched_setaffinity(thread, sizeof one, &one);
}

TEST(CpuSet, IsWhatTheProcessMayUse) {
  const cpu_set_t own = own_affinity();
  const CpuSet cpus;
  EXPECT_EQ(cpus.count(), CPU_COUNT(&own));
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) EXPECT_EQ(cpus.has(cpu), CPU_ISSET(cpu, &own) != 0) << cpu;
}

TEST(CpuSet, TakesInThoseOfOthersOnce) {
  CpuSet::Words first{};
  CpuSet::Words second{};
  first[0] = 0b0110;
  second[0] = 0b0011;
  second[1] = 1;
  CpuSet cpus{CpuSet::Words{}};
  EXPECT_EQ(cpus.count(), 0);
  cpus.add(first);
  cpus.add(second);
  EXPECT_EQ(cpus.count(), 4);
  EXPECT_EQ(CpuSet(cpus.words()).count(), 4);
}

TEST(CpuSet, IsNotWhatOneOfItsThreadsIsBoundTo) {
  const cpu_set_t all = own_affinity();
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "one CPU";
  test::Child child([&] {
    std::atomic<bool> ended{false};
    std::thread other([&] {
      while (!ended) std::this_thread::yield();
    });
    bind_to_one(all);
    const int count = CpuSet().count();
    ended = true;
    other.join();
    return count;
  });
  EXPECT_EQ(child.join(), CPU_COUNT(&all));
}

TEST(CpuSet, IsSmallerWhereTheProcessIsBound) {
  const cpu_set_t all = own_affinity();
  test::Child child([&] {
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task"))  // ThreadSanitizer has its own
      bind_to_one(all, std::stoi(thread.path().filename().string()));
    return CpuSet().count();
  });
  EXPECT_EQ(child.join(), 1);
}

TEST(CpuSet, IsLookedAtAgainAfterAWhile) {
  const cpu_set_t all = own_affinity();
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "one CPU";
  test::Child child([&] {
    if (CpuSet::lately().count() != CPU_COUNT(&all)) return -1;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task"))
      bind_to_one(all, std::stoi(thread.path().filename().string()));
    while (CpuSet::lately().count() != 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return 1;
  });
  EXPECT_EQ(child.join(), 1);
}

// OpenMP binds the first thread as the program is loaded, when there is no other: so a program is started for it.
TEST(CpuSet, DISABLED_InAProgramThatOpenMpBinds) {
  const cpu_set_t own = own_affinity();
  ASSERT_EQ(CPU_COUNT(&own), 1) << "OpenMP has not bound this thread";
  const char* const expected = std::getenv("TEST_CPUS");
  ASSERT_NE(expected, nullptr);
  EXPECT_EQ(CpuSet().count(), std::atoi(expected));
}

TEST(CpuSet, HasThePlacesOfOpenMp) {
  const cpu_set_t all = own_affinity();
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "one CPU";
  if (dlsym(RTLD_DEFAULT, "omp_get_num_places") == nullptr) GTEST_SKIP() << "no OpenMP in this program";
  test::Child child([&] {
    setenv("OMP_PROC_BIND", "spread", 1);
    setenv("OMP_PLACES", "threads", 1);
    setenv("TEST_CPUS", std::to_string(CPU_COUNT(&all)).c_str(), 1);
    execl("/proc/self/exe", "unit_tests", "--gtest_also_run_disabled_tests",
          "--gtest_filter=CpuSet.DISABLED_InAProgramThatOpenMpBinds", nullptr);
    return 100;
  });
  EXPECT_EQ(child.join(), 0);
}

}  // namespace
}  // namespace raddle::node
