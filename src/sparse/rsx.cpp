// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/rsx.hpp"

#include "sparse/check.hpp"

namespace raddle::sparse {

Rsx::Rsx(const Round& round, const Counters& counters, std::span<const Message> messages, Sink& sink)
    : round_(round), counters_(counters), sender_(round, Kind::payload), receiver_(round, Kind::payload, sink) {
  for (const Message& message : messages) ++sums_[message.rank].number;
  for (auto& [rank, sum] : sums_) counters_.add(sum.number, sum.earlier, rank, round.parity, sum.request);
  adding_ = sums_.begin();
  for (const Message& message : messages) sender_.send(message);
}

bool Rsx::added() {
  for (; adding_ != sums_.end(); ++adding_) {
    if (!completed(adding_->second.request)) return false;
  }
  return true;
}

Step Rsx::step() {
  bool moved = false;
  if (stage_ == Stage::adding && added()) {
    check(MPI_Ibarrier(round_.comm, &barrier_));
    stage_ = Stage::barrier;
    moved = true;
  }
  if (stage_ == Stage::barrier && completed(barrier_)) {
    awaited_ = static_cast<std::size_t>(counters_.take(round_.parity));
    stage_ = Stage::known;
    moved = true;
  }
  const bool known = stage_ == Stage::known;
  const std::size_t most = known ? awaited_ - found_ : Receiver::some;
  if (most > 0) {
    const std::size_t found = receiver_.look(most);
    found_ += found;
    moved = moved || found > 0;
  }
  moved = receiver_.settle() || moved;
  return known && found_ == awaited_ && receiver_.idle() && sender_.done() ? Step::over : moved_if(moved);
}

}  // namespace raddle::sparse
