// SPDX-License-Identifier: BSD-3-Clause
// Runs a few short threads in every order in which their accesses of atomics can follow one another, and lets each load
// read every value it may (interleave_memory.hpp). For code whose atomics are a template parameter:
//
//   struct World { BasicHandleSlot<interleave::Atomic> slot; int seen; };
//   const auto result = interleave::explore<World>({}, {[](World& w) { ... }, [](World& w) { ... }},
//                                                  [](World& w) { return w.seen < 2 ? "" : "saw what never was"; });
//   EXPECT_EQ(result.failure, "");
//
// A thread must end whatever it reads: it tries so many times, and does not wait. Code under test must do the same when
// it reads the same.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "interleave_memory.hpp"

namespace raddle::test::interleave {

struct Options {
  bool stale = true;                ///< false: loads read what was written last, as on one core
  std::size_t preemptions = 1'000;  ///< times a thread is left for another before it ends; fewer: fewer orders
  std::uint64_t most = 1'000'000;   ///< executions after which to give up
};

struct Result {
  std::uint64_t executions = 0;
  bool complete = false;  ///< there is no other execution, or one failed
  std::string failure;    ///< of the first execution that failed: what, and all that the threads did
};

namespace detail {

/// What a thread of an execution may do with memory; it waits for its turn first. None: not in an execution.
struct Turn {
  Memory* memory;
  std::size_t thread;
};
std::optional<Turn> await_turn();

/// The turn without waiting: ordinary accesses have no order of their own.
std::optional<Turn> have_turn();

Result explore(const Options& options, const std::vector<std::function<void()>>& threads,
               const std::function<void()>& prepare, const std::function<std::string()>& check);

}  // namespace detail

/// As std::atomic, of at most eight bytes, and of the same size as `T`, so that it can be made of bytes in shared
/// memory as there. Outside of an execution it is an ordinary variable.
template <typename T>
class Atomic {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(Memory::Value));

 public:
  using Order = std::memory_order;
  using value_type = T;

  constexpr Atomic() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): as std::atomic
  constexpr Atomic(T value) : value_(value) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;
  ~Atomic() = default;

  [[nodiscard]] T load(Order order = std::memory_order_seq_cst) const noexcept {
    const auto turn = detail::await_turn();
    return turn ? unpack(turn->memory->load(turn->thread, this, pack(value_), order)) : value_;
  }

  void store(T value, Order order = std::memory_order_seq_cst) noexcept {
    if (const auto turn = detail::await_turn()) {
      turn->memory->store(turn->thread, this, pack(value_), pack(value), order);
    }
    value_ = value;
  }

  T exchange(T value, Order order = std::memory_order_seq_cst) noexcept {
    return modify(order, [value](T) { return value; });
  }
  T fetch_add(T value, Order order = std::memory_order_seq_cst) noexcept {
    return modify(order, [value](T before) { return static_cast<T>(before + value); });
  }
  T fetch_sub(T value, Order order = std::memory_order_seq_cst) noexcept {
    return modify(order, [value](T before) { return static_cast<T>(before - value); });
  }
  T fetch_or(T value, Order order = std::memory_order_seq_cst) noexcept {
    return modify(order, [value](T before) { return static_cast<T>(before | value); });
  }
  T fetch_and(T value, Order order = std::memory_order_seq_cst) noexcept {
    return modify(order, [value](T before) { return static_cast<T>(before & value); });
  }

  bool compare_exchange_strong(T& expected, T desired, Order success, Order failure) noexcept {
    const auto turn = detail::await_turn();
    const T before = turn ? unpack(turn->memory->compare_exchange(turn->thread, this, pack(value_), pack(expected),
                                                                  pack(desired), success, failure))
                          : value_;
    const bool same = pack(before) == pack(expected);
    if (same) value_ = desired;
    expected = before;
    return same;
  }
  bool compare_exchange_strong(T& expected, T desired, Order order = std::memory_order_seq_cst) noexcept {
    return compare_exchange_strong(expected, desired, order, without_release(order));
  }
  /// Fails without cause never.
  bool compare_exchange_weak(T& expected, T desired, Order success, Order failure) noexcept {
    return compare_exchange_strong(expected, desired, success, failure);
  }
  bool compare_exchange_weak(T& expected, T desired, Order order = std::memory_order_seq_cst) noexcept {
    return compare_exchange_strong(expected, desired, order);
  }

 private:
  static Memory::Value pack(T value) noexcept {
    Memory::Value packed = 0;
    std::memcpy(&packed, &value, sizeof value);
    return packed;
  }
  static T unpack(Memory::Value packed) noexcept {
    T value{};
    std::memcpy(&value, &packed, sizeof value);
    return value;
  }
  static constexpr Order without_release(Order order) noexcept {
    if (order == std::memory_order_acq_rel) return std::memory_order_acquire;
    return order == std::memory_order_release ? std::memory_order_relaxed : order;
  }

  template <typename Change>
  T modify(Order order, const Change& change) noexcept {
    const auto turn = detail::await_turn();
    const auto packed = [&change](Memory::Value last) { return pack(change(unpack(last))); };
    const T before = turn ? unpack(turn->memory->modify(turn->thread, this, pack(value_), order, packed)) : value_;
    value_ = change(before);
    return before;
  }

  T value_{};
};

/// To be called beside accesses of ordinary memory: an execution in which two threads may be at it at once fails.
inline void plain_read(const void* address) {
  if (const auto turn = detail::have_turn()) turn->memory->read_plain(turn->thread, address);
}
inline void plain_write(const void* address) {
  if (const auto turn = detail::have_turn()) turn->memory->write_plain(turn->thread, address);
}

/// Each execution has a new `World` and runs all `threads` with it; then `check` tells what is wrong, or nothing ("").
/// Ends with the first execution that fails.
template <typename World>
Result explore(const Options& options, const std::vector<std::function<void(World&)>>& threads,
               const std::function<std::string(World&)>& check) {
  std::optional<World> world;
  std::vector<std::function<void()>> bound;
  for (const auto& thread : threads) bound.emplace_back([&world, &thread] { thread(*world); });
  return detail::explore(options, bound, [&world] { world.emplace(); }, [&world, &check] { return check(*world); });
}

}  // namespace raddle::test::interleave
