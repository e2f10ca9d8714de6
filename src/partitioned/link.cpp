// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/link.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "node/cross_memory.hpp"

namespace raddle::partitioned {

Link::Link() : own_(std::make_unique<LinkMemory>()), memory_(own_.get()) {}

Link::Link(node::SharedSegment segment, LinkMemory* memory) : segment_(std::move(segment)), memory_(memory) {}

std::shared_ptr<Link> Link::create() {
  node::SharedSegment segment = node::SharedSegment::create(sizeof(LinkMemory));
  auto* const memory = new (segment.bytes().data()) LinkMemory;
  return std::shared_ptr<Link>(new Link(std::move(segment), memory));
}

std::shared_ptr<Link> Link::open(const Notice& notice) {
  node::SharedSegment segment =
      node::SharedSegment::open(notice.memory.data(), static_cast<std::size_t>(notice.memory_bytes));
  auto* const memory = std::launder(reinterpret_cast<LinkMemory*>(segment.bytes().data()));
  return std::shared_ptr<Link>(new Link(std::move(segment), memory));
}

void Link::describe(Notice& notice) const {
  notice.memory_bytes = static_cast<std::int32_t>(sizeof(LinkMemory));
  segment_->address().copy(notice.memory.data(), notice.memory.size() - 1);
}

void Link::join(LinkMemory::Side& side, const std::byte* data, std::size_t bytes) const {
  side.address = reinterpret_cast<std::uintptr_t>(data);
  side.bytes = bytes;
  side.process = own_ ? 0 : getpid();
  side.there.store(true, std::memory_order_seq_cst);
}

void Link::join_as_sender(const std::byte* data, std::size_t bytes, std::size_t group_bytes, int groups) {
  memory_->group_bytes = group_bytes;
  memory_->groups = groups;
  join(memory_->sender, data, bytes);
}

void Link::join_as_receiver(std::byte* data, std::size_t bytes) { join(memory_->receiver, data, bytes); }

void Link::ready(int group, std::uint64_t round) {
  state(group).set_ready(round);
  if (!memory_->open.is_open(round)) return;  // he will find it when he opens the round
  // A receiver that is looking has time to copy, and this thread has something to compute.
  const std::uint32_t looks = memory_->looks.load(std::memory_order_relaxed);
  const bool looked = seen_looks_.exchange(looks, std::memory_order_relaxed) != looks;
  if (looked || memory_->copies.load(std::memory_order_relaxed)) {
    memory_->offered.add(group);
  } else {
    help({group, group + 1}, round);
  }
}

int Link::run() const {
  // Long enough to be copied at full speed, and short enough for two to share.
  constexpr std::size_t bytes = std::size_t{256} * 1024;
  return static_cast<int>(std::max<std::size_t>(bytes / std::max<std::size_t>(group_bytes(), 1), 1));
}

void Link::help_as_sender(std::uint64_t round) {
  for (Range some = memory_->offered.take_run(false, run()); some.first < some.end;
       some = memory_->offered.take_run(false, run()))
    help(some, round);
}

void Link::help_as_receiver(std::uint64_t round) {
  memory_->looks.fetch_add(1, std::memory_order_relaxed);
  Range some = memory_->offered.take_run(true, run());
  if (some.first == some.end) return;
  memory_->copies.store(true, std::memory_order_relaxed);
  for (; some.first < some.end; some = memory_->offered.take_run(true, run())) help(some, round);
  memory_->copies.store(false, std::memory_order_relaxed);
}

void Link::help(Range groups, std::uint64_t round) const {
  for (int first = groups.first; first < groups.end; ++first) {
    int end = first;
    while (end < groups.end && state(end).claim(round)) ++end;
    if (end > first) copy({first, end}, round);
    first = end;  // has none, or is another's
  }
}

void Link::open_round(std::uint64_t round) {
  memory_->open.open(round);
  if (!memory_->sender.there.load(std::memory_order_seq_cst)) return;  // he will see it when he comes
  help({0, groups()}, round);
}

void Link::copy(Range groups, std::uint64_t round) const {
  const LinkMemory::Side& from = memory_->sender;
  const LinkMemory::Side& to = memory_->receiver;
  const std::size_t all = std::min(from.bytes, to.bytes);
  const std::size_t begin = static_cast<std::size_t>(groups.first) * memory_->group_bytes;
  const std::size_t end =
      groups.end == memory_->groups ? all : std::min(all, static_cast<std::size_t>(groups.end) * memory_->group_bytes);
  const std::size_t bytes = begin < end ? end - begin : 0;
  auto* const source = reinterpret_cast<const std::byte*>(from.address + begin);
  auto* const target = reinterpret_cast<std::byte*>(to.address + begin);
  if (bytes > 0) {
    const bool receives = own_ || to.process == getpid();
    const bool done = receives ? node::copy_from(from.process, from.address + begin, {target, bytes})
                               : node::copy_to(to.process, to.address + begin, {source, bytes});
    if (!done) memory_->failed.store(true, std::memory_order_relaxed);
  }
  for (int group = groups.first; group < groups.end; ++group) state(group).set_arrived(round);
  memory_->arrived.fetch_add(static_cast<std::uint64_t>(groups.end - groups.first), std::memory_order_release);
}

namespace {

struct Waiting {
  std::mutex guard;
  std::map<OwnLinks::Key, std::shared_ptr<Link>> links;  ///< that have one side
};

Waiting& waiting() {
  static auto& lasting = *new Waiting;  // calls may come after the destructors of a program
  return lasting;
}

}  // namespace

std::shared_ptr<Link> OwnLinks::join(const Key& key) {
  const std::lock_guard lock(waiting().guard);
  auto& links = waiting().links;
  if (const auto found = links.find(key); found != links.end()) {
    std::shared_ptr<Link> link = std::move(found->second);
    links.erase(found);
    return link;
  }
  return links[key] = std::make_shared<Link>();
}

void OwnLinks::forget(const void* communicator) {
  const std::lock_guard lock(waiting().guard);
  std::erase_if(waiting().links, [&](const auto& one) { return one.first.communicator == communicator; });
}

}  // namespace raddle::partitioned
