// SPDX-License-Identifier: BSD-3-Clause
// Where all ranks of a communicator meet whose processes share memory. What a rank brings lies there if it is short; of
// what is long the seat says where it is, and the others copy from there and to there, where the system lets them.
// Knows no MPI.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "endpoints/collectives/round_probe.hpp"

namespace raddle::endpoints::collectives {

// What all ranks must give alike to one collective, in a word: each leaves its own in its seat, and who
// takes something of another one compares both words. Knows no MPI.

struct Call {
  enum class Kind : std::uint8_t {
    none,
    barrier,
    bcast,
    gather,
    scatter,
    allgather,
    alltoall,
    reduce,
    allreduce,
    reduce_scatter,
    scan,
    exscan
  };

  static constexpr int no_root = (1 << 14) - 1;

  Kind kind = Kind::none;
  unsigned op = 0;      ///< operators.hpp: operator_number(); 0: there is none
  int root = 0;         ///< 0 if there is none; no_root if not all know it
  bool rounds = false;  ///< takes a number for each of several rounds, as many as follow from `bytes`
  bool apart = false;   ///< ranks share memory, but it goes by processes
  /// That all bring, or take; of those that move pieces each rank compares what comes with its room instead: 0. In
  /// rounds, what tells how many there are.
  std::uint64_t bytes = 0;

  [[nodiscard]] constexpr std::uint64_t word() const {
    return static_cast<std::uint64_t>(kind) | std::uint64_t{op & 15U} << 4U |
           (static_cast<std::uint64_t>(root) & root_mask) << 8U | std::uint64_t{rounds} << 22U |
           std::uint64_t{apart} << 23U | bytes << 24U;
  }
  [[nodiscard]] static constexpr Call of(std::uint64_t word) {
    return {static_cast<Kind>(word & 15U),
            static_cast<unsigned>(word >> 4U & 15U),
            static_cast<int>(word >> 8U & root_mask),
            (word >> 22U & 1U) != 0,
            (word >> 23U & 1U) != 0,
            word >> 24U};
  }

 private:
  static constexpr std::uint64_t root_mask = no_root;
};

/// What is between two calls that do not match.
enum class Unlike : std::uint8_t { call, root, op, more_here, less_here };
[[nodiscard]] Unlike difference(const Call& mine, const Call& other);

/// Of a broadcast each rank compares what comes with its room: lengths may differ where processes exchange it.
[[nodiscard]] bool alike_but_length(std::uint64_t word, std::uint64_t other);

/// Whether both take the same numbers: the ranks stay in step.
[[nodiscard]] bool in_step(const Call& mine, const Call& other);

/// Both, for the user.
[[nodiscard]] std::string unlike_calls(int rank, const Call& mine, int other_rank, const Call& other);

// Where endpoints meet for the collectives of a communicator: those of one process, or of several that share memory.
// The calls of an endpoint are numbered, and those with the same number belong together. Knows no MPI.
//
// Each number has a slot, and in it each endpoint a seat, which it alone writes. Slots are used in turn: a seat may be
// taken for a new number when all endpoints have finished with the number that had the slot before.

// That the calls of ranks do not match any more, in memory of all that meet. Knows no MPI.

/// From some number on ranks would wait for each other for ever, so nobody waits. All zeros: ranks are in step.
class alignas(64) Discord {
 public:
  [[nodiscard]] bool concerns(std::uint64_t number) const {
    return state_.load(std::memory_order_acquire) == written && number >= from_;
  }
  /// @pre it concerns some
  [[nodiscard]] std::uint64_t from() const { return from_; }
  /// Only the first one tells.
  void tell(std::uint64_t from, std::string_view why) {
    std::uint32_t untold = 0;
    if (!state_.compare_exchange_strong(untold, being_written)) return;
    from_ = from;
    why.copy(why_.data(), why_.size() - 1);
    state_.store(written, std::memory_order_release);
  }
  /// @pre it concerns some
  [[nodiscard]] std::string why() const { return {why_.data(), std::char_traits<char>::length(why_.data())}; }

