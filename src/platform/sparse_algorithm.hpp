// SPDX-License-Identifier: BSD-3-Clause
// The ways to make a sparse exchange, by the names that settings and info keys give them. docs/sparse.md describes
// them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace raddle::platform {

enum class SparseAlgorithm : std::uint8_t { automatic, alltoallv, pex, pcx, rsx, nbx, nary, locality, shared };

/// By number.
inline constexpr std::array<const char*, 9> sparse_algorithm_names{"auto", "alltoallv", "pex",      "pcx",   "rsx",
                                                                   "nbx",  "nary",      "locality", "shared"};
inline constexpr std::string_view sparse_algorithms_valid =
    "auto, alltoallv, pex, pcx, rsx, nbx, nary, locality or shared";

[[nodiscard]] constexpr const char* name_of(SparseAlgorithm algorithm) {
  return sparse_algorithm_names[static_cast<std::size_t>(algorithm)];
}

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
