// SPDX-License-Identifier: BSD-3-Clause
// How what is long goes from one process of a node to another. It hangs on the machine. Through memory that both see,
// some is put while some is taken: where lines that another core has written come fast while they are in its cache,
// little at a time, and where they come faster once they have left it, so much that they do. Where a line that was only
// read stays with its last writer, who reads it gives it back (platform/copy_bytes.hpp: keep_lines()). Or the system
// copies it from where it is (process_vm_readv), which costs little on one machine and much on another. Two processes
// try all, once. Knows no MPI.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace raddle::endpoints::collectives {

/// In memory that processes share, zeros at first: nobody makes it.
class RoundProbe {
 public:
  /// Through memory that both see.
  struct Rounds {
    std::size_t bytes;  ///< of a round
    bool gives_back;    ///< who reads a line takes it for itself, unless it leaves the caches anyway
  };
  /// The first, unless another one is clearly faster.
  static constexpr std::array<Rounds, 3> candidates{
      {{std::size_t{32} * 1024, true}, {std::size_t{32} * 1024, false}, {std::size_t{128} * 1024, true}}};
  static constexpr std::size_t least_round = candidates[0].bytes;

  /// Messages that are tried both ways, through memory that both see and by the system.
  static constexpr std::array<std::size_t, 3> lengths{std::size_t{16} * 1024, std::size_t{64} * 1024,
                                                      std::size_t{256} * 1024};
  struct Choice {
    std::size_t rounds = 0;                 ///< which of the candidates
    std::size_t referred = lengths.size();  ///< from which length on the system is better; none: never
    friend bool operator==(const Choice&, const Choice&) = default;

    [[nodiscard]] bool refers(std::size_t bytes) const {
      return referred < lengths.size() && bytes >= lengths[referred];
    }
  };

  /// Memory for rounds that are under way at a time.
  struct Rooms {
    std::byte* first = nullptr;
    std::size_t stride = 0;  ///< from one to the next
    std::size_t bytes = 0;   ///< of each
    std::size_t count = 0;

    [[nodiscard]] std::byte* room(std::uint64_t number) const { return first + number % count * stride; }
  };

  /// One process, while another one is in follow(). Tells all what is best; without an answer in time the first
  /// candidate. Nothing is under way in the rooms.
  /// @param follower, leader  the other process, 0: this one; nothing: its memory is out of reach
  /// @param patience  milliseconds for an answer; both say the same @returns whether there were answers to the end
  bool lead(const Rooms& rooms, std::optional<pid_t> follower, std::uint64_t patience = 100);
  void follow(const Rooms& rooms, std::optional<pid_t> leader, std::uint64_t patience = 100);
  /// In place of lead(), if it is known.
  void tell(const Choice& choice) { chosen_.store(word(choice), std::memory_order_release); }

  /// What was told; nothing: not yet
  [[nodiscard]] std::optional<Choice> chosen() const { return choice_of(chosen_.load(std::memory_order_acquire)); }

  /// A choice as a number that is not 0, and what such a number stands for; nothing: 0.
  static std::uint64_t word(const Choice& choice) { return 1 + different * choice.rounds + choice.referred; }
  static std::optional<Choice> choice_of(std::uint64_t word) {
    if (word == 0) return std::nullopt;
    return Choice{.rounds = (word - 1) / different, .referred = (word - 1) % different};
  }

 private:
  static constexpr std::uint64_t different = lengths.size() + 1;

  /// What one process has in it.
  struct alignas(64) Side {
    std::atomic<std::uint64_t> brought;  ///< pieces, ever
    std::atomic<std::uint64_t> taken;    ///< of the other one's
    std::atomic<std::uintptr_t> from;    ///< what the system may copy
  };
  struct Exchange {
    const Rooms& rooms;
    std::optional<pid_t> other;
    std::span<std::byte> data;
    std::span<std::byte> got;
    bool gives_back;
    bool leads;
  };

  bool await(const std::function<bool()>& there) const;
  std::optional<double> send(const Rooms& rooms, std::uint64_t& number, std::span<std::byte> data, std::size_t piece);
  bool take(const Rooms& rooms, std::uint64_t& number, std::span<std::byte> data, bool gives_back, std::size_t piece);
  std::optional<double> exchange(const Exchange& with, std::uint64_t& number, std::size_t length, std::size_t piece);
  std::optional<std::size_t> best_rounds(const Rooms& rooms, std::uint64_t& number, std::span<std::byte> data);
  std::optional<std::size_t> first_referred(const Exchange& with, std::uint64_t& number, std::size_t most);

  alignas(64) std::atomic<std::uint64_t> chosen_;  ///< 0: not yet
  alignas(64) std::atomic<std::uint64_t> follows_;
  std::atomic<std::uint64_t> cannot_refer_;
  std::atomic<std::uint64_t> patience_;
  std::atomic<std::uint64_t> rounds_;  ///< 1 and the best of the candidates
  Side leader_;
  Side follower_;
};

}  // namespace raddle::endpoints::collectives
