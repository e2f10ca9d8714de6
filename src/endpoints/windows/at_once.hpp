// SPDX-License-Identifier: BSD-3-Clause
// The short way of most calls on windows in a process: both sides are described alike, by a type that MPI has named,
// and this process reaches the target's memory by loads and stores. Inline, and each asks only for what lets it go that
// way; what is wrong with other calls the long way says (access.cpp, epochs.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/windows/accumulation.hpp"
#include "endpoints/windows/order.hpp"
#include "endpoints/windows/window.hpp"
#include "platform/copy_bytes.hpp"

namespace raddle::endpoints {

/// A target that is reached so, in an epoch that allows it. nullptr otherwise
[[gnu::always_inline]] inline const Window::Target* Window::at_once(int rank) const {
  if (static_cast<std::size_t>(rank) >= targets_.size()) return nullptr;  // also of what is negative
  const Target& there = target(rank);
  return there.reach == Reach::mapped && may_access(there) ? &there : nullptr;
}

/// Where so many bytes lie; nullptr if not all of them are in the window. Dynamic windows have no memory to tell of.
[[gnu::always_inline]] inline std::byte* Window::place_at_once(const Target& there, MPI_Aint displacement,
                                                               std::size_t bytes) const {
  std::int64_t offset = 0;
  if (__builtin_mul_overflow(displacement, there.unit, &offset)) return nullptr;
  const auto memory = static_cast<std::uint64_t>(there.bytes);
  if (bytes > memory || static_cast<std::uint64_t>(offset) > memory - bytes) return nullptr;
  return reinterpret_cast<std::byte*>(there.at) + offset;  // NOLINT(performance-no-int-to-ptr): it came from a pointer
}

/// What a put or get is about: there, and how much of it; nullptr if it is not for the short way.
[[gnu::always_inline]] inline std::byte* Window::piece_at_once(const Buffer& here, const There& there,
                                                               std::size_t& bytes) const {
  constexpr std::uint64_t most = 1U << 31U;  // a count with which no product overflows
  if (here.type != there.type || here.count != there.count || static_cast<std::uint64_t>(here.count) >= most ||
      here.address == nullptr)
    return nullptr;
  bytes = named_sizes.find(bits(here.type)) * static_cast<std::size_t>(here.count);
  if (bytes == 0) return nullptr;
  const Target* const target = at_once(there.rank);
  if (target == nullptr) return nullptr;
  return place_at_once(*target, there.displacement, bytes);
}

[[gnu::always_inline]] inline bool Window::put_at_once(const Buffer& origin, const There& there) const {
  std::size_t bytes = 0;
  std::byte* const place = piece_at_once(origin, there, bytes);
  if (place == nullptr) return false;
  platform::copy_bytes(place, static_cast<const std::byte*>(origin.address), bytes);
  unordered = true;
  return true;
}

[[gnu::always_inline]] inline bool Window::get_at_once(const Buffer& origin, const There& there) const {
  std::size_t bytes = 0;
  const std::byte* const place = piece_at_once(origin, there, bytes);
  if (place == nullptr) return false;
  platform::copy_bytes(static_cast<std::byte*>(origin.address), place, bytes);
  return true;
}

/// One element, by the processor's atomics. @param before  nullptr: nobody wants to know what was there
[[gnu::always_inline]] inline bool Window::element_at_once(const void* operand, void* before, MPI_Datatype type,
                                                           int rank, MPI_Aint displacement, MPI_Op op) const {
  const Accumulation* const what = Accumulation::lately(op, type);
  if (what == nullptr) return false;
  const Target* const there = at_once(rank);
  if (there == nullptr || !there->atomics) return false;
  if (what->reads_only() ? before == nullptr : operand == nullptr) return false;
  std::byte* const place = place_at_once(*there, displacement, what->size());
  if (place == nullptr || !what->by_words(place)) return false;
  what->one_with_atomics(place, static_cast<const std::byte*>(operand), static_cast<std::byte*>(before));
  changed_atomically();
  return true;
}

[[gnu::always_inline]] inline bool Window::accumulate_at_once(const Buffer& origin, const There& there,
                                                              MPI_Op op) const {
  return origin.count == 1 && there.count == 1 && origin.type == there.type &&
         element_at_once(origin.address, nullptr, there.type, there.rank, there.displacement, op);
}

[[gnu::always_inline]] inline bool Window::get_accumulate_at_once(const Buffer& origin, const Buffer& result,
                                                                  const There& there, MPI_Op op) const {
  return origin.count == 1 && there.count == 1 && origin.type == there.type && result.count == 1 &&
         result.type == there.type && result.address != nullptr &&
         element_at_once(origin.address, result.address, there.type, there.rank, there.displacement, op);
}

[[gnu::always_inline]] inline bool Window::fetch_and_op_at_once(const void* origin, void* result, MPI_Datatype type,
                                                                int rank, MPI_Aint displacement, MPI_Op op) const {
  return element_at_once(origin, result, type, rank, displacement, op);
}

[[gnu::always_inline]] inline bool Window::compare_and_swap_at_once(const void* origin, const void* compare,
                                                                    void* result, MPI_Datatype type, int rank,
                                                                    MPI_Aint displacement) const {
  const std::size_t size = swappable_sizes.find(bits(type));
  if (size == 0 || origin == nullptr || compare == nullptr) return false;
  const Target* const there = at_once(rank);
  if (there == nullptr || !there->atomics) return false;
  std::byte* const place = place_at_once(*there, displacement, size);
  if (place == nullptr || !is_aligned(place, size)) return false;
  compare_and_swap_word(place, static_cast<const std::byte*>(compare), static_cast<const std::byte*>(origin),
                        static_cast<std::byte*>(result), size);
  changed_atomically();
  return true;
}

[[gnu::always_inline]] inline bool Window::lock_at_once(int type, int rank, int assertion) {
  const bool exclusive = type == MPI_LOCK_EXCLUSIVE;
  if ((!exclusive && type != MPI_LOCK_SHARED) || assertion != 0 || started_.open ||
      static_cast<std::size_t>(rank) >= targets_.size())
    return false;
  Target& there = target(rank);
  if (there.access != none || there.control == nullptr || !there.control->lock.try_lock(exclusive)) return false;
  there.held = exclusive ? Held::exclusive : Held::shared;
  there.access = locked;
  fenced_ = false;
  return true;
}

[[gnu::always_inline]] inline bool Window::unlock_at_once(int rank) {
  if (static_cast<std::size_t>(rank) >= targets_.size()) return false;
  Target& there = target(rank);
  // What is mapped is asked for nothing, so there is no answer to wait for.
  if (there.access != locked || there.reach != Reach::mapped || there.held == Held::no || progress_is_due())
    return false;
  order_accesses();
  there.control->lock.release(there.held == Held::exclusive);
  there.held = Held::no;
  there.access = none;
  return true;
}

[[gnu::always_inline]] inline bool Window::flush_at_once(int rank) {
  if (static_cast<std::size_t>(rank) >= targets_.size()) return false;
  const Target& there = target(rank);
  if (there.reach != Reach::mapped || (there.access & passive) == 0 || progress_is_due()) return false;
  order_accesses();
  return true;
}

}  // namespace raddle::endpoints
