// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"

#include <algorithm>

namespace raddle::collectives {
namespace {

using Use = Side::Use;

Content of(int rank, int block = 0) { return {rank, rank, block, 0}; }

/// What a rank sends: it stays.
Part sent(std::size_t units, const Content& content) { return {units, content}; }
Part received(std::size_t units, const Content& content) { return {units, {}, content}; }

class Planner {
 public:
  Planner(const Call& call, int rank) : call_(call), rank_(rank) {}

  Plan plan() {
    switch (call_.kind) {
      case Kind::barrier:
        break;
      case Kind::bcast:
        bcast();
        break;
      case Kind::gather:
      case Kind::gatherv:
        gather();
        break;
      case Kind::scatter:
      case Kind::scatterv:
        scatter();
        break;
      case Kind::allgather:
      case Kind::allgatherv:
        allgather();
        break;
      case Kind::alltoall:
      case Kind::alltoallv:
      case Kind::alltoallw:
        alltoall();
        break;
      case Kind::neighbor_allgather:
      case Kind::neighbor_allgatherv:
      case Kind::neighbor_alltoall:
      case Kind::neighbor_alltoallv:
      case Kind::neighbor_alltoallw:
        neighbors();
        break;
      case Kind::reduce_local:
        plan_.send = {Use::normal, false, {sent(call_.vector(), of(0))}};
        plan_.recv = {Use::normal, false, {{call_.vector(), of(1), Content{0, 1}}}};
        break;
      default:
        reduce();
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] bool is_root() const { return rank_ == call_.root; }

  void bcast() {
    Part part = received(call_.units(call_.root, rank_), of(call_.root));
    if (is_root()) part.before = part.after;
    plan_.recv = {Use::normal, false, {part}};
  }

  /// Blocks of all ranks, of which one's own may be there already.
  void collect() {
    plan_.recv = {Use::normal, true, {}};
    for (int from = 0; from < call_.size; ++from)
      plan_.recv.parts.push_back(received(call_.units(from, rank_), of(from)));
    if (call_.in_place) {
      Part& own = plan_.recv.parts[static_cast<std::size_t>(rank_)];
      own.before = own.after;
    }
  }

  void gather() {
    if (is_root()) collect();
    if (is_root() && call_.in_place) {
      plan_.send.use = Use::in_place;
    } else {
      plan_.send = {Use::normal, false, {sent(call_.units(rank_, call_.root), of(rank_))}};
    }
  }

  void scatter() {
    if (is_root()) {
      plan_.send = {Use::normal, true, {}};
      for (int to = 0; to < call_.size; ++to) plan_.send.parts.push_back(sent(call_.units(rank_, to), of(rank_, to)));
    }
    if (is_root() && call_.in_place) {
      plan_.recv.use = Use::in_place;
    } else {
      plan_.recv = {Use::normal, false, {received(call_.units(call_.root, rank_), of(call_.root, rank_))}};
    }
  }

  void allgather() {
    collect();
    if (call_.in_place) {
      plan_.send.use = Use::in_place;
    } else {
      plan_.send = {Use::normal, false, {sent(call_.units(rank_, rank_), of(rank_))}};
    }
  }

  void alltoall() {
    plan_.send = {call_.in_place ? Use::in_place : Use::normal, true, {}};
    plan_.recv = {Use::normal, true, {}};
    for (int other = 0; other < call_.size; ++other) {
      if (!call_.in_place) plan_.send.parts.push_back(sent(call_.units(rank_, other), of(rank_, other)));
      Part part = received(call_.units(other, rank_), of(other, rank_));
      if (call_.in_place) part.before = of(rank_, other);
      plan_.recv.parts.push_back(part);
    }
  }

  void neighbors() {
    const auto at = static_cast<std::size_t>(rank_);
    const bool single = !individual(call_.kind);
    plan_.send = {Use::normal, !single, {}};
    plan_.recv = {Use::normal, true, {}};
    if (single) plan_.send.parts.push_back(sent(call_.units(rank_, 0), of(rank_)));
    for (int block = 0; !single && block < static_cast<int>(call_.graph->out[at].size()); ++block)
      plan_.send.parts.push_back(sent(call_.units(rank_, block), of(rank_, block)));
    for (const End& end : call_.graph->in[at]) {
      // Beyond the edge of a grid there is nobody, but room for what would come from there.
      Part part{call_.amounts.front()};
      if (end.rank != nobody) part = received(call_.units(end.rank, end.block), of(end.rank, single ? 0 : end.block));
      plan_.recv.parts.push_back(part);
    }
  }

  void reduce() {
    const std::size_t length = call_.vector();
    const int last = call_.size - 1;
    Content result{0, last};
    std::size_t units = length;
    bool open = false;
    switch (call_.kind) {
      case Kind::scan:
        result.last = rank_;
        break;
      case Kind::exscan:
        result.last = rank_ - 1;
        open = rank_ == 0;
        break;
      case Kind::reduce_scatter:
      case Kind::reduce_scatter_block:
        for (int rank = 0; rank < rank_; ++rank) result.offset += share(rank);
        units = share(rank_);
        break;
      default:
        break;
    }
    const bool receives = call_.kind != Kind::reduce || is_root();
    const bool in_place = call_.in_place && receives;
    if (receives) {
      Part part{units, {}, result, open};
      if (open) part.after.reset();
      if (in_place) part.before = of(rank_);
      plan_.recv = {Use::normal, false, {part}};
    }
    if (!in_place) {
      plan_.send = {Use::normal, false, {sent(length, of(rank_))}};
      return;
    }
    plan_.send.use = Use::in_place;
    // The input is longer than the result: what becomes of its end is nobody's business.
    if (units < length) plan_.recv.parts.push_back({length - units, Content{rank_, rank_, 0, units}, {}, true});
  }

  [[nodiscard]] std::size_t share(int rank) const {
    return call_.amounts[call_.amounts.size() == 1 ? 0 : static_cast<std::size_t>(rank)];
  }

  const Call& call_;
  int rank_;
  Plan plan_;
};

}  // namespace

Plan make_plan(const Call& call, int rank) { return Planner(call, rank).plan(); }

}  // namespace raddle::collectives
