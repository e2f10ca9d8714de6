// SPDX-License-Identifier: BSD-3-Clause
// A reader that meets a slot in the middle of a change passes on as if it held another handle. That is a right answer:
// at some moment of the look-up the handle was not there.
//
// The gate needs no memory order: whoever owns a handle got it from the thread that put it in, after it did so.
#include "endpoints/handle_table.hpp"

#include <memory>

#include "endpoints/handle_slot.hpp"

namespace raddle::endpoints {
namespace {

constexpr std::uint64_t empty = HandleSlot::empty;
constexpr std::uint64_t erased = HandleSlot::erased;
constexpr std::size_t first_capacity = 64;

}  // namespace

struct HandleTable::Slots {
  Slots(std::size_t size, Slots* before) : mask(size - 1), older(before), slot(std::make_unique<HandleSlot[]>(size)) {}

  /// Handles differ in few bits: multiplied, they differ in the upper ones.
  [[nodiscard]] std::size_t home(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> 32U) & mask;
  }

  [[nodiscard]] std::uint64_t key_at(std::size_t at) const { return slot[at].key(); }

  /// Where `key` is, or where a search for it ends. Only for writers.
  [[nodiscard]] std::size_t search(std::uint64_t key) const {
    std::size_t at = home(key);
    while (key_at(at) != key && key_at(at) != empty) at = (at + 1) & mask;
    return at;
  }

  std::size_t mask;
  Slots* older;  ///< a reader may still be in it, so it stays; all together they are smaller than this one
  std::unique_ptr<HandleSlot[]> slot;
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
    const HandleSlot& slot = slots->slot[at];
    const HandleSlot::View view = slot.look();
    if (view.key == empty) return nullptr;
    if (view.key == handle && slot.whole(view)) return view.object;
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
  void* object = slots->slot[at].object();
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
    fresh->slot[fresh->search(key)].write(key, old->slot[i].object());
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
