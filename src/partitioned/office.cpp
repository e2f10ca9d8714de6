// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/office.hpp"

#include <algorithm>

#include "endpoints/errors.hpp"
#include "partitioned/receive_request.hpp"
#include "partitioned/request.hpp"

namespace raddle::partitioned {

Office::Office(std::unique_ptr<Carrier> carrier, std::atomic<std::uint32_t>& under_way)
    : carrier_(std::move(carrier)), under_way_(under_way) {}

Office::~Office() = default;

void Office::progress() { step(true); }

void Office::look() { step(false); }

void Office::step(bool completes) {
  std::vector<std::unique_ptr<PartitionedRequest>> given_up;
  const std::unique_lock lock(guard_, std::try_to_lock);
  if (!lock.owns_lock() || closed_) return;
  if (completes) carrier_->take_turn();
  if (carrier_->may_start()) hear();
  for (std::size_t i = 0; i < active_.size();) {
    PartitionedRequest& request = *active_[i];
    if (!request.advance()) {
      ++i;
      continue;
    }
    active_[i] = active_.back();
    active_.pop_back();
    under_way_.fetch_sub(1, std::memory_order_relaxed);
    if (request.finish()) given_up.emplace_back(&request);
  }
}

void Office::enter(PartitionedRequest& request) {
  const std::lock_guard lock(guard_);
  requests_.insert(&request);
}

void Office::leave(PartitionedRequest& request) {
  const std::lock_guard lock(guard_);
  requests_.erase(&request);
}

bool Office::unused() {
  const std::lock_guard lock(guard_);
  return requests_.empty();
}

void Office::raise_on(MPI_Comm comm) {
  const std::lock_guard lock(guard_);
  for (PartitionedRequest* const request : requests_) request->raise_on(comm);
}

void Office::close() {
  const std::lock_guard lock(guard_);
  closed_ = true;
}

bool Office::awaits() {
  const std::lock_guard lock(guard_);
  return std::ranges::any_of(expected_, [](const auto& one) { return one.second != nullptr && one.second->active(); });
}

int Office::take_tags(int peer, int count) {
  const auto first = tags_[peer].take(count, carrier_->greatest_tag());
  if (!first) {
    throw endpoints::Failure(endpoints::error_with(
        MPI_ERR_OTHER, carrier_->reuses_tags()
                           ? "Raddle: no tags are left for partitioned messages to this rank: free requests"
                           : "Raddle: no tags are left for partitioned messages to this rank: each request has taken "
                             "some for good, fewer with a lower raddle_part_max_messages"));
  }
  return *first;
}

void Office::expect(const Name& name, ReceiveRequest& receive) {
  const auto found = early_.find(name);
  if (found == early_.end()) {
    expected_[name] = &receive;
    return;
  }
  const Early early = std::move(found->second);
  early_.erase(found);
  settle(receive, name.peer, early.setup);
  for (const Notice& plan : early.plans) receive.plan(plan);
}

void Office::forget(const Name& name) {
  // His notice will still come.
  if (const auto found = expected_.find(name); found != expected_.end()) found->second = nullptr;
}

void Office::forget_settled(int peer, int first_tag) {
  settled_.erase({peer, first_tag});
  freed(peer, first_tag);
}

void Office::freed(int peer, int first_tag) {
  if (!carrier_->reuses_tags()) return;
  Notice notice;
  notice.kind = Notice::Kind::freed;
  notice.first_tag = first_tag;
  carrier_->tell(peer, notice);
}

void Office::activate(PartitionedRequest& request) {
  active_.push_back(&request);
  under_way_.fetch_add(1, std::memory_order_relaxed);
}

void Office::hear() {
  int peer = 0;
  Notice notice;
  while (carrier_->hear(peer, notice)) heard(peer, notice);
}

void Office::heard(int peer, const Notice& notice) {
  switch (notice.kind) {
    case Notice::Kind::setup: {
      const Name name{peer, notice.tag, notice.number};
      const auto found = expected_.find(name);
      if (found == expected_.end()) {
        early_[name].setup = notice;
        return;
      }
      ReceiveRequest* const receive = found->second;
      expected_.erase(found);
      if (receive != nullptr) return settle(*receive, peer, notice);
      if (notice.memory_bytes == 0) freed(peer, notice.first_tag);
      return;
    }
    case Notice::Kind::plan:
      return plan(peer, notice);
    case Notice::Kind::freed:
      give_back_tags(peer, notice.first_tag);
      return;
  }
}

void Office::plan(int peer, const Notice& notice) {
  if (const auto found = settled_.find({peer, notice.first_tag}); found != settled_.end())
    return found->second->plan(notice);
  const auto early = std::ranges::find_if(early_, [&](const auto& one) {
    return one.first.peer == peer && one.second.setup.first_tag == notice.first_tag;
  });
  if (early != early_.end()) early->second.plans.push_back(notice);
}

void Office::settle(ReceiveRequest& receive, int peer, const Notice& notice) {
  if (notice.memory_bytes == 0) settled_[{peer, notice.first_tag}] = &receive;
  receive.settle(notice);
}

}  // namespace raddle::partitioned
