// SPDX-License-Identifier: BSD-3-Clause
// A thread that makes its partitions of a buffer ready, or the one that receives them: the rounds of the benchmarks of
// partitioned communication.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "core/barrier.hpp"
#include "mpi/benchmark.hpp"
#include "suites/partitioned/partitioned_ways.hpp"

namespace raddle::bench {

/// What the threads of one side share. Its first thread leads: it makes the ends and speaks with the other side.
struct PartitionedSide {
  PartitionedSide(int threads, int partitions)
      : together(threads, impatient),
        last_ready(static_cast<std::size_t>(threads)),
        ready(static_cast<std::size_t>(partitions)) {}

  PartitionedEnds ends;
  ThreadBarrier together;
  Nanoseconds begin = 0;
  std::vector<Nanoseconds> last_ready;  ///< by thread
  std::vector<Nanoseconds> ready;       ///< by partition, in rounds that are recorded
};

/// What a round is timed for.
enum class PartitionedGoal { bandwidth, tail, ready };

/// One thread of a side. @param slot  where both sides' threads find what theirs share; its first thread makes it
[[nodiscard]] std::unique_ptr<Worker> make_partitioner(MPI_Comm comm, const Team& team, const Seat& seat,
                                                       const Work& work, PartitionedGoal goal, bool endpoint,
                                                       std::unique_ptr<PartitionedSide>& slot);

}  // namespace raddle::bench
