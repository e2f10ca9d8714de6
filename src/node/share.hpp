// SPDX-License-Identifier: BSD-3-Clause
// How the processes of a node come to have memory together.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <system_error>

#include "node/shared_segment.hpp"

namespace raddle::node {

struct Sharing {
  std::optional<SharedSegment> memory;  ///< all have it or nobody
  bool nameless = false;                ///< which only processes can open that see each other's pids
  std::string problem;                  ///< why this process has none; empty: it is not the one to blame
};

/// Collective over a team: memory of `bytes` zeros.
/// @param team  first(): whether this process is the one that makes it; tell(text): all get the first one's; all(mine):
///   whether it is true of everybody
template <typename Team>
Sharing share(const Team& team, std::size_t bytes) {
  Sharing result;
  const auto attempt = [&](auto&& make) {
    try {
      result.memory.emplace(make());
    } catch (const std::system_error& error) {
      result.problem = error.what();
    }
  };
  for (const auto kind : {SharedSegment::Kind::nameless, SharedSegment::Kind::named}) {
    std::array<char, 64> address{};
    if (team.first()) attempt([&] { return SharedSegment::create(bytes, kind); });
    if (team.first() && result.memory) result.memory->address().copy(address.data(), address.size() - 1);
    team.tell(std::span<char>(address));
    if (!team.first() && address[0] != '\0') attempt([&] { return SharedSegment::open(address.data(), bytes); });
    if (team.all(result.memory.has_value())) {
      result.nameless = SharedSegment::is_nameless(address.data());
      result.memory->all_have_it();
      return result;
    }
    result.memory.reset();
  }
  return result;
}

}  // namespace raddle::node
