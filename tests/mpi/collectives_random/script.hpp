// SPDX-License-Identifier: BSD-3-Clause
// Which collective operations a communicator sees: every rank derives the same from the seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "elements.hpp"
#include "graph.hpp"
#include "kind.hpp"

namespace raddle::collectives {

struct Rules {
  bool neighborhoods = false;
  /// Leaves out what these versions get wrong, so that all else can be tested on them: see exceptions.hpp.
  bool spare = false;
};

/// One collective operation; a persistent one is started several times with data of its own each time.
struct Call {
  std::uint64_t key;
  Kind kind;
  Mode mode;
  bool large;      ///< the form with MPI_Count
  bool in_place;   ///< for those ranks that may
  bool forgetful;  ///< datatypes are freed once it has begun
  bool garbage;    ///< arguments that MPI must not look at are nonsense
  int starts;
  int size;  ///< of the communicator
  int root;
  int which;  ///< of the communicators that the batch may use
  const Element* element;
  Op op;
  std::size_t grain;  ///< elements that a datatype may have: a divisor; 0: the element's own datatype
  /// Elements of a block: one number, one for each rank (whose block it is), or one for each sender and receiver.
  std::vector<std::size_t> amounts;
  const Graph* graph = nullptr;

  /// Elements that go from one rank to another. For neighbours, `to` is the number of the sender's block.
  [[nodiscard]] std::size_t units(int from, int to) const;
  /// Elements of a contribution to a reduction.
  [[nodiscard]] std::size_t vector() const;
  /// E.g. "MPI_Iallreduce, 3 x MPI_INT, MPI_SUM".
  [[nodiscard]] std::string describe() const;
};

/// One after another in the same order on all ranks; the same call again is a persistent one's next start.
struct Batch {
  std::vector<Call> calls;
  std::vector<int> steps;
};

/// Communicators of the same ranks, in whatever order, that a batch may use.
struct Choice {
  int size;
  std::vector<const Graph*> graphs;  ///< of each; nullptr: no topology
};

Batch make_batch(std::uint64_t key, const Choice& choice, const Rules& rules);

}  // namespace raddle::collectives
