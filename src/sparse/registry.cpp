// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstddef>

#include "sparse/algorithm.hpp"
#include "sparse/exchange_lane.hpp"

// In the file of each: its only function that others know.
namespace raddle::sparse::algorithms {
#define RADDLE_SPARSE_ALGORITHM(name, needs) const Algorithm& name();
#include "platform/sparse_algorithms.def"
#undef RADDLE_SPARSE_ALGORITHM
}  // namespace raddle::sparse::algorithms

namespace raddle::sparse {

std::span<const Listed> listed() {
#define RADDLE_SPARSE_ALGORITHM(name, needs) \
  Listed{SparseAlgorithm::name, #name, SparseNeeds::needs, &algorithms::name()},
  static const std::array all{
#include "platform/sparse_algorithms.def"
  };
#undef RADDLE_SPARSE_ALGORITHM
  return all;
}

const Listed& listed(SparseAlgorithm which) { return listed()[static_cast<std::size_t>(which) - 1]; }

std::optional<int> turn_in_proportion(const ExchangeLane& lane, int place) {
  constexpr int few = 1 << 12;   // up to here a reduction over all ranks is cheaper than what it saves
  constexpr int many = 1 << 14;  // above this it is no candidate
  if (lane.size() > many) return std::nullopt;
  return lane.size() < few ? 50 + place : 150 + place;
}

}  // namespace raddle::sparse
