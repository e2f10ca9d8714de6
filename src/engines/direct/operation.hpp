// SPDX-License-Identifier: BSD-3-Clause
// A send or a receive that is under way at an endpoint.
#pragma once

#include <cstddef>
#include <cstdint>

#include "endpoints/datatypes/body.hpp"
#include "endpoints/requests/ended.hpp"
#include "engines/direct/matching.hpp"
#include "engines/direct/packet.hpp"

namespace raddle::direct {

enum class Outcome : std::uint8_t {
  good,
  truncated,  ///< the message was longer than the room; what fits has been received (MPI-4.1 section 3.2.4)
  cancelled,
  unreachable,  ///< the sender's memory could not be read
};

/// Whoever reads its end may read the rest, and may give the operation another use: completing is the last access.
///
/// What a short message needs is in the first line, but for its status.
struct alignas(64) Operation : Posted {
  endpoints::Body body;
  endpoints::End end{endpoints::Ended::no};
  Outcome outcome = Outcome::good;
  bool sends = false;
  bool synchronous = false;  ///< a send that completes when it is matched

  // What became of a receive: its message.
  int from = any;
  int with_tag = any;
  std::size_t bytes = 0;

  int peer = 0;                ///< of a send: to whom; of a receive: from whom the message under way comes
  std::size_t moved = 0;       ///< bytes of the message that have been moved
  Reference other_side = 0;    ///< the operation of the peer
  std::uint64_t address = 0;   ///< of a receive: where the message lies in the sender's process
  std::int64_t transfer = -1;  ///< the sender's Transfer, if both may copy
  bool beside = false;         ///< of a send: the message travels beside the packets
  enum class Cancelling : std::uint8_t {
    no,
    asked,
    unanswerable,  ///< asked; the receiver's process has left
    answered,
  } cancelling = Cancelling::no;  ///< a send

  Operation* next_active = nullptr;  ///< of those that progress has to do something for
  Operation** active_link = nullptr;

  void complete(Outcome how) {
    outcome = how;
    end.store(how == Outcome::good ? endpoints::Ended::well : endpoints::Ended::otherwise, std::memory_order_release);
  }
  [[nodiscard]] bool complete() const { return end.load(std::memory_order_acquire) != endpoints::Ended::no; }
};

inline Reference reference_to(Operation& operation) { return reinterpret_cast<Reference>(&operation); }
inline Operation& operation_of(Reference reference) { return *reinterpret_cast<Operation*>(reference); }

}  // namespace raddle::direct
