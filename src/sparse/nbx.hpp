// SPDX-License-Identifier: BSD-3-Clause
// NBX, the nonblocking census: whoever has seen its synchronous sends received enters a barrier, and goes on receiving
// until the barrier is through. Memory and messages in proportion to a rank's own messages, and log P.
// Source: Hoefler, Siebert, Lumsdaine, PPoPP '10, section 4.4 (algorithm NBX).
#pragma once

#include <mpi.h>

#include <span>

#include "sparse/message.hpp"
#include "sparse/receiver.hpp"
#include "sparse/round.hpp"
#include "sparse/sender.hpp"
#include "sparse/way.hpp"

namespace raddle::sparse {

class Nbx final : public Way {
 public:
  /// @param kind  of its messages; none goes to the own rank
  Nbx(const Round& round, Kind kind, std::span<const Message> messages, Sink& sink);
  Step step() override;

 private:
  MPI_Comm comm_;
  Sender sender_;
  Receiver receiver_;
  MPI_Request barrier_ = MPI_REQUEST_NULL;
  bool entered_ = false;
  bool through_ = false;
};

}  // namespace raddle::sparse
