// SPDX-License-Identifier: BSD-3-Clause
// The inbox of an endpoint or a proxy: a ring of cache lines in memory that all senders share with it. Knows no MPI,
// and nothing of its contents.
//
// An entry takes whole cells that follow each other. A sender claims cells by moving the tail (one compare-and-swap),
// writes the entry, and publishes it by the control word of its first cell, which holds the lap; so the receiver looks
// at one line only, and a short message is one line's transfer. Entries are read in the order of their claims: those of
// one sender stay in order.
//
// Memory order: the control word is stored with release after the entry and loaded with acquire before it is read. The
// head, below which all is read, is stored with release after the last look at an entry and loaded with acquire before
// cells are claimed again.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

#include "platform/pause.hpp"

namespace raddle::engines {

/// @tparam Atomic std::atomic; tests of all interleavings bring their own
template <template <typename> class Atomic = std::atomic>
class BasicInbox {
 public:
  static constexpr std::size_t cell_bytes = 64;

  /// What a sender remembers of an inbox. Threads may share it.
  struct Sender {
    Atomic<std::uint64_t> head{0};
  };

  /// An entry that is claimed; not published yet.
  struct Claim {
    std::byte* place = nullptr;  ///< where the entry goes; nullptr: no room
    std::uint64_t at = 0;
    std::uint32_t cells = 0;
  };

  /// Memory for so many cells (a power of two), which the constructor of the inbox is given.
  static constexpr std::size_t memory(std::uint64_t cells) { return sizeof(BasicInbox) + cells * cell_bytes; }

  /// In zeroed memory of memory(cells), aligned to a cell.
  explicit BasicInbox(std::uint64_t cells) : cells_(cells), shift_(std::countr_zero(cells)) {}

  /// The largest entry. For one there is always room when all is read, although it may have to skip all cells but one
  /// that it takes, and the senders may not know yet that the last quarter of the ring has been read.
  [[nodiscard]] std::size_t max_bytes() const { return (cells_ * 3 / 8 + 1) * cell_bytes - sizeof(std::uint64_t); }

  /// Any thread of any process: claims room for an entry of `bytes`, or says that there is none now.
  [[nodiscard]] Claim claim(std::size_t bytes, Sender& sender) {
    const auto cells = static_cast<std::uint32_t>((bytes + sizeof(std::uint64_t) + cell_bytes - 1) / cell_bytes);
    std::uint64_t at = tail_.load(std::memory_order_relaxed);
    std::uint64_t skipped = 0;
    do {
      const std::uint64_t offset = at & (cells_ - 1);
      skipped = offset + cells > cells_ ? cells_ - offset : 0;
      if (at + skipped + cells > sender.head.load(std::memory_order_acquire) + cells_) {
        const std::uint64_t head = head_.load(std::memory_order_acquire);
        sender.head.store(head, std::memory_order_release);
        if (at + skipped + cells > head + cells_) return {};
      }
    } while (!tail_.compare_exchange_weak(at, at + skipped + cells, std::memory_order_relaxed));
    if (skipped > 0) control(at).store(word(at, static_cast<std::uint32_t>(skipped), true), std::memory_order_release);
    at += skipped;
    platform::prefetch_to_write(cell(at + cells + ahead));
    return {cell(at) + sizeof(std::uint64_t), at, cells};
  }

  /// The thread that claimed it, after it has written the entry.
  void publish(const Claim& claim) {
    control(claim.at).store(word(claim.at, claim.cells, false), std::memory_order_release);
  }

  /// The receiver's place in its inbox. One thread at a time moves it; any may ask whether there is something.
  class Reader {
   public:
    explicit Reader(BasicInbox& inbox) : inbox_(inbox) {}

    /// Whether a look may be worth it. Where threads share the reader, another one may have read on meanwhile and a
    /// sender be writing an entry where this one looks: it then sees anything, which ThreadSanitizer need not be told.
    [[nodiscard, gnu::no_sanitize_thread]] bool ready() const {
      const std::uint64_t at = at_.load(std::memory_order_relaxed);
      return ((inbox_.control(at).load(std::memory_order_relaxed) ^ inbox_.word(at, 0, false)) & lap_mask) == 0;
    }

    /// How much has been read, ever.
    [[nodiscard]] std::uint64_t position() const { return at_.load(std::memory_order_relaxed); }

    /// Whether all has been read that anybody has claimed so far.
    [[nodiscard]] bool at_end() const {
      return inbox_.tail_.load(std::memory_order_relaxed) == at_.load(std::memory_order_relaxed);
    }

    /// The next entry, which stays until pop(); nullptr if there is none.
    [[nodiscard]] const std::byte* front() {
      while (true) {
        const std::uint64_t at = at_.load(std::memory_order_relaxed);
        const std::uint64_t seen = inbox_.control(at).load(std::memory_order_acquire);
        if (((seen ^ inbox_.word(at, 0, false)) & lap_mask) != 0) return nullptr;
        cells_ = static_cast<std::uint32_t>(seen & cells_mask);
        if ((seen & skip_bit) == 0) return inbox_.cell(at) + sizeof(std::uint64_t);
        advance(at);
      }
    }

    /// Room of the entry in front, which may be more than was asked for.
    [[nodiscard]] std::size_t bytes() const { return cells_ * cell_bytes - sizeof(std::uint64_t); }

    void pop() {
      const std::uint64_t at = at_.load(std::memory_order_relaxed);
      // Where an entry's bytes lay, a control word may be looked for in the next lap.
      for (std::uint32_t i = 1; i < cells_; ++i) inbox_.control(at + i).store(0, std::memory_order_relaxed);
      advance(at);
    }

   private:
    void advance(std::uint64_t at) {
      at += cells_;
      at_.store(at, std::memory_order_relaxed);
      if (at - told_ >= inbox_.cells_ / 4) {  // seldom: the senders have to fetch the line
        told_ = at;
        inbox_.head_.store(at, std::memory_order_release);
      }
    }

    BasicInbox& inbox_;
    std::atomic<std::uint64_t> at_{0};
    std::uint64_t told_ = 0;
    std::uint32_t cells_ = 0;
  };

 private:
  // Cells: what a sender will claim next lies with the receiver, who read it in the last lap. By the time it gets there
  // the line has come.
  static constexpr std::uint64_t ahead = 6;

  // Control word: lap with the topmost bit set, so that it is never that of zeroed memory; whether the cells are only
  // skipped; number of cells.
  static constexpr std::uint64_t lap_mask = 0xffff'ffff'0000'0000U;
  static constexpr std::uint64_t skip_bit = 0x8000'0000U;
  static constexpr std::uint64_t cells_mask = 0x7fff'ffffU;

  [[nodiscard]] std::uint64_t word(std::uint64_t at, std::uint32_t cells, bool skipped) const {
    return (((at >> shift_) | 0x8000'0000U) << 32U) | (skipped ? skip_bit : 0) | cells;
  }
  std::byte* cell(std::uint64_t at) {
    return reinterpret_cast<std::byte*>(this + 1) + (at & (cells_ - 1)) * cell_bytes;
  }
  Atomic<std::uint64_t>& control(std::uint64_t at) {
    return *std::launder(reinterpret_cast<Atomic<std::uint64_t>*>(cell(at)));
  }

  alignas(cell_bytes) Atomic<std::uint64_t> tail_{0};
  alignas(cell_bytes) Atomic<std::uint64_t> head_{0};
  alignas(cell_bytes) const std::uint64_t cells_;
  const int shift_;
};

using Inbox = BasicInbox<>;

}  // namespace raddle::engines
