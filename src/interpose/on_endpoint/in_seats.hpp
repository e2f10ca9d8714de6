// SPDX-License-Identifier: BSD-3-Clause
// Collectives of which all that ranks bring lies in their seats, while no other one of the endpoint is under way: the
// numbers, seats and order of a Collective (endpoints/collectives/collective.hpp), which the others may be in, without
// an object for what takes so short a time.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "endpoints/collectives/collective.hpp"
#include "endpoints/collectives/context.hpp"
#include "endpoints/collectives/operators.hpp"
#include "endpoints/datatypes/layout.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/mover.hpp"
#include "platform/pause.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;

/// In place of a rank whose call is unlike.
constexpr int all_out_of_step = -2;

/// Ranks do not call the same, or are out of step. @returns the error, raised
[[gnu::cold, gnu::noinline]] inline int unlike_in_seats(Endpoint& endpoint, endpoints::collectives::Meeting& all,
                                                        std::uint64_t number, std::uint64_t word, int other) {
  using endpoints::collectives::Call;
  endpoints::collectives::Discord& discord = all.discord();
  if (other < 0) return endpoints::raise(endpoint.comm, out_of_step(discord));
  const Call mine = Call::of(word);
  const Call theirs = Call::of(all.seat(number, other).call);
  const std::string both = unlike_calls(endpoint.rank(), mine, other, theirs);
  if (!in_step(mine, theirs)) discord.tell(number, both);
  return endpoints::raise(endpoint.comm, unlike_error(mine, theirs, both));
}

/// No error code: nothing has been done, for ranks are on several nodes, or another collective is under way.
constexpr int another_way = -1;

/// Where an endpoint takes its seat.
struct Seats {
  endpoints::collectives::Meeting* all = nullptr;  ///< nullptr: seats are not the way
  std::uint64_t number = 0;
};

/// For the endpoint's next collective.
[[gnu::always_inline]] inline Seats next_seats(Endpoint& endpoint) {
  endpoints::collectives::Sequence& sequence = endpoint.collectives();
  endpoints::collectives::Context& context = endpoint.communicator().collectives();
  endpoints::collectives::Meeting* const all = context.meeting_of_all();
  if (all == nullptr || sequence.any() || !context.level_suffices() || endpoint.maker() != nullptr) return {};
  return {all, sequence.next(!context.alone())};
}

/// Until the seat may be taken. What others have finished stands in lines that cost as much as all the rest.
/// @returns false: ranks are out of step
[[gnu::always_inline]] inline bool await_open(Endpoint& endpoint, const char* call, const Seats& seats) {
  endpoints::collectives::Sequence& sequence = endpoint.collectives();
  bool in_step = true;
  if (seats.number <= sequence.open_until) [[likely]]
    return true;
  until(endpoint, call, [&] {
    if (seats.all->open(seats.number)) return true;
    endpoint.progress();
    in_step = !seats.all->discord().concerns(seats.number);
    return !in_step;
  });
  return in_step;
}

/// Until all ranks have come. Inline, and so are its callers: no call is on these ways, the shortest of all.
/// @param word what all have to call: Call::word()
/// @param sit  writes this endpoint's MeetingSeat
/// @param take is given the meeting and the number: what is in the seats of all can be read
/// @returns MPI_SUCCESS, another_way, or an error, which has been raised
template <typename Sit, typename Take>
[[gnu::always_inline]] inline int in_seats(Endpoint& endpoint, const char* call, std::uint64_t word, Sit&& sit,
                                           Take&& take) {
  using endpoints::collectives::Meeting;
  using endpoints::collectives::MeetingSeat;
  const Seats seats = next_seats(endpoint);
  if (seats.all == nullptr) return another_way;
  const auto [all, number] = seats;
  const int me = endpoint.rank();
  constexpr int all_alike = -1;
  int unlike = all_alike;
  if (!await_open(endpoint, call, seats)) [[unlikely]]
    return unlike_in_seats(endpoint, *all, number, word, all_out_of_step);
  MeetingSeat& mine = all->seat(number, me);
  mine.call = word;
  sit(mine);
  all->arrive(number, me, true);
  int come = 0;
  bool settled = true;
  until(endpoint, call, [&] {
    for (; come < all->seats(); ++come) {
      if (!all->has_arrived(number, come)) break;
      const MeetingSeat& other = all->seat(number, come);
      if (other.call != word) [[unlikely]] {
        unlike = come;
        return true;
      }
      settled = settled && other.settled != 0;
    }
    if (come == all->seats()) return true;
    endpoint.progress();
    if (all->discord().concerns(number)) unlike = all_out_of_step;
    return unlike != all_alike;
  });
  if (unlike != all_alike) [[unlikely]] {
    all->finish(number, me);
    return unlike_in_seats(endpoint, *all, number, word, unlike);
  }
  endpoints::collectives::Sequence& sequence = endpoint.collectives();
  if (settled) sequence.open_until = std::max(sequence.open_until, number - 1 + Meeting::slots);
  take(*all, number);
  all->finish(number, me);
  platform::prefetch_to_write(&all->seat(number + 1, me));
  return MPI_SUCCESS;
}

