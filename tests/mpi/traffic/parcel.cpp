// SPDX-License-Identifier: BSD-3-Clause
#include "parcel.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/text.hpp"

namespace raddle::traffic {
namespace {

constexpr std::byte poison{0xd5};
constexpr std::size_t guard = 64;

/// Writes a message into memory of this layout.
void scatter(const Content& content, const Layout& layout, std::byte* memory) {
  std::vector<std::uint64_t> words(content.bytes / sizeof(std::uint64_t) + 1);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = scramble(content.key + i);
  const auto* stream = reinterpret_cast<const std::byte*>(words.data());
  std::size_t left = content.bytes;
  for (const Piece& piece : layout.pieces()) {
    const std::size_t bytes = std::min(left, piece.bytes);
    std::memcpy(memory + piece.offset, stream, bytes);
    stream += bytes;
    left -= bytes;
    if (left == 0) break;
  }
}

}  // namespace

Parcel::Parcel(Layout layout) : layout_(std::move(layout)), memory_(layout_.span() + 2 * guard, poison) {}

void* Parcel::address() noexcept { return memory_.data() + guard; }

void Parcel::fill(const Content& content) {
  before_ = content;
  scatter(content, layout_, memory_.data() + guard);
}

void Parcel::clear() {
  before_.reset();
  std::ranges::fill(memory_, poison);
}

void Parcel::spoil() { std::ranges::fill(memory_, ~poison); }

std::vector<std::byte> Parcel::image(const Content& content) const {
  std::vector<std::byte> wanted(memory_.size(), poison);
  if (before_) scatter(*before_, layout_, wanted.data() + guard);
  scatter(content, layout_, wanted.data() + guard);
  return wanted;
}

bool Parcel::holds(const Content& content) const {
  return content.bytes <= layout_.units() * unit_bytes(layout_.signature()) && image(content) == memory_;
}

std::string Parcel::difference(const Content& content) const {
  const std::vector<std::byte> wanted = image(content);
  const auto at = std::ranges::mismatch(wanted, memory_).in1 - wanted.begin();
  const auto i = static_cast<std::size_t>(at);
  if (i == wanted.size()) return "nothing differs";
  return bench::text("byte ", at - static_cast<std::ptrdiff_t>(guard), " of a buffer of ", layout_.span(), " is ",
                     static_cast<unsigned>(memory_[i]), " and not ", static_cast<unsigned>(wanted[i]));
}

bool Parcel::untouched_outside() const {
  std::vector<std::byte> wanted(memory_.size(), poison);
  for (const Piece& piece : layout_.pieces())
    std::memcpy(wanted.data() + guard + piece.offset, memory_.data() + guard + piece.offset, piece.bytes);
  return wanted == memory_;
}

}  // namespace raddle::traffic
