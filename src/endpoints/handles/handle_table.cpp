// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/handles/handle_table.hpp"

#include <memory>
#include <new>
#include <utility>

namespace raddle::endpoints {

namespace {

constexpr std::uint64_t empty = HandleSlot::empty;
constexpr std::uint64_t erased = HandleSlot::erased;
constexpr std::size_t first_capacity = 64;

}  // namespace

std::size_t HandleTable::SlotArray::search(std::uint64_t key) const {
  std::size_t at = home(key);
  while (slot(at).key() != key && slot(at).key() != empty) at = (at + 1) & mask;
  return at;
}

constinit HandleTable::Nothing HandleTable::nothing;

HandleTable::SlotArray* HandleTable::SlotArray::make(std::size_t size, SlotArray* before) {
  auto* const made = new (::operator new(sizeof(SlotArray) + size * sizeof(HandleSlot))) SlotArray(size, before);
  std::uninitialized_default_construct_n(&made->slot(0), size);
  return made;
}

void HandleTable::SlotArray::end(SlotArray* array) {
  std::destroy_n(&array->slot(0), array->mask + 1);
  std::destroy_at(array);
  ::operator delete(array);
}

HandleTable::~HandleTable() {
  for (SlotArray* slots = slots_.load(std::memory_order_relaxed); slots != &nothing.array;)
    SlotArray::end(std::exchange(slots, slots->older));
}

void* HandleTable::find_further(std::uint64_t handle) const noexcept {
  const SlotArray* slots = slots_.load(std::memory_order_acquire);
  std::size_t at = slots->home(handle);
  for (std::size_t seen = 0; seen <= slots->mask; ++seen, at = (at + 1) & slots->mask) {
    const HandleSlot& slot = slots->slot(at);
    const HandleSlot::View view = slot.look();
    if (view.key == HandleSlot::empty) return nullptr;
    if (view.key == handle && slot.whole(view)) return view.object;
  }
  return nullptr;
}

void HandleTable::insert(std::uint64_t handle, void* object) {
  const std::lock_guard lock(writers_);
  if ((used_ + 1) * 2 > capacity()) grow();
  SlotArray& slots = *slots_.load(std::memory_order_relaxed);
  std::size_t at = slots.home(handle);
  while (slots.slot(at).key() != empty && slots.slot(at).key() != erased) at = (at + 1) & slots.mask;
  if (slots.slot(at).key() == empty) ++used_;
  slots.slot(at).write(handle, object);
  if (++live_ == 1) gate_.fetch_or(bit_, std::memory_order_relaxed);
}

void* HandleTable::erase(std::uint64_t handle) {
  const std::lock_guard lock(writers_);
  SlotArray* slots = slots_.load(std::memory_order_relaxed);
  std::size_t at = slots->search(handle);
  if (slots->slot(at).key() == empty) return nullptr;
  void* object = slots->slot(at).object();
  slots->slot(at).write(erased, nullptr);
  // Nothing lies behind the last slot of a cluster, so no search needs it: with it go the erased ones before it.
  if (slots->slot((at + 1) & slots->mask).key() == empty) {
    for (; slots->slot(at).key() == erased; at = (at - 1) & slots->mask, --used_) slots->slot(at).write(empty, nullptr);
  }
  if (--live_ == 0) gate_.fetch_and(~bit_, std::memory_order_relaxed);
  return object;
}

void HandleTable::grow() {
  SlotArray* const old = slots_.load(std::memory_order_relaxed);
  const bool first = old == &nothing.array;
  SlotArray* const fresh = SlotArray::make(first ? first_capacity : 2 * (old->mask + 1), old);
  for (std::size_t i = 0; i <= old->mask; ++i) {
    const std::uint64_t key = old->slot(i).key();
    if (key == empty || key == erased) continue;
    fresh->slot(fresh->search(key)).write(key, old->slot(i).object());
  }
  used_ = live_;
  slots_.store(fresh, std::memory_order_release);
}

std::size_t HandleTable::size() const {
  const std::lock_guard lock(writers_);
  return live_;
}

std::size_t HandleTable::capacity() const {
  const SlotArray* slots = slots_.load(std::memory_order_acquire);
  return slots == &nothing.array ? 0 : slots->mask + 1;
}

}  // namespace raddle::endpoints
