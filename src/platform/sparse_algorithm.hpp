// SPDX-License-Identifier: BSD-3-Clause
// The ways to make a sparse exchange, by the names that settings and info keys give them: those of
// sparse_algorithms.def. docs/use/sparse.md describes them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace raddle::platform {

enum class SparseAlgorithm : std::uint8_t {
  automatic,
#define RADDLE_SPARSE_ALGORITHM(name, needs) name,
#include "platform/sparse_algorithms.def"
#undef RADDLE_SPARSE_ALGORITHM
};

/// What an algorithm needs that not every communicator has. windows: endpoints have none. shared_memory: all ranks are
/// on one node, and may share memory.
enum class SparseNeeds : std::uint8_t { nothing, windows, shared_memory };

/// By number.
inline constexpr std::array sparse_algorithm_names{
    "auto",
#define RADDLE_SPARSE_ALGORITHM(name, needs) #name,
#include "platform/sparse_algorithms.def"
#undef RADDLE_SPARSE_ALGORITHM
};

inline constexpr auto sparse_algorithms_joined = [] {
  constexpr std::string_view all = "auto"
#define RADDLE_SPARSE_ALGORITHM(name, needs) ", " #name
#include "platform/sparse_algorithms.def"
#undef RADDLE_SPARSE_ALGORITHM
      ;
  constexpr std::string_view comma = ", ";
  constexpr std::string_view word = " or ";
  constexpr std::size_t last = all.rfind(comma);
  std::array<char, all.size() - comma.size() + word.size()> joined{};
  char* end = std::ranges::copy(all.substr(0, last), joined.data()).out;
  end = std::ranges::copy(word, end).out;
  std::ranges::copy(all.substr(last + comma.size()), end);
  return joined;
}();
/// What people may write: "auto, ... or ...".
inline constexpr std::string_view sparse_algorithms_valid{sparse_algorithms_joined.data(),
                                                          sparse_algorithms_joined.size()};

[[nodiscard]] constexpr std::optional<SparseAlgorithm> sparse_algorithm_named(std::string_view name) {
  for (std::size_t i = 0; i < sparse_algorithm_names.size(); ++i) {
    if (name == sparse_algorithm_names[i]) return static_cast<SparseAlgorithm>(i);
  }
  return std::nullopt;
}

/// Limits of what may be set.
constexpr int most_sparse_lanes = 64;
constexpr int least_sparse_radix = 2;
constexpr int most_sparse_radix = 64;

}  // namespace raddle::platform
