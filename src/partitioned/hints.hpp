// SPDX-License-Identifier: BSD-3-Clause
// How partitions are to be grouped: the info keys of MPI_Psend_init, and the environment where they say nothing.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>

#include "platform/settings.hpp"

namespace raddle::partitioned {

struct Hints {
  platform::PartPolicy policy = platform::PartPolicy::automatic;
  std::optional<std::size_t> min_bytes;
  int max_messages = platform::most_part_messages;
};

/// @throws endpoints::Failure: a raddle_ key that nobody knows, or a bad value; platform::SettingsError
Hints hints_of(MPI_Info info);

/// How many partitions make a message. @param partitions  >= 0 @param partition_bytes  of each
/// @param usual  the fewest bytes of a message where nobody has said how many
/// @returns >= 1
int per_message(const Hints& hints, int partitions, std::size_t partition_bytes, std::size_t usual);

}  // namespace raddle::partitioned
