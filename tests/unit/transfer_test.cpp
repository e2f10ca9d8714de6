// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/transfer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace raddle::direct {
namespace {

constexpr std::size_t share = Transfer::share;

TEST(Transfer, DividesEveryMessageIntoSharesThatFollowEachOther) {
  for (const std::size_t bytes :
       {share - 1, share, share + 1, 2 * share - 1, 2 * share, 2 * share + 1, 7 * share + 3}) {
    Transfer transfer;
    transfer.prepare();
    std::size_t end = 0;
    while (true) {
      const Transfer::Share next = transfer.take(bytes);
      if (next.bytes == 0) break;
      ASSERT_EQ(next.begin, end);
      ASSERT_LE(next.bytes, share);
      ASSERT_FALSE(transfer.complete(bytes));
      end += next.bytes;
      transfer.copied(next);
    }
    EXPECT_EQ(end, bytes);
    EXPECT_TRUE(transfer.complete(bytes));
    EXPECT_EQ(transfer.take(bytes).bytes, 0U) << "what is taken stays taken";
  }
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

}  // namespace
}  // namespace raddle::direct