 private:
  static constexpr std::uint32_t being_written = 1;
  static constexpr std::uint32_t written = 2;

  std::atomic<std::uint32_t> state_{0};
  std::uint64_t from_ = 0;
  std::array<char, 240> why_{};
};

class Collective;

/// What an endpoint says of one collective.
struct alignas(128) MeetingSeat {
  static constexpr std::uint32_t room = 32;
  static constexpr std::uint32_t not_here = ~std::uint32_t{0};
  static constexpr std::uint32_t in_room = not_here - 1;  ///< a Reference is here, to memory that outlives the part

  std::atomic<std::uint64_t> arrived{0};  ///< number of the collective that the rest is about
  Collective* part = nullptr;             ///< of this process; valid until its endpoint has been released
  std::uint64_t call = 0;                 ///< Call::word(): which collective this is to the endpoint
  std::uint32_t bytes = not_here;         ///< of what it brings, if that is short and lies here
  std::uint32_t settled = 0;              ///< whether all numbers before had been finished when it arrived
  alignas(16) std::byte little[room];
  alignas(64) std::atomic<std::uint64_t> finished{0};  ///< number of the last one of which it reads nothing any more
};

/// A piece of work in shares that any thread may take.
class Shares {
 public:
  /// The next share of collective `number`; `count` or more: all are taken.
  [[nodiscard]] std::uint64_t take(std::uint64_t number, std::uint64_t count) {
    std::uint64_t taken = taken_.load(std::memory_order_relaxed);
    for (;;) {
      const bool begun = taken >> bits == number;
      const std::uint64_t share = begun ? taken & mask : 0;
      if (share >= count) return share;
      if (taken_.compare_exchange_weak(taken, number << bits | (share + 1), std::memory_order_relaxed)) return share;
    }
  }
  /// Does the shares that nobody has taken: `one(share)`.
  template <typename One>
  void help(std::uint64_t number, std::uint64_t count, One&& one) {
    for (std::uint64_t share = take(number, count); share < count; share = take(number, count)) {
      one(share);
      done(number);
    }
  }
  /// Whether all shares are done; what was written for them can be read.
  [[nodiscard]] bool complete(std::uint64_t number, std::uint64_t count) const {
    return count == 0 || ended_.load(std::memory_order_acquire) == (number << bits | count);
  }

 private:
  void done(std::uint64_t number) {
    std::uint64_t ended = ended_.load(std::memory_order_relaxed);
    for (;;) {
      const std::uint64_t next = ended >> bits == number ? ended + 1 : number << bits | 1U;
      if (ended_.compare_exchange_weak(ended, next, std::memory_order_acq_rel)) return;
    }
  }

  static constexpr unsigned bits = 24;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;

  alignas(64) std::atomic<std::uint64_t> taken_{0};
  alignas(64) std::atomic<std::uint64_t> ended_{0};
};

class Meeting {
 public:
  static constexpr std::size_t slots = 8;

  explicit Meeting(int seats)
      : seats_(static_cast<std::size_t>(seats)),
        own_(slots * seats_),
        all_(own_),
        own_shares_(slots),
        shares_(own_shares_),
        discord_(own_discord_) {}
  /// In the memory of others, who make the objects there. @param all room(seats) @param shares `slots` of them
  Meeting(int seats, std::span<MeetingSeat> all, std::span<Shares> shares, Discord& discord)
      : seats_(static_cast<std::size_t>(seats)), all_(all), shares_(shares), discord_(discord) {}
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;
  [[nodiscard]] static std::size_t room(int seats) { return slots * static_cast<std::size_t>(seats); }

  [[nodiscard]] int seats() const { return static_cast<int>(seats_); }
  [[nodiscard]] MeetingSeat& seat(std::uint64_t number, int index) {
    return all_[number % slots * seats_ + static_cast<std::size_t>(index)];
  }
  [[nodiscard]] Shares& shares(std::uint64_t number) { return shares_[number % slots]; }
  [[nodiscard]] Discord& discord() const { return discord_; }

