// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/pcx.hpp"

#include "sparse/check.hpp"

namespace raddle::sparse {

Pcx::Pcx(const Round& round, std::span<const Message> messages, Sink& sink)
    : sender_(round, Kind::payload),
      receiver_(round, Kind::payload, sink),
      counts_(static_cast<std::size_t>(round.size), 0) {
  for (const Message& message : messages) ++counts_[static_cast<std::size_t>(message.rank)];
  check(MPI_Ireduce_scatter_block(counts_.data(), &awaited_, 1, MPI_INT, MPI_SUM, round.comm, &counting_));
  for (const Message& message : messages) sender_.send(message);
}

Step Pcx::step() {
  bool moved = false;
  if (!counted_) moved = counted_ = completed(counting_);
  // What comes before its number is known is as good.
  const std::size_t most = counted_ ? static_cast<std::size_t>(awaited_) - found_ : Receiver::some;
  if (most > 0) {
    const std::size_t found = receiver_.look(most);
    found_ += found;
    moved = moved || found > 0;
  }
  moved = receiver_.settle() || moved;
  const bool over = counted_ && found_ == static_cast<std::size_t>(awaited_) && receiver_.idle() && sender_.done();
  return over ? Step::over : moved_if(moved);
}

}  // namespace raddle::sparse
