// SPDX-License-Identifier: BSD-3-Clause
// Which handles belong to endpoints, and what stands behind each. Asked in every MPI call while there are endpoints, by
// any thread; changed seldom. Knows no MPI, so that it can be tested under ThreadSanitizer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace raddle::endpoints {

/// An open-addressing table whose readers neither lock nor wait: a look-up ends after at most one pass over the slots,
/// whatever other threads do, and is linearizable with their changes.
class HandleTable {
 public:
  /// `bit` of `gate` is set while there is anything in the table, so that one load can ask for several tables.
  constexpr HandleTable(std::atomic<std::uint32_t>& gate, std::uint32_t bit) : gate_(gate), bit_(bit) {}
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;
  ~HandleTable();

  /// What was put in for `handle`, or nullptr.
  [[nodiscard]] void* find(std::uint64_t handle) const noexcept;

  /// Puts in a handle that is not there. Not meant for each message: handles that are used again and again (those of
  /// requests) stay in while they lie in their pool.
  void insert(std::uint64_t handle, void* object);

  /// Takes a handle out, before the MPI is told to free it: it may give the same one out again at once.
  /// @returns what stood behind it, nullptr if it was not there
  void* erase(std::uint64_t handle);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t capacity() const;

 private:
  struct Slots;

  void grow();

  std::atomic<std::uint32_t>& gate_;
  std::uint32_t bit_;
  mutable std::mutex writers_;
  std::size_t live_ = 0;
  std::size_t used_ = 0;  ///< slots that are not empty: live ones and erased ones that a search must pass
  std::atomic<Slots*> slots_{nullptr};
};

}  // namespace raddle::endpoints
