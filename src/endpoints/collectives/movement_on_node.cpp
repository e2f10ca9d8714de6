// SPDX-License-Identifier: BSD-3-Clause
// Data that are only moved, between ranks that share their node's memory: who receives copies them from where they are.
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "endpoints/collectives/movement.hpp"
#include "endpoints/errors.hpp"
#include "platform/copy_bytes.hpp"

namespace raddle::endpoints::collectives {

bool Movement::alike() const {
  return kind_ == Kind::bcast || ((kind_ == Kind::allgather || kind_ == Kind::alltoall) && in_.alike());
}

std::size_t Movement::length() const {
  if (kind_ != Kind::bcast) return expected(0);
  return (rank() == root_ ? out_ : in_).bytes(0);
}

std::size_t Movement::bytes_of_all(std::size_t length) const {
  const auto ranks = static_cast<std::size_t>(size());
  return for_each() ? NodeMeeting::room_for(ranks, ranks * length) : length;
}

std::size_t Movement::slice(std::size_t length) const {
  if (!for_each()) return node().round(length);
  const auto ranks = static_cast<std::size_t>(size());
  const std::size_t others = std::max(ranks, std::size_t{2}) - 1;  // to itself a rank brings nothing in rounds
  const std::size_t most = node().room() - NodeMeeting::room_for(ranks, 0);
  const std::size_t each = std::min(node().round(others * length), most) / others;
  return each - each % std::min(each, alignof(MeetingSeat));
}

/// Whether what a rank brings, or each piece of it, is read by one other rank.
bool Movement::one_reads() const { return for_each() || to_root() || size() == 2; }

/// What several read goes through memory that all see, once; and where not all both bring and take something, those who
/// bring copy at the same time as those who take.
bool Movement::refers(std::size_t bytes) const {
  return one_reads() && !from_root() && !to_root() && node().refers(bytes);
}

/// Ranks copy what is long while others take it: the system's calls cost more, unless rounds are very short.
bool Movement::fits_rounds(std::size_t length) const {
  constexpr std::size_t kib = 1024;
  const std::size_t least = for_each() ? (node().reaches() ? 3 * kib : kib) : (node().reaches() ? 16 * kib : 4 * kib);
  return alike() && slice(length) >= least;
}

/// Where memory is out of reach all must go through the node's, and the ranks that take part have to know it alike.
bool Movement::can_meet_on_node() const {
  if (node().reaches()) return true;
  if (alike()) return bytes_of_all(length()) <= node().room() || fits_rounds(length());
  if (kind_ != Kind::allgather) return false;  // only some know what all bring
  for (int source = 0; source < size(); ++source) {
    if (expected(source) > node().room()) return false;
  }
  return true;
}

std::uint64_t Movement::rounds_on_node() const { return alike() ? rounds_of(length()) : 1; }

std::uint64_t Movement::rounds_of(std::size_t length) const {
  if (refers(length)) return 1;
  const std::size_t all = bytes_of_all(length);
  return all > node().round(all) && fits_rounds(length) ? (length + slice(length) - 1) / slice(length) : 1;
}

std::span<const std::byte> Movement::slice_of(std::span<const std::byte> piece, std::uint64_t round) const {
  const std::size_t most = slice(agreed().bytes);
  const auto rest = piece.subspan(std::min(round * most, piece.size()));
  return rest.first(std::min(rest.size(), most));
}

void Movement::sit_in_round(std::uint64_t round) {
  if (!for_each()) return node().put(number() + round, rank(), slice_of(brought_[0], round));
  parts_.assign(brought_.all().begin(), brought_.all().end());
  for (auto& part : parts_) part = slice_of(part, round);
  parts_[static_cast<std::size_t>(rank())] = {};
  static_cast<void>(node().put_pieces(number() + round, rank(), parts_));  // as slice() is made, they fit
}

void Movement::sit_on_node(std::uint64_t round) {
  referred_ = false;
  if (!brought_.any()) return node().put(number() + round, rank(), {});
  if (rounds() > 1) return sit_in_round(round);
  if (alike_in_seats_) {
    std::array<std::byte, MeetingSeat::room> little;
    put_in_seat(little);
    return node().put(number(), rank(), std::span(little).first(brought_[0].size() * brought_.all().size()));
  }
  if (for_each()) {
    constexpr std::size_t little = 256;
    std::span<const std::span<const std::byte>> pieces = brought_.all();
    if (pieces[static_cast<std::size_t>(rank())].size() > little) {  // nobody reads it there
      parts_.assign(pieces.begin(), pieces.end());
      parts_[static_cast<std::size_t>(rank())] = {};
      pieces = parts_;
    }
    const bool is_long = std::ranges::any_of(pieces, [&](const auto& piece) { return refers(piece.size()); });
    referred_ = is_long || !node().put_pieces(number(), rank(), pieces);
    if (referred_) node().refer_pieces(number(), rank(), pieces);
    return;
  }
  referred_ = brought_[0].size() > node().room() || refers(brought_[0].size());
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

bool Movement::copied_straight(int which, std::size_t first, std::span<const std::byte> bytes) const {
  const auto room = in_one_piece(in_.address(which), in_.count(which), in_.type(which));
  if (!room || room->size() < first + bytes.size()) return false;
  platform::copy_beyond_caches(room->data() + first, bytes.data(), bytes.size());
  return true;
}

void Movement::taken(std::uint64_t number, int source, std::span<const std::byte> bytes) {
  if (one_reads()) node().taken(number, source, bytes);
}

int Movement::take_in_round(std::uint64_t round, int source) {
  const int mine = incoming(source);
  if (source == rank()) return in_place_ || round > 0 ? MPI_SUCCESS : put_from(source, brought_[outgoing(source)]);
  const std::span<const std::byte> part =
      for_each() ? *node().piece_here(number() + round, source, rank()) : *node().here(number() + round, source);
  if (copied_straight(mine, round * slice(agreed().bytes), part)) {
    taken(number() + round, source, part);
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
  if (source == rank()) return put_from(source, brought_[which]);
  if (alike_in_seats_) return put_from(source, piece_of(*node().here(number(), source)));
  const auto here = for_each() ? node().piece_here(number(), source, which) : node().here(number(), source);
  if (here) {
    const int code = copied_straight(mine, 0, *here) ? MPI_SUCCESS : put_from(source, *here);
    taken(number(), source, *here);
    return code;
  }
  const Reference whole = for_each() ? Reference() : node().reference(number(), source);
  const std::span<const std::byte> there =
      for_each() ? node().piece_reference(number(), source, which) : std::span(whole.data, whole.bytes);
  if (node().is_local(source)) return put_from(source, there);
  const auto room = in_one_piece(in_.address(mine), in_.count(mine), in_.type(mine));
  if (room && room->size() >= there.size()) {
    if (node().read(source, there.data(), room->first(there.size()))) return MPI_SUCCESS;
  } else {
    std::vector<std::byte> bytes(there.size());
    if (node().read(source, there.data(), bytes)) return put_from(source, bytes);
  }
  return error_with(MPI_ERR_INTERN, "Raddle: the memory of another process of the node is out of reach");
}

}  // namespace raddle::endpoints::collectives
