// SPDX-License-Identifier: BSD-3-Clause

#include "endpoints/collectives/movement.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>

#include "endpoints/collectives/blocks.hpp"
#include "endpoints/errors.hpp"
#include "platform/copy_bytes.hpp"
#include "platform/mpi_quirks.hpp"
#include "platform/pause.hpp"

namespace raddle::endpoints::collectives {

Movement::Movement(Context& context, int rank, Arguments arguments)
    : Collective(context, rank),
      kind_(arguments.kind),
      called_(arguments.called),
      root_(arguments.root),
      out_(arguments.out),
      in_(arguments.in),
      in_place_(arguments.in_place) {}

int Movement::check_side(const Pieces& side) const {
  if (side.in_place()) return platform::quirks().arg_for_in_place ? MPI_ERR_ARG : MPI_ERR_BUFFER;
  return side.of_null_type() && kind_ != Kind::bcast ? MPI_ERR_TYPE : MPI_SUCCESS;
}

int Movement::bring() {
  if (receives()) {
    if (const int code = check_side(in_); code != MPI_SUCCESS) return code;
    if (const int code = in_.check(from_root() ? 1 : size()); code != MPI_SUCCESS) return code;
  }
  brought_ = {};
  if (!sends() || (in_place_ && to_root())) return MPI_SUCCESS;
  if (const int code = check_side(out_); code != MPI_SUCCESS) return code;
  const int code = brought_.bring(out_, outgoing(size() - 1) + 1, in_place_ && kind_ == Kind::alltoall);
  alike_in_seats_ = code == MPI_SUCCESS && fits_a_seat();
  return code;
}

bool Movement::fits_a_seat() const {
  if (called_ != Call::Kind::none || kind_ == Kind::bcast || !alike()) return false;
  const auto pieces = static_cast<std::size_t>(kind_ == Kind::alltoall ? size() : 1);
  return brought_[0].size() <= MeetingSeat::room / pieces;
}

void Movement::put_in_seat(std::span<std::byte, MeetingSeat::room> little) const {
  std::byte* next = little.data();
  for (const std::span<const std::byte> piece : brought_.all()) {
    if (!piece.empty()) std::memcpy(next, piece.data(), piece.size());
    next += piece.size();
  }
}

std::span<const std::byte> Movement::piece_of(std::span<const std::byte> little) const {
  if (kind_ != Kind::alltoall) return little;
  const std::size_t each = little.size() / static_cast<std::size_t>(size());
  return little.subspan(static_cast<std::size_t>(rank()) * each, each);
}

int Movement::again() {
  restart();
  with_root_ = false;
  return bring();
}

void Movement::sit(MeetingSeat& seat) {
  if (alike_in_seats_) {
    in_seat_ = true;
    seat.bytes = static_cast<std::uint32_t>(brought_[0].size() * brought_.all().size());
    return put_in_seat(seat.little);
  }
  const bool one = brought_.any() && outgoing(size() - 1) == 0;
  in_seat_ = one && brought_[0].size() <= MeetingSeat::room;
  seat.bytes = in_seat_ ? static_cast<std::uint32_t>(brought_[0].size()) : MeetingSeat::not_here;
  if (in_seat_ && seat.bytes > 0) std::memcpy(seat.little, brought_[0].data(), seat.bytes);
  if (const std::span<std::byte> room = own_room(); !room.empty()) {
    put_in_room(room);
    const Reference there{.data = room.data(), .bytes = room.size()};
    std::memcpy(seat.little, &there, sizeof there);
    seat.bytes = MeetingSeat::in_room;
    in_seat_ = true;
  }
  if (receives() && may_copy_with_root()) {
    const auto room = in_one_piece(in_.address(0), in_.count(0), in_.type(0));
    const Reference here = room ? Reference{nullptr, room->size(), room->data()} : Reference{};
    std::memcpy(seat.little, &here, sizeof here);
  }
}

Call Movement::call() const {
  constexpr std::array kinds{Call::Kind::bcast, Call::Kind::gather, Call::Kind::scatter, Call::Kind::allgather,
                             Call::Kind::alltoall};
  const Call::Kind kind = called_ == Call::Kind::none ? kinds[static_cast<std::size_t>(kind_)] : called_;
  const int no_root = called_ == Call::Kind::none ? 0 : Call::no_root;
  Call call{.kind = kind, .root = from_root() || to_root() ? root_ : no_root};
  call.rounds = rounds() > 1;
  if (call.rounds || kind_ == Kind::bcast) call.bytes = length();
  if (alike_in_seats_) call.bytes = brought_[0].size();
  return call;
}

// What is too long for a seat, within the process: whoever sends copies it once more, and need not wait for the others.

/// Where this rank leaves what it brings; empty: it does not.
std::span<std::byte> Movement::own_room() const {
  if (!context().alone() || in_seat_ || !sends() || called_ != Call::Kind::none || !alike()) return {};
  const int sharers = kind_ == Kind::bcast ? 1 : size();
  const std::size_t share = Context::room_bytes / static_cast<std::size_t>(sharers);
  const std::size_t bytes = brought_[0].size() * brought_.all().size();
  if (bytes > share) return {};
  return {context().room(number()) + static_cast<std::size_t>(index() % sharers) * share, bytes};
}

void Movement::put_in_room(std::span<std::byte> room) const {
  const std::span<const std::span<const std::byte>> pieces = brought_.all();
  const std::size_t each = room.size() / pieces.size();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool own = for_each() && i == static_cast<std::size_t>(rank());  // nobody reads it there
    if (!own) platform::copy_bytes(room.data() + i * each, pieces[i].data(), each);
  }
  platform::prefetch_lines_to_write(context().room(number() + 1) + (room.data() - context().room(number())),
                                    room.size());
}

