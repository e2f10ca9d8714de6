// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/collective.hpp"

namespace raddle::endpoints::collectives {

Collective::Collective(Context& context, int rank) : context_(context), rank_(rank), index_(place(rank).index) {}

void Collective::restart() {
  stage_ = Stage::outside;
  sat_ = taken_ = 0;
  awaited_ = 0;
  error_ = MPI_SUCCESS;
  end_.store(Ended::no, std::memory_order_relaxed);
}

bool Collective::sit_in_next_round() {
  Meeting& all = node().meeting();
  if (sat_ == rounds_ || !all.open(number_ + sat_)) return false;
  sit_on_node(sat_);
  all.arrive(number_ + sat_, rank_);
  if (++sat_ == rounds_) stage_ = Stage::arrived;
  return true;
}

bool Collective::take_next_round() {
  if (taken_ == sat_) return false;
  Meeting& all = node().meeting();
  for (; awaited_ < size(); ++awaited_) {
    if (awaits(awaited_) && !all.has_arrived(number_ + taken_, awaited_)) return false;
  }
  if (!take_on_node(taken_)) return false;
  all.finish(number_ + taken_, rank_);
  awaited_ = 0;
  if (++taken_ == rounds_) stage_ = Stage::taken;
  return true;
}

bool Collective::advance_on_node(std::uint64_t number) {
  number_ = number;
  for (bool sat = true, took = true; stage_ < Stage::taken && (sat || took);) {
    sat = sit_in_next_round();
    took = take_next_round();
  }
  if (stage_ == Stage::taken && released_on_node()) stage_ = Stage::released;
  return stage_ == Stage::released;
}

bool Collective::advance(std::uint64_t number) {
  if (on_node_) return advance_on_node(number);
  if (stage_ == Stage::outside) {
    number_ = number;
    if (!meeting().open(number_)) return false;
    Seat& mine = meeting().seat(number_, index_);
    mine.part = this;
    sit(mine);
    stage_ = Stage::arrived;
    meeting().arrive(number_, index_);
  }
  if (stage_ == Stage::arrived) prepare();
  context_.progress(index_);
  if (stage_ == Stage::arrived) {
    if (!context_.is_exchanged(number_) || !can_take()) return false;
    if (!context_.alone()) fail(exchanged().error);
    if (error_ == MPI_SUCCESS && !take()) return false;
    stage_ = Stage::taken;
    meeting().finish(number_, index_);
  }
  if (stage_ == Stage::taken && released()) stage_ = Stage::released;
  return stage_ == Stage::released;
}

}  // namespace raddle::endpoints::collectives
