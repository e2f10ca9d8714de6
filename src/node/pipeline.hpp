// SPDX-License-Identifier: BSD-3-Clause
// Long messages between processes of a node that go in pieces through memory of the node: the sender copies one in
// while the receiver copies another one out. Where both cores share a cache that is faster than one copy by calls of
// the system, if the memory is a ring that is longer than a core's own cache: lines that a core has written come fast
// once they have left it. Knows no MPI.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "platform/copy_bytes.hpp"

namespace raddle::node {

/// Memory of one sender, whole pages, for messages on their way. Positions only grow; byte `p` lies at `p % bytes`.
class PipelineRing {
 public:
  static constexpr std::size_t page = std::size_t{4} * 1024;  ///< all that is given out is whole pages

  PipelineRing() = default;
  /// @param memory  whole pages; empty: there is none
  explicit PipelineRing(std::span<std::byte> memory) : memory_(memory) {}

  [[nodiscard]] std::size_t bytes() const { return memory_.size(); }
  /// The longest message that its sender is rid of at once, whoever receives it.
  [[nodiscard]] std::size_t most_at_once() const { return bytes() / 4; }
  /// What a message takes of it: of a long one only a part is on its way at a time.
  [[nodiscard]] std::size_t room_for(std::size_t message) const {
    return std::min((message + page - 1) / page, bytes() / 2 / page) * page;
  }
  /// What lies at a position in one piece, at most so many bytes.
  [[nodiscard]] std::span<std::byte> at(std::uint64_t position, std::size_t most) const {
    const std::size_t begin = position % memory_.size();
    return memory_.subspan(begin, std::min(most, memory_.size() - begin));
  }

 private:
  std::span<std::byte> memory_;
};

/// One message on its way, in memory that both see. The sender takes pages from its front and pushes them; the receiver
/// takes them out. Where the sender makes no progress the receiver may take pages from the back, which it copies out of
/// the sender's memory.
class alignas(64) Pipeline {
 public:
  /// The shortest message that is worth it.
  static constexpr std::size_t least = std::size_t{32} * 1024;
  /// Bytes of a message: some of them.
  struct Part {
    std::size_t begin = 0;
    std::size_t bytes = 0;  ///< 0: none
  };

  /// The sender, before its RTS. There is no room in the ring yet.
  void prepare(std::size_t message) {
    message_ = message;
    room_ = 0;
    claims_.store(0, std::memory_order_relaxed);
    pushed_.store(0, std::memory_order_relaxed);
    taken_.store(0, std::memory_order_relaxed);
    pulled_.store(0, std::memory_order_relaxed);
    taking_ = {};
    state_.store(sent, std::memory_order_relaxed);
  }

  // The sender.

