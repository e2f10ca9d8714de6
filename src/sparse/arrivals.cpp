// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/arrivals.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace raddle::sparse {

std::byte* Arrivals::room(int source, std::size_t bytes) {
  std::byte* const place = arena_.room(bytes);
  arrived_.push_back({source, {place, bytes}});
  bytes_ += bytes;
  return place;
}

Rows Arrivals::rows(bool sorted) && {
  const bool in_order = !sorted || std::ranges::is_sorted(arrived_, {}, &Arrived::source);
  if (!in_order) std::ranges::stable_sort(arrived_, {}, &Arrived::source);
  Rows rows;
  rows.ranks.reserve(arrived_.size());
  rows.offsets.reserve(arrived_.size() + 1);
  std::size_t offset = 0;
  for (const Arrived& one : arrived_) {
    rows.ranks.push_back(one.source);
    rows.offsets.push_back(offset);
    offset += one.bytes.size();
  }
  rows.offsets.push_back(offset);
  if (in_order && arena_.in_one()) {
    rows.data = std::move(arena_).take();
    return rows;
  }
  rows.data = std::make_unique_for_overwrite<std::byte[]>(offset);
  for (std::size_t i = 0; i < arrived_.size(); ++i) {
    const auto& bytes = arrived_[i].bytes;
    if (!bytes.empty()) std::memcpy(rows.data.get() + rows.offsets[i], bytes.data(), bytes.size());
  }
  return rows;
}

}  // namespace raddle::sparse
