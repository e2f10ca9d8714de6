// SPDX-License-Identifier: BSD-3-Clause
// Data that are only moved, between ranks that share their node's memory: who receives copies them from where they are.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "endpoints/collectives/movement.hpp"
#include "endpoints/errors.hpp"

namespace raddle::endpoints::collectives {

bool Movement::alike() const {
  return kind_ == Kind::bcast || ((kind_ == Kind::allgather || kind_ == Kind::alltoall) && in_.alike());
}

std::size_t Movement::length() const {
  if (kind_ != Kind::bcast) return expected(0);
  return (rank() == root_ ? out_ : in_).bytes(0);
}

std::size_t Movement::slice() const {
  const auto ranks = static_cast<std::size_t>(size());
  return for_each() ? (node().round() - NodeMeeting::room_for(ranks, 0)) / ranks : node().round();
}

bool Movement::fits_one_round(std::size_t length) const {
  const auto ranks = static_cast<std::size_t>(size());
  return (for_each() ? NodeMeeting::room_for(ranks, ranks * length) : length) <= node().room();
}

/// Ranks copy what is long while others take it: the system's calls cost more, unless rounds are very short.
bool Movement::fits_rounds() const {
  constexpr std::size_t kib = 1024;
  const std::size_t least = for_each() ? (node().reaches() ? 3 * kib : kib) : (node().reaches() ? 16 * kib : 4 * kib);
  return alike() && slice() >= least;
}

/// Where memory is out of reach all must go through the node's, and the ranks that take part have to know it alike.
bool Movement::can_meet_on_node() const {
  if (node().reaches()) return true;
  if (alike()) return fits_one_round(length()) || fits_rounds();
  if (kind_ != Kind::allgather) return false;  // only some know what all bring
  for (int source = 0; source < size(); ++source) {
    if (expected(source) > node().room()) return false;
  }
  return true;
}

std::uint64_t Movement::rounds_on_node() const { return alike() ? rounds_of(length()) : 1; }

std::uint64_t Movement::rounds_of(std::size_t length) const {
  return !fits_one_round(length) && fits_rounds() ? (length + slice() - 1) / slice() : 1;
}

void Movement::sit_in_round(std::uint64_t round) {
  const auto part = [&](std::span<const std::byte> piece) {
    const auto rest = piece.subspan(std::min(round * slice(), piece.size()));
    return rest.first(std::min(rest.size(), slice()));
  };
  if (!for_each()) return node().put(number() + round, rank(), part(brought_[0]));
  std::vector<std::span<const std::byte>> parts;
  for (int to = 0; to < size(); ++to) parts.push_back(to == rank() ? std::span<const std::byte>() : part(brought_[to]));
  static_cast<void>(node().put_pieces(number() + round, rank(), parts));  // as slice() is made, they fit
}

void Movement::sit_on_node(std::uint64_t round) {
  referred_ = false;
  if (!brought_.any()) return node().put(number() + round, rank(), {});
  if (rounds() > 1) return sit_in_round(round);
  if (for_each()) {
    const auto pieces = brought_.all();
    referred_ = !node().put_pieces(number(), rank(), pieces);
    if (referred_)
      node().refer(number(), rank(), {reinterpret_cast<const std::byte*>(pieces.data()), pieces.size_bytes()});
    return;
  }
  referred_ = brought_[0].size() > node().room();
  if (referred_) {
    node().refer(number(), rank(), {brought_[0].data(), brought_[0].size()});
  } else {
    node().put(number(), rank(), brought_[0]);
  }
}

bool Movement::awaits(int rank) const { return receives() && (!from_root() || rank == root_); }

bool Movement::take_on_node(std::uint64_t round) {
  if (!receives()) return true;
  const auto take_from = [&](int source) {
    fail(rounds() > 1 ? take_in_round(round, source) : take_on_node_from(source));
  };
  if (from_root()) {
    take_from(root_);
    return true;
  }
  for (int i = 0; i < size(); ++i) take_from((rank() + i) % size());  // not all from the same one at once
  return true;
}

int Movement::take_in_round(std::uint64_t round, int source) {
  const int mine = incoming(source);
  if (source == rank()) return in_place_ || round > 0 ? MPI_SUCCESS : put_from(source, brought_[outgoing(source)]);
  const std::span<const std::byte> part =
      for_each() ? *node().piece_here(number() + round, source, rank()) : *node().here(number() + round, source);
  const auto room = in_one_piece(in_.address(mine), in_.count(mine), in_.type(mine));
  if (room && room->size() >= round * slice() + part.size()) {
    std::memcpy(room->data() + round * slice(), part.data(), part.size());
    return MPI_SUCCESS;
  }
  landed_.resize(static_cast<std::size_t>(size()));
  std::vector<std::byte>& landed = landed_[static_cast<std::size_t>(source)];
  landed.insert(landed.end(), part.begin(), part.end());
  return round + 1 < rounds() ? MPI_SUCCESS : put_from(source, landed);
}

bool Movement::released_on_node() {
  if (!referred_) return true;
  return to_root() ? node().meeting().has_finished(number(), root_) : all_have_finished_on_node();
}

int Movement::take_on_node_from(int source) {
  if (source == rank() && in_place_) return MPI_SUCCESS;
  const int which = outgoing(rank());
  const int mine = incoming(source);
  const auto here = for_each() ? node().piece_here(number(), source, which) : node().here(number(), source);
  if (here) return put_from(source, *here);
  const Reference reference = node().reference(number(), source);
  std::span<const std::byte> there(reference.data, reference.bytes);
  bool reached = true;
  if (for_each()) {
    const std::byte* const entry =
        reference.data + static_cast<std::size_t>(which) * sizeof(std::span<const std::byte>);
    reached = node().read(source, entry, std::as_writable_bytes(std::span(&there, 1)));
  }
  if (reached && node().is_local(source)) return put_from(source, there);
  const auto room = in_one_piece(in_.address(mine), in_.count(mine), in_.type(mine));
  if (reached && room && room->size() >= there.size()) {
    if (node().read(source, there.data(), room->first(there.size()))) return MPI_SUCCESS;
  } else if (reached) {
    std::vector<std::byte> bytes(there.size());
    if (node().read(source, there.data(), bytes)) return put_from(source, bytes);
  }
  return error_with(MPI_ERR_INTERN, "Raddle: the memory of another process of the node is out of reach");
}

}  // namespace raddle::endpoints::collectives
