// SPDX-License-Identifier: BSD-3-Clause
// What sender and receiver share where partitions go straight into the receiver's buffer. Lies in the memory of a
// process, or in memory that two of them share. Knows no MPI.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "partitioned/group_set.hpp"
#include "partitioned/meeting.hpp"

namespace raddle::partitioned {

struct Block {
  /// One side's memory. Written before it is `there`.
  struct Side {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    pid_t process = 0;
    std::atomic<bool> there{false};
  };

  Side sender;
  std::uint64_t group_bytes = 0;  ///< of each but the last; with the sender
  std::int32_t groups = 0;        ///< with the sender
  Side receiver;

  alignas(64) OpenRound open;
  alignas(64) std::atomic<std::uint64_t> arrived{0};  ///< groups, in all rounds
  std::atomic<bool> failed{false};                    ///< the system has not let one copy
  alignas(64) std::atomic<std::uint32_t> looks{0};    ///< of the receiver for groups to copy
  std::atomic<bool> copies{false};                    ///< the receiver is about it
  alignas(64) GroupSet offered;                       ///< that the sender has left to whoever has time
  std::array<GroupState, most_groups> states;
};

}  // namespace raddle::partitioned
