// SPDX-License-Identifier: BSD-3-Clause
// The messages that have arrived, as compressed rows. Knows no MPI.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sparse/arena.hpp"
#include "sparse/sink.hpp"

namespace raddle::sparse {

/// Message i is from ranks[i], and its bytes are those from offsets[i] to offsets[i + 1].
struct Rows {
  std::vector<int> ranks;
  std::vector<std::size_t> offsets;
  std::unique_ptr<std::byte[]> data;
};

class Arrivals final : public Sink {
 public:
  /// @param guess  bytes that will arrive
  explicit Arrivals(std::size_t guess) : arena_(guess) {}

  void expect(std::size_t, std::size_t bytes) override { arena_.expect(bytes); }
  std::byte* room(int source, std::size_t bytes) override;
  void arrived(int, std::span<const std::byte>) override {}

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// When all are there. @param sorted  by rank; otherwise as they came
  [[nodiscard]] Rows rows(bool sorted) &&;

 private:
  struct Arrived {
    int source;
    std::span<std::byte> bytes;
  };

  Arena arena_;
  std::vector<Arrived> arrived_;
  std::size_t bytes_ = 0;
};

}  // namespace raddle::sparse
