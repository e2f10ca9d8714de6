// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/nbx.hpp"

#include "sparse/check.hpp"

namespace raddle::sparse {

Nbx::Nbx(const Round& round, Kind kind, std::span<const Message> messages, Sink& sink)
    : comm_(round.comm), sender_(round, kind), receiver_(round, kind, sink) {
  for (const Message& message : messages) sender_.send_synchronously(message);
}

Step Nbx::step() {
  bool moved = !through_ && receiver_.look(Receiver::some) > 0;
  moved = receiver_.settle() || moved;
  if (!entered_ && sender_.done()) {
    check(MPI_Ibarrier(comm_, &barrier_));
    entered_ = true;
    moved = true;
  }
  if (entered_ && !through_) through_ = completed(barrier_);  // all messages of all have been found by their receivers
  return through_ && receiver_.idle() ? Step::over : moved_if(moved);
}

}  // namespace raddle::sparse
