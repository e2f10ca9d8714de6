// SPDX-License-Identifier: BSD-3-Clause
// An open file of the system. Knows no MPI: functions return 0 or an errno.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace raddle::endpoints {

class Disk {
 public:
  enum class Access : std::uint8_t { reads, writes, both };

  Disk() = default;
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  ~Disk() { close(); }

  int open(const std::string& path, Access access);
  void close();

  /// @param done  how many bytes there were: fewer than asked for only at the end of the file
  int read(std::int64_t offset, std::span<std::byte> room, std::size_t& done) const;
  [[nodiscard]] int write(std::int64_t offset, std::span<const std::byte> bytes) const;

  int size(std::int64_t& bytes) const;
  [[nodiscard]] int resize(std::int64_t bytes) const;
  /// Has room for so many bytes, and at least this size.
  [[nodiscard]] int allocate(std::int64_t bytes) const;
  /// What was written is on the medium, and what others have written will be read.
  [[nodiscard]] int sync() const;

  /// Others, also threads of this process, who have opened the file and lock some of this range wait meanwhile.
  class Lock {
   public:
    Lock(const Disk& disk, std::int64_t offset, std::int64_t bytes, bool writes);
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock();
    /// Why there is none: an errno.
    [[nodiscard]] int error() const { return error_; }

   private:
    const Disk& disk_;
    std::int64_t offset_;
    std::int64_t bytes_;
    int error_;
  };

 private:
  [[nodiscard]] int lock(int type, std::int64_t offset, std::int64_t bytes) const;

  int descriptor_ = -1;
  Access access_ = Access::both;
};

}  // namespace raddle::endpoints
