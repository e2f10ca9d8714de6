// SPDX-License-Identifier: BSD-3-Clause
// Memory for messages of tests: in one piece or with holes, with margins that nobody may write to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "endpoints/datatypes/body.hpp"

namespace raddle::test {

class MessageBuffer {
 public:
  /// @param scattered  every third byte is followed by a hole of two
  MessageBuffer(std::size_t bytes, bool scattered)
      : bytes_(bytes), scattered_(scattered), memory_(place(bytes) + margin, untouched) {}

  /// Bytes that tell which message it is, and where in it. @pre at most a MiB
  void fill(std::uint64_t message) { fill(message, bytes_); }

  /// What an operation gets; anew for each.
  endpoints::Body body() {
    if (scattered_) walk_ = std::make_unique<Walk>(*this);
    // Nothing need be there where nothing goes.
    return {scattered_ || bytes_ == 0 ? nullptr : memory_.data() + margin, bytes_, scattered_ ? walk_.get() : nullptr};
  }

  /// What is wrong if the first `received` bytes of a message have come here, and nothing else has been touched.
  [[nodiscard]] std::string problem(std::uint64_t message, std::size_t received) const {
    MessageBuffer expected(bytes_, scattered_);
    expected.fill(message, received);
    if (std::memcmp(memory_.data(), expected.memory_.data(), memory_.size()) != 0) {
      const auto wrong = std::ranges::mismatch(memory_, expected.memory_).in1 - memory_.begin();
      return "wrong at byte " + std::to_string(wrong) + " of the memory";
    }
    return "";
  }

  /// The message that its first eight bytes tell of.
  [[nodiscard]] std::uint64_t message() const {
    std::uint64_t number = 0;
    each_piece(0, sizeof number, [&](std::size_t at, std::size_t done, std::size_t bytes) {
      std::memcpy(reinterpret_cast<std::byte*>(&number) + done, memory_.data() + at, bytes);
    });
    return number;
  }

 private:
  static constexpr std::size_t margin = 64;
  static constexpr auto untouched = std::byte{0xee};

  struct Walk final : endpoints::Scattered {
    explicit Walk(MessageBuffer& owner) : buffer(owner) {}
    void gather(std::span<std::byte> next) override {
      buffer.each_piece(walked, next.size(), [&](std::size_t at, std::size_t done, std::size_t bytes) {
        std::memcpy(next.data() + done, buffer.memory_.data() + at, bytes);
      });
      walked += next.size();
    }
    void scatter(std::span<const std::byte> next) override {
      buffer.each_piece(walked, next.size(), [&](std::size_t at, std::size_t done, std::size_t bytes) {
        std::memcpy(buffer.memory_.data() + at, next.data() + done, bytes);
      });
      walked += next.size();
    }

    MessageBuffer& buffer;
    std::size_t walked = 0;
  };

  /// What all messages are cut from.
  static const std::vector<std::byte>& pattern() {
    static const std::vector<std::byte> bytes = [] {
      std::vector<std::byte> made((std::size_t{1} << 20U) + offsets);
      std::mt19937 random(1);
      for (std::byte& byte : made) byte = static_cast<std::byte>(random());
      return made;
    }();
    return bytes;
  }
  static constexpr std::size_t offsets = 4096;

  [[nodiscard]] std::size_t place(std::size_t i) const { return margin + i + (scattered_ ? i / 3 * 2 : 0); }

  /// Calls with the place of a piece in memory, how much came before it, and its length.
  template <typename Visit>
  void each_piece(std::size_t from, std::size_t count, Visit&& visit) const {
    for (std::size_t done = 0; done < count;) {
      const std::size_t left = count - done;
      const std::size_t bytes = scattered_ ? std::min(left, 3 - (from + done) % 3) : left;
      visit(place(from + done), done, bytes);
      done += bytes;
    }
  }

  void fill(std::uint64_t message, std::size_t bytes) {
    each_piece(0, bytes, [&](std::size_t at, std::size_t done, std::size_t piece) {
      std::memcpy(memory_.data() + at, pattern().data() + message % offsets + done, piece);
    });
    const auto* const number = reinterpret_cast<const std::byte*>(&message);
    each_piece(0, std::min(bytes, sizeof message), [&](std::size_t at, std::size_t done, std::size_t piece) {
      std::memcpy(memory_.data() + at, number + done, piece);
    });
  }

  std::size_t bytes_;
  bool scattered_;
  std::vector<std::byte> memory_;
  std::unique_ptr<Walk> walk_;
};

}  // namespace raddle::test
