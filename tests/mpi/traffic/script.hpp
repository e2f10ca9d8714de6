// SPDX-License-Identifier: BSD-3-Clause
// Who sends what to whom in a round: every context derives the same from the seed, so that receivers know what to
// expect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "layout.hpp"
#include "matching.hpp"

namespace raddle::traffic {

enum class Mode {
  isend,
  issend,
  send_init,
  ssend_init,
  isendrecv,
  isendrecv_replace,
  bsend,
  ibsend,
  bsend_init,
  send,
  ssend,
  rsend,
  irsend,
  rsend_init,
  sendrecv,
  sendrecv_replace,
};

/// Whether the call may return only after the message has been received.
bool blocks(Mode mode) noexcept;
bool persistent(Mode mode) noexcept;
const char* call_of(Mode mode) noexcept;

struct Message {
  int source;
  int dest;
  int tag;
  int number;  ///< among those of its source to its destination
  std::size_t units;
  Mode mode;
  bool awaited;  ///< its receive is posted before anybody sends
  int stage;     ///< a context waits for messages of a stage only after it has sent its own of that stage
};

/// Traffic on one communicator, or of those threads there that use the same tags.
struct Traffic {
  std::uint64_t key;
  int contexts;
  int first_tag;
  bool buffered;  ///< MPI_Bsend may be used
  /// Leaves out what these versions get wrong, so that all else can be tested on them:
  ///   MPICH 5.0.2: the status of MPI_Isendrecv is that of another message;
  ///   MPICH 5.0.2, Intel MPI 2021.18.1: MPI_Request_get_status takes the status of a persistent receive away;
  ///   MPICH 5.0.2: some KiB of a struct of different types are cut between its types, and refused (MPI_ERR_TYPE);
  ///   truncation: MPICH and Intel MPI do not always tell of it, Open MPI 5.0.11 not of a message to oneself that is
  ///     awaited, and a long one runs over the buffer.
  bool spare;
};

/// Tags by what they are for; few, so that messages meet.
constexpr int plain_tags = 3;
constexpr int awaited_tags = 2;
constexpr int tags_apart = 100;
int plain_tag(const Traffic& traffic, int which) noexcept;
int awaited_tag(const Traffic& traffic, int which) noexcept;
/// One that nobody sends.
int unsent_tag(const Traffic& traffic) noexcept;

struct Round {
  int number;
  std::uint64_t key;
  Signature signature;
  /// In some rounds one context only receives and all others only send, so that they can use calls that wait for a
  /// receive which nobody has announced; `any` in the others.
  int sink;
  std::vector<std::vector<Message>> from;  ///< by source, in the order of sending

  [[nodiscard]] std::size_t messages() const noexcept;
  /// What tells the content of this message.
  [[nodiscard]] std::uint64_t key_of(const Message& message) const noexcept;
};

Round make_round(const Traffic& traffic, int number);

}  // namespace raddle::traffic
