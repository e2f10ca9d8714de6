// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "child.hpp"
#include "node/cross_memory.hpp"

namespace raddle::node {
namespace {

constexpr std::size_t share = Transfer::share;

/// Of a message, into shares of so many bytes.
void divide(std::size_t bytes, std::size_t each) {
  Transfer transfer;
  transfer.prepare(each);
  std::size_t end = 0;
  while (true) {
    const Transfer::Share next = transfer.take(bytes);
    if (next.bytes == 0) break;
    ASSERT_EQ(next.begin, end);
    ASSERT_EQ(next.bytes, std::min(each, bytes - end));
    ASSERT_FALSE(transfer.complete(bytes));
    end += next.bytes;
    transfer.copied(next);
  }
  EXPECT_EQ(end, bytes);
  EXPECT_TRUE(transfer.complete(bytes));
  EXPECT_EQ(transfer.take(bytes).bytes, 0U) << "what is taken stays taken";
}

TEST(Transfer, DividesEveryMessageIntoSharesThatFollowEachOther) {
  for (const std::size_t each : {share, Transfer::share_within}) {
    for (const std::size_t bytes : {each - 1, each, each + 1, 2 * each - 1, 2 * each, 2 * each + 1, 7 * each + 3})
      divide(bytes, each);
  }
}

TEST(Transfer, HasSharesOfWholePagesWithinAProcess) {
  EXPECT_EQ(Transfer::share_of(Transfer::least_within), Transfer::share_within);
  EXPECT_EQ(Transfer::share_of(std::size_t{8} * 100'000), 98'304U);
  EXPECT_EQ(Transfer::share_of(std::size_t{1} << 30U), share);
}

TEST(Transfer, IsAsNewForTheNextMessage) {
  Transfer transfer;
  transfer.prepare();
  transfer.open(1);
  transfer.copied(transfer.take(share));
  ASSERT_TRUE(transfer.complete(share));
  transfer.prepare();
  EXPECT_EQ(transfer.target(), 0U);
  EXPECT_FALSE(transfer.complete(share));
  EXPECT_EQ(transfer.take(share).bytes, share);
}

TEST(Transfer, IsCompleteOnlyWhenAllSharesHaveBeenCopied) {
  Transfer transfer;
  transfer.prepare();
  const Transfer::Share first = transfer.take(2 * share);
  const Transfer::Share second = transfer.take(2 * share);
  transfer.copied(second);
  EXPECT_FALSE(transfer.complete(2 * share));
  transfer.copied(first);
  EXPECT_TRUE(transfer.complete(2 * share));
}

/// One copies as the receiver does, the other as the sender: what is complete has been written, byte by byte, once.
/// Plain memory, so that ThreadSanitizer looks at the hand-over too.
TEST(Transfer, GivesEachShareToOneOfTwo) {
  constexpr int messages = 200;
  Transfer transfer;
  std::vector<std::uint8_t> written;  // a count for each 64 bytes
  std::atomic<int> offered{0};
  std::atomic<int> taken{0};
  const auto size_of = [](int message) {
    return Transfer::least + static_cast<std::size_t>(message % 5) * share - share / 2 * (message % 2) -
           (message % 3) * 64;
  };
  const auto copy = [&](const Transfer::Share& part) {
    for (std::size_t at = part.begin; at < part.begin + part.bytes; at += 64) ++written[at / 64];
    transfer.copied(part);
  };

  std::thread sender([&] {
    for (int message = 1; message <= messages; ++message) {
      transfer.prepare();
      offered.store(message, std::memory_order_release);
      while (taken.load(std::memory_order_acquire) != message) {
        if (transfer.target() == 0) continue;
        if (const Transfer::Share part = transfer.take(size_of(message)); part.bytes > 0) copy(part);
        std::this_thread::yield();
      }
    }
  });
  int wrong = 0;
  for (int message = 1; message <= messages; ++message) {
    while (offered.load(std::memory_order_acquire) != message) std::this_thread::yield();
    const std::size_t bytes = size_of(message);
    written.assign((bytes + 63) / 64, 0);
    transfer.open(1);
    while (!transfer.complete(bytes)) {
      if (const Transfer::Share part = transfer.take(bytes); part.bytes > 0) copy(part);
      std::this_thread::yield();
    }
    for (const std::uint8_t count : written) wrong += count == 1 ? 0 : 1;
    taken.store(message, std::memory_order_release);
  }
  sender.join();
  EXPECT_EQ(wrong, 0);
}

std::vector<std::byte> numbered(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i % 251);
  return bytes;
}

std::uint64_t address(const std::vector<std::byte>& bytes) { return reinterpret_cast<std::uint64_t>(bytes.data()); }

/// The process of both sides: as this one, and as another one that is reached by calls of the system.
struct Between {
  const char* name;
  bool two_processes;
  Target target;
};
class Transfers : public testing::TestWithParam<Between> {
 protected:
  pid_t process_ = GetParam().two_processes ? getpid() : 0;
};
INSTANTIATE_TEST_SUITE_P(Of, Transfers,
                         testing::Values(Between{"one_process", false, Target::perhaps_in_a_cache},
                                         Between{"one_process_past_caches", false, Target::in_no_cache},
                                         Between{"two_processes", true, Target::in_no_cache}),
                         [](const auto& between) { return between.param.name; });

TEST_P(Transfers, AreMadeByBothSides) {
  const std::vector<std::byte> message = numbered(5 * share + 77);
  std::vector<std::byte> room(message.size());
  Transfer transfer;
  transfer.prepare();
  transfer.push(process_, message);
  EXPECT_EQ(transfer.take(message.size()).begin, 0U) << "nobody has opened";
  transfer.prepare();
  transfer.open(address(room), GetParam().target);
  transfer.push(process_, message);
  EXPECT_EQ(room[share - 1], message[share - 1]);
  EXPECT_EQ(room[share], std::byte{0});
  ASSERT_TRUE(transfer.pull(process_, address(message), room));
  EXPECT_EQ(room[2 * share - 1], message[2 * share - 1]);
  EXPECT_EQ(room[2 * share], std::byte{0});
  for (int step = 0; step < 2; ++step) {
    EXPECT_FALSE(transfer.complete(message.size()));
    transfer.push(process_, message);
    ASSERT_TRUE(transfer.pull(process_, address(message), room));
  }
  EXPECT_TRUE(transfer.complete(message.size()));
  EXPECT_EQ(room, message);
}

TEST_P(Transfers, TheReceiverMakesWhereTheSenderCannotWrite) {
  const std::vector<std::byte> message = numbered(3 * share);
  std::vector<std::byte> room(message.size());
  test::Child gone([] { return 0; });
  const pid_t nobody = gone.pid();
  ASSERT_EQ(gone.join(), 0);
  Transfer transfer;
  transfer.prepare();
  transfer.open(address(room), GetParam().target);
  transfer.push(nobody, message);
  EXPECT_TRUE(transfer.has_left());
  transfer.push(process_, message);
  EXPECT_EQ(room[share], std::byte{0}) << "the sender takes no more";
  for (int step = 0; step < 3; ++step) {
    EXPECT_FALSE(transfer.complete(message.size()));
    ASSERT_TRUE(transfer.pull(process_, address(message), room));
  }
  EXPECT_TRUE(transfer.complete(message.size()));
  EXPECT_EQ(room, message);
}

TEST(Transfer, TellsThatTheSenderCannotBeReached) {
  std::vector<std::byte> room(2 * share);
  test::Child gone([] { return 0; });
  const pid_t nobody = gone.pid();
  ASSERT_EQ(gone.join(), 0);
  Transfer transfer;
  transfer.prepare();
  transfer.open(address(room));
  EXPECT_FALSE(transfer.pull(nobody, address(room), room));
  EXPECT_FALSE(transfer.complete(room.size()));
}

}  // namespace
}  // namespace raddle::node
