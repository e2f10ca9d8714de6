// SPDX-License-Identifier: BSD-3-Clause
// Whether a command makes sense: a proxy does nothing that could hurt it, whatever lies in its inbox. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engines/proxy/command.hpp"

namespace raddle::proxy {

/// The part of the shared memory in which data and answers lie.
struct Bounds {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  [[nodiscard]] bool contain(std::uint64_t place, std::uint64_t bytes) const {
    return place >= begin && place <= end && bytes <= end - place;
  }
};

/// @param following  bytes that the entry has behind the command
/// @returns why the command cannot be carried out; nullptr: it can
const char* refusal(const Command& command, std::size_t following, const Bounds& bounds);

/// The same of a collective among `size` ranks. @param numbers  all that follows it
const char* refusal(const Collective& collective, std::span<const std::int64_t> numbers, int size,
                    const Bounds& bounds);

}  // namespace raddle::proxy
