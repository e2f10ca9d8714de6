// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/between_groups.hpp"

#include <utility>

#include "endpoints/collectives/pieces.hpp"
#include "endpoints/communicators/communicator.hpp"

namespace raddle::endpoints::collectives {

struct ReductionBetween::Plan {
  Plan(const Communicator& communicator, int rank, const Arguments& arguments)
      : elements(arguments.type),
        places(static_cast<std::size_t>(communicator.size())),
        outgoing(places.size()),
        incoming(places.size()) {
    const RankSpan peers = communicator.peers_of(rank);
    const bool reduces = arguments.called == Call::Kind::reduce;
    combines = !reduces || arguments.root >= 0;
    gets = !reduces || arguments.root == MPI_ROOT;
    leads = combines && rank == communicator.group_of(rank).first;
    if (leads) {
      result = elements.room(result_memory, arguments.count);
      for (int peer = 0; peer < peers.size; ++peer) {
        if (!reduces || peer == arguments.root)
          outgoing[static_cast<std::size_t>(peers.first + peer)] = static_cast<std::int64_t>(arguments.count);
      }
    }
    if (gets) incoming[static_cast<std::size_t>(peers.first)] = static_cast<std::int64_t>(arguments.count);
    // The other group knows nothing of who gets which part of its result.
    const bool all_of_it = arguments.called != Call::Kind::reduce_scatter;
    room = all_of_it || !gets ? arguments.out : elements.room(room_memory, arguments.count);
  }

  /// All pieces are at one address: of those that are not empty there is one, or they are the same.
  [[nodiscard]] Movement::Arguments movement(const Arguments& arguments) const {
    const auto pieces = [&](const void* at, const std::vector<std::int64_t>& counts) {
      return Pieces::varying(at, Numbers(counts.data()), Numbers(places.data()), arguments.type);
    };
    return {Movement::Kind::alltoall, 0, pieces(result, outgoing), pieces(gets ? room : nullptr, incoming), false,
            arguments.called};
  }

  Elements elements;
  std::vector<std::int64_t> places;  ///< zeros
  std::vector<std::int64_t> outgoing;
  std::vector<std::int64_t> incoming;
  std::vector<std::byte> result_memory;
  std::vector<std::byte> room_memory;
  void* result = nullptr;
  void* room = nullptr;
  bool combines = false;  ///< the other group gets what this one combines
  bool leads = false;     ///< this rank sends it
  bool gets = false;      ///< this rank gets some of the other group's
};

ReductionBetween::ReductionBetween(Context& context, int rank, const Arguments& arguments)
    : ReductionBetween(context, rank, arguments, std::make_unique<Plan>(context.communicator(), rank, arguments)) {}

ReductionBetween::ReductionBetween(Context& context, int rank, const Arguments& arguments, std::unique_ptr<Plan> plan)
    : Movement(context, rank, plan->movement(arguments)), arguments_(arguments), plan_(std::move(plan)) {
  if (!plan_->combines) return;
  const Communicator& both = context.communicator();
  in_group_ = std::make_unique<Reduction>(
      context.of_side(both.side_of(rank)), both.rank_in_group(rank),
      Reduction::Arguments{Reduction::Kind::reduce, 0, arguments.in, plan_->result, arguments.count, arguments.type,
                           arguments.op, Numbers(), false});
}

ReductionBetween::~ReductionBetween() = default;

int ReductionBetween::bring() {
  if (in_group_) {
    if (const int code = in_group_->bring(); code != MPI_SUCCESS) return code;
  }
  is_early_ = in_group_ != nullptr;
  return Movement::bring();
}

int ReductionBetween::again() {
  number_in_group_ = 0;
  if (in_group_) {
    if (const int code = in_group_->again(); code != MPI_SUCCESS) return code;
  }
  is_early_ = in_group_ != nullptr;
  return Movement::again();
}

/// Ranks come here in the order of their calls, for one that is early keeps back those behind it.
bool ReductionBetween::become_ready() {
  if (number_in_group_ == 0) number_in_group_ = context().has_own_sides() ? ++starts_ : ++*arguments_.calls;
  if (!in_group_->advance(number_in_group_)) return false;
  fail(in_group_->error());
  fail(Movement::bring());  // the result is there now
  return true;
}

void ReductionBetween::give_own_part() {
  if (arguments_.called != Call::Kind::reduce_scatter) return;
  fail(plan_->elements.copy(plan_->elements.at(plan_->room, arguments_.own_first), arguments_.out,
                            arguments_.own_count));
}

bool ReductionBetween::take() {
  if (!Movement::take()) return false;
  give_own_part();
  return true;
}

bool ReductionBetween::take_on_node(std::uint64_t round) {
  if (!Movement::take_on_node(round)) return false;
  give_own_part();
  return true;
}

}  // namespace raddle::endpoints::collectives
