// SPDX-License-Identifier: BSD-3-Clause
// The inbox of an endpoint or a proxy: a ring of cache lines in memory that all senders share with it. Knows no MPI,
// and nothing of its contents.
//
// An entry takes whole cells that follow each other. A sender claims cells by moving the tail (one compare-and-swap),
// writes the entry, and publishes it by the control word of its first cell, which holds its position; so the receiver
// looks at one line only, and a short message is one line's transfer. Entries are read in the order of their claims:
// those of one sender stay in order.
//
// The receiver clears the control words of what it has read. For an entry's bytes that is needed: a control word may be
// looked for there in the next lap. For its first cell it is speed: a line that was only read is in the cache of its
// last sender still, where a prefetch to write finds it and does not ask for the other copy to go; one that the
// receiver has written is fetched in time.
//
// A position counts cells since the beginning. The first one is that of the second lap, so that zeroed memory holds no
// control word that is looked for. Of 64 bits a control word holds 48, which is two months of cells at their highest
// rate before one is met again.
//
// Memory order: the control word is stored with release after the entry and loaded with acquire before it is read. The
// head, below which all is read, is stored with release after the last look at an entry and loaded with acquire before
// cells are claimed again.
#pragma once

#include <algorithm>
#include <atomic>
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
    Atomic<std::uint64_t> until{0};  ///< the position up to which cells may be claimed, as far as it knows
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
  /// @param cells  a power of two, at most `most_cells`
  explicit BasicInbox(std::uint64_t cells) : tail_(cells), head_(cells), mask_((cells - 1) * cell_bytes) {}
  static constexpr std::uint64_t most_cells = std::uint64_t{1} << 15U;

  /// The largest entry. For one there is always room when all is read, although it may have to skip all cells but one
  /// that it takes, and the senders may not know yet that the last quarter of the ring has been read.
  [[nodiscard]] std::size_t max_bytes() const { return (cells() * 3 / 8 + 1) * cell_bytes - sizeof(std::uint64_t); }

  /// Any thread of any process: claims room for an entry of `bytes`, or says that there is none now.
  [[nodiscard]] Claim claim(std::size_t bytes, Sender& sender) {
    const auto wanted = static_cast<std::uint32_t>((bytes + sizeof(std::uint64_t) + cell_bytes - 1) / cell_bytes);
    std::uint64_t at = tail_.load(std::memory_order_relaxed);
    std::uint64_t skipped = 0;
    do {
      const std::uint64_t offset = at & (cells() - 1);
      skipped = offset + wanted > cells() ? cells() - offset : 0;
      if (!room(at + skipped + wanted, sender)) return {};
    } while (!tail_.compare_exchange_weak(at, at + skipped + wanted, std::memory_order_relaxed));
    if (skipped > 0)
      control(cell(at)).store(word(at, static_cast<std::uint32_t>(skipped) | skip_bit), std::memory_order_release);
    return claimed(at + skipped, wanted);
  }

  /// The same for an entry of one cell, which never has to skip any, as far as the sender knows that there is room.
  [[nodiscard, gnu::always_inline]] Claim claim_cell(Sender& sender) {
    std::uint64_t at = tail_.load(std::memory_order_relaxed);
    do {
      if (at >= sender.until.load(std::memory_order_acquire)) [[unlikely]]
        return {};
    } while (!tail_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed));
    return claimed(at, 1);
  }
  /// The largest entry of one cell.
  static constexpr std::size_t in_a_cell = cell_bytes - sizeof(std::uint64_t);

  /// The thread that claimed it, after it has written the entry.
  [[gnu::always_inline]] void publish(const Claim& claim) {
    control(claim.place - sizeof(std::uint64_t)).store(word(claim.at, claim.cells), std::memory_order_release);
  }

  /// The receiver's place in its inbox. One thread at a time moves it; any may ask whether there is something.
  class Reader {
   public:
    explicit Reader(BasicInbox& inbox) : inbox_(inbox) {}

    /// Whether a look may be worth it. Where threads share the reader, another one may have read on meanwhile and a
    /// sender be writing an entry where this one looks: it then sees anything, which ThreadSanitizer need not be told.
    [[nodiscard, gnu::no_sanitize_thread]] bool ready() const {
      const std::uint64_t next = next_.load(std::memory_order_relaxed);
      return is(inbox_.control(inbox_.cell_of(next)).load(std::memory_order_relaxed), next);
    }

    /// How much has been read, ever, but for a constant.
    [[nodiscard]] std::uint64_t position() const { return next_.load(std::memory_order_relaxed) / each; }

    /// Whether all has been read that anybody has claimed so far.
    [[nodiscard]] bool at_end() const {
      return word(inbox_.tail_.load(std::memory_order_relaxed), 0) == next_.load(std::memory_order_relaxed);
    }

    /// Hands entries of one cell to `take`, one after the other, as long as the next one is such.
    /// @param most  not 0
    /// @param take  returns whether to go on after this one
    /// @returns how many more there may be; 0: these were the most, or it is enough
    template <typename Take>
    [[gnu::always_inline]] std::uint64_t read_cells(std::uint64_t most, Take&& take) {
      const auto cells = inbox_.all_cells();
      const std::uint64_t first = next_.load(std::memory_order_relaxed);
      // Not beyond where the senders have to be told, which is looked at behind the loop.
      const std::uint64_t end = std::min(first + most * each, told_ + inbox_.tell_after());
      std::uint64_t next = first;
      bool goes_on = true;
      for (std::byte* cell = cells.of(next); control(cell).load(std::memory_order_acquire) == next + 1;
           cell = cells.of(next)) {
        clear(cell);
        goes_on = take(cell + sizeof(std::uint64_t));
        next_.store(next += each, std::memory_order_relaxed);
        if (!goes_on || next == end) [[unlikely]]
          break;
      }
      if (next - told_ >= inbox_.tell_after()) [[unlikely]]
        tell(next);
      return goes_on ? most - (next - first) / each : 0;
    }

    /// The next entry, which stays until pop(); nullptr if there is none.
    [[nodiscard]] const std::byte* front() {
      while (true) {
        const std::uint64_t next = next_.load(std::memory_order_relaxed);
        std::byte* const cell = inbox_.cell_of(next);
        const std::uint64_t seen = control(cell).load(std::memory_order_acquire);
        if (!is(seen, next)) return nullptr;
        cells_ = static_cast<std::uint32_t>(seen & cells_mask);
        if ((seen & skip_bit) == 0) return cell + sizeof(std::uint64_t);
        advance(next);
      }
    }

    /// Room of the entry in front, which may be more than was asked for.
    [[nodiscard]] std::size_t bytes() const { return cells_ * cell_bytes - sizeof(std::uint64_t); }

    void pop() {
      const std::uint64_t next = next_.load(std::memory_order_relaxed);
      for (std::uint64_t i = 0; i < cells_; ++i) clear(inbox_.cell_of(next + i * each));
      advance(next);
    }

   private:
    void advance(std::uint64_t next) {
      next += cells_ * each;
      next_.store(next, std::memory_order_relaxed);
      if (next - told_ >= inbox_.tell_after()) tell(next);
    }

    /// Seldom: the senders have to fetch the line.
    [[gnu::noinline]] void tell(std::uint64_t next) {
      // Of its position a word holds the lower bits.
      inbox_.head_.store(inbox_.head_.load(std::memory_order_relaxed) + (next - told_) / each,
                         std::memory_order_release);
      told_ = next;
    }

    BasicInbox& inbox_;
    std::atomic<std::uint64_t> next_{
        word(inbox_.cells(), 0)};                   ///< the control word of the next entry, without a number
    std::uint64_t told_ = word(inbox_.cells(), 0);  ///< the same when the senders were told last
    std::uint32_t cells_ = 0;
  };

 private:
  // Cells: what a sender will claim next lies with the receiver, who read it in the last lap. By the time it gets there
  // the line has come.
  static constexpr std::uint64_t ahead = 6;

  // Control word: the lower 48 bits of the position; whether the cells are only skipped; number of cells.
  static constexpr std::uint64_t each = 0x1'0000U;  ///< of a position
  static constexpr std::uint32_t skip_bit = 0x8000U;
  static constexpr std::uint64_t cells_mask = 0x7fffU;

  [[nodiscard]] static constexpr std::uint64_t word(std::uint64_t at, std::uint32_t cells) { return at * each | cells; }
  /// Whether a control word is of an entry at the same position as another one.
  [[nodiscard]] static constexpr bool is(std::uint64_t seen, std::uint64_t word) { return (seen ^ word) < each; }

  /// Where they are, to be kept while many are read.
  struct Cells {
    std::byte* first;
    std::uint64_t mask;  ///< of offsets in bytes
    [[nodiscard]] std::byte* of(std::uint64_t word) const { return first + (word / (each / cell_bytes) & mask); }
  };
  [[nodiscard]] Cells all_cells() { return {reinterpret_cast<std::byte*>(this + 1), mask_}; }

  [[nodiscard]] std::uint64_t cells() const { return mask_ / cell_bytes + 1; }
  /// How far words get on until the senders are told.
  [[nodiscard]] std::uint64_t tell_after() const { return cells() / 4 * each; }
  std::byte* cell(std::uint64_t at) { return reinterpret_cast<std::byte*>(this + 1) + (at * cell_bytes & mask_); }
  std::byte* cell_of(std::uint64_t word) { return all_cells().of(word); }
  static Atomic<std::uint64_t>& control(std::byte* cell) {
    return *std::launder(reinterpret_cast<Atomic<std::uint64_t>*>(cell));
  }

  static void clear(std::byte* cell) { control(cell).store(0, std::memory_order_relaxed); }

  /// Whether all cells before a position may be claimed.
  [[gnu::always_inline]] bool room(std::uint64_t before, Sender& sender) {
    return before <= sender.until.load(std::memory_order_acquire) || room_now(before, sender);
  }
  [[gnu::noinline]] bool room_now(std::uint64_t before, Sender& sender) {
    const std::uint64_t until = head_.load(std::memory_order_acquire) + cells();
    sender.until.store(until, std::memory_order_release);
    return before <= until;
  }

  [[gnu::always_inline]] Claim claimed(std::uint64_t at, std::uint32_t wanted) {
    std::byte* const first = cell(at);
    // At the end of the ring it is not what will be claimed; that is seldom, and does no harm.
    platform::prefetch_to_write(first + (wanted + ahead) * cell_bytes);
    return {first + sizeof(std::uint64_t), at, wanted};
  }

  alignas(cell_bytes) Atomic<std::uint64_t> tail_;
  alignas(cell_bytes) Atomic<std::uint64_t> head_;
  alignas(cell_bytes) const std::uint64_t mask_;  ///< of offsets in bytes
};

using Inbox = BasicInbox<>;

}  // namespace raddle::engines
