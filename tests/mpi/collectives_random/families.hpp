// SPDX-License-Identifier: BSD-3-Clause
// The communicators under test, and who has which rank on each: a family is what all ranks got from one call.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "graph.hpp"

namespace raddle::collectives {

struct Family {
  std::string how;
  std::vector<int> cell;        ///< of each base rank: the least base rank on its communicator, or `nobody` without one
  std::vector<int> rank;        ///< of each base rank on its communicator
  std::map<int, Graph> graphs;  ///< by cell; none: no topology
  MPI_Comm comm = MPI_COMM_NULL;

  /// Base ranks on a communicator, in the order of their ranks there.
  [[nodiscard]] std::vector<int> members(int its_cell) const;
};

/// Every rank has its own, of the same families.
class Families {
 public:
  Families(MPI_Comm base, int size, int rank);

  /// Makes a communicator or frees one, as the key says; all ranks must do so.
  /// @param spare no ranks that are neighbours in two ways, whose blocks MPIs confuse (topologies.hpp)
  void change(std::uint64_t key, bool topologies, bool spare);
  void free_all();

  [[nodiscard]] const std::deque<Family>& all() const noexcept { return families_; }
  /// Those that divide the ranks in the same way as a family.
  [[nodiscard]] std::vector<const Family*> alike(const Family& family) const;

 private:
  void split(const Family& parent, std::uint64_t key, Family& made) const;
  void cartesian(const Family& parent, std::uint64_t key, bool spare, Family& made) const;
  void adjacent(const Family& parent, std::uint64_t key, bool spare, Family& made) const;

  int rank_;
  std::deque<Family> families_;
};

}  // namespace raddle::collectives
