// SPDX-License-Identifier: BSD-3-Clause
// Collectives of which all that ranks bring lies in their seats, while no other one of the endpoint is under way: the
// numbers, seats and order of a Collective (endpoints/collectives/collective.hpp), which the others may be in, without
// an object for what takes so short a time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "endpoints/collectives/context.hpp"
#include "endpoints/endpoint.hpp"
#include "interpose/on_endpoint/arguments.hpp"
#include "platform/prefetch.hpp"

namespace raddle::interpose::on_endpoint {

/// Ranks do not call the same, or are out of step. @returns the error, raised
[[gnu::cold]] int unlike_in_seats(endpoints::Endpoint& endpoint, endpoints::collectives::Meeting& all,
                                  std::uint64_t number, std::uint64_t word, int other);

/// No error code: nothing has been done, for ranks are on several nodes, or another collective is under way.
constexpr int another_way = -1;

/// Until all ranks have come.
/// @param word what all have to call: Call::word()
/// @param sit  writes this endpoint's Seat
/// @param take is given the meeting and the number: what is in the seats of all can be read
/// @returns MPI_SUCCESS, another_way, or an error, which has been raised
template <typename Sit, typename Take>
int in_seats(endpoints::Endpoint& endpoint, const char* call, std::uint64_t word, Sit&& sit, Take&& take) {
  using endpoints::collectives::Meeting;
  using endpoints::collectives::Seat;
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
  Seat& mine = all->seat(number, me);
  mine.call = word;
  sit(mine);
  all->arrive(number, me, true);
  int come = 0;
  bool settled = true;
  until(endpoint, call, [&] {
    for (; come < all->seats(); ++come) {
      if (!all->has_arrived(number, come)) break;
      const Seat& other = all->seat(number, come);
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

}  // namespace raddle::interpose::on_endpoint
