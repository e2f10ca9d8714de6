// SPDX-License-Identifier: BSD-3-Clause
// Memory order. A slot is a sequence lock that is never waited for: its version is odd while key and object change. The
// reader loads key and object with acquire, the writer stores them with release after the odd version: a reader that
// saw any of a change therefore sees another version at its second look. Then it passes on as if the slot held another
// key, which is a right answer: at some moment of the look-up the handle was not there.
//
// The gate needs no order: whoever owns a handle got it from the thread that put it in, after it did so.
#include "endpoints/handle_table.hpp"

#include <memory>

namespace raddle::endpoints {
namespace {

// No handle has these bits: pointers are aligned, and integers are 32 bits wide.
constexpr std::uint64_t empty = ~std::uint64_t{0};
constexpr std::uint64_t erased = empty - 1;
constexpr std::size_t first_capacity = 64;

}  // namespace

struct HandleTable::Slot {
  std::atomic<std::uint64_t> version{0};
  std::atomic<std::uint64_t> key{empty};
  std::atomic<void*> object{nullptr};

  void write(std::uint64_t new_key, void* new_object) {
    const std::uint64_t before = version.load(std::memory_order_relaxed);
    version.store(before + 1, std::memory_order_relaxed);
    key.store(new_key, std::memory_order_release);
    object.store(new_object, std::memory_order_release);
    version.store(before + 2, std::memory_order_release);
  }
};

struct HandleTable::Slots {
  Slots(std::size_t size, Slots* before) : mask(size - 1), older(before), slot(std::make_unique<Slot[]>(size)) {}

  /// Handles differ in few bits: multiplied, they differ in the upper ones.
  [[nodiscard]] std::size_t home(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> 32U) & mask;
  }

  [[nodiscard]] std::uint64_t key_at(std::size_t at) const { return slot[at].key.load(std::memory_order_relaxed); }

  /// Where `key` is, or where a search for it ends. Only for writers.
  [[nodiscard]] std::size_t search(std::uint64_t key) const {
    std::size_t at = home(key);
    while (key_at(at) != key && key_at(at) != empty) at = (at + 1) & mask;
    return at;
  }

  std::size_t mask;
  Slots* older;  ///< a reader may still be in it, so it stays; all together they are smaller than this one
  std::unique_ptr<Slot[]> slot;
};

HandleTable::~HandleTable() {
  for (Slots* slots = slots_.load(std::memory_order_relaxed); slots != nullptr;) {
    const std::unique_ptr<Slots> ended(slots);
    slots = ended->older;
  }
}

void* HandleTable::find(std::uint64_t handle) const noexcept {
  const Slots* slots = slots_.load(std::memory_order_acquire);
  if (slots == nullptr) return nullptr;
  std::size_t at = slots->home(handle);
  for (std::size_t seen = 0; seen <= slots->mask; ++seen, at = (at + 1) & slots->mask) {
    const Slot& slot = slots->slot[at];
    const std::uint64_t version = slot.version.load(std::memory_order_acquire);
    const std::uint64_t key = slot.key.load(std::memory_order_acquire);
    if (key == empty) return nullptr;
    if (key != handle) continue;
    void* object = slot.object.load(std::memory_order_acquire);
    if (version % 2 == 0 && slot.version.load(std::memory_order_relaxed) == version) return object;
  }
  return nullptr;
}

void HandleTable::insert(std::uint64_t handle, void* object) {
  const std::lock_guard lock(writers_);
  if ((used_ + 1) * 2 > capacity()) grow();
  Slots& slots = *slots_.load(std::memory_order_relaxed);
  std::size_t at = slots.home(handle);
  while (slots.key_at(at) != empty && slots.key_at(at) != erased) at = (at + 1) & slots.mask;
  if (slots.key_at(at) == empty) ++used_;
  slots.slot[at].write(handle, object);
  if (++live_ == 1) gate_.fetch_or(bit_, std::memory_order_relaxed);
}

void* HandleTable::erase(std::uint64_t handle) {
  const std::lock_guard lock(writers_);
  Slots* slots = slots_.load(std::memory_order_relaxed);
  if (slots == nullptr) return nullptr;
  std::size_t at = slots->search(handle);
  if (slots->key_at(at) == empty) return nullptr;
  void* object = slots->slot[at].object.load(std::memory_order_relaxed);
  slots->slot[at].write(erased, nullptr);
  // Nothing lies behind the last slot of a cluster, so no search needs it: with it go the erased ones before it.
  if (slots->key_at((at + 1) & slots->mask) == empty) {
    for (; slots->key_at(at) == erased; at = (at - 1) & slots->mask, --used_) slots->slot[at].write(empty, nullptr);
  }
  if (--live_ == 0) gate_.fetch_and(~bit_, std::memory_order_relaxed);
  return object;
}

void HandleTable::grow() {
  Slots* const old = slots_.load(std::memory_order_relaxed);
  auto fresh = std::make_unique<Slots>(old == nullptr ? first_capacity : 2 * (old->mask + 1), old);
  for (std::size_t i = 0; old != nullptr && i <= old->mask; ++i) {
    const std::uint64_t key = old->key_at(i);
    if (key == empty || key == erased) continue;
    fresh->slot[fresh->search(key)].write(key, old->slot[i].object.load(std::memory_order_relaxed));
  }
  used_ = live_;
  slots_.store(fresh.release(), std::memory_order_release);
}

std::size_t HandleTable::size() const {
  const std::lock_guard lock(writers_);
  return live_;
}

std::size_t HandleTable::capacity() const {
  const Slots* slots = slots_.load(std::memory_order_acquire);
  return slots == nullptr ? 0 : slots->mask + 1;
}

}  // namespace raddle::endpoints
