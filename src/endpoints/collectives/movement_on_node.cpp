// SPDX-License-Identifier: BSD-3-Clause
// Data that are only moved, between ranks that share their node's memory: who receives copies them from where they are.
#include "endpoints/collectives/movement.hpp"
#include "endpoints/errors.hpp"

namespace raddle::endpoints::collectives {

/// Where memory is out of reach all must fit: the ranks that take part have to know it alike.
bool Movement::can_meet_on_node() const {
  if (node().reaches()) return true;
  const std::size_t room = node().room();
  switch (kind_) {
    case Kind::bcast:
      return (rank() == root_ ? out_ : in_).bytes(0) <= room;
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

void Movement::sit_on_node() {
  referred_ = false;
  if (!brought_.any()) return node().put(number(), rank(), {});
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

bool Movement::take_on_node() {
  if (!receives()) return true;
  if (from_root()) {
    fail(take_on_node_from(root_));
    return true;
  }
  for (int i = 0; i < size(); ++i) fail(take_on_node_from((rank() + i) % size()));  // not all from the same one at once
  return true;
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
