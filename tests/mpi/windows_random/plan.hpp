// SPDX-License-Identifier: BSD-3-Clause
// What all ranks do to a window in a round, and what its cells are afterwards. Each rank makes the same plan of the
// seed, so nobody has to be told anything.
//
// A block of cells is in a round one rank's alone, or everybody adds to it, or everybody reads it: what else ranks do
// at the same time MPI leaves undefined (MPI-4.1 section 12.7).
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace raddle::windows_random {

/// A type of MPI's own, with cells as numbers that all types have.
struct Element {
  const char* name;
  MPI_Datatype type;
  std::size_t size;
  void (*store)(void* to, std::int64_t value);
  std::int64_t (*load)(const void* from);
};
const std::vector<Element>& elements();

constexpr int block = 8;  ///< cells

enum class Duty : std::uint8_t { none, put, steps, get, sum, greatest };

/// A block of one target in a round.
struct Task {
  int target;
  int first;  ///< cell
  Duty duty;
  int owner;           ///< of put and steps
  bool strided;        ///< every second cell
  std::uint64_t seed;  ///< of the values
};

/// One of several accumulates of one rank on the same cells, which are done in its order.
struct Step {
  enum class Call : std::uint8_t { accumulate, get_accumulate, fetch_and_op, compare_and_swap };
  Call call;
  MPI_Op op;
  int cell;  ///< from the block's first
  int count;
  std::vector<std::int64_t> operands;
  std::vector<std::int64_t> before;  ///< what a call that fetches has to give
  std::int64_t expected = 0;         ///< of compare-and-swap
};

using Cells = std::vector<std::int64_t>;

/// The blocks of all ranks in a round. @param cells  of each rank
std::vector<Task> tasks(std::uint64_t seed, int ranks, int cells, const Element& element);
[[nodiscard]] std::int64_t value(const Element& element, std::uint64_t seed, int rank, int at);
/// The steps of the owner, on cells as they are then; they are changed by it.
std::vector<Step> steps(const Task& task, const Element& element, Cells& cells);
/// What all ranks together make of the target's cells.
void apply(const Task& task, const Element& element, int ranks, Cells& cells);

}  // namespace raddle::windows_random
