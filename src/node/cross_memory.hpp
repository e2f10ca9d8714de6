// SPDX-License-Identifier: BSD-3-Clause
// Copies between this process's memory and another's, where the system allows it: one copy, and the other process has
// nothing to do (process_vm_readv).
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "platform/copy_bytes.hpp"

namespace raddle::node {

/// Copies `to.size()` bytes from address `from` of process `pid`.
/// @returns false: errno says why (EPERM: not allowed; ESRCH: no such process; EFAULT: not all of it is mapped there);
///          part of `to` may have been written
[[nodiscard]] bool read_memory(pid_t pid, std::uintptr_t from, std::span<std::byte> to);

/// Copies `from` to address `to` of process `pid`. @returns as read_memory
[[nodiscard]] bool write_memory(pid_t pid, std::uintptr_t to, std::span<const std::byte> from);

/// Whether read_memory works with process `pid` and `pid` means the process that has `expected` at `known_address`: in
/// containers it may mean another one.
[[nodiscard]] bool can_reach(pid_t pid, std::uintptr_t known_address, std::uint64_t expected);

/// Lets every process of the same user read and write this one's memory, also where the system (Yama, ptrace_scope 1,
/// as in Ubuntu) lets only ancestors do so: processes of a job are siblings. That weakens the process against others of
/// its user, so it is called only where can_reach() failed without it. Lasts until the process ends or executes another
/// program. No effect where nothing restricts tracing, or an administrator forbids it (ptrace_scope 2 and 3).
void allow_tracers();

// Copies from and to the memory of a process of the node: this one, or another that can be reached.

/// Where the target of a copy is; calls of the system do what they do.
enum class Target : bool {
  perhaps_in_a_cache,
  in_no_cache,
};

inline void copy_within(std::byte* to, const std::byte* from, std::size_t bytes, Target target) {
  if (target == Target::in_no_cache)
    platform::copy_past_caches(to, from, bytes);
  else
    platform::copy_bytes(to, from, bytes);
}

/// Copies `to.size()` bytes from address `from` of a process. @param process  0: this one
/// @returns false: it cannot be reached, as read_memory says
[[nodiscard]] inline bool copy_from(pid_t process, std::uintptr_t from, std::span<std::byte> to,
                                    Target target = Target::perhaps_in_a_cache) {
  if (process != 0) return read_memory(process, from, to);
  copy_within(to.data(), reinterpret_cast<const std::byte*>(from), to.size(), target);
  return true;
}

/// Copies `from` to address `to` of a process. Otherwise as copy_from.
[[nodiscard]] inline bool copy_to(pid_t process, std::uintptr_t to, std::span<const std::byte> from,
                                  Target target = Target::perhaps_in_a_cache) {
  if (process != 0) return write_memory(process, to, from);
  copy_within(reinterpret_cast<std::byte*>(to), from.data(), from.size(), target);
  return true;
}

// One large message that sender and receiver copy together, when both wait: each takes the next share that nobody has
// taken. Lies in memory that both see; knows no MPI.

class alignas(64) Transfer {
 public:
  /// Between processes, where each is a call of the system; and the longest one.
  static constexpr std::size_t share = std::size_t{128} * 1024;
  /// Within a process, the shortest one.
  static constexpr std::size_t share_within = std::size_t{16} * 1024;
  /// From here on two copies at a time pay for telling each other.
  static constexpr std::size_t least = 2 * share;
  static constexpr std::size_t least_within = 2 * share_within;
  /// Within a process, whole pages. What one side copies is mostly in the other one's cache, so that each waits for
  /// lines on their way; of a message that is in no cache long shares are the quicker ones.
  [[nodiscard]] static constexpr std::size_t share_of(std::size_t message) {
    constexpr std::size_t page = 4096;
    return std::clamp(message / 8 / page * page, share_within, share);
  }

