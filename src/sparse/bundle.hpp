// SPDX-License-Identifier: BSD-3-Clause
// Several messages in one, for algorithms in which others pass them on. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace raddle::sparse {

/// A message on its way.
struct Item {
  int source;
  int destination;
  std::span<const std::byte> bytes;
};

class Bundle {
 public:
  void add(const Item& item) {
    const Head head{item.source, item.destination, item.bytes.size()};
    const std::size_t place = data_.size();
    data_.resize(place + sizeof head + item.bytes.size());
    std::memcpy(data_.data() + place, &head, sizeof head);
    if (!item.bytes.empty()) std::memcpy(data_.data() + place + sizeof head, item.bytes.data(), item.bytes.size());
  }

  [[nodiscard]] std::span<const std::byte> bytes() const { return data_; }

  /// Calls with each item, in the order in which they were added.
  template <typename Take>
  static void each(std::span<const std::byte> bundle, Take&& take) {
    while (!bundle.empty()) {
      Head head{};
      std::memcpy(&head, bundle.data(), sizeof head);
      take(Item{head.source, head.destination, bundle.subspan(sizeof head, head.bytes)});
      bundle = bundle.subspan(sizeof head + head.bytes);
    }
  }

 private:
  struct Head {
    std::int32_t source;
    std::int32_t destination;
    std::uint64_t bytes;
  };

  std::vector<std::byte> data_;
};

}  // namespace raddle::sparse
