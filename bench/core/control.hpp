// SPDX-License-Identifier: BSD-3-Clause
// What the processes of a launch say to each other outside the timed regions. Used by thread 0 of each process only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace raddle::bench {

class Control {
 public:
  virtual ~Control() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  virtual void barrier() = 0;
  /// Ends every process of the launch; what was printed stays.
  [[noreturn]] virtual void abort(int status) = 0;
  /// Bytes of rank 0 for everyone.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  /// One block of equal size from each rank, concatenated on every rank.
  virtual std::vector<std::byte> all_gather(std::span<const std::byte> mine) = 0;

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  T broadcast_value(T value) {
    broadcast(std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  std::string broadcast_text(std::string text);
  std::vector<std::string> all_gather_text(const std::string& mine);

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  std::vector<T> all_gather_values(std::span<const T> mine) {
    const auto bytes = all_gather(std::as_bytes(mine));
    std::vector<T> all(bytes.size() / sizeof(T));
    std::copy_n(bytes.data(), bytes.size(), reinterpret_cast<std::byte*>(all.data()));
    return all;
  }
};

/// A launch of a single process: the physical probe and the unit tests.
class LocalControl final : public Control {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  void barrier() override {}
  [[noreturn]] void abort(int status) override { std::_Exit(status); }
  void broadcast(std::span<std::byte>) override {}
  std::vector<std::byte> all_gather(std::span<const std::byte> mine) override { return {mine.begin(), mine.end()}; }
};

}  // namespace raddle::bench
