// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/windows/pieces.hpp"

#include <algorithm>
#include <utility>

namespace raddle::endpoints {

Pieces::Pieces(const Shape& shape, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    add(shape.element, static_cast<std::int64_t>(i) * static_cast<std::int64_t>(shape.extent));
  if (more_.size() == 1) {
    only_ = more_.front();
    more_.clear();
  }
}

Pieces::Pieces(std::vector<Piece> all) {
  for (const Piece& one : all) bytes_ += one.bytes;
  if (all.size() == 1)
    only_ = all.front();
  else
    more_ = std::move(all);
}

bool Pieces::within(std::int64_t at, std::int64_t begin, std::int64_t end) const {
  return std::ranges::all_of(all(), [&](const Piece& piece) {
    const std::int64_t first = at + piece.offset;
    return first >= begin && first <= end && piece.bytes <= static_cast<std::uint64_t>(end - first);
  });
}

void Pieces::add(std::int64_t offset, std::uint64_t bytes) {
  bytes_ += bytes;
  if (!more_.empty() && more_.back().offset + static_cast<std::int64_t>(more_.back().bytes) == offset)
    more_.back().bytes += bytes;
  else
    more_.push_back({offset, bytes});
}

void Pieces::add(const Part& part, std::int64_t base) {
  if (part.bytes == 0) return;
  const std::int64_t at = base + part.offset;
  if (part.loop == nullptr) return add(at, part.bytes);
  for (std::size_t turn = 0; turn < part.loop->turns; ++turn) {
    for (const Part& inner : part.loop->parts)
      add(inner, at + static_cast<std::int64_t>(turn) * static_cast<std::int64_t>(part.loop->stride));
  }
}

}  // namespace raddle::endpoints
