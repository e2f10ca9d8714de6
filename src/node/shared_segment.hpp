// SPDX-License-Identifier: BSD-3-Clause
// Memory that the processes of a node share and that cannot outlive them.
//
// The first choice is a file in memory that has no name (memfd_create): it ends with the last process that has it,
// whatever ends that one, and no limit of /dev/shm applies. Others open it through /proc, by the pid of its creator,
// which therefore lives until all have it. Where there is no memfd or /proc, or processes do not see each other's pids,
// it is POSIX shared memory with a random name, which is there until all_have_it(): a process killed before leaves it
// behind.
//
// Pages come with the first touch, near the thread that touches: taking them at creation would cost 0.4 ms a MiB and
// put them near the creator. So a memfd that does not fit into memory ends as memory that does not fit always does.
// Named memory has the limit of /dev/shm on top (64 MiB in many containers), whose excess would be a SIGBUS: there all
// pages are taken at creation.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace raddle::node {

class SharedSegment {
 public:
  enum class Kind {
    nameless,  ///< named where the system has no nameless ones
    named,
  };

  /// Makes one of `bytes` zeros, > 0. Only this user can open it. A nameless one, of which nothing is used that is not
  /// touched, is longer by `spare`.
  /// @throws std::system_error with what was tried: no memory, no file descriptor, a limit
  static SharedSegment create(std::size_t bytes, Kind kind = Kind::nameless, std::size_t spare = 0);

  /// Zeros for this process alone, which nobody opens: much quicker to make.
  /// @throws std::system_error with what was tried: no memory
  static SharedSegment alone(std::size_t bytes);

  /// Maps the one another process of the same node and user has made. @param bytes and
  /// spare as it was created with
  /// @throws std::system_error with what was tried: its creator has ended or is not seen, it has lost its name, or
  /// it is another segment than `address` says
  static SharedSegment open(const std::string& address, std::size_t bytes, std::size_t spare = 0);

  SharedSegment(SharedSegment&& other) noexcept;
  SharedSegment& operator=(SharedSegment&& other) noexcept;
  SharedSegment(const SharedSegment&) = delete;
  SharedSegment& operator=(const SharedSegment&) = delete;
  /// Unmaps; the creator also removes the name, if there still is one.
  ~SharedSegment();

  /// The memory, at the start of a page.
  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return memory_; }

  /// What open() needs: at most 60 characters.
  [[nodiscard]] const std::string& address() const noexcept { return address_; }

  /// Whether that is the address of a nameless one, which only processes can open that see each other's pids.
  [[nodiscard]] static bool is_nameless(const std::string& address) { return address.find(':') != std::string::npos; }

  /// Whether it has a name that this process, its creator, has to remove.
  [[nodiscard]] bool named() const noexcept { return !name_.empty(); }

  /// Nobody opens it any more: its creator removes the name, if there is one, and closes the file.
  void all_have_it() noexcept;

 private:
  SharedSegment() = default;
  void swap(SharedSegment& other) noexcept;
  bool make_nameless();
  void make_named();
  void resize(std::size_t bytes);
  void map(std::size_t bytes);

  std::span<std::byte> memory_;
  std::string address_;
  std::string name_;
  int file_ = -1;  ///< which others open; -1: none
};

}  // namespace raddle::node
