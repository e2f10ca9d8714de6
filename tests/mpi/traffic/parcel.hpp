// SPDX-License-Identifier: BSD-3-Clause
// Memory that messages are sent from or received into, whose every byte is known before and after.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "layout.hpp"

namespace raddle::traffic {

/// What a message carries: a stream of bytes that only its key tells.
struct Content {
  std::uint64_t key;
  std::size_t bytes;
};

class Parcel {
 public:
  /// All bytes are poison: those of the layout, its gaps, and a guard on either side.
  explicit Parcel(Layout layout);

  [[nodiscard]] Layout& layout() noexcept { return layout_; }
  [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
  [[nodiscard]] void* address() noexcept;
  /// Puts a message in, to be sent from here.
  void fill(const Content& content);
  /// Makes it as new, to be received into again.
  void clear();
  /// Spoils what was sent, as a program may that has been told that its send is complete.
  void spoil();

  /// Whether this message, shorter than the layout or as long, is all that has changed here.
  [[nodiscard]] bool holds(const Content& content) const;
  /// The first byte that is not as `holds` wants it.
  [[nodiscard]] std::string difference(const Content& content) const;
  /// Whether nothing has changed but bytes of the layout, as after a truncated message.
  [[nodiscard]] bool untouched_outside() const;

 private:
  [[nodiscard]] std::vector<std::byte> image(const Content& content) const;

  Layout layout_;
  std::optional<Content> before_;
  std::vector<std::byte> memory_;
};

}  // namespace raddle::traffic
