// SPDX-License-Identifier: BSD-3-Clause
#include "engines/inbox.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "effort.hpp"

namespace raddle::engines {
namespace {

using Random = std::mt19937_64;

/// An inbox in memory of its own.
class Ring {
 public:
  explicit Ring(std::uint64_t cells) : memory_(new (std::align_val_t{64}) std::byte[Inbox::memory(cells)]) {
    std::memset(memory_, 0, Inbox::memory(cells));
    inbox_ = new (memory_) Inbox(cells);
  }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring() { ::operator delete[](memory_, std::align_val_t{64}); }

  Inbox& operator*() { return *inbox_; }
  Inbox* operator->() { return inbox_; }

 private:
  std::byte* memory_;
  Inbox* inbox_;
};

/// What looks like the first word of an entry `laps` after that at `at`, in a ring of `cells`.
std::uint64_t word_to_come(std::uint64_t at, std::uint64_t cells, std::uint64_t laps) {
  return (at + laps * cells) << 16U | 1U;
}

/// Fills an entry with something that depends on all of its number, and that looks like words of later laps.
void fill(const Inbox::Claim& claim, std::size_t bytes, std::uint64_t number, std::uint64_t cells) {
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::uint64_t word = word_to_come(claim.at + (i + 8) / 64, cells, 1 + number % 2);
    const std::size_t in_cell = (i + 8) % 64;
    claim.place[i] = static_cast<std::byte>(in_cell < 8 ? word >> (8 * in_cell) : number * 31 + i);
  }
}

std::vector<std::byte> filling(std::uint64_t at, std::size_t bytes, std::uint64_t number, std::uint64_t cells) {
  std::vector<std::byte> expected(bytes);
  fill({expected.data(), at, 0}, bytes, number, cells);
  return expected;
}

class InboxTest : public testing::TestWithParam<std::uint64_t> {
 protected:
  [[nodiscard]] std::uint64_t cells() const { return GetParam(); }
};

TEST_P(InboxTest, DoesAsAQueueDoes) {
  struct Entry {
    Inbox::Claim claim;
    std::size_t bytes;
    std::uint64_t number;
    bool published;
  };
  const auto seed = test::new_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Ring ring(cells());
  Inbox::Reader reader(*ring);
  std::array<Inbox::Sender, 3> senders;
  std::deque<Entry> model;
  std::uint64_t number = 0;
  std::uint64_t refused = 0;
  for (int step = 0; step < 20'000 * test::effort(); ++step) {
    const std::size_t likely = random() % 2 == 0 ? std::size_t{56} : ring->max_bytes();
    switch (random() % 3) {
      case 0: {
        const std::size_t bytes = random() % (std::min(likely, ring->max_bytes()) + 1);
        const Inbox::Claim claim = ring->claim(bytes, senders[random() % senders.size()]);
        refused += claim.place == nullptr ? 1 : 0;
        if (claim.place != nullptr) model.push_back({claim, bytes, ++number, false});
        break;
      }
      case 1: {  // in any order
        if (model.empty()) break;
        Entry& entry = model[random() % model.size()];
        if (entry.published) break;
        fill(entry.claim, entry.bytes, entry.number, cells());
        ring->publish(entry.claim);
        entry.published = true;
        break;
      }
      default: {
        const std::byte* const front = reader.front();
        ASSERT_EQ(front != nullptr, !model.empty() && model.front().published) << "step " << step;
        if (front == nullptr) break;
        ASSERT_TRUE(reader.ready());
        const Entry& entry = model.front();
        ASSERT_GE(reader.bytes(), entry.bytes);
        const auto expected = filling(entry.claim.at, entry.bytes, entry.number, cells());
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), front)) << "step " << step;
        ASSERT_EQ(reader.front(), front) << "it stays until it is popped";
        reader.pop();
        model.pop_front();
      }
    }
  }
  EXPECT_GT(refused, 0U);
  EXPECT_GT(number, 1000U);  // several laps
}

