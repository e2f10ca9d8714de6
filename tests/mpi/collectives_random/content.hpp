// SPDX-License-Identifier: BSD-3-Clause
// What an element holds: what one rank contributed to a call, or what an operator makes of the contributions of
// several.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "../traffic/random.hpp"
#include "elements.hpp"

namespace raddle::collectives {

struct Content {
  int first;               ///< contributor
  int last;                ///< that too, and all between, in the order of ranks
  int block = 0;           ///< of those that a contributor has for different receivers
  std::size_t offset = 0;  ///< of the first element in the contributor's vector
};

class Values {
 public:
  using Value = std::array<std::byte, largest_extent>;

  /// @param key of the call and the start
  Values(std::uint64_t key, const Element& element, Op op, const Content& content)
      : key_(key), element_(element), op_(op), content_(content) {}

  [[nodiscard]] Value at(std::size_t unit) const {
    Value value = contribution(content_.first, unit);
    for (int rank = content_.first + 1; rank <= content_.last; ++rank) {
      Value next = contribution(rank, unit);
      element_.combine(op_, value.data(), next.data());
      value = next;
    }
    return value;
  }

 private:
  [[nodiscard]] Value contribution(int rank, std::size_t unit) const {
    Value value{};
    const std::uint64_t own =
        traffic::mix({key_, static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(content_.block)});
    element_.make(op_, traffic::scramble(own + content_.offset + unit), rank, value.data());
    return value;
  }

  std::uint64_t key_;
  const Element& element_;
  Op op_;
  Content content_;
};

}  // namespace raddle::collectives
