// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/movement.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "endpoints/collectives/blocks.hpp"
#include "endpoints/errors.hpp"
#include "platform/mpi_quirks.hpp"

namespace raddle::endpoints::collectives {

Movement::Movement(Context& context, int rank, Arguments arguments)
    : Collective(context, rank),
      kind_(arguments.kind),
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

Call Movement::call() const {
  constexpr std::array kinds{Call::Kind::bcast, Call::Kind::gather, Call::Kind::scatter, Call::Kind::allgather,
                             Call::Kind::alltoall};
  Call call{.kind = kinds[static_cast<std::size_t>(kind_)], .root = from_root() || to_root() ? root_ : 0};
  call.rounds = rounds() > 1;
  if (call.rounds || kind_ == Kind::bcast) call.bytes = length();
  return call;
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
  const auto [bytes, sent] = from(source);
  fail(bytes.size() < sent ? truncated(source, sent) : put_from(source, bytes));
}

int Movement::put_from(int source, std::span<const std::byte> bytes) const {
  const int code = put(bytes, in_, incoming(source));
  return code == MPI_ERR_TRUNCATE ? truncated(source, bytes.size()) : code;
}

int Movement::truncated(int source, std::size_t bytes) const {
  if (bytes <= expected(source)) {
    return error_with(MPI_ERR_TRUNCATE, "Raddle: the process of rank " + std::to_string(source) +
                                            " sends more than rank " + std::to_string(rank()) + " has room for");
  }
  return error_with(MPI_ERR_TRUNCATE, "Raddle: rank " + std::to_string(source) + " sends rank " +
                                          std::to_string(rank()) + " " + std::to_string(bytes) +
                                          " bytes, and there is room for " + std::to_string(expected(source)));
}

Movement::Come Movement::from(int source) const {
  const auto whole = [](std::span<const std::byte> bytes) { return Come{bytes, bytes.size()}; };
  if (is_local(source)) {
    const int index = place(source).index;
    const Seat& seat = meeting().seat(number(), index);
    if (seat.bytes != Seat::not_here) return whole({seat.little, seat.bytes});
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
  if (!sends() || in_seat_) return true;
  if (!to_root()) return all_have_finished();
  return !is_local(root_) || has_finished(root_);
}

bool Movement::can_exchange() {
  if (kind_ == Kind::bcast) return !is_local(root_) || has_arrived(root_);
  return all_have_arrived();
}

}  // namespace raddle::endpoints::collectives
