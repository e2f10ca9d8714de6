// SPDX-License-Identifier: BSD-3-Clause
// Who copies a group straight into the receiver's buffer, in every order of the two sides and of a thread that looks
// whether it has arrived.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "effort.hpp"
#include "interleave.hpp"
#include "partitioned/link.hpp"

namespace raddle::partitioned {
namespace {

using test::interleave::explore;
using test::interleave::Options;
using test::interleave::plain_read;
using test::interleave::plain_write;
using test::interleave::Result;

/// A sender and a receiver of so many groups, as Link leads them: each does what it does in a round, and goes on if the
/// round has ended by then. If it `joins`, the sender is not there from the beginning. `Atomic`: as the words'.
template <template <typename> class Atomic, int groups, bool joins>
struct World {
  void send(std::uint64_t rounds) {
    if (joins) {
      plain_write(&made);
      there.store(true, std::memory_order_seq_cst);
    }
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      if (round > 1 && !over(round - 1)) return;
      sender_in = round;
      for (std::size_t group = 0; group < groups; ++group) {
        plain_write(&from[group]);
        from[group] = round;
        states[group].set_ready(round);
        if (open.is_open(round) && states[group].claim(round)) copy(group, round);
      }
    }
  }
  void receive(std::uint64_t rounds) {
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      if (round > 1 && !over(round - 1)) return;
      for (std::size_t group = 0; group < groups; ++group) {
        plain_write(&to[group]);  // the program's: its buffer is its own between rounds
        to[group] = 0;
      }
      receiver_in = round;
      open.open(round);
      if (joins) {
        if (!there.load(std::memory_order_seq_cst)) continue;  // the sender will see that it is open
        plain_read(&made);
      }
      for (std::size_t group = 0; group < groups; ++group) {
        if (states[group].claim(round)) copy(group, round);
      }
    }
  }
  /// MPI_Parrived.
  void look(std::uint64_t round) {
    for (std::size_t group = 0; group < groups; ++group) {
      if (!states[group].has_arrived(round)) continue;
      plain_read(&to[group]);
      if (to[group] != round) early = true;
    }
  }
  [[nodiscard]] bool over(std::uint64_t round) {
    for (const auto& state : states) {
      if (!state.has_arrived(round)) return false;
    }
    return true;
  }
  void copy(std::size_t group, std::uint64_t round) {
    plain_read(&from[group]);
    plain_write(&to[group]);
    to[group] = from[group];
    ++copies.at(static_cast<std::size_t>(round)).at(group);
    states[group].set_arrived(round);
  }

  /// A round that both sides are in has ended when both have done what they do.
  std::string check() {
    if (early) return "arrived before it had";
    for (std::uint64_t round = 1; round < copies.size(); ++round) {
      const bool both = sender_in >= round && receiver_in >= round;
      for (std::size_t group = 0; group < groups; ++group) {
        const int times = copies.at(static_cast<std::size_t>(round)).at(group);
        if (times != (both ? 1 : 0)) return "copied " + std::to_string(times) + " times";
        if (states[group].has_arrived(round) != both) return "nobody knows that it has arrived";
      }
    }
    return "";
  }

  Atomic<bool> there{false};
  char made = 0;  ///< known by its address: what the sender says of itself
  std::array<BasicGroupState<Atomic>, groups> states;
  BasicOpenRound<Atomic> open;
  std::array<std::uint64_t, groups> from{};
  std::array<std::uint64_t, groups> to{};
  std::uint64_t sender_in = 0;
  std::uint64_t receiver_in = 0;
  std::array<std::array<int, groups>, 3> copies{};  ///< by round
  bool early = false;
};

template <template <typename> class Atomic, int groups, bool joins = false>
Result run(const Options& options, std::uint64_t rounds, bool looks) {
  using Tested = World<Atomic, groups, joins>;
  std::vector<std::function<void(Tested&)>> threads{[rounds](Tested& world) { world.send(rounds); },
                                                    [rounds](Tested& world) { world.receive(rounds); }};
  if (looks) threads.push_back([](Tested& world) { world.look(1); });
  return explore<Tested>(options, threads, [](Tested& world) { return world.check(); });
}

template <typename T>
using Atomic = test::interleave::Atomic<T>;

/// Many orders more with more effort; fewer under a sanitizer, which has nothing to add.
Options limited() {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  return {.preemptions = 1};
#endif
  const auto effort = static_cast<std::size_t>(test::effort());
  return {.preemptions = 1 + effort, .most = 100'000 * effort};
}

TEST(GroupStateInterleave, OneOfTheTwoCopiesIt) {
  const Result result = run<Atomic, 1>({}, 1, false);
  EXPECT_EQ(result.failure, "");
  EXPECT_TRUE(result.complete);
  EXPECT_GT(result.executions, 10U);
}

TEST(GroupStateInterleave, WhatHasArrivedMayBeRead) {
  const Result result = run<Atomic, 1>({}, 1, true);
  EXPECT_EQ(result.failure, "");
  EXPECT_TRUE(result.complete);
  EXPECT_GT(result.executions, 100U);
}

TEST(GroupStateInterleave, TheSenderMayComeLater) {
  const Result result = run<Atomic, 1, true>({.preemptions = 4}, 1, false);
  EXPECT_EQ(result.failure, "");
  EXPECT_GT(result.executions, 100U);
}

TEST(GroupStateInterleave, GroupsAreApart) {
  const Result result = run<Atomic, 2>(limited(), 1, true);
  EXPECT_EQ(result.failure, "");
  EXPECT_GT(result.executions, 100U);
}

TEST(GroupStateInterleave, TheNextRoundIsAsTheFirst) {
  const Result result = run<Atomic, 1>({.preemptions = 3}, 2, false);
  EXPECT_EQ(result.failure, "");
  EXPECT_GT(result.executions, 100U);
}

// Spoilt versions, all of which must be found.

/// Each side may miss the word that the other one has left.
template <typename T>
struct Unseen : Atomic<T> {
  using Atomic<T>::Atomic;
  [[nodiscard]] T load(std::memory_order) const noexcept { return Atomic<T>::load(std::memory_order_acquire); }
  void store(T value, std::memory_order) noexcept { Atomic<T>::store(value, std::memory_order_release); }
};

TEST(GroupStateInterleave, FindsThatBothMayMissEachOther) {
  EXPECT_NE((run<Unseen, 1>({}, 1, false).failure.find("copied 0 times")), std::string::npos);
  EXPECT_NE((run<Unseen, 1, true>({}, 1, false).failure.find("copied 0 times")), std::string::npos);
}

/// Both may claim it.
template <typename T>
struct Careless : Atomic<T> {
  using Atomic<T>::Atomic;
  bool compare_exchange_strong(T&, T desired, std::memory_order order) noexcept {
    Atomic<T>::store(desired, order);
    return true;
  }
};

TEST(GroupStateInterleave, FindsThatBothMayClaimIt) { EXPECT_NE((run<Careless, 1>({}, 1, false).failure), ""); }

/// Arrivals that do not hand over what was copied.
template <typename T>
struct Unordered : Atomic<T> {
  using Atomic<T>::Atomic;
  void store(T value, std::memory_order order) noexcept {
    Atomic<T>::store(value, order == std::memory_order_release ? std::memory_order_relaxed : order);
  }
};

TEST(GroupStateInterleave, FindsThatBytesAreNotHandedOver) {
  EXPECT_NE((run<Unordered, 1>({}, 1, true).failure.find("may still be at")), std::string::npos);
}

}  // namespace
}  // namespace raddle::partitioned