  /// Whether an endpoint that has not taken its seat for `number` may.
  [[nodiscard]] bool open(std::uint64_t number) {
    if (number <= slots) return true;
    return each(number, [&](const MeetingSeat& seat) {
      return seat.finished.load(std::memory_order_acquire) + slots >= number;
    });
  }

  /// Takes the seat; what has been written there can be read by all.
  /// @param settled  whether this endpoint reads nothing any more of the numbers before
  void arrive(std::uint64_t number, int index, bool settled = false) {
    MeetingSeat& mine = seat(number, index);
    mine.settled = settled ? 1 : 0;
    mine.arrived.store(number, std::memory_order_release);
  }
  [[nodiscard]] bool has_arrived(std::uint64_t number, int index) {
    return seat(number, index).arrived.load(std::memory_order_acquire) == number;
  }
  /// Call::word() of an endpoint; nothing before it has arrived, for what its seat says may be of an earlier number.
  [[nodiscard]] std::optional<std::uint64_t> call_of(std::uint64_t number, int index) {
    if (!has_arrived(number, index)) return std::nullopt;
    return seat(number, index).call;
  }
  [[nodiscard]] bool all_have_arrived(std::uint64_t number) {
    return each(number,
                [&](const MeetingSeat& seat) { return seat.arrived.load(std::memory_order_acquire) == number; });
  }

  /// The endpoint reads nothing of the others any more.
  void finish(std::uint64_t number, int index) {
    seat(number, index).finished.store(number, std::memory_order_release);
  }
  [[nodiscard]] bool has_finished(std::uint64_t number, int index) {
    return seat(number, index).finished.load(std::memory_order_acquire) >= number;
  }
  [[nodiscard]] bool all_have_finished(std::uint64_t number) {
    return each(number,
                [&](const MeetingSeat& seat) { return seat.finished.load(std::memory_order_acquire) >= number; });
  }

 private:
  template <typename Is>
  [[nodiscard]] bool each(std::uint64_t number, Is&& is) {
    const MeetingSeat* const first = &seat(number, 0);
    return std::all_of(first, first + seats_, is);
  }

  std::size_t seats_;
  std::vector<MeetingSeat> own_;
  std::span<MeetingSeat> all_;
  std::vector<Shares> own_shares_;
  std::span<Shares> shares_;
  Discord own_discord_;
  Discord& discord_;
};

/// Addresses in the memory of a rank's process.
struct Reference {
  const std::byte* data = nullptr;  ///< what it brings
  std::size_t bytes = 0;
  std::byte* room = nullptr;  ///< where its result is to be
};

class NodeMeeting {
 public:
  /// Each rank looks at all others: with more of them the way by processes is shorter.
  static constexpr int most_ranks = 64;

  /// Bytes that the meeting of so many ranks needs.
  [[nodiscard]] static std::size_t memory(int ranks);

  /// @param memory    shared by all processes, memory(ranks) bytes, zeros at first, aligned as a MeetingSeat
  /// @param processes of each rank the process, 0: this one; empty: processes do not reach each other's memory
  NodeMeeting(int ranks, std::byte* memory, std::vector<pid_t> processes);

  /// Makes what a rank has in the memory, and the first one what belongs to all. Before others look.
  void make_place(int rank);

  [[nodiscard]] Meeting& meeting() { return meeting_; }
  [[nodiscard]] const Meeting& meeting() const { return meeting_; }
  /// Whether references can be followed.
  [[nodiscard]] bool reaches() const { return !processes_.empty(); }
  /// The most bytes that can be put here.
  [[nodiscard]] std::size_t room() const { return room_; }
  /// How much is put here at a time of so many bytes that a rank puts: some is put while some is taken.
  [[nodiscard]] std::size_t round(std::size_t bytes) const;

