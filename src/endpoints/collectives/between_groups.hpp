// SPDX-License-Identifier: BSD-3-Clause
// The collectives that combine, on an intercommunicator (MPI-4.1 sections 6.9 to 6.10): each group combines what its
// ranks bring, and its first rank sends the result to the ranks of the other group that get some.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "endpoints/collectives/movement.hpp"
#include "endpoints/collectives/reduction.hpp"

namespace raddle::endpoints::collectives {

class ReductionBetween final : public Movement {
 public:
  struct Arguments {
    Call::Kind called;  ///< reduce, allreduce or reduce_scatter
    int root;           ///< of MPI_Reduce, as the program gives it
    const void* in;
    void* out;
    MPI_Count count;  ///< of elements, of MPI_Reduce_scatter all together
    MPI_Datatype type;
    MPI_Op op;
    // Of MPI_Reduce_scatter: what of the result this rank gets.
    MPI_Count own_first;
    MPI_Count own_count;
    std::uint64_t* calls;  ///< of this rank's group by itself so far; stays
  };

  ReductionBetween(Context& context, int rank, const Arguments& arguments);
  ReductionBetween(const ReductionBetween&) = delete;
  ReductionBetween& operator=(const ReductionBetween&) = delete;
  ~ReductionBetween() override;
  int bring() override;
  int again() override;

 protected:
  bool become_ready() override;
  bool take() override;
  bool take_on_node(std::uint64_t round) override;

 private:
  /// What goes to whom, and the memory of that.
  struct Plan;
  ReductionBetween(Context& context, int rank, const Arguments& arguments, std::unique_ptr<Plan> plan);
  void give_own_part();

  Arguments arguments_;
  std::unique_ptr<Plan> plan_;
  std::unique_ptr<Reduction> in_group_;  ///< nullptr: nobody wants what this group brings
  std::uint64_t number_in_group_ = 0;    ///< 0: it has not begun
  std::uint64_t starts_ = 0;             ///< of a persistent one
};

}  // namespace raddle::endpoints::collectives
