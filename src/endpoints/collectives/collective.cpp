// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/collective.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "platform/mpi_quirks.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints::collectives {

namespace {

/// How often a part looks whether others still read what it has brought, when ranks are out of step.
constexpr unsigned most_looks = 10000;
/// After so many in vain it is asked whether other processes have called something else.
constexpr unsigned many_looks = 1024;

}  // namespace

int unlike_error(const Call& mine, const Call& other, const std::string& both) {
  const Unlike difference = collectives::difference(mine, other);
  const int error_class = difference == Unlike::root        ? MPI_ERR_ROOT
                          : difference == Unlike::op        ? MPI_ERR_OP
                          : difference == Unlike::less_here ? MPI_ERR_TRUNCATE
                                                            : MPI_ERR_OTHER;
  return error_with(error_class, "Raddle: calls that do not match: " + both);
}

int out_of_step(const Discord& discord) {
  return error_with(MPI_ERR_OTHER, "Raddle: collectives of this communicator are out of step: " + discord.why());
}

Collective::Collective(Context& context, int rank) : context_(context), rank_(rank), index_(place(rank).index) {}

void Collective::restart() {
  phase_ = Phase::outside;
  sat_ = taken_ = 0;
  awaited_ = 0;
  number_ = 0;
  apart_ = 0;
  unlike_ = false;
  looks_ = 0;
  error_ = MPI_SUCCESS;
  end_.store(Ended::no, std::memory_order_relaxed);
}

std::string Collective::both_calls(int rank, const Call& mine, int other_rank, const Call& other) const {
  return unlike_calls(communicator().rank_in_group(rank), mine, communicator().rank_in_group(other_rank), other);
}

bool may_be_shorter(const Call& mine, const Call& roots) {
  return mine.kind == Call::Kind::bcast && mine.apart == roots.apart && difference(mine, roots) == Unlike::more_here &&
         !platform::quirks().refuses_short_bcast;
}

bool Collective::agrees_otherwise(std::uint64_t word, int rank) {
  const Call mine = Call::of(call_);
  const Call other = Call::of(word);
  const Unlike difference = collectives::difference(mine, other);
  const bool of_other_length = mine.bytes != other.bytes && mine.apart == other.apart &&
                               (difference == Unlike::less_here || difference == Unlike::more_here);
  const bool can_follow = of_other_length && follows();
  if (can_follow) {
    expected_ = word;
    if (on_node_) rounds_ = rounds_of(other);
    rounds_known_ = true;
    if (may_be_shorter(mine, other)) return true;
  }
  const std::string both = both_calls(rank_, mine, rank, other);
  unlike_ = true;
  rounds_known_ = true;
  fail(unlike_error(mine, other, both));
  if (last_on_node_ != nullptr && !can_follow && !in_step(mine, other)) node().meeting().discord().tell(number_, both);
  return false;
}

void Collective::leave_numbers() {
  if (sat_ < rounds_ || !rounds_known_ || phase_ != Phase::outside) return;
  phase_ = Phase::arrived;
  *last_on_node_ = number_ + rounds_ - 1;
}

bool Collective::sit_in_next_round() {
  Meeting& all = node().meeting();
  if (sat_ == rounds_ || (sat_ > 0 && !rounds_known_) || !all.open(number_ + sat_)) return false;
  all.seat(number_ + sat_, rank_).call = call_;
  sit_on_node(sat_);
  all.arrive(number_ + sat_, rank_);
  ++sat_;
  leave_numbers();
  return true;
}

bool Collective::take_next_round() {
  if (taken_ == sat_) return false;
  Meeting& all = node().meeting();
  for (; !unlike_ && awaited_ < size(); ++awaited_) {
    if (!awaits(awaited_)) continue;
    const std::optional<std::uint64_t> other = all.call_of(number_ + taken_, awaited_);
    if (!other) return false;
    if (!agrees(*other, awaited_)) break;
    rounds_known_ = true;
  }
  if (!unlike_ && !take_on_node(taken_)) return false;
  all.finish(number_ + taken_, rank_);
  awaited_ = 0;
  ++taken_;
  leave_numbers();
  if (taken_ == rounds_ && phase_ == Phase::arrived) phase_ = Phase::taken;
  return true;
}

bool Collective::advance_on_node() {
  if (number_ == 0) {
    number_ = *last_on_node_ + 1;
    call_ = expected_ = call().word();
    rounds_known_ = !follows();
  }
  for (bool sat = true, took = true; phase_ < Phase::taken && (sat || took);) {
    sat = sit_in_next_round();
    took = take_next_round();
  }
  if (phase_ == Phase::taken && released_on_node()) phase_ = Phase::released;
  return phase_ == Phase::released;
}

/// Ranks that share memory and go by processes have told each other so before: otherwise some would wait there, and
/// others elsewhere.
bool Collective::all_go_apart() {
  Meeting& all = node().meeting();
  if (apart_ == 0) {
    if (!all.open(*last_on_node_ + 1)) return false;
    apart_ = ++*last_on_node_;
    MeetingSeat& mine = all.seat(apart_, rank_);
    mine.call = call_;
    mine.bytes = MeetingSeat::not_here;
    all.arrive(apart_, rank_);
    awaited_ = 0;
  }
  for (; awaited_ < size(); ++awaited_) {
    const std::optional<std::uint64_t> other = all.call_of(apart_, awaited_);
    if (!other) return false;
    if (alike_but_length(*other, call_)) continue;
    const std::string both = both_calls(rank_, Call::of(call_), awaited_, Call::of(*other));
    fail(unlike_error(Call::of(call_), Call::of(*other), both));
    all.discord().tell(apart_, both);
    return false;
  }
  all.finish(apart_, rank_);
  return true;
}

