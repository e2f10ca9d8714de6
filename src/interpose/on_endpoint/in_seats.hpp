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

/// Until all ranks have come.
/// @param sit  writes this endpoint's Seat
/// @param take is given the meeting and the number: what is in the seats of all can be read
/// @returns false, and does nothing: ranks are on several nodes, or another collective is under way
template <typename Sit, typename Take>
bool in_seats(endpoints::Endpoint& endpoint, const char* call, Sit&& sit, Take&& take) {
  using endpoints::collectives::Meeting;
  endpoints::collectives::Sequence& sequence = endpoint.collectives();
  endpoints::collectives::Context& context = endpoint.communicator().collectives();
  Meeting* const all = context.meeting_of_all();
  if (all == nullptr || sequence.any() || !context.level_suffices() || endpoint.maker() != nullptr) return false;
  const std::uint64_t number = sequence.next(!context.alone());
  const int me = endpoint.rank();
  // What others have finished stands in lines that cost as much as all the rest. Mostly they have said it already.
  if (number > sequence.open_until) {
    until(endpoint, call, [&] {
      if (all->open(number)) return true;
      endpoint.progress();
      return false;
    });
  }
  sit(all->seat(number, me));
  all->arrive(number, me, number - 1);
  int come = 0;
  std::uint64_t over = number;
  until(endpoint, call, [&] {
    for (; come < all->seats(); ++come) {
      if (!all->has_arrived(number, come)) break;
      over = std::min(over, all->seat(number, come).over);
    }
    if (come == all->seats()) return true;
    endpoint.progress();
    return false;
  });
  sequence.open_until = std::max(sequence.open_until, over + Meeting::slots);
  take(*all, number);
  all->finish(number, me);
  platform::prefetch_to_write(&all->seat(number + 1, me));
  return true;
}

}  // namespace raddle::interpose::on_endpoint
