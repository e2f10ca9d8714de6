// SPDX-License-Identifier: BSD-3-Clause
// Reductions of ranks that share their node's memory: short ones are combined by each rank, long ones in shares that
// any rank makes for all.
#include <algorithm>
#include <array>
#include <cstring>

#include "endpoints/collectives/reduction.hpp"
#include "endpoints/errors.hpp"

namespace raddle::endpoints::collectives {
namespace {

/// Elements of other processes, for a moment: two operands at a time, and a result.
std::byte* scratch(std::size_t which, std::size_t bytes) {
  thread_local std::array<std::vector<std::byte>, 3> all;
  if (all[which].size() < bytes) all[which].resize(bytes);
  return all[which].data();
}

int out_of_reach() {
  return error_with(MPI_ERR_INTERN, "Raddle: the memory of another process of the node is out of reach");
}

}  // namespace

/// MPI's own operators combine MPI's own types only, and those are the same on all ranks. Of a long scan each rank
/// would read what all before it bring.
bool Reduction::can_meet_on_node() const {
  if (combine_ == nullptr || !elements_.dense()) return false;
  return !is_long() || in_rounds() || (node().reaches() && kind_ != Kind::scan && kind_ != Kind::exscan);
}

bool Reduction::in_rounds() const {
  const std::size_t bytes = elements_.bytes(count_);
  if ((kind_ != Kind::reduce && kind_ != Kind::allreduce) || bytes <= node().round(bytes)) return false;
  return !is_long() || size() <= (node().reaches() ? 2 : 4);
}

MPI_Count Reduction::per_round() const {
  return in_rounds() ? static_cast<MPI_Count>(node().round(elements_.bytes(count_)) / elements_.packed(1)) : count_;
}

std::uint64_t Reduction::rounds_on_node() const {
  return in_rounds() ? static_cast<std::uint64_t>((count_ + per_round() - 1) / per_round()) : 1;
}

void Reduction::sit_on_node(std::uint64_t round) {
  const auto* const data = static_cast<const std::byte*>(own_);
  if (is_long() && !in_rounds()) {
    node().refer(number(), rank(), {data, elements_.bytes(count_), writes() ? static_cast<std::byte*>(out_) : nullptr});
    return;
  }
  const MPI_Count first = static_cast<MPI_Count>(round) * per_round();
  const MPI_Count count = std::min(per_round(), count_ - first);
  node().put(number() + round, rank(), {data + elements_.bytes(first), elements_.bytes(count)});
}

bool Reduction::awaits(int other) const {
  if (is_long() && !in_rounds()) return true;
  switch (kind_) {
    case Kind::reduce:
      return rank() == root_;
    case Kind::scan:
      return other <= rank();
    case Kind::exscan:
      return other < rank();
    default:
      return true;
  }
}

bool Reduction::take_on_node(std::uint64_t round) {
  if (!is_long() || in_rounds()) {
    if (writes()) fail(take_short(round));
    return true;
  }
  if (kind_ == Kind::reduce_scatter) {
    fail(take_part());
    return true;
  }
  Shares& work = node().meeting().shares(number());
  work.help(number(), shares(), [&](std::uint64_t taken) {
    const MPI_Count first = static_cast<MPI_Count>(taken) * per_share();
    fail(share_on_node(first, std::min(per_share(), count_ - first)));
  });
  return work.complete(number(), shares());
}

bool Reduction::released_on_node() {
  return !is_long() || kind_ != Kind::reduce_scatter || all_have_finished_on_node();
}

int Reduction::take_short(std::uint64_t round) {
  auto [first, count, ranks] = own();
  void* result = out_;
  const void* brought = own_;
  if (in_rounds()) {
    first = static_cast<MPI_Count>(round) * per_round();
    count = std::min(per_round(), count_ - first);
    result = elements_.at(out_, first);
    brought = elements_.at(own_, first);
    first = 0;  // of the round
  }
  if (ranks == 0 || count == 0) return MPI_SUCCESS;
  // What lies in its room has left this core's caches; in place it is overwritten with the first two operands.
  const bool stays = !in_place_ || rank() >= ranks - 2;
  const auto who = [&, from = first](int rank) {
    if (stays && rank == this->rank()) return elements_.at(brought, from);
    return elements_.at(node().here(number() + round, rank)->data(), from);
  };
  const int code = fold(ranks, who, result, count);
  // Of two ranks nobody else reads what the other one has put.
  if (const int other = 1 - this->rank(); size() == 2 && other < ranks)
    node().taken(number() + round, other, *node().here(number() + round, other));
  return code;
}

int Reduction::fold_on_node(void* result, MPI_Count first, MPI_Count count) {
  int failed = MPI_SUCCESS;
  std::size_t turn = 0;
  const auto who = [&](int rank) -> const void* {
    const std::byte* const from = node().reference(number(), rank).data + elements_.bytes(first);
    if (node().is_local(rank)) return from;
    std::byte* const to = scratch(turn ^= 1U, elements_.bytes(count));
    if (!node().read(rank, from, {to, elements_.bytes(count)})) failed = out_of_reach();
    return to;
  };
  const int code = fold(size(), who, result, count);
  return failed == MPI_SUCCESS ? code : failed;
}

int Reduction::share_on_node(MPI_Count first, MPI_Count count) {
  const std::size_t bytes = elements_.bytes(count);
  const bool straight = size() <= 2 && writes();  // in place the result may lie where an operand is still needed
  void* const result = straight ? elements_.at(out_, first) : scratch(2, bytes);
  int code = fold_on_node(result, first, count);
  for (int rank = 0; rank < size() && code == MPI_SUCCESS; ++rank) {
    std::byte* const room = node().reference(number(), rank).room;
    if (room == nullptr || (straight && rank == this->rank())) continue;
    if (!node().write(rank, room + elements_.bytes(first), {static_cast<const std::byte*>(result), bytes}))
      code = out_of_reach();
  }
  return code;
}

int Reduction::take_part() {
  const auto [first, count, ranks] = own();
  for (MPI_Count done = 0; done < count; done += per_share()) {
    const int code = fold_on_node(elements_.at(out_, done), first + done, std::min(per_share(), count - done));
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

}  // namespace raddle::endpoints::collectives