bool Collective::all_alike() {
  const auto& ranks = communicator().own_ranks();
  for (int index = 0; index < meeting().seats(); ++index) {
    const std::optional<std::uint64_t> other = meeting().call_of(number_, index);
    if (!other || alike_but_length(*other, call_)) continue;
    meeting().discord().tell(
        number_, both_calls(rank_, Call::of(call_), ranks[static_cast<std::size_t>(index)], Call::of(*other)));
    return false;
  }
  return true;
}

/// The words are read before anything else of another one: only a part of the same kind can be looked at.
void Collective::compare() {
  const auto& ranks = communicator().own_ranks();
  for (int index = 0; index < meeting().seats() && !unlike_; ++index) {
    const int other = ranks[static_cast<std::size_t>(index)];
    if (looks_at(other)) agrees(meeting().seat(number_, index).call, other);
  }
  if (!context_.alone() && !unlike_) agrees(exchanged().call, exchanged().caller);
}

bool Collective::advance_here(std::uint64_t number) {
  if (phase_ == Phase::outside) {
    if (number_ == 0) {
      number_ = number;
      Call mine = call();
      mine.apart = last_on_node_ != nullptr;
      call_ = expected_ = mine.word();
    }
    if (last_on_node_ != nullptr && !all_go_apart()) return false;
    if (!meeting().open(number_)) return false;
    MeetingSeat& mine = meeting().seat(number_, index_);
    mine.part = this;
    mine.call = call_;
    sit(mine);
    phase_ = Phase::arrived;
    meeting().arrive(number_, index_);
  }
  if (phase_ == Phase::arrived) prepare();
  context_.progress(index_);
  if (phase_ == Phase::arrived) {
    if (!context_.is_exchanged(number_) || !can_take()) return false;
    if (!context_.alone()) fail(exchanged().error);
    if (error_ == MPI_SUCCESS) compare();
    phase_ = Phase::alike;
  }
  if (phase_ == Phase::alike) {
    if (error_ == MPI_SUCCESS && !take()) return false;
    phase_ = Phase::taken;
    meeting().finish(number_, index_);
  }
  if (phase_ == Phase::taken && released()) phase_ = Phase::released;
  return phase_ == Phase::released;
}

bool Collective::gives_up() {
  const bool between = !on_node_ && !context_.alone();
  if (between && ++looks_ % many_looks == 0) context_.look_across(*this);
  const Discord* discord = nullptr;
  if (last_on_node_ != nullptr) {
    const std::uint64_t own = on_node_ ? number_ : apart_ != 0 ? apart_ : *last_on_node_ + 1;
    if (node().meeting().discord().concerns(own)) discord = &node().meeting().discord();
  }
  if (between && meeting().discord().concerns(number_) && !context_.is_exchanged(number_))
    discord = &meeting().discord();
  if (discord == nullptr) return false;
  if (!between && phase_ == Phase::taken && ++looks_ < most_looks) return false;
  if (between) {
    meeting().discord().tell(number_, discord->why());  // it may have been the node's
    context_.look_across(*this);
  }
  fail(out_of_step(*discord));
  if (on_node_) *last_on_node_ = std::max(*last_on_node_, number_ + sat_);  // others may still look at its seats
  phase_ = Phase::released;
  return true;
}

CollectiveRequest::CollectiveRequest(Endpoint& endpoint, std::unique_ptr<Held> held,
                                     std::unique_ptr<Collective> collective, std::shared_ptr<Context> own)
    : Request(&collective->end()), held_(std::move(held)), own_(std::move(own)), collective_(std::move(collective)) {
  belong_to(endpoint);
  persistent_ = own_ != nullptr;
  active_ = !persistent_;
  endpoint.communicator().hold();  // its handle may be freed before this has ended
  if (active_) endpoint.collectives().start(*collective_, endpoint.collectives().next(*collective_));
}

CollectiveRequest::~CollectiveRequest() {
  collective_.reset();
  own_.reset();
  endpoint_->communicator().let_go();
}

int CollectiveRequest::start() {
  if (const int code = collective_->again(); code != MPI_SUCCESS) return code;
  active_ = true;
  endpoint_->collectives().start(*collective_, ++starts_);
  return MPI_SUCCESS;
}

void CollectiveRequest::retire() {
  if (persistent_) {
    active_ = false;
  } else {
    delete this;
  }
}

void CollectiveRequest::abandon() {
  const std::unique_ptr<CollectiveRequest> ended(this);
  if (active_ && !collective_->complete()) {
    Collective& orphan = *collective_;
    orphan.keep_alive(std::move(held_), std::move(own_));
    endpoint_->collectives().adopt(std::move(collective_));
  }
}

}  // namespace raddle::endpoints::collectives
