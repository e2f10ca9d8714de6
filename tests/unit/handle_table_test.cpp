// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/handles/handle_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <thread>
#include <vector>

namespace raddle::endpoints {
namespace {

constexpr std::uint32_t bit = 4;

struct Gated {
  std::atomic<std::uint32_t> gate{1};
  HandleTable table{gate, bit};
};

/// Handles as MPIs make them: small integers with the same upper bits, addresses of a common alignment, and any.
std::uint64_t draw(std::mt19937_64& random, std::uint64_t range) {
  const std::uint64_t number = random() % range;
  switch (random() % 3) {
    case 0:
      return 0x44000000U + number;
    case 1:
      return 0x00007f0000000000U + number * 512;
    default:
      return (number * 0xd1342543de82ef95U) >> 2U;
  }
}

TEST(HandleSlot, TellsAChangeBetweenTwoLooks) {
  HandleSlot slot;
  int first = 0;
  int second = 0;
  slot.write(3, &first);
  const HandleSlot::View seen = slot.look();
  EXPECT_EQ(seen.key, 3U);
  EXPECT_EQ(seen.object, &first);
  EXPECT_TRUE(slot.whole(seen));
  slot.write(3, &second);  // the same handle again is another one
  EXPECT_FALSE(slot.whole(seen));
  EXPECT_TRUE(slot.whole(slot.look()));
}

TEST(HandleTable, IsEmptyAtFirst) {
  Gated gated;
  EXPECT_EQ(gated.table.find(0), nullptr);
  EXPECT_EQ(gated.table.erase(7), nullptr);
  EXPECT_EQ(gated.table.size(), 0U);
  EXPECT_EQ(gated.gate.load(), 1U);
}

TEST(HandleTable, SetsItsBitOfTheGateWhileThereIsAnythingInIt) {
  Gated gated;
  int object = 0;
  gated.table.insert(0, &object);
  gated.table.insert(0x44000000, &object);
  EXPECT_EQ(gated.gate.load(), 1U | bit);
  gated.table.erase(0);
  EXPECT_EQ(gated.gate.load(), 1U | bit);
  EXPECT_EQ(gated.table.erase(0x44000000), &object);
  EXPECT_EQ(gated.gate.load(), 1U);
}

TEST(HandleTable, DoesAsAMapDoesInAnyOrder) {
  for (int round = 0; round < 20; ++round) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    const std::uint64_t range = 1U << (random() % 10);
    std::map<std::uint64_t, void*> model;
    Gated gated;
    std::vector<char> objects(64);
    for (int step = 0; step < 5000; ++step) {
      const std::uint64_t handle = draw(random, range);
      const auto known = model.find(handle);
      void* expected = known == model.end() ? nullptr : known->second;
      ASSERT_EQ(gated.table.find(handle), expected) << "step " << step;
      if (known != model.end()) {
        if (random() % 2 == 0) continue;
        ASSERT_EQ(gated.table.erase(handle), expected) << "step " << step;
        model.erase(known);
      } else if (random() % 8 == 0) {
        ASSERT_EQ(gated.table.erase(handle), nullptr) << "step " << step;
      } else {
        void* object = &objects[random() % objects.size()];
        gated.table.insert(handle, object);
        model.emplace(handle, object);
      }
      ASSERT_EQ(gated.table.size(), model.size());
      ASSERT_EQ((gated.gate.load() & bit) != 0, !model.empty());
    }
    for (const auto& [handle, object] : model) ASSERT_EQ(gated.table.find(handle), object);
  }
}

TEST(HandleTable, DoesNotGrowFromComingAndGoing) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  Gated gated;
  std::map<std::uint64_t, char> live;
  char object = 0;
  for (int step = 0; step < 50000; ++step) {
    const std::uint64_t handle = random() >> 2U;  // hardly ever the same again
    gated.table.insert(handle, &object);
    live.emplace(handle, object);
    if (live.size() <= 64) continue;
    const auto victim = std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size()));
    gated.table.erase(victim->first);
    live.erase(victim);
  }
  EXPECT_LE(gated.table.capacity(), 1024U);
}

/// An object that knows its handle: a reader that gets it for another one has seen two changes mixed.
struct Known {
  std::uint64_t handle;
};

TEST(HandleTable, NeverGivesWhatStandsBehindAnotherHandleInTheSamePlace) {
  // Multiples of 2^38 change no bit that chooses among 64 slots: all of these want the same one, in turn.
  std::array<Known, 3> objects{};
  for (std::size_t i = 0; i < objects.size(); ++i) objects[i].handle = 0x44000000U + (std::uint64_t{i} << 38U);
  Gated gated;
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::thread writer([&] {
    for (int step = 0; step < 100000; ++step) {
      Known& object = objects[static_cast<std::size_t>(step) % objects.size()];
      gated.table.insert(object.handle, &object);
      gated.table.erase(object.handle);
    }
    done = true;
  });
  while (!done.load(std::memory_order_relaxed)) {
    for (const Known& object : objects) {
      const auto* found = static_cast<const Known*>(gated.table.find(object.handle));
      if (found != nullptr && found->handle != object.handle) wrong.fetch_add(1);
    }
  }
  writer.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(gated.table.capacity(), 64U);
}

TEST(HandleTable, AnswersReadersRightlyWhileItChanges) {
  constexpr std::uint64_t steady = 48;  // always there
  constexpr std::uint64_t moving = 96;  // come and go
  constexpr std::uint64_t never = 32;
  std::vector<Known> objects;
  for (std::uint64_t i = 0; i < steady + moving + never; ++i) objects.push_back({0x44000000U + i});
  Gated gated;
  for (std::uint64_t i = 0; i < steady; ++i) gated.table.insert(objects[i].handle, &objects[i]);

  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  const auto seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::vector<std::thread> team;
  for (unsigned reader = 0; reader < 2; ++reader) {
    team.emplace_back([&, reader] {
      std::mt19937_64 random(seed + reader);
      while (!done.load(std::memory_order_relaxed)) {
        const std::uint64_t i = random() % objects.size();
        const auto* found = static_cast<const Known*>(gated.table.find(objects[i].handle));
        const bool mixed = found != nullptr && found->handle != objects[i].handle;
        const bool lost = found == nullptr && i < steady;
        const bool made_up = found != nullptr && i >= steady + moving;
        if (mixed || lost || made_up) wrong.fetch_add(1);
      }
    });
  }
  // Each writer owns half of the handles that come and go, in the order of MPIs: the last freed is given out first.
  std::array<std::thread, 2> writers;
  for (unsigned writer = 0; writer < 2; ++writer) {
    writers[writer] = std::thread([&, writer] {
      std::mt19937_64 random(seed + 100 + writer);
      const std::uint64_t first = steady + writer * moving / 2;
      std::vector<bool> in(moving / 2);
      for (int step = 0; step < 20000; ++step) {
        const std::uint64_t i = random() % in.size();
        Known& object = objects[first + i];
        if (in[i]) {
          if (gated.table.erase(object.handle) != &object) wrong.fetch_add(1);
        } else {
          gated.table.insert(object.handle, &object);
        }
        in[i] = !in[i];
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  done = true;
  for (std::thread& reader : team) reader.join();
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
}  // namespace raddle::endpoints
