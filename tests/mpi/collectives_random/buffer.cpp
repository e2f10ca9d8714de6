// SPDX-License-Identifier: BSD-3-Clause
#include "buffer.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/text.hpp"

namespace raddle::collectives {
namespace {

using traffic::mix;

constexpr std::size_t guard = 64;

std::uint64_t number(int n) { return static_cast<std::uint64_t>(n); }

std::string hex(const std::byte* bytes, std::size_t count) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += digits[std::to_integer<unsigned>(bytes[i]) >> 4U];
    text += digits[std::to_integer<unsigned>(bytes[i]) & 15U];
  }
  return text;
}

}  // namespace

Buffer::Buffer(const Call& call, const Side& side, int rank, int which) : call_(call), side_(side) {
  make_shapes(rank, which);
  place(rank, which);
  std::ptrdiff_t begin = 0;
  std::ptrdiff_t end = 0;
  for (const Block& block : blocks_) {
    if (block.items == 0) continue;
    begin = std::min(begin, block.at + block.shape->begin());
    end = std::max(
        end, block.at + static_cast<std::ptrdiff_t>(block.items - 1) * block.shape->extent() + block.shape->end());
  }
  origin_ = guard + static_cast<std::size_t>(-begin);
  memory_.resize(origin_ + static_cast<std::size_t>(end) + guard);
}

/// All ranks take the same datatype for a reduction; else each has its own, and maybe one for each block.
void Buffer::make_shapes(int rank, int which) {
  const std::size_t shapes = typed(call_.kind) ? std::max<std::size_t>(side_.parts.size(), 1) : 1;
  for (std::size_t i = 0; i < shapes; ++i) {
    Random random(reduces(call_.kind) ? mix({call_.key, 1}) : mix({call_.key, 2, number(rank), number(which), i}));
    if (call_.grain == 0) {
      shapes_.emplace_back(*call_.element);
      continue;
    }
    std::size_t units = 1 + random.below(call_.grain);
    while (call_.grain % units != 0) --units;
    shapes_.emplace_back(*call_.element, units, random);
  }
}

/// One behind the other; or, where the program may say so, in another order and with gaps.
void Buffer::place(int rank, int which) {
  Random random(mix({call_.key, 3, number(rank), number(which)}));
  const bool free = side_.many && displaced(call_.kind);
  std::vector<std::size_t> order(side_.parts.size());
  std::iota(order.begin(), order.end(), 0U);
  if (free) random.shuffle(order);
  blocks_.resize(order.size());
  std::ptrdiff_t next = free ? (static_cast<std::ptrdiff_t>(random.below(4)) - 1) * shapes_.front().extent() : 0;
  for (const std::size_t i : order) {
    const Shape& shape = shapes_[typed(call_.kind) ? i : 0];
    const std::size_t items = side_.parts[i].units / shape.units();
    if (free) next += static_cast<std::ptrdiff_t>(random.below(3)) * shape.extent();
    if (typed(call_.kind)) next -= shape.begin();
    blocks_[i] = {&shape, items, next};
    next += static_cast<std::ptrdiff_t>(items) * shape.extent();
    if (typed(call_.kind)) next += shape.begin();
  }
}

void Buffer::forget() {
  for (Shape& shape : shapes_) shape.forget();
}

void Buffer::poison(std::uint64_t key) {
  for (std::size_t i = 0; i < memory_.size(); i += sizeof(std::uint64_t)) {
    const std::uint64_t word = traffic::scramble(key + i);
    std::memcpy(memory_.data() + i, &word, std::min(sizeof word, memory_.size() - i));
  }
}

void Buffer::write(std::vector<std::byte>& image, std::size_t part, const Content& content) const {
  const Element& element = *call_.element;
  const Values values(key_, element, call_.op, content);
  const Block& block = blocks_[part];
  std::byte* start = image.data() + origin_;
  for (std::size_t unit = 0; unit < side_.parts[part].units; ++unit) {
    const auto value = values.at(unit);
    std::byte* to = start + block.offset(unit);
    for (const Piece& piece : element.pieces) std::memcpy(to + piece.offset, value.data() + piece.offset, piece.bytes);
  }
}

void Buffer::fill(std::uint64_t key) {
  key_ = key;
  poison(mix({key, 4}));
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (side_.parts[i].before) write(memory_, i, *side_.parts[i].before);
  }
  wanted_ = memory_;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (side_.parts[i].after) write(wanted_, i, *side_.parts[i].after);
  }
}

/// Accepts elements that differ in their bytes only, and those that MPI leaves open.
void Buffer::forgive() {
  const Element& element = *call_.element;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Part& part = side_.parts[i];
    if (!part.open && !(part.after && (call_.op != Op::none || element.padded))) continue;
    for (std::size_t unit = 0; unit < part.units; ++unit) {
      const auto at = static_cast<std::ptrdiff_t>(origin_) + blocks_[i].offset(unit);
      if (!part.open && !element.same(call_.op, memory_.data() + at, wanted_.data() + at)) continue;
      for (const Piece& piece : element.pieces)
        std::memcpy(wanted_.data() + at + piece.offset, memory_.data() + at + piece.offset, piece.bytes);
    }
  }
}

std::string Buffer::verdict() {
  if (memory_ == wanted_) return "";
  forgive();
  const auto at = std::ranges::mismatch(memory_, wanted_).in1 - memory_.begin();
  return at == std::ssize(memory_) ? "" : describe(static_cast<std::size_t>(at));
}

std::string Buffer::describe(std::size_t byte) const {
  const Element& element = *call_.element;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    for (std::size_t unit = 0; unit < side_.parts[i].units; ++unit) {
      const auto at = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(origin_) + blocks_[i].offset(unit));
      if (byte < at || byte >= at + element.extent) continue;
      return bench::text("element ", unit, " of ", side_.parts[i].units, " in block ", i, " is ",
                         hex(memory_.data() + at, element.extent), " and not ",
                         hex(wanted_.data() + at, element.extent));
    }
  }
  return bench::text("a byte outside of all elements, ",
                     static_cast<std::ptrdiff_t>(byte) - static_cast<std::ptrdiff_t>(origin_),
                     " from the buffer's address, has changed; the memory reaches from ",
                     -static_cast<std::ptrdiff_t>(origin_), " to ", memory_.size() - origin_);
}

}  // namespace raddle::collectives
