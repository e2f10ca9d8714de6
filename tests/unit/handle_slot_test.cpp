// SPDX-License-Identifier: BSD-3-Clause
// A slot of the table of handles in all interleavings of its threads.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>

#include "endpoints/handles/handle_table.hpp"
#include "interleave.hpp"

namespace raddle::endpoints {
namespace {

namespace interleave = test::interleave;
using interleave::Atomic;

/// Forgets what memory order it is told.
template <typename T>
class Unordered : public Atomic<T> {
 public:
  using Atomic<T>::Atomic;
  [[nodiscard]] T load(std::memory_order) const noexcept { return Atomic<T>::load(std::memory_order_relaxed); }
  void store(T value, std::memory_order) noexcept { Atomic<T>::store(value, std::memory_order_relaxed); }
};

/// Takes the key away after it has begun to change the rest.
class Hasty {
 public:
  using View = HandleSlot::View;

  void write(std::uint64_t key, void* object) noexcept {
    version_.fetch_add(1, std::memory_order_release);
    object_.store(object, std::memory_order_release);
    key_.store(HandleSlot::erased, std::memory_order_release);
    key_.store(key, std::memory_order_release);
  }
  [[nodiscard]] View look() const noexcept {
    const std::uint64_t version = version_.load(std::memory_order_acquire);
    const std::uint64_t key = key_.load(std::memory_order_acquire);
    return {version, key, object_.load(std::memory_order_acquire)};
  }
  [[nodiscard]] bool whole(const View& seen) const noexcept {
    return version_.load(std::memory_order_relaxed) == seen.version;
  }

 private:
  Atomic<std::uint64_t> version_{0};
  Atomic<std::uint64_t> key_{HandleSlot::empty};
  Atomic<void*> object_{nullptr};
};

/// One thread changes the slot twice while another looks; each key has an object of its own.
template <typename Slot>
interleave::Result look_while_it_changes(bool stale) {
  struct World {
    World() { slot.write(0, objects); }
    char objects[3]{};
    Slot slot;
    int mixed = 0;
  };
  return interleave::explore<World>({.stale = stale, .preemptions = stale ? 2U : 1'000U},
                                    {[](World& w) {
                                       w.slot.write(1, &w.objects[1]);
                                       w.slot.write(2, &w.objects[2]);
                                     },
                                     [](World& w) {
                                       const auto view = w.slot.look();
                                       if (view.key >= HandleSlot::erased || !w.slot.whole(view)) return;
                                       if (view.object != &w.objects[view.key]) ++w.mixed;
                                     }},
                                    [](World& w) { return w.mixed == 0 ? "" : "a key with the object of another"; });
}

TEST(HandleSlotInterleaved, NeverGivesAKeyWithTheObjectOfAnother) {
  const auto result = look_while_it_changes<BasicHandleSlot<Atomic>>(true);
  EXPECT_EQ(result.failure, "");
  EXPECT_TRUE(result.complete);
  EXPECT_GT(result.executions, look_while_it_changes<BasicHandleSlot<Atomic>>(false).executions);
}

/// The same by the look that asks for one key.
template <typename Slot>
interleave::Result ask_while_it_changes(std::uint64_t key) {
  struct World {
    World() { slot.write(0, objects); }
    char objects[3]{};
    Slot slot;
    int mixed = 0;
  };
  return interleave::explore<World>({.stale = true, .preemptions = 2U},
                                    {[](World& w) {
                                       w.slot.write(1, &w.objects[1]);
                                       w.slot.write(2, &w.objects[2]);
                                     },
                                     [key](World& w) {
                                       const void* const object = w.slot.object_of(key);
                                       if (object != nullptr && object != &w.objects[key]) ++w.mixed;
                                     }},
                                    [](World& w) { return w.mixed == 0 ? "" : "a key with the object of another"; });
}

TEST(HandleSlotInterleaved, NeverGivesAnotherObjectForTheKeyThatIsAskedFor) {
  for (const std::uint64_t key : {0U, 1U, 2U}) {
    const auto result = ask_while_it_changes<BasicHandleSlot<Atomic>>(key);
    EXPECT_EQ(result.failure, "") << key;
    EXPECT_TRUE(result.complete) << key;
  }
  EXPECT_NE(ask_while_it_changes<BasicHandleSlot<Unordered>>(0).failure, "");
}

TEST(HandleSlotInterleaved, WouldDoSoWithoutItsOrder) {
  EXPECT_NE(look_while_it_changes<BasicHandleSlot<Unordered>>(true).failure, "");
  EXPECT_NE(look_while_it_changes<Hasty>(false).failure, "");
}

}  // namespace
}  // namespace raddle::endpoints