bool Movement::can_take() {
  if (may_copy_with_root()) return all_have_arrived();
  if (!receives()) return true;
  return from_root() ? !is_local(root_) || has_arrived(root_) : all_have_arrived();
}

// A long broadcast to one other rank of the process: the root copies too, since it waits anyway.

bool Movement::may_copy_with_root() const {
  constexpr std::size_t least = std::size_t{128} * 1024;
  return kind_ == Kind::bcast && context().alone() && size() == 2 && length() >= least;
}

/// Of the rank that receives, in its seat: the root must not look at its part, which may be gone.
std::span<std::byte> Movement::room_of_other() const {
  if (!may_copy_with_root() || meeting().seat(number(), 1 - index()).call != call_word()) return {};
  Reference there;
  std::memcpy(&there, meeting().seat(number(), place(1 - root_).index).little, sizeof there);
  return {there.room, there.bytes};
}

bool Movement::take_with_root(std::span<std::byte> room) {
  constexpr std::size_t share = std::size_t{64} * 1024;
  const std::span<const std::byte> all = part<Movement>(place(root_).index).brought_[0];
  const std::uint64_t shares = (all.size() + share - 1) / share;
  Shares& work = meeting().shares(number());
  work.help(number(), shares, [&](std::uint64_t taken) {
    const std::size_t first = taken * share;
    platform::copy_beyond_caches(room.data() + first, all.data() + first, std::min(share, all.size() - first));
  });
  return work.complete(number(), shares);
}

bool Movement::take() {
  if (const std::span<std::byte> room = room_of_other(); !room.empty()) {
    with_root_ = true;
    return take_with_root(room);
  }
  if (!receives()) return true;
  if (from_root()) {
    take_from(root_);
  } else {
    for (int source = 0; source < size(); ++source) take_from(source);
  }
  return true;
}

void Movement::take_from(int source) {
  if (source == rank() && in_place_) return;
  const auto [bytes, sent] = from(source);
  fail(bytes.size() < sent ? truncated(source, sent) : put_from(source, bytes));
}

int Movement::put_from(int source, std::span<const std::byte> bytes) const {
  const int code = put(bytes, in_, incoming(source));
  return code == MPI_ERR_TRUNCATE ? truncated(source, bytes.size()) : code;
}

int Movement::truncated(int source, std::size_t bytes) const {
  const std::string sender = std::to_string(communicator().rank_in_group(source));
  const std::string receiver = std::to_string(communicator().rank_in_group(rank()));
  if (bytes <= expected(source)) {
    return error_with(MPI_ERR_TRUNCATE,
                      "Raddle: the process of rank " + sender + " sends more than rank " + receiver + " has room for");
  }
  return error_with(MPI_ERR_TRUNCATE, "Raddle: rank " + sender + " sends rank " + receiver + " " +
                                          std::to_string(bytes) + " bytes, and there is room for " +
                                          std::to_string(expected(source)));
}

Movement::Come Movement::from(int source) const {
  const auto whole = [](std::span<const std::byte> bytes) { return Come{bytes, bytes.size()}; };
  if (is_local(source)) {
    const int index = place(source).index;
    const MeetingSeat& seat = meeting().seat(number(), index);
    if (seat.bytes == MeetingSeat::in_room && source != rank()) {
      Reference there;
      std::memcpy(&there, seat.little, sizeof there);
      return whole(piece_of({there.data, there.bytes}));
    }
    if (seat.bytes < MeetingSeat::in_room) return whole(piece_of({seat.little, seat.bytes}));
    return whole(part<Movement>(index).brought_[outgoing(rank())]);
  }
  const Received& piece = exchanged().pieces[received(source, index())];
  const std::span<const std::byte> all = exchanged().received;
  if (piece.block_bytes == 0) return whole(all.subspan(piece.begin, piece.bytes));
  const std::span<const std::byte> block = all.subspan(piece.block, piece.block_bytes);
  const auto [begin, bytes] = Lengths::find(block, piece.place, piece.places);
  const std::span<const std::byte> rest = block.subspan(std::min(begin, block.size()));
  return {rest.first(std::min(rest.size(), bytes)), bytes};
}

std::size_t Movement::received(int source, int index) const {
  switch (kind_) {
    case Kind::bcast:
      return 0;
    case Kind::scatter:
      return static_cast<std::size_t>(index);
    case Kind::alltoall:
      return static_cast<std::size_t>(source * meeting().seats() + index);
    default:
      return static_cast<std::size_t>(source);
  }
}

bool Movement::released() {
  if (with_root_ && receives()) return has_finished(root_);
  if (!sends() || in_seat_) return true;
  if (!to_root()) return all_have_finished();
  return !is_local(root_) || has_finished(root_);
}

bool Movement::can_exchange() {
  if (kind_ == Kind::bcast) return !is_local(root_) || has_arrived(root_);
  return all_have_arrived();
}

}  // namespace raddle::endpoints::collectives
