// SPDX-License-Identifier: BSD-3-Clause
// Data that are only moved, between ranks that share their node's memory: who receives copies them from where they are.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "endpoints/collectives/movement.hpp"
#include "endpoints/errors.hpp"

namespace raddle::endpoints::collectives {

/// Where memory is out of reach all must fit: the ranks that take part have to know it alike.
bool Movement::can_meet_on_node() const {
  if (node().reaches()) return true;
  const std::size_t room = node().room();
  switch (kind_) {
    case Kind::bcast:
      return true;
    case Kind::allgather:
      for (int source = 0; source < (in_.alike() ? 1 : size()); ++source) {
        if (expected(source) > room) return false;
      }
      return true;
    case Kind::alltoall: {
      const auto ranks = static_cast<std::size_t>(size());
      return in_.alike() && NodeMeeting::room_for(ranks, ranks * expected(0)) <= room;
    }
    default:
      return false;  // only the root knows what all bring
  }
}

/// The root copies what is long while others take it: the system's calls cost more, unless rounds are very short.
std::uint64_t Movement::rounds_on_node() const {
  constexpr std::size_t least = std::size_t{16} * 1024;
  if (kind_ != Kind::bcast || message() <= node().room() || (node().reaches() && node().round() < least)) return 1;
  return (message() + node().round() - 1) / node().round();
}

void Movement::sit_on_node(std::uint64_t round) {
  referred_ = false;
  if (!brought_.any()) return node().put(number() + round, rank(), {});
  if (rounds() > 1) {
    const auto rest = brought_[0].subspan(round * node().round());
    return node().put(number() + round, rank(), rest.first(std::min(rest.size(), node().round())));
  }
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
  if (rounds() > 1) {
    fail(take_round(round));
    return true;
  }
  if (from_root()) {
    fail(take_on_node_from(root_));
    return true;
  }
  for (int i = 0; i < size(); ++i) fail(take_on_node_from((rank() + i) % size()));  // not all from the same one at once
  return true;
}

int Movement::take_round(std::uint64_t round) {
  const std::span<const std::byte> piece = *node().here(number() + round, root_);
  const auto room = in_one_piece(in_.address(0), in_.count(0), in_.type(0));
  if (room && room->size() >= round * node().round() + piece.size()) {
    std::memcpy(room->data() + round * node().round(), piece.data(), piece.size());
    return MPI_SUCCESS;
  }
  landed_.insert(landed_.end(), piece.begin(), piece.end());
  if (round + 1 < rounds()) return MPI_SUCCESS;
  const int code = put(landed_, in_, 0);
  landed_.clear();
  return code;
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
  if (here) return put(*here, in_, mine);
  const Reference reference = node().reference(number(), source);
  std::span<const std::byte> there(reference.data, reference.bytes);
  bool reached = true;
  if (for_each()) {
    const std::byte* const entry = reference.data + static_cast<std::size_t>(which) * sizeof there;
    reached = node().read(source, entry, std::as_writable_bytes(std::span(&there, 1)));
  }
  if (reached && node().is_local(source)) return put(there, in_, mine);
  const auto room = in_one_piece(in_.address(mine), in_.count(mine), in_.type(mine));
  if (reached && room && room->size() >= there.size()) {
    if (node().read(source, there.data(), room->first(there.size()))) return MPI_SUCCESS;
  } else if (reached) {
    std::vector<std::byte> bytes(there.size());
    if (node().read(source, there.data(), bytes)) return put(bytes, in_, mine);
  }
  return error_with(MPI_ERR_INTERN, "Raddle: the memory of another process of the node is out of reach");
}

}  // namespace raddle::endpoints::collectives
