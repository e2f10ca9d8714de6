// SPDX-License-Identifier: BSD-3-Clause
// The buffers of MPI_Bsend (MPI-4.1 section 3.6). Raddle keeps copies in memory of its own, of no more bytes than the
// program has attached room for.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace raddle::endpoints {
class Endpoint;
}

namespace raddle::endpoints::buffered {

/// The room of a process, of a rank that threads have adopted, or of an endpoint. Messages may outlive whose it was.
class Account : public std::enable_shared_from_this<Account> {
 public:
  /// @returns false if a buffer is attached already, or the size is none
  bool attach(void* where, std::int64_t bytes);
  /// @param where  nullptr if none was attached. @returns false, and does nothing, while a message is in it
  [[nodiscard]] bool detach(void*& where, std::int64_t& bytes);
  [[nodiscard]] bool attached() const { return bytes_.load(std::memory_order_relaxed) != none; }

  /// Memory for a message of `from`, which counts until it is given up; nullptr if there is no room for it.
  std::shared_ptr<std::byte[]> room(std::size_t bytes, Endpoint& from);

  /// The number of the next message: those before it have entered.
  [[nodiscard]] std::uint64_t entered();
  /// Whether all messages before this one are out.
  [[nodiscard]] bool out(std::uint64_t before);
  /// Calls `act` with the endpoint of a message that is not out, which lives until `act` returns.
  /// @returns whether there was one
  template <typename Act>
  bool with_sender(Act&& act) {
    const std::lock_guard lock(guard_);
    if (messages_.empty()) return false;
    act(*messages_.begin()->second);
    return true;
  }

 private:
  static constexpr std::int64_t none = -1;

  void leave(std::uint64_t number, std::int64_t needed);

  std::mutex guard_;
  std::atomic<std::int64_t> bytes_{none};
  std::int64_t room_ = 0;  ///< that is left
  void* where_ = nullptr;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, Endpoint*> messages_;
};

/// That of the rank that the calling thread has adopted, or else of the process.
[[nodiscard]] Account& account();

}  // namespace raddle::endpoints::buffered
