// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/matching.hpp"

#include <algorithm>
#include <bit>

namespace raddle::direct {
namespace {

constexpr std::size_t most_buckets = 256;

}  // namespace

Matching::Matching(int sources)
    : mask_(std::min(std::bit_ceil(static_cast<std::size_t>(std::max(sources, 1))), most_buckets) - 1),
      posted_(mask_ + 1),
      arrived_of_source_(mask_ + 1) {}

Posted* Matching::first_fitting(Posted* receive, int source, int tag) {
  while (receive != nullptr && !fits(*receive, source, tag)) receive = receive->next;
  return receive;
}

Posted* Matching::match(int source, int tag) {
  Posted* const exact = first_fitting(posted_[bucket(source)].first(), source, tag);
  Posted* const from_any = first_fitting(posted_any_.first(), source, tag);
  Posted* const earliest =
      exact == nullptr || (from_any != nullptr && from_any->order < exact->order) ? from_any : exact;
  if (earliest != nullptr) withdraw(*earliest);
  return earliest;
}

void Matching::keep(Arrived& message) {
  ++unusual_;
  arrived_.append(message);
  arrived_of_source_[bucket(message.source)].append(message);
}

Arrived* Matching::find_further(int source, int tag) const {
  if (source == any) {
    Arrived* message = arrived_.first();
    while (message != nullptr && !fits(tag, message->tag)) message = message->next;
    return message;
  }
  Arrived* message = arrived_of_source_[bucket(source)].first();
  while (message != nullptr && !(message->source == source && fits(tag, message->tag)))
    message = message->next_of_source;
  return message;
}

void Matching::take(Arrived& message) {
  --unusual_;
  arrived_.remove(message);
  arrived_of_source_[bucket(message.source)].remove(message);
}

void Matching::each_posted(const std::function<void(const Posted&)>& visit) const {
  std::vector<const Posted*> all;
  const auto collect = [&](const PostedQueue& queue) {
    for (const Posted* receive = queue.first(); receive != nullptr; receive = receive->next) all.push_back(receive);
  };
  std::ranges::for_each(posted_, collect);
  collect(posted_any_);
  std::ranges::stable_sort(all, {}, &Posted::order);
  for (const Posted* receive : all) visit(*receive);
}

void Matching::each_arrived(const std::function<void(Arrived&)>& visit) const {
  for (Arrived* message = arrived_.first(); message != nullptr; message = message->next) visit(*message);
}

}  // namespace raddle::direct
