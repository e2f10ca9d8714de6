// SPDX-License-Identifier: BSD-3-Clause
// Collective access to a file by the endpoints of a process. What they write in short pieces between one another's goes
// to the file in long ones, and likewise what they read: each of them does some blocks of the file, for all.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "endpoints/files/disk.hpp"
#include "endpoints/files/view.hpp"

namespace raddle::endpoints {

class Mover;

/// What the endpoints of a process share that have opened a file together.
class Merging {
 public:
  explicit Merging(int members);

  /// What an endpoint moves.
  struct Part {
    const FileView* view = nullptr;
    std::int64_t position = 0;
    std::span<std::byte> data;  ///< only read where it is written to the file
    bool writes = false;
    std::int64_t size = 0;  ///< of the file, for what is read
  };

  /// One of them: which, and what it has done so far.
  struct Member {
    int index = 0;
    std::uint64_t calls = 0;
    std::uint64_t meetings = 0;
  };

  /// A call of all of them, which waits for all others.
  /// @param done  how many bytes have been moved. @returns an errno: of merged ones, that of any
  int run(Mover& mover, const char* call, Member& member, const Part& part, const Disk& disk, std::size_t& done);

 private:
  /// There are two, since who is told last that a call is over may still look at it when others begin the next one.
  struct Call {
    std::vector<Part> parts;
    std::atomic<int> error{0};
  };

  void meet(Mover& mover, const char* call, Member& member);

  int members_;
  std::atomic<std::uint64_t> came_{0};
  std::array<Call, 2> calls_;
};

}  // namespace raddle::endpoints
