// SPDX-License-Identifier: BSD-3-Clause
// What endpoints cost a process: the time to make 64, the memory of each once all have sent to all, and what becomes of
// a core's copying speed when two threads exchange long messages. Prints one line of JSON. tools/endpoint_cost.py makes
// launches of it.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "core/affinity.hpp"
#include "core/barrier.hpp"
#include "core/spin.hpp"
#include "core/statistics.hpp"
#include "raddle/raddle.h"

namespace {

using raddle::bench::median;

constexpr int many = 64;
constexpr int creations = 21;
constexpr int rounds = 61;
constexpr std::size_t message = std::size_t{4} << 20U;

template <typename Do>
double seconds(Do&& something) {
  const auto begin = std::chrono::steady_clock::now();
  something();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A line of /proc/self/status, in bytes.
double status(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    double kilobytes = 0;
    if (word == name + ":" && file >> kilobytes) return kilobytes * 1024;
  }
  std::fprintf(stderr, "raddle-endpoint-cost: /proc/self/status has no %s\n", name.c_str());
  std::_Exit(1);
}

std::vector<MPI_Comm> make(int endpoints) {
  std::vector<MPI_Comm> made(static_cast<std::size_t>(endpoints));
  MPIX_Comm_create_endpoints(MPI_COMM_SELF, endpoints, MPI_INFO_NULL, made.data());
  return made;
}

void free_all(std::vector<MPI_Comm>& endpoints) {
  for (MPI_Comm& endpoint : endpoints) MPI_Comm_free(&endpoint);
}

void all_to_all(const std::vector<MPI_Comm>& endpoints) {
  for (std::size_t from = 0; from < endpoints.size(); ++from) {
    for (std::size_t to = 0; to < endpoints.size(); ++to) {
      MPI_Request request = MPI_REQUEST_NULL;
      std::uint64_t sent = from;
      std::uint64_t got = 0;
      MPI_Irecv(&got, 1, MPI_UINT64_T, static_cast<int>(from), 0, endpoints[to], &request);
      MPI_Send(&sent, 1, MPI_UINT64_T, static_cast<int>(to), 0, endpoints[from]);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      if (got != sent) std::abort();
    }
  }
}

/// The bytes a second that two threads move, over those of one core that copies one of the two messages by memcpy. Each
/// message has just been written by its sender.
struct CopyRatios {
  double endpoints = 0;  ///< by a blocking MPI_Sendrecv
  double memcpy = 0;  ///< when each copies the other's message, and nobody tells anybody anything: the machine's limit
};

CopyRatios copy_ratios() {
  std::vector<MPI_Comm> endpoints = make(2);
  const std::vector<int> cpus = raddle::bench::allowed_cpus();
  raddle::bench::ThreadBarrier meet(2, raddle::bench::patient);
  std::array<std::vector<char>, 2> out{std::vector<char>(message), std::vector<char>(message)};
  std::vector<double> ratios;
  std::vector<double> limits;
  std::array<double, 2> took{};  // of each side: both have to be done
  const auto side = [&](std::size_t me) {
    if (me < cpus.size()) raddle::bench::pin_to(cpus[me]);
    const std::size_t other = 1 - me;
    std::vector<char> in(message);
    const auto write = [&](int what) {
      std::ranges::fill(out[me], static_cast<char>(what + static_cast<int>(me)));
      meet.arrive_and_wait();
    };
    const auto check = [&](int what) {
      const auto expected = static_cast<char>(what + static_cast<int>(other));
      if (in.front() != expected || in[message / 2] != expected || in.back() != expected) std::abort();
      meet.arrive_and_wait();
    };
    for (int round = 0; round < rounds; ++round) {
      write(round);
      double copy = 0;
      if (me == 0) {
        copy = seconds([&] { std::memcpy(in.data(), out[other].data(), message); });
        check(round);
      } else {
        meet.arrive_and_wait();
      }
      write(round + 1);
      took[me] = seconds([&] {
        MPI_Sendrecv(out[me].data(), static_cast<int>(message), MPI_BYTE, static_cast<int>(other), 0, in.data(),
                     static_cast<int>(message), MPI_BYTE, static_cast<int>(other), 0, endpoints[me], MPI_STATUS_IGNORE);
      });
      check(round + 1);
      if (me == 0) ratios.push_back(2 * copy / std::ranges::max(took));
      write(round + 2);
      took[me] = seconds([&] { std::memcpy(in.data(), out[other].data(), message); });
      check(round + 2);
      if (me == 0) limits.push_back(2 * copy / std::ranges::max(took));
      meet.arrive_and_wait();
    }
  };
  std::thread second(side, 1);
  std::thread first(side, 0);
  first.join();
  second.join();
  free_all(endpoints);
  return {median(ratios), median(limits)};
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  const double resident = status("VmRSS");
  std::vector<double> times;
  std::vector<MPI_Comm> endpoints;
  times.push_back(seconds([&] { endpoints = make(many); }));
  all_to_all(endpoints);
  const double each = (status("VmRSS") - resident) / many;
  free_all(endpoints);
  while (times.size() < creations) {
    times.push_back(seconds([&] { endpoints = make(many); }));
    free_all(endpoints);
  }
  const double first = times.front();
  const CopyRatios ratios = copy_ratios();
  std::printf(
      R"({"creation_first_s":%.6f,"creation_s":%.6f,"bytes_each":%.0f,"exchange_over_memcpy":%.4f,"limit_over_memcpy":%.4f})"
      "\n",
      first, median(times), each, ratios.endpoints, ratios.memcpy);
  MPI_Finalize();
  return 0;
}
