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
  endpoints::collectives::Sequence& sequence = endpoint.collectives();
  endpoints::collectives::Context& context = endpoint.communicator().collectives();
  Meeting* const all = context.meeting_of_all();
  if (all == nullptr || sequence.any() || !context.level_suffices() || endpoint.maker() != nullptr) return another_way;
  const std::uint64_t number = sequence.next(!context.alone());
  const int me = endpoint.rank();
  constexpr int all_alike = -1;
  constexpr int out_of_step = -2;
  int unlike = all_alike;
  // What others have finished stands in lines that cost as much as all the rest. Mostly they have said it already.
  if (number > sequence.open_until) {
    until(endpoint, call, [&] {
      if (all->open(number)) return true;
      endpoint.progress();
      if (all->discord().concerns(number)) unlike = out_of_step;
      return unlike != all_alike;
    });
    if (unlike != all_alike) [[unlikely]]
      return unlike_in_seats(endpoint, *all, number, word, unlike);
  }
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
    if (all->discord().concerns(number)) unlike = out_of_step;
    return unlike != all_alike;
  });
  if (unlike != all_alike) [[unlikely]] {
    all->finish(number, me);
    return unlike_in_seats(endpoint, *all, number, word, unlike);
  }
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

}  // namespace raddle::interpose::on_endpoint
