// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sparse/sink.hpp"

namespace raddle::sparse {

/// Takes bundles into memory of their own, which stays until it ends.
class BundleSink : public Sink {
 public:
  virtual ~BundleSink() = default;
  void expect(std::size_t, std::size_t) override {}
  std::byte* room(int, std::size_t bytes) override { return rooms_.emplace_back(bytes).data(); }
  void arrived(int, std::span<const std::byte>) override {}

  [[nodiscard]] const std::vector<std::vector<std::byte>>& all() const { return rooms_; }

 private:
  std::vector<std::vector<std::byte>> rooms_;
};

}  // namespace raddle::sparse