  // Which way is best for what is long, all find out together (round_probe.hpp), while nothing is under way.
  enum class Part : std::uint8_t { leads, follows, waits };
  /// One process leads, and another one follows. @param other  a rank of the other one @param may_try  whether both
  /// have a CPU
  void find_way(Part part, int other, bool may_try);
  /// Once the one who leads has returned.
  void know_way() { know_way(probe_->chosen().value_or(RoundProbe::Choice())); }
  void know_way(const RoundProbe::Choice& choice) { choice_ = choice; }
  /// Whether so much is better copied by the system, from where it is.
  [[nodiscard]] bool refers(std::size_t bytes) const { return reaches() && choice_.refers(bytes); }

  // What a rank brings to collective `number`, before it arrives.
  void put(std::uint64_t number, int rank, std::span<const std::byte> bytes);
  /// Several pieces. @returns whether they fit
  [[nodiscard]] bool put_pieces(std::uint64_t number, int rank, std::span<const std::span<const std::byte>> pieces);
  /// The most room that so many pieces of so many bytes in all take: each is aligned if they are long.
  [[nodiscard]] static std::size_t room_for(std::size_t pieces, std::size_t bytes) {
    const std::size_t all = bytes_of_ends(pieces) + bytes;
    return is_aligned(all) ? all + pieces * (alignment - 1) : all;
  }
  void refer(std::uint64_t number, int rank, const Reference& reference);
  /// To several pieces, one for each rank.
  void refer_pieces(std::uint64_t number, int rank, std::span<const std::span<const std::byte>> pieces);

  // What a rank has brought.
  /// What lies here; nothing: it has given a reference
  [[nodiscard]] std::optional<std::span<const std::byte>> here(std::uint64_t number, int rank);
  /// The same of several pieces.
  [[nodiscard]] std::optional<std::span<const std::byte>> piece_here(std::uint64_t number, int rank, int piece);
  [[nodiscard]] Reference reference(std::uint64_t number, int rank);
  /// Where a piece is in the memory of the rank's process.
  [[nodiscard]] std::span<const std::byte> piece_reference(std::uint64_t number, int rank, int piece);
  /// This rank has read what is here() of another one, or its piece of that, and nobody else reads it: so its lines
  /// come back to their writer in time. To be called before it finishes, and not twice.
  void taken(std::uint64_t number, int rank, std::span<const std::byte> bytes);

  // Memory of a rank's process. @returns false: the system does not let us
  [[nodiscard]] bool is_local(int rank) const { return processes_[static_cast<std::size_t>(rank)] == 0; }
  [[nodiscard]] bool read(int rank, const std::byte* from, std::span<std::byte> to) const;
  [[nodiscard]] bool write(int rank, std::byte* to, std::span<const std::byte> from) const;

 private:
  [[nodiscard]] const RoundProbe::Rounds& rounds() const { return RoundProbe::candidates[choice_.rounds]; }
  [[nodiscard]] std::byte* place(std::uint64_t number, int rank, std::size_t bytes);
  void expect_next(std::uint64_t number, int rank, std::size_t bytes);
  [[nodiscard]] bool has_one_place(std::size_t bytes) const;

  // Several pieces: behind the end of what comes before each of them, and of all. Copies of long ones are much faster
  // where they begin at a cache line.
  static constexpr std::size_t alignment = 64;
  [[nodiscard]] static std::size_t bytes_of_ends(std::size_t pieces) { return (pieces + 1) * sizeof(std::uint32_t); }
  [[nodiscard]] static bool is_aligned(std::size_t all) { return all >= std::size_t{4} * 1024; }
  [[nodiscard]] static std::size_t begin_after(std::size_t end, bool aligned) {
    return aligned ? (end + alignment - 1) / alignment * alignment : end;
  }

  int ranks_;
  std::size_t room_;
  std::span<MeetingSeat> seats_;
  std::span<Shares> shares_;
  Discord* discord_;
  RoundProbe* probe_;
  std::byte* rooms_;
  RoundProbe::Choice choice_;
  Meeting meeting_;
  std::vector<pid_t> processes_;
};

}  // namespace raddle::endpoints::collectives
