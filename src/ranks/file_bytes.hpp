// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a file that may be changed here: the file stays what it is.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace raddle::ranks {

/// Why a program cannot be loaded, and how it has to be built.
class NotLoadable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The whole of a file. Where the system can map it, only what is looked at is read, and only what is changed is
/// copied.
class FileBytes {
 public:
  /// @throws NotLoadable
  explicit FileBytes(const std::string& path);
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&&) = delete;
  ~FileBytes();

  [[nodiscard]] std::span<char> bytes() { return bytes_; }
  [[nodiscard]] std::span<const char> bytes() const { return bytes_; }

  /// Of the file, to map parts of it as they are; -1: it cannot be mapped.
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  [[nodiscard]] bool map(int file);
  void read_from(int file, const std::string& path);

  std::span<char> bytes_;
  int descriptor_ = -1;
  std::vector<char> read_;  ///< those of a file that cannot be mapped
};

}  // namespace raddle::ranks