/// @returns as in_seats()
[[gnu::always_inline]] inline int barrier_in_seats(Endpoint& endpoint) {
  using endpoints::collectives::Call;
  constexpr std::uint64_t word = Call{.kind = Call::Kind::barrier}.word();
  return in_seats(endpoint, "MPI_Barrier", word, [](auto&) {}, [](auto&, std::uint64_t) {});
}

/// @returns as in_seats()
[[gnu::always_inline]] inline int allreduce_in_seats(Endpoint& endpoint, const void* buffer, void* room,
                                                     MPI_Count count, MPI_Datatype type, MPI_Op op) {
  using endpoints::collectives::Call;
  using endpoints::collectives::Meeting;
  using endpoints::collectives::MeetingSeat;
  const std::size_t size = endpoints::named_sizes.find(endpoints::bits(type));
  const auto most = static_cast<MPI_Count>(MeetingSeat::room);
  if (size == 0 || count <= 0 || count > most || size * static_cast<std::size_t>(count) > MeetingSeat::room)
    return another_way;
  const auto [combine, op_number] = endpoints::collectives::known_operator(op, type);
  if (combine == nullptr || buffer == nullptr || room == nullptr || buffer == room || room == MPI_IN_PLACE)
    return another_way;
  const std::size_t elements = static_cast<std::size_t>(count);
  const std::size_t bytes = size * elements;
  const Call call{.kind = Call::Kind::allreduce, .op = op_number, .bytes = bytes};
  return in_seats(
      endpoint, "MPI_Allreduce", call.word(),
      [&](MeetingSeat& mine) {
        mine.bytes = static_cast<std::uint32_t>(bytes);
        std::memcpy(mine.little, buffer == MPI_IN_PLACE ? room : buffer, bytes);
      },
      [&, with = combine](Meeting& all, std::uint64_t number) {
        alignas(16) std::byte result[MeetingSeat::room];
        int rank = all.seats() - 1;  // in the order of Reduction
        std::memcpy(result, all.seat(number, rank).little, bytes);
        while (--rank >= 0) with(all.seat(number, rank).little, result, result, elements);
        std::memcpy(room, result, bytes);
      });
}

/// Others than the root only wait for it, and it waits for nobody. @returns as in_seats()
[[gnu::always_inline]] inline int bcast_in_seats(Endpoint& endpoint, void* buffer, MPI_Count count, MPI_Datatype type,
                                                 int root) {
  using endpoints::collectives::Call;
  using endpoints::collectives::MeetingSeat;
  constexpr auto most = static_cast<MPI_Count>(MeetingSeat::room);
  constexpr const char* name = "MPI_Bcast";
  const std::size_t size = endpoints::named_sizes.find(endpoints::bits(type));
  const std::size_t bytes = size * static_cast<std::size_t>(count);
  if (size == 0 || count <= 0 || count > most || bytes > MeetingSeat::room) return another_way;
  if (buffer == nullptr || buffer == MPI_IN_PLACE) return another_way;
  if (static_cast<unsigned>(root) >= static_cast<unsigned>(endpoint.size())) return another_way;
  const Seats seats = next_seats(endpoint);
  if (seats.all == nullptr) return another_way;
  const auto [all, number] = seats;
  const std::uint64_t word = Call{.kind = Call::Kind::bcast, .root = root, .bytes = bytes}.word();
  if (!await_open(endpoint, name, seats)) [[unlikely]]
    return unlike_in_seats(endpoint, *all, number, word, all_out_of_step);
  const int me = endpoint.rank();
  MeetingSeat& mine = all->seat(number, me);
  mine.call = word;
  mine.bytes = me == root ? static_cast<std::uint32_t>(bytes) : MeetingSeat::not_here;
  if (me == root) std::memcpy(mine.little, buffer, bytes);
  all->arrive(number, me, true);
  if (me != root) {
    bool in_step = true;
    until(endpoint, name, [&] {
      if (all->has_arrived(number, root)) return true;
      endpoint.progress();
      in_step = !all->discord().concerns(number);
      return !in_step;
    });
    const MeetingSeat& its = all->seat(number, root);
    if (!in_step || its.call != word) [[unlikely]] {
      const bool shorter = in_step && may_be_shorter(Call::of(word), Call::of(its.call));
      if (shorter) std::memcpy(buffer, its.little, its.bytes);
      all->finish(number, me);
      return shorter ? MPI_SUCCESS : unlike_in_seats(endpoint, *all, number, word, in_step ? root : all_out_of_step);
    }
    std::memcpy(buffer, its.little, bytes);
  }
  all->finish(number, me);
  return MPI_SUCCESS;
}

