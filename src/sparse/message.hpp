// SPDX-License-Identifier: BSD-3-Clause
// What is exchanged, in bytes, and where it goes: what it means is the caller's. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace raddle::sparse {

/// To a rank, or from one.
struct Message {
  int rank;
  std::span<const std::byte> bytes;
};

/// Where the messages of an exchange go. One thread at a time.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  /// So many messages with so many bytes in all will be asked for next: their rooms are to lie in one piece of memory.
  virtual void expect(std::size_t messages, std::size_t bytes) = 0;
  /// Room for a message. Messages of one source ask in the order in which it gave them.
  virtual std::byte* room(int source, std::size_t bytes) = 0;
  /// It is there; its room is the sink's again. In the order of room() for each source.
  virtual void arrived(int source, std::span<const std::byte> bytes) = 0;

 protected:
  ~Sink() = default;
};

/// Copies a message that lies elsewhere.
inline void hand_over(Sink& sink, int source, std::span<const std::byte> bytes) {
  std::byte* const room = sink.room(source, bytes.size());
  if (!bytes.empty()) std::memcpy(room, bytes.data(), bytes.size());
  sink.arrived(source, {room, bytes.size()});
}

}  // namespace raddle::sparse
