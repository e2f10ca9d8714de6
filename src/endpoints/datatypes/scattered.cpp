// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/datatypes/scattered.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
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

namespace {

std::byte* at(std::uintptr_t address) {
  return reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr): it came from a pointer
}

/// A constant stream is scattered, another one is gathered.
template <typename Byte>
void copy_piece(std::byte* memory, Byte* stream, std::size_t bytes) {
  if constexpr (std::is_const_v<Byte>) {
    std::memcpy(memory, stream, bytes);
  } else {
    std::memcpy(stream, memory, bytes);
  }
}

template <typename Byte, typename Bytes>
void copy_turns(std::uintptr_t memory, Byte* stream, std::size_t turns, std::ptrdiff_t stride, Bytes bytes) {
  for (std::size_t i = 0; i < turns; ++i) {
    copy_piece(at(memory), stream, bytes);
    memory += static_cast<std::uintptr_t>(stride);
    stream += bytes;
  }
}

}  // namespace

void Walk::start(void* buffer, std::size_t count, std::shared_ptr<const Shape> shape) {
  shape_ = std::move(shape);
  whole_ = {{&shape_->element, 1}, 0, count, shape_->extent, reinterpret_cast<std::uintptr_t>(buffer)};
  again();
}

void Walk::again() {
  within_ = 0;
  frames_.assign(1, whole_);
}

void Walk::gather(std::span<std::byte> next) { move(next); }

void Walk::scatter(std::span<const std::byte> next) { move(next); }

template <typename Byte>
void Walk::move(std::span<Byte> stream) {
  while (!stream.empty()) {
    Frame& frame = frames_.back();
    const Part& part = frame.parts[frame.part];
    const std::uintptr_t place = frame.base + static_cast<std::uintptr_t>(part.offset);
    if (part.loop != nullptr) {
      const Loop& loop = *part.loop;
      next_part();  // first, so that a loop that is done leaves no frame behind
      frames_.push_back({loop.parts, 0, loop.turns, loop.stride, place});
      continue;
    }
    if (frame.parts.size() == 1 && within_ == 0 && stream.size() >= part.bytes) {
      stream = stream.subspan(move_turns(frame, stream));
      continue;
    }
    const std::size_t bytes = std::min(stream.size(), part.bytes - within_);
    copy_piece(at(place + within_), stream.data(), bytes);
    stream = stream.subspan(bytes);
    within_ += bytes;
    if (within_ == part.bytes) {
      within_ = 0;
      next_part();
    }
  }
}

/// As many whole turns of a loop over one piece as there are. @returns how many bytes that was
template <typename Byte>
std::size_t Walk::move_turns(Frame& frame, std::span<Byte> stream) {
  const Part& part = frame.parts.front();
  const std::size_t bytes = part.bytes;
  const std::size_t turns = std::min(frame.turns, stream.size() / bytes);
  const std::uintptr_t place = frame.base + static_cast<std::uintptr_t>(part.offset);
  const auto with = [&](auto size) { copy_turns(place, stream.data(), turns, frame.stride, size); };
  switch (bytes) {  // a copy of a known size is an instruction or two
    case 4:
      with(std::integral_constant<std::size_t, 4>{});
      break;
    case 8:
      with(std::integral_constant<std::size_t, 8>{});
      break;
    case 16:
      with(std::integral_constant<std::size_t, 16>{});
      break;
    default:
      with(bytes);
  }
  frame.base += turns * static_cast<std::uintptr_t>(frame.stride);
  frame.turns -= turns;
  if (frame.turns == 0) frames_.pop_back();
  return turns * bytes;
}

void Walk::next_part() {
  Frame& frame = frames_.back();
  if (++frame.part < frame.parts.size()) return;
  frame.part = 0;
  frame.base += static_cast<std::uintptr_t>(frame.stride);
  if (--frame.turns == 0) frames_.pop_back();
}

}  // namespace raddle::endpoints
