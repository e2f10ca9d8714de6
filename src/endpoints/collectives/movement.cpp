// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/movement.hpp"

#include <cstring>

namespace raddle::endpoints::collectives {

Movement::Movement(Context& context, int rank, Arguments arguments)
    : Collective(context, rank),
      kind_(arguments.kind),
      root_(arguments.root),
      out_(arguments.out),
      in_(arguments.in),
      in_place_(arguments.in_place) {}

int Movement::bring() {
  if (receives()) {
    if (const int code = in_.check(from_root() ? 1 : size()); code != MPI_SUCCESS) return code;
  }
  brought_ = {};
  if (!sends() || (in_place_ && to_root())) return MPI_SUCCESS;
  return brought_.bring(out_, outgoing(size() - 1) + 1, in_place_ && kind_ == Kind::alltoall);
}

int Movement::again() {
  restart();
  return bring();
}

void Movement::sit(Seat& seat) {
  const bool one = brought_.any() && outgoing(size() - 1) == 0;
  in_seat_ = one && brought_[0].size() <= Seat::room;
  seat.bytes = in_seat_ ? static_cast<std::uint32_t>(brought_[0].size()) : Seat::not_here;
  if (in_seat_ && seat.bytes > 0) std::memcpy(seat.little, brought_[0].data(), seat.bytes);
}

bool Movement::can_take() {
  if (!receives()) return true;
  return from_root() ? !is_local(root_) || has_arrived(root_) : all_have_arrived();
}

bool Movement::take() {
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
  if (const int code = put(from(source), in_, incoming(source)); code != MPI_SUCCESS) fail(code);
}

std::span<const std::byte> Movement::from(int source) const {
  if (is_local(source)) {
    const int index = place(source).index;
    const Seat& seat = meeting().seat(number(), index);
    if (seat.bytes != Seat::not_here) return {seat.little, seat.bytes};
    return part<Movement>(index).brought_[outgoing(rank())];
  }
  const Received& piece = exchanged().pieces[received(source, index())];
  return std::span(exchanged().received).subspan(piece.begin, piece.bytes);
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
  if (!sends() || in_seat_) return true;
  if (!to_root()) return all_have_finished();
  return !is_local(root_) || has_finished(root_);
}

bool Movement::can_exchange() {
  if (kind_ == Kind::bcast) return !is_local(root_) || has_arrived(root_);
  return all_have_arrived();
}

}  // namespace raddle::endpoints::collectives
