// SPDX-License-Identifier: BSD-3-Clause
// The buffer of MPI_Bsend (MPI-4.1 section 3.6). Raddle keeps copies in memory of its own, but only as much as the
// program has attached room for: a program that works here works with any MPI.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace raddle::endpoints::buffered {

/// The room of a process, or of a rank that threads have adopted. Messages may outlive the call that sent them, so
/// accounts are never freed.
struct Account {
  std::atomic<std::int64_t> attached{0};
  std::atomic<std::int64_t> used{0};
};

/// That of the calling thread.
[[nodiscard]] Account& account();

/// The program has attached a buffer of this size; 0: it has detached it.
void attach(std::int64_t bytes);

/// Memory for a message, which counts until it is given up; nullptr if the attached buffer has not got the room.
std::shared_ptr<std::byte[]> room(std::size_t bytes);

/// Whether some message is not out of the buffer.
bool in_use();

}  // namespace raddle::endpoints::buffered