TEST_P(InboxTest, AlwaysHasRoomForTheLargestWhenAllIsRead) {
  const std::uint64_t stride = cells() > 64 ? 7 : 1;
  for (std::uint64_t first = 1; first <= cells() / 2; first += stride) {  // what the senders were told last of
    for (std::uint64_t then = 0; then < cells(); then += stride) {
      Ring ring(cells());
      Inbox::Reader reader(*ring);
      Inbox::Sender sender;
      const auto pass = [&](std::size_t bytes) {
        const Inbox::Claim claim = ring->claim(bytes, sender);
        ASSERT_NE(claim.place, nullptr) << bytes << " bytes, after " << first << " cells and " << then;
        ring->publish(claim);
        ASSERT_EQ(reader.front(), claim.place);
        reader.pop();
      };
      pass(std::min(first * Inbox::cell_bytes - 8, ring->max_bytes()));
      for (std::uint64_t i = 0; i < then; ++i) pass(1);
      for (int i = 0; i < 3; ++i) pass(ring->max_bytes());
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(InboxTest, RefusesWhatHasNoRoomUntilSomethingIsRead) {
  Ring ring(cells());
  Inbox::Reader reader(*ring);
  Inbox::Sender sender;
  std::uint64_t held = 0;
  for (int lap = 0; lap < 5; ++lap) {
    while (true) {
      const Inbox::Claim claim = ring->claim(1, sender);
      if (claim.place == nullptr) break;
      ring->publish(claim);
      ++held;
    }
    EXPECT_GE(held, cells() - cells() / 4);  // the senders may not have been told of the last quarter yet
    EXPECT_LE(held, cells());
    for (; held > 0; --held) {
      ASSERT_NE(reader.front(), nullptr);
      reader.pop();
    }
    ASSERT_FALSE(reader.ready());
    ASSERT_EQ(reader.front(), nullptr);
  }
}

TEST_P(InboxTest, IsNotReadyForAnEntryBehindOneThatIsNotPublished) {
  Ring ring(cells());
  Inbox::Reader reader(*ring);
  Inbox::Sender sender;
  const Inbox::Claim first = ring->claim(8, sender);
  const Inbox::Claim second = ring->claim(8, sender);
  ring->publish(second);
  EXPECT_FALSE(reader.ready());
  EXPECT_EQ(reader.front(), nullptr);
  ring->publish(first);
  EXPECT_TRUE(reader.ready());
  EXPECT_EQ(reader.front(), first.place);
  reader.pop();
  EXPECT_EQ(reader.front(), second.place);
}

/// Which keeps their lines with the receiver, until a sender fetches them to write (engines/inbox.hpp).
TEST_P(InboxTest, LeavesNoControlWordInWhatItHasRead) {
  Ring ring(cells());
  Inbox::Reader reader(*ring);
  Inbox::Sender sender;
  const auto first_word = [](const std::byte* place) {
    std::uint64_t word = 1;
    std::memcpy(&word, place - sizeof word, sizeof word);
    return word;
  };
  const Inbox::Claim cell = ring->claim(1, sender);
  ASSERT_NE(cell.place, nullptr);
  ring->publish(cell);
  ASSERT_NE(first_word(cell.place), 0U);
  ASSERT_EQ(reader.read_cells(2, [](const std::byte*) { return true; }), 1U);
  EXPECT_EQ(first_word(cell.place), 0U);

  const Inbox::Claim longer = ring->claim(Inbox::in_a_cell + 1, sender);
  ASSERT_NE(longer.place, nullptr);
  ring->publish(longer);
  ASSERT_EQ(reader.front(), longer.place);
  reader.pop();
  EXPECT_EQ(first_word(longer.place), 0U);
  EXPECT_EQ(first_word(longer.place + Inbox::cell_bytes), 0U);
}

/// Three threads send, two of them share what they remember; one reads, and another only asks whether there is
/// something, as a second thread of an endpoint does.
TEST_P(InboxTest, KeepsEachSendersEntriesWholeAndInOrder) {
  const std::uint64_t each = 5'000 * static_cast<std::uint64_t>(test::effort());
  constexpr std::size_t senders = 3;
  const auto seed = test::new_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Ring ring(cells());
  Inbox::Reader reader(*ring);
  std::array<Inbox::Sender, 2> remembered;
  std::atomic<bool> ended{false};
  std::vector<std::thread> team;
  for (std::size_t i = 0; i < senders; ++i) {
    team.emplace_back([&, i] {
      Random random(seed + i);
      for (std::uint64_t number = 0; number < each; ++number) {
        const std::size_t most = random() % 4 == 0 ? ring->max_bytes() : std::min<std::size_t>(ring->max_bytes(), 120);
        const std::size_t bytes = 16 + random() % (most - 15);
        Inbox::Claim claim;
        while ((claim = ring->claim(bytes, remembered[i / 2])).place == nullptr) std::this_thread::yield();
        const std::array<std::uint64_t, 2> head{i << 32U | bytes, number};
        std::memset(claim.place, static_cast<int>(number), bytes);
        std::memcpy(claim.place, head.data(), sizeof head);
        ring->publish(claim);
      }
    });
  }
  team.emplace_back([&] {
    while (!ended.load()) {
      static_cast<void>(reader.ready());
      std::this_thread::yield();
    }
  });
  std::array<std::uint64_t, senders> next{};
  std::uint64_t wrong = 0;
  for (std::uint64_t got = 0; got < senders * each;) {
    const std::byte* const entry = reader.front();
    if (entry == nullptr) {
      std::this_thread::yield();
      continue;
    }
    std::array<std::uint64_t, 2> head{};
    std::memcpy(head.data(), entry, sizeof head);
    const std::size_t bytes = head[0] & 0xffff'ffffU;
    const std::size_t sender = head[0] >> 32U;
    if (sender >= senders || bytes > reader.bytes() || head[1] != next[sender]++) {
      ++wrong;
    } else {
      for (std::size_t i = sizeof head; i < bytes; ++i) wrong += entry[i] == static_cast<std::byte>(head[1]) ? 0 : 1;
    }
    reader.pop();
    ++got;
  }
  ended.store(true);
  for (std::thread& thread : team) thread.join();
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(reader.front(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Cells, InboxTest, testing::Values(4, 8, 16, 64, 256), testing::PrintToStringParamName());

}  // namespace
}  // namespace raddle::engines
