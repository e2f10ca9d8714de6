// SPDX-License-Identifier: BSD-3-Clause
// What the layer costs a call that has nothing to do with endpoints: short calls to the MPI itself and through the
// layer, in turn within one process. Prints the nanoseconds of each, medians over rounds. tools/interpose_cost.py makes
// launches of it and judges the differences.
#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/statistics.hpp"
#include "raddle/raddle.h"

namespace {

using raddle::bench::median;

constexpr int rounds = 301;
constexpr int calls = 1000;

/// One way to make a call: the same loop over a function that the compiler does not know.
using Arm = std::function<void()>;

template <typename Function, typename Call>
Arm arm(Function* function, Call call) {
  return [function, call] {
    Function* volatile unknown = function;
    for (int i = 0; i < calls; ++i) call(unknown);
  };
}

double nanoseconds(const Arm& loop) {
  const auto begin = std::chrono::steady_clock::now();
  loop();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / calls;
}

/// The arms in turn, in an order drawn for each round: `beside` while the process has an endpoint.
void measure(const char* name, const Arm& native, const Arm& wrapped) {
  std::mt19937 random(std::random_device{}());
  std::array<std::vector<double>, 3> seen;
  std::array<std::size_t, 3> order{0, 1, 2};
  for (int round = 0; round < rounds; ++round) {
    std::ranges::shuffle(order, random);
    for (const std::size_t which : order) {
      MPI_Comm endpoint = MPI_COMM_NULL;
      if (which == 2) MPIX_Comm_create_endpoints(MPI_COMM_SELF, 1, MPI_INFO_NULL, &endpoint);
      seen[which].push_back(nanoseconds(which == 0 ? native : wrapped));
      if (which == 2) MPI_Comm_free(&endpoint);
    }
  }
  std::printf(R"({"call":"%s","native":%.4f,"wrapped":%.4f,"beside":%.4f})"
              "\n",
              name, median(seen[0]), median(seen[1]), median(seen[2]));
}

/// The MPI's own function: the next one after this program, which holds the layer.
template <typename Function>
Function* own(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

template <typename Function, typename Call>
void compare(const char* name, Function* function, Call call) {
  measure(name, arm(own(function, name), call), arm(function, call));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  compare("MPI_Comm_rank", MPI_Comm_rank, [](auto* call) {
    int rank = 0;
    call(MPI_COMM_WORLD, &rank);
  });
  compare("MPI_Test", MPI_Test, [](auto* call) {
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
    call(&request, &done, MPI_STATUS_IGNORE);
  });
  compare("MPI_Iprobe", MPI_Iprobe, [](auto* call) {
    int there = 0;
    call(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  });
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
