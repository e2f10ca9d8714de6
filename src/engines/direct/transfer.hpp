// SPDX-License-Identifier: BSD-3-Clause
// One large message that sender and receiver copy together, when both wait: each takes the next share that nobody has
// taken. Lies in memory that both see; knows no MPI.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace raddle::direct {

class alignas(64) Transfer {
 public:
  static constexpr std::size_t share = std::size_t{128} * 1024;
  /// From here on two copies at a time pay for telling each other.
  static constexpr std::size_t least = 2 * share;

  /// The sender, before it makes its offer.
  void prepare() {
    target_.store(0, std::memory_order_relaxed);
    taken_.store(0, std::memory_order_relaxed);
    copied_.store(0, std::memory_order_relaxed);
  }

  /// The receiver, once it knows where the message goes.
  void open(std::uint64_t target) { target_.store(target, std::memory_order_release); }

  /// Where the message goes, as an address in the receiver's process; 0: not known yet.
  [[nodiscard]] std::uint64_t target() const { return target_.load(std::memory_order_acquire); }

  struct Share {
    std::size_t begin = 0;
    std::size_t bytes = 0;  ///< 0: all shares are taken
  };
  Share take(std::size_t message) {
    const std::size_t begin = taken_.fetch_add(1, std::memory_order_relaxed) * share;
    return begin < message ? Share{begin, message - begin < share ? message - begin : share} : Share{};
  }

  /// A share has been copied.
  void copied(const Share& done) { copied_.fetch_add(done.bytes, std::memory_order_acq_rel); }

  [[nodiscard]] bool complete(std::size_t message) const { return copied_.load(std::memory_order_acquire) == message; }

 private:
  std::atomic<std::uint64_t> target_{0};
  std::atomic<std::uint64_t> taken_{0};
  std::atomic<std::uint64_t> copied_{0};
};

}  // namespace raddle::direct
