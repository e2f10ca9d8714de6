// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/hints.hpp"

#include <algorithm>

#include "endpoints/communicators/derive.hpp"
#include "partitioned/groups.hpp"

namespace raddle::partitioned {

using platform::PartPolicy;

static_assert(platform::most_part_messages <= most_groups, "each message carries a group");

Hints hints_of(MPI_Info info) {
  const platform::Settings asked = endpoints::settings_with(platform::Hints::partitioned, info);
  return {asked.part_policy, asked.part_min_bytes, asked.part_max_messages};
}

int per_message(const Hints& hints, int partitions, std::size_t partition_bytes, std::size_t usual) {
  if (partitions == 0) return 1;
  if (hints.policy == PartPolicy::bulk) return partitions;
  const int fewest = (partitions - 1) / hints.max_messages + 1;
  if (hints.policy == PartPolicy::none) return fewest;
  if (partition_bytes == 0) return partitions;
  const std::size_t enough = (hints.min_bytes.value_or(usual) - 1) / partition_bytes + 1;
  return std::max(fewest, static_cast<int>(std::min(enough, static_cast<std::size_t>(partitions))));
}

}  // namespace raddle::partitioned
