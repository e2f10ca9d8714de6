// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/abi_draft.hpp"

#include <array>
#include <atomic>

#include "platform/must.hpp"

#ifndef MPI_ABI_VERSION

void raddle::interpose::abi_draft::look() {}

#else

static_assert(MPI_SEEK_SET == 403, "this mpi_abi.h has the values of a draft; build with another: MPICH's, from 5.0.1");

namespace raddle::interpose::abi_draft {
namespace {

std::atomic<bool> found{false};

/// The draft gave each of these the value that the standard gives to the next, and the last that of the first.
template <typename Value, std::size_t count>
Value in_draft(const std::array<Value, count>& values, Value standard) {
  if (!found.load(std::memory_order_relaxed)) return standard;
  for (std::size_t i = 0; i < count; ++i)
    if (values[i] == standard) return values[(i + 1) % count];
  return standard;
}

}  // namespace

void look() {
  // Every library has this one, and no other attribute of its neighbours' values is as great: what is a number of
  // processes or of a program there is an error code here.
  int* last = nullptr;
  int there = 0;
  platform::must("MPI_Comm_get_attr",
                 PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, static_cast<void*>(&last), &there));
  found = there == 0 || last == nullptr || *last < MPI_ERR_LASTCODE;
}

MPI_Errhandler errhandler(MPI_Errhandler standard) {
  return in_draft(std::array{MPI_ERRORS_RETURN, MPI_ERRORS_ABORT}, standard);
}

int attribute(int standard) {
  return in_draft(std::array<int, 3>{MPI_APPNUM, MPI_LASTUSEDCODE, MPI_UNIVERSE_SIZE}, standard);
}

int whence(int standard) { return in_draft(std::array<int, 3>{MPI_SEEK_CUR, MPI_SEEK_END, MPI_SEEK_SET}, standard); }

}  // namespace raddle::interpose::abi_draft

#endif
