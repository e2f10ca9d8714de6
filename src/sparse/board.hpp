// SPDX-License-Identifier: BSD-3-Clause
// Hands messages over between ranks that are threads of one process: each lays out what it has for the others, and when
// all have done so each takes what is its own. Nothing of it goes through the MPI. Knows no MPI.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sparse/message.hpp"

namespace raddle::sparse {

class Board {
 public:
  /// @param ranks  of the threads, ascending
  explicit Board(std::vector<int> ranks) : ranks_(std::move(ranks)), desks_(ranks_.size()) {}
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  /// The place of a rank among the threads, or -1.
  [[nodiscard]] int member(int rank) const {
    const auto found = std::ranges::lower_bound(ranks_, rank);
    return found != ranks_.end() && *found == rank ? static_cast<int>(found - ranks_.begin()) : -1;
  }
  [[nodiscard]] std::size_t members() const { return ranks_.size(); }

  /// Larger messages stay where they are until their receivers have copied them, so that their senders wait for that.
  static constexpr std::size_t most_copied = std::size_t{1} << 14U;

  // One thread for each member; rounds count from 0, and each makes all of them.

  /// Lays out the messages, all of them to members.
  void post(int member, std::uint64_t round, std::span<const Message> messages) {
    Desk& desk = desks_[static_cast<std::size_t>(member)];
    Sheet& sheet = desk.sheets[round % 2];  // what was on it two rounds ago has been taken, or this one had not begun
    sheet.clear(ranks_.size());
    std::size_t copied = 0;
    for (const Message& message : messages) copied += message.bytes.size() <= most_copied ? message.bytes.size() : 0;
    if (sheet.copies.size() < copied) sheet.copies.resize(copied);
    std::byte* place = sheet.copies.data();
    std::uint32_t left = 0;
    for (const Message& message : messages) {
      std::span<const std::byte> bytes = message.bytes;
      const bool stays = bytes.size() > most_copied;
      if (stays) {
        ++left;
      } else if (!bytes.empty()) {
        std::memcpy(place, bytes.data(), bytes.size());
        bytes = {place, bytes.size()};
        place += bytes.size();
      }
      sheet.to[static_cast<std::size_t>(this->member(message.rank))].push_back({bytes, stays});
    }
    sheet.left.store(left, std::memory_order_relaxed);
    posted_.fetch_add(1, std::memory_order_release);
  }

  /// Whether all have laid theirs out.
  [[nodiscard]] bool complete(std::uint64_t round) const {
    return posted_.load(std::memory_order_acquire) >= (round + 1) * ranks_.size();
  }

  /// Takes what is for this one, by rank. @pre complete(round)
  void take(int member, std::uint64_t round, Sink& sink) {
    for (std::size_t from = 0; from < desks_.size(); ++from) {
      Sheet& sheet = desks_[from].sheets[round % 2];
      for (const Laid& laid : sheet.to[static_cast<std::size_t>(member)]) {
        hand_over(sink, ranks_[from], laid.bytes);
        if (laid.stays) sheet.left.fetch_sub(1, std::memory_order_release);
      }
    }
  }

  /// Whether nobody needs this one's memory any more.
  [[nodiscard]] bool taken(int member, std::uint64_t round) const {
    return desks_[static_cast<std::size_t>(member)].sheets[round % 2].left.load(std::memory_order_acquire) == 0;
  }

 private:
  struct Laid {
    std::span<const std::byte> bytes;
    bool stays;
  };

  /// What a member has for the others in a round.
  struct Sheet {
    std::vector<std::vector<Laid>> to;  ///< by member
    std::vector<std::byte> copies;
    std::atomic<std::uint32_t> left{0};  ///< messages that stay and have not been copied

    void clear(std::size_t members) {
      to.resize(members);
      for (auto& laid : to) laid.clear();
    }
  };

  struct alignas(64) Desk {
    std::array<Sheet, 2> sheets;
  };

  std::vector<int> ranks_;
  std::vector<Desk> desks_;
  alignas(64) std::atomic<std::uint64_t> posted_{0};
};

}  // namespace raddle::sparse