  [[nodiscard]] std::size_t message() const { return message_; }
  /// Once, before anything is pushed. @param first  position in its ring @param room  whole pages
  void give_room(std::uint64_t first, std::size_t room) {
    first_ = first;
    room_ = room;
  }
  /// Copies the next piece of the message into the ring, if there is room. @returns its bytes
  std::size_t push(const PipelineRing& ring, const std::byte* message) {
    const std::uint64_t done = pushed_.load(std::memory_order_relaxed);
    const std::size_t room = room_ - (done - taken_.load(std::memory_order_acquire));
    if (room < PipelineRing::page) return 0;
    const std::span<std::byte> place = piece_at(ring, done, std::min(room, piece()));
    const std::size_t bytes = claim<front>(place.size());
    if (bytes == 0) return 0;
    platform::copy_beyond_caches(place.data(), message + done, bytes);
    pushed_.store(done + bytes, std::memory_order_release);
    return bytes;
  }
  /// Whether nothing of the message is needed any more where it lies.
  [[nodiscard]] bool all_left() const {
    const auto [ahead, behind] = claimed();
    return ahead + behind == pages() && pulled_.load(std::memory_order_acquire) == bytes_behind(behind);
  }
  [[nodiscard]] bool is_matched() const { return state_.load(std::memory_order_acquire) != sent; }
  /// What the receiver has copied out of the ring, and for how long it did. @pre is_over()
  [[nodiscard]] std::size_t taken() const { return taken_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::chrono::nanoseconds taking() const { return taking_; }
  /// Whether its room may be used again.
  [[nodiscard]] bool is_over() const { return state_.load(std::memory_order_acquire) == over; }

  // The receiver.

  void match() { state_.store(matched, std::memory_order_release); }
  /// The next bytes that lie in the ring; empty: none yet.
  [[nodiscard]] std::span<const std::byte> next(const PipelineRing& ring) const {
    const std::uint64_t taken = taken_.load(std::memory_order_relaxed);
    const std::size_t there = pushed_.load(std::memory_order_acquire) - taken;
    return there == 0 ? std::span<std::byte>() : piece_at(ring, taken, there);
  }
  /// They have been copied.
  void took(std::size_t bytes) {
    taken_.store(taken_.load(std::memory_order_relaxed) + bytes, std::memory_order_release);
  }
  void took_for(std::chrono::nanoseconds time) { taking_ += time; }
  /// Takes from the back what the sender has not got to; it will not push it. Then pulled().
  [[nodiscard]] Part pull(std::size_t most) {
    const std::size_t bytes = claim<back>(most);
    return {message_ - bytes_behind(claimed().behind), bytes};
  }
  void pulled(std::size_t bytes) { pulled_.fetch_add(bytes, std::memory_order_acq_rel); }
  [[nodiscard]] bool all_here() const {
    return all_left() && taken_.load(std::memory_order_relaxed) == message_ - bytes_behind(claimed().behind);
  }
  /// Last of all. The sender too, if nobody receives it.
  void end() { state_.store(over, std::memory_order_release); }

 private:
  enum End : bool { front, back };
  struct Claims {
    std::uint64_t ahead;
    std::uint64_t behind;
  };

  [[nodiscard]] std::uint64_t pages() const { return (message_ + PipelineRing::page - 1) / PipelineRing::page; }
  /// Of so many pages at the back: the last one may be short.
  [[nodiscard]] std::size_t bytes_behind(std::uint64_t pages_behind) const {
    return pages_behind == 0 ? 0 : message_ - (pages() - pages_behind) * PipelineRing::page;
  }
  [[nodiscard]] Claims claimed() const {
    const std::uint64_t both = claims_.load(std::memory_order_acquire);
    return {both >> 32U, both & 0xffffffffU};
  }
  [[nodiscard]] std::size_t piece() const {
    constexpr std::size_t kib = 1024;
    return message_ <= 64 * kib ? 16 * kib : 32 * kib;
  }
  [[nodiscard]] std::span<std::byte> piece_at(const PipelineRing& ring, std::uint64_t done, std::size_t most) const {
    const std::size_t begin = done % room_;
    return ring.at(first_ + begin, std::min(most, room_ - begin));
  }

  /// Takes whole pages that nobody has taken. @returns their bytes of the message
  template <End end>
  std::size_t claim(std::size_t most) {
    std::uint64_t both = claims_.load(std::memory_order_relaxed);
    for (;;) {
      const std::uint64_t ahead = both >> 32U;
      const std::uint64_t behind = both & 0xffffffffU;
      const std::uint64_t count = std::min<std::uint64_t>(most / PipelineRing::page, pages() - ahead - behind);
      if (count == 0) return 0;
      const std::uint64_t next = both + (end == front ? count << 32U : count);
      if (!claims_.compare_exchange_weak(both, next, std::memory_order_acq_rel)) continue;
      if (end == back) return bytes_behind(behind + count) - bytes_behind(behind);
      const std::size_t begin = ahead * PipelineRing::page;
      return std::min(message_ - begin, static_cast<std::size_t>(count * PipelineRing::page));
    }
  }

  static constexpr std::uint32_t sent = 0;
  static constexpr std::uint32_t matched = 1;
  static constexpr std::uint32_t over = 2;

  std::size_t message_ = 0;
  // The receiver reads these when it has seen that something was pushed.
  std::uint64_t first_ = 0;
  std::size_t room_ = 0;                  ///< 0: none yet
  std::atomic<std::uint64_t> claims_{0};  ///< pages taken from the front, and in the lower half from the back
  std::atomic<std::uint64_t> pushed_{0};  ///< bytes, ever
  alignas(64) std::atomic<std::uint64_t> taken_{0};
  std::atomic<std::uint64_t> pulled_{0};
  std::chrono::nanoseconds taking_{};  ///< the receiver's, read when it is over
  std::atomic<std::uint32_t> state_{over};
};

}  // namespace raddle::node
