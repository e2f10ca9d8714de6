// SPDX-License-Identifier: BSD-3-Clause
// A sender's threads and a receiver on a link, with buffers that either divides as it likes.
#include "partitioned/link.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "effort.hpp"
#include "partitioned/groups.hpp"

namespace raddle::partitioned {
namespace {

using Bytes = std::vector<std::byte>;

/// The same for the same round and place.
std::byte value(std::uint64_t round, std::size_t at) {
  return static_cast<std::byte>((round * 131 + at * 7 + at / 251) % 251);
}

/// Both ends, as two requests have them.
struct Ends {
  std::shared_ptr<Link> sender;
  std::shared_ptr<Link> receiver;
};

Ends in_one_process() {
  const auto link = std::make_shared<Link>();
  return {link, link};
}

/// By the calls of the system that reach another process's memory: this one is another to itself.
Ends across() {
  Ends ends;
  ends.sender = Link::create();
#if defined(__SANITIZE_THREAD__)
  ends.receiver = ends.sender;  // it knows atomics by their addresses, and would take one for two
  return ends;
#endif
  Notice notice;
  ends.sender->describe(notice);
  ends.receiver = Link::open(notice);
  return ends;
}

struct Case {
  std::size_t sent;
  std::size_t room;
  std::size_t group_bytes;
};

/// Rounds of both sides, which start them when they like. @returns how many bytes were not as they should be
std::size_t exchange(const Ends& ends, const Case& one, std::uint64_t rounds, std::uint64_t seed) {
  const auto groups = static_cast<int>((one.sent + one.group_bytes - 1) / one.group_bytes);
  Bytes from(one.sent);
  Bytes to(one.room);
  std::atomic<std::size_t> wrong{0};
  const auto everything = [&](const Link& link, std::uint64_t round) {
    return link.arrived() >= round * static_cast<std::uint64_t>(groups);
  };

  // The groups of a round are divided among two threads, which the first one begins.
  std::atomic<std::uint64_t> begun{0};
  const auto make_ready = [&](std::uint64_t round, int first) {
    for (int group = first; group < groups; group += 2) {
      const std::size_t begin = static_cast<std::size_t>(group) * one.group_bytes;
      for (std::size_t at = begin; at < std::min(begin + one.group_bytes, one.sent); ++at) from[at] = value(round, at);
      ends.sender->ready(group, round);
    }
  };
  std::jthread helper([&] {
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      while (begun.load() < round) std::this_thread::yield();
      make_ready(round, 1);
    }
  });
  std::jthread sender([&] {
    ends.sender->join_as_sender(from.data(), from.size(), one.group_bytes, groups);
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      begun = round;
      make_ready(round, 0);
      while (!everything(*ends.sender, round)) std::this_thread::yield();
      std::ranges::fill(from, std::byte{255});  // it is the program's again
    }
  });
  std::jthread receiver([&] {
    std::mt19937_64 random(seed);
    ends.receiver->join_as_receiver(to.data(), to.size());
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      std::ranges::fill(to, std::byte{254});
      if (random() % 2 == 0) std::this_thread::yield();
      ends.receiver->open_round(round);
      while (!ends.receiver->sender_there()) std::this_thread::yield();
      EXPECT_EQ(ends.receiver->bytes(), one.sent);
      EXPECT_EQ(ends.receiver->groups(), groups);
      // Each group as soon as it is here.
      std::vector<bool> seen(static_cast<std::size_t>(groups));
      for (int left = groups; left > 0;) {
        for (int group = 0; group < groups; ++group) {
          if (seen[static_cast<std::size_t>(group)] || !ends.receiver->has_arrived(group, round)) continue;
          seen[static_cast<std::size_t>(group)] = true;
          --left;
          const std::size_t begin = static_cast<std::size_t>(group) * one.group_bytes;
          const std::size_t end = std::min({begin + one.group_bytes, one.sent, one.room});
          for (std::size_t at = begin; at < end; ++at) wrong += to[at] != value(round, at) ? 1U : 0U;
        }
        std::this_thread::yield();
      }
      while (!everything(*ends.receiver, round)) std::this_thread::yield();
      for (std::size_t at = one.sent; at < one.room; ++at) wrong += to[at] != std::byte{254} ? 1U : 0U;
    }
  });
  helper.join();
  sender.join();
  receiver.join();
  EXPECT_EQ(ends.sender->arrived(), rounds * static_cast<std::uint64_t>(groups));
  EXPECT_FALSE(ends.receiver->failed());
  return wrong;
}

void exchange_all(Ends (*make)(), std::uint64_t rounds) {
  const std::uint64_t seed = test::new_seed();
  for (const Case& one : {Case{4096, 4096, 512}, Case{1000, 1000, 64}, Case{1, 1, 1}, Case{700, 2000, 97},
                          Case{2000, 700, 97}, Case{256, 256, 1}, Case{500, 0, 50}}) {
    EXPECT_EQ(exchange(make(), one, rounds, seed), 0U)
        << one.sent << " bytes into " << one.room << " by " << one.group_bytes << ", seed " << seed;
  }
}

TEST(Link, CopiesEachGroupOnceItIsReadyAndWanted) {
  exchange_all(in_one_process, 50 * static_cast<std::uint64_t>(test::effort()));
}

TEST(Link, CopiesBetweenProcesses) { exchange_all(across, 20 * static_cast<std::uint64_t>(test::effort())); }

TEST(Link, NothingArrivesBeforeTheReceiverWantsIt) {
  Bytes from(100, std::byte{1});
  Bytes to(100, std::byte{0});
  Link link;
  link.join_as_receiver(to.data(), to.size());
  EXPECT_FALSE(link.sender_there());
  link.join_as_sender(from.data(), from.size(), 50, 2);
  link.ready(1, 1);
  EXPECT_FALSE(link.has_arrived(1, 1));
  EXPECT_EQ(to, Bytes(100, std::byte{0}));
  link.open_round(1);
  EXPECT_TRUE(link.has_arrived(1, 1));
  EXPECT_FALSE(link.has_arrived(0, 1));
  EXPECT_EQ(link.arrived(), 1U);
  EXPECT_EQ(to[49], std::byte{0});
  EXPECT_EQ(to[50], std::byte{1});
  link.ready(0, 1);
  EXPECT_TRUE(link.has_arrived(0, 1));
  EXPECT_EQ(to, from);
  EXPECT_FALSE(link.has_arrived(0, 2));
}

TEST(Link, AMessageWithoutBytesArrivesAsOthersDo) {
  Link link;
  link.join_as_sender(nullptr, 0, 0, 3);
  link.join_as_receiver(nullptr, 0);
  link.open_round(1);
  for (int group = 0; group < 3; ++group) link.ready(group, 1);
  EXPECT_EQ(link.arrived(), 3U);
}

TEST(Link, TellsWhenTheSystemLetsItNotCopy) {
  const Ends ends = across();
  Bytes from(10, std::byte{1});
  ends.sender->join_as_sender(from.data(), from.size(), from.size(), 1);
  ends.receiver->join_as_receiver(nullptr, from.size());  // nobody has memory there
  ends.receiver->open_round(1);
  ends.sender->ready(0, 1);
  EXPECT_TRUE(ends.sender->failed());
  EXPECT_TRUE(ends.receiver->failed());
  EXPECT_EQ(ends.receiver->arrived(), 1U);  // nobody waits for ever
}

}  // namespace
}  // namespace raddle::partitioned
