// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/scattered_shape.hpp"

#include <utility>

namespace raddle::endpoints {

Part Shape::repeat(Part part, std::size_t turns, std::ptrdiff_t stride) {
  if (turns == 0 || part.bytes == 0) return {};
  if (turns == 1) return part;
  const std::size_t bytes = turns * part.bytes;
  if (part.loop == nullptr) {
    if (stride == static_cast<std::ptrdiff_t>(part.bytes)) return {part.offset, bytes, nullptr};
    const std::span<const Part> piece = parts_.emplace_back(1, Part{0, part.bytes, nullptr});
    return loop({part.offset, bytes, nullptr}, piece, turns, stride);
  }
  const Loop& inner = *part.loop;
  const auto inner_length = static_cast<std::ptrdiff_t>(inner.turns) * inner.stride;
  if (inner.turns == 1) return loop({part.offset, bytes, nullptr}, inner.parts, turns, stride);
  if (inner_length == stride)
    return loop({part.offset, bytes, nullptr}, inner.parts, inner.turns * turns, inner.stride);
  const std::span<const Part> whole = parts_.emplace_back(1, Part{0, part.bytes, part.loop});
  return loop({part.offset, bytes, nullptr}, whole, turns, stride);
}

Part Shape::sequence(const std::vector<Part>& parts) {
  std::vector<Part> joined;
  std::size_t bytes = 0;
  for (const Part& part : parts) {
    if (part.bytes == 0) continue;
    bytes += part.bytes;
    if (!joined.empty() && joined.back().loop == nullptr && part.loop == nullptr &&
        joined.back().offset + static_cast<std::ptrdiff_t>(joined.back().bytes) == part.offset) {
      joined.back().bytes += part.bytes;
    } else {
      joined.push_back(part);
    }
  }
  if (joined.empty()) return {};
  if (joined.size() == 1) return joined.front();
  joined.shrink_to_fit();
  return loop({0, bytes, nullptr}, parts_.emplace_back(std::move(joined)), 1, 0);
}

Part Shape::loop(Part part, std::span<const Part> parts, std::size_t turns, std::ptrdiff_t stride) {
  part.loop = &loops_.emplace_back(Loop{parts, turns, stride});
  return part;
}

}  // namespace raddle::endpoints
