// SPDX-License-Identifier: BSD-3-Clause
#include "entered.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "../traffic/failure.hpp"

namespace raddle::collectives {
namespace {

constexpr std::size_t most_ranks = 4096;
constexpr std::size_t bytes = most_ranks * sizeof(std::uint64_t);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace

Entered::Entered() {
  std::array<char, 64> name{"/tmp/raddle-entered-XXXXXX"};
  int process = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  int file = -1;
  if (process == 0) {
    file = mkstemp(name.data());
    if (file < 0 || ftruncate(file, bytes) != 0) traffic::abandon("no file to share memory through");
  }
  MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  if (process != 0) file = open(name.data(), O_RDWR | O_CLOEXEC);
  void* memory = file < 0 ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (process == 0) unlink(name.data());
  if (memory == MAP_FAILED) traffic::abandon("the processes share no memory: all must run on one machine");
  close(file);
  steps_ = static_cast<std::atomic<std::uint64_t>*>(memory);
}

Entered::~Entered() { munmap(steps_, bytes); }

}  // namespace raddle::collectives