/// Each rank brings as many elements as another, of one type on either side, and all it brings lies in its seat.
/// @param pieces how many of `count` elements a rank brings
/// @returns their bytes; 0: it is not so
[[gnu::always_inline]] inline std::size_t bytes_in_seats(const void* buffer, MPI_Count count, MPI_Datatype type,
                                                         const void* room, MPI_Count room_count, MPI_Datatype room_type,
                                                         int pieces) {
  constexpr auto most = static_cast<MPI_Count>(endpoints::collectives::MeetingSeat::room);
  const std::size_t size = endpoints::named_sizes.find(endpoints::bits(type));
  if (size == 0 || type != room_type || count != room_count || count <= 0 || count > most) return 0;
  if (buffer == nullptr || room == nullptr || buffer == room || buffer == MPI_IN_PLACE || room == MPI_IN_PLACE)
    return 0;
  const std::size_t bytes = size * static_cast<std::size_t>(count);
  return bytes * static_cast<std::size_t>(pieces) > static_cast<std::size_t>(most) ? 0 : bytes;
}

/// As Movement in seats. @param piece  of what another rank has brought, the one for this rank
/// @returns as in_seats()
template <typename Piece>
[[gnu::always_inline]] inline int move_in_seats(Endpoint& endpoint, const char* name,
                                                endpoints::collectives::Call::Kind kind, const void* buffer,
                                                std::size_t bytes, int pieces, void* room, Piece&& piece) {
  using endpoints::collectives::Call;
  using endpoints::collectives::Meeting;
  using endpoints::collectives::MeetingSeat;
  const Call call{.kind = kind, .bytes = bytes};
  return in_seats(
      endpoint, name, call.word(),
      [&](MeetingSeat& mine) {
        mine.bytes = static_cast<std::uint32_t>(bytes * static_cast<std::size_t>(pieces));
        std::memcpy(mine.little, buffer, mine.bytes);
      },
      [&](Meeting& all, std::uint64_t number) {
        auto* next = static_cast<std::byte*>(room);
        for (int rank = 0; rank < all.seats(); ++rank, next += bytes)
          std::memcpy(next, piece(all.seat(number, rank).little), bytes);
      });
}

/// @returns as in_seats()
[[gnu::always_inline]] inline int allgather_in_seats(Endpoint& endpoint, const void* buffer, MPI_Count count,
                                                     MPI_Datatype type, void* room, MPI_Count room_count,
                                                     MPI_Datatype room_type) {
  const std::size_t bytes = bytes_in_seats(buffer, count, type, room, room_count, room_type, 1);
  // Whether a rank may send what lies where it receives it is seen to there.
  const std::size_t own = bytes * static_cast<std::size_t>(endpoint.rank());
  if (bytes == 0 || buffer == static_cast<const std::byte*>(room) + own) return another_way;
  return move_in_seats(endpoint, "MPI_Allgather", endpoints::collectives::Call::Kind::allgather, buffer, bytes, 1, room,
                       [](const std::byte* brought) { return brought; });
}

/// @returns as in_seats()
[[gnu::always_inline]] inline int alltoall_in_seats(Endpoint& endpoint, const void* buffer, MPI_Count count,
                                                    MPI_Datatype type, void* room, MPI_Count room_count,
                                                    MPI_Datatype room_type) {
  const int ranks = endpoint.size();
  const std::size_t bytes = bytes_in_seats(buffer, count, type, room, room_count, room_type, ranks);
  if (bytes == 0) return another_way;
  const std::size_t at = bytes * static_cast<std::size_t>(endpoint.rank());
  return move_in_seats(endpoint, "MPI_Alltoall", endpoints::collectives::Call::Kind::alltoall, buffer, bytes, ranks,
                       room, [at](const std::byte* brought) { return brought + at; });
}

}  // namespace raddle::interpose::on_endpoint
