// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/collective.hpp"

namespace raddle::endpoints::collectives {

Collective::Collective(Context& context, int rank) : context_(context), rank_(rank), index_(place(rank).index) {}

void Collective::restart() {
  stage_ = Stage::outside;
  awaited_ = 0;
  error_ = MPI_SUCCESS;
  end_.store(Ended::no, std::memory_order_relaxed);
}

bool Collective::advance_on_node(std::uint64_t number) {
  Meeting& all = node().meeting();
  if (stage_ == Stage::outside) {
    number_ = number;
    if (!all.open(number_)) return false;
    sit_on_node();
    stage_ = Stage::arrived;
    all.arrive(number_, rank_);
  }
  if (stage_ == Stage::arrived) {
    for (; awaited_ < size(); ++awaited_) {
      if (awaits(awaited_) && !all.has_arrived(number_, awaited_)) return false;
    }
    if (!take_on_node()) return false;
    stage_ = Stage::taken;
    all.finish(number_, rank_);
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
