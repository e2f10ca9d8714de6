// SPDX-License-Identifier: BSD-3-Clause
// How much of what is long ranks copy at a time through the memory of their node. It hangs on the machine: where lines
// that another core has written come fast while they are in its cache, little; where they come faster once they have
// left it, so much that they do. With little, who reads a line gives it back (platform/copy_bytes.hpp: keep_lines()).
// Two processes try both, once. Knows no MPI.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace raddle::endpoints::collectives {

/// In memory that processes share, zeros at first: nobody makes it.
class RoundProbe {
 public:
  /// Bytes of a round. The first, unless the other one is clearly faster.
  static constexpr std::array<std::size_t, 2> candidates{std::size_t{32} * 1024, std::size_t{128} * 1024};

  /// Memory for rounds that are under way at a time.
  struct Rooms {
    std::byte* first = nullptr;
    std::size_t stride = 0;  ///< from one to the next
    std::size_t bytes = 0;   ///< of each
    std::size_t count = 0;

    [[nodiscard]] std::byte* room(std::uint64_t number) const { return first + number % count * stride; }
  };

  /// One process, while another one is in follow(). Tells all what is best; after 0.1 s without an answer the first
  /// candidate. Nothing is under way in the rooms.
  void lead(const Rooms& rooms);
  void follow(const Rooms& rooms);
  /// In place of lead(), if it is known.
  void tell(std::size_t bytes) { chosen_.store(bytes, std::memory_order_release); }

  /// What was told. @pre the one who leads has returned
  [[nodiscard]] std::size_t chosen() const { return chosen_.load(std::memory_order_acquire); }

 private:
  bool await(const std::function<bool()>& there) const;

  alignas(64) std::atomic<std::uint64_t> chosen_;  ///< 0: not yet
  alignas(64) std::atomic<std::uint64_t> follows_;
  alignas(64) std::atomic<std::uint64_t> put_;  ///< rounds, ever
  alignas(64) std::atomic<std::uint64_t> taken_;
};

}  // namespace raddle::endpoints::collectives