  /// The sender, before its RTS.
  void prepare(std::size_t each = share) {
    share_ = each;
    target_.store(0, std::memory_order_relaxed);
    taken_.store(0, std::memory_order_relaxed);
    copied_.store(0, std::memory_order_relaxed);
    left_.store(0, std::memory_order_relaxed);
  }

  /// The receiver, once it knows where the message goes.
  void open(std::uint64_t target, Target lies = Target::perhaps_in_a_cache) {
    lies_ = lies;
    target_.store(target, std::memory_order_release);
  }

  /// Where the message goes, as an address in the receiver's process; 0: not known yet.
  [[nodiscard]] std::uint64_t target() const { return target_.load(std::memory_order_acquire); }

  struct Share {
    std::size_t begin = 0;
    std::size_t bytes = 0;  ///< 0: all shares are taken
  };
  Share take(std::size_t message) {
    const std::size_t begin = taken_.fetch_add(1, std::memory_order_relaxed) * share_;
    return begin < message ? share_from(begin, message) : Share{};
  }

  /// Whether the sender has met what it cannot write, and takes no more.
  [[nodiscard]] bool has_left() const { return left_.load(std::memory_order_relaxed) != 0; }

  /// A share has been copied.
  void copied(const Share& done) { copied_.fetch_add(done.bytes, std::memory_order_acq_rel); }

  // A step of either side: it copies the next share that nobody has taken, if there is one. Processes as copy_from's.

  /// The receiver, once it has opened. @param from  where the message lies in the sender's memory @param to  the room
  ///   for all of it @returns false: the sender cannot be reached
  [[nodiscard]] bool pull(pid_t sender, std::uintptr_t from, std::span<std::byte> to) {
    Share next = take(to.size());
    if (next.bytes == 0) next = take_left(to.size());
    if (next.bytes == 0) return true;
    if (!copy_from(sender, from + next.begin, to.subspan(next.begin, next.bytes), lies_)) return false;
    copied(next);
    return true;
  }

  /// The sender, while it waits; nothing before the receiver has opened. What it cannot write it leaves to the
  /// receiver, which may reach what the sender cannot. @param from  all of the message
  /// @returns the bytes it has copied
  std::size_t push(pid_t receiver, std::span<const std::byte> from) {
    const std::uint64_t room = target();
    if (room == 0 || has_left()) return 0;
    const Share next = take(from.size());
    if (next.bytes == 0) return 0;
    if (!copy_to(receiver, room + next.begin, from.subspan(next.begin, next.bytes), lies_)) {
      leave(next);
      return 0;
    }
    copied(next);
    return next.bytes;
  }

  [[nodiscard]] bool complete(std::size_t message) const { return copied_.load(std::memory_order_acquire) == message; }

 private:
  /// The sender cannot write where this share goes, and will take no more.
  void leave(const Share& undone) { left_.store(undone.begin + 1, std::memory_order_release); }
  /// What the sender has left to the receiver, once; an empty share: nothing.
  Share take_left(std::size_t message) {
    const std::uint64_t left = left_.load(std::memory_order_acquire);
    if (left == 0 || left == taken_over) return {};
    left_.store(taken_over, std::memory_order_relaxed);
    return share_from(left - 1, message);
  }
  [[nodiscard]] Share share_from(std::size_t begin, std::size_t message) const {
    return {begin, message - begin < share_ ? message - begin : share_};
  }

  static constexpr std::uint64_t taken_over = ~std::uint64_t{0};

  std::size_t share_ = share;                 ///< the sender's, before its RTS
  Target lies_ = Target::perhaps_in_a_cache;  ///< the receiver's, before the target
  std::atomic<std::uint64_t> target_{0};
  std::atomic<std::uint64_t> taken_{0};
  std::atomic<std::uint64_t> copied_{0};
  std::atomic<std::uint64_t> left_{0};  ///< 0, or one more than where the share begins that the sender has left
};

}  // namespace raddle::node
