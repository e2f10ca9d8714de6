// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/receive_request.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "endpoints/errors.hpp"
#include "endpoints/mover.hpp"
#include "partitioned/link.hpp"
#include "partitioned/office.hpp"
#include "platform/settings.hpp"

namespace raddle::partitioned {

ReceiveRequest::ReceiveRequest(Desk desk, const Arguments& arguments) : PartitionedRequest(std::move(desk), arguments) {
  const std::lock_guard lock(office().guard());
  Carrier& carrier = office().carrier();
  name_ = office().next_receive(peer(), arguments.tag);
  if (content().copied()) unpacked_ = std::vector<Round>(static_cast<std::size_t>(partitions_made()));
  if (const void* const shared = carrier.shared_with(peer()); platform::settings().part_direct && shared != nullptr) {
    link_ = OwnLinks::join({shared, peer(), carrier.rank(), name_.tag, name_.number});
    link_->join_as_receiver(content().data(), content().bytes());
    settled_.store(true, std::memory_order_release);
    return;
  }
  office().expect(name_, *this);
}

ReceiveRequest::~ReceiveRequest() {
  const std::lock_guard lock(office().guard());
  if (level_ != nullptr) {
    office().forget_settled(peer(), setup_.first_tag);
  } else if (!link_) {
    office().forget(name_);
  }
}

void ReceiveRequest::settle(const Notice& notice) {
  setup_ = notice;
  bytes_ = notice.bytes;
  if (notice.memory_bytes != 0) {
    try {
      link_ = Link::open(notice);
      link_->join_as_receiver(content().data(), content().bytes());
      if (active_) link_->open_round(round());
      settled_.store(true, std::memory_order_release);
    } catch (const std::system_error& problem) {
      unreachable_ = endpoints::error_with(MPI_ERR_OTHER, std::string("Raddle: cannot share memory with the sender (") +
                                                              problem.what() + "); RADDLE_PART_DIRECT=0 needs none");
      fail(unreachable_);
    }
    return;
  }
  if (too_long()) spill_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
  level_ = &level(notice.group_bytes);
  left_ = level_->division.groups;
  settled_.store(true, std::memory_order_release);
  if (!active_) return;
  if (const int code = start_messages(); code != MPI_SUCCESS) fail(code);
}

ReceiveRequest::Level& ReceiveRequest::level(std::size_t group_bytes) {
  std::unique_ptr<Level>& found = levels_[group_bytes];
  if (!found) {
    found = std::make_unique<Level>();
    const std::size_t groups =
        group_bytes == 0 ? static_cast<std::size_t>(setup_.groups) : (bytes_ + group_bytes - 1) / group_bytes;
    found->division = {.data = spill_ ? spill_.get() : content().data(),
                       .bytes = bytes_,
                       .group_bytes = group_bytes,
                       .groups = static_cast<int>(groups),
                       .peer = peer(),
                       .first_tag = setup_.first_tag};
    found->messages = office().carrier().receives(found->division);
    found->arrived = std::vector<Round>(groups);
  }
  return *found;
}

int ReceiveRequest::begin() {
  if (link_) {
    seen_ = link_->sender_there() ? (round() - 1) * static_cast<std::uint64_t>(link_->groups()) : 0;
    noted_.clear();
    link_->open_round(round());
    return MPI_SUCCESS;
  }
  if (unreachable_ != MPI_SUCCESS) return unreachable_;
  if (level_ == nullptr) {
    office().unsettled();
    return MPI_SUCCESS;
  }
  if (!plans_.empty() && plans_.front().from == round()) {
    level_ = &level(plans_.front().group_bytes);
    plans_.pop_front();
  }
  left_ = level_->division.groups;
  return start_messages();
}

int ReceiveRequest::start_messages() {
  for (int group = 0; group < level_->division.groups; ++group) {
    if (const int code = level_->messages->start(group); code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

bool ReceiveRequest::advance() {
  if (link_) {
    look_at_link();
  } else if (level_ != nullptr && office().carrier().may_start()) {
    ended_.clear();
    if (const int code = level_->messages->look(ended_); code != MPI_SUCCESS) fail(code);
    left_ -= static_cast<int>(ended_.size());
    for (const int group : ended_) note(group);
  }
  if (!all_here()) return unreachable_ != MPI_SUCCESS;
  end_round();
  return true;
}

bool ReceiveRequest::all_here() {
  if (link_) return link_->sender_there() && seen_ >= round() * static_cast<std::uint64_t>(link_->groups());
  if (level_ == nullptr || left_ > 0) return false;
  return setup_.adapts == 0 || !tells_plan(round()) || !plans_.empty();
}

void ReceiveRequest::look_at_link() {
  if (!link_->sender_there()) return;
  link_->help_as_receiver(round());
  const std::uint64_t arrived = link_->arrived();  // before the groups: those that come meanwhile are another look's
  if (std::exchange(seen_, arrived) == arrived || !unpacks()) return;
  noted_.resize(static_cast<std::size_t>(link_->groups()));
  for (int group = 0; group < link_->groups(); ++group) {
    if (noted_[static_cast<std::size_t>(group)] || !link_->has_arrived(group, round())) continue;
    noted_[static_cast<std::size_t>(group)] = true;
    note(group);
  }
}

void ReceiveRequest::note(int group) {
  if (!link_) level_->arrived[static_cast<std::size_t>(group)].store(round(), std::memory_order_release);
  if (!unpacks() || spill_) return;
  const std::size_t each = content().partition_bytes();
  const std::size_t come = link_ ? link_->bytes() : bytes_;  // less than there is room for leaves the rest as it is
  const std::size_t group_bytes = link_ ? link_->group_bytes() : level_->division.group_bytes;
  Range under{0, partitions_made()};
  if (each > 0 && group_bytes > 0) {
    const std::size_t begin = static_cast<std::size_t>(group) * group_bytes;
    const auto most = static_cast<std::size_t>(partitions_made());
    under = {static_cast<int>(std::min(begin / each, most)),
             static_cast<int>(std::min((begin + group_bytes - 1) / each + 1, most))};
  }
  for (int partition = under.first; partition < under.end; ++partition) {
    Round& done = unpacked_[static_cast<std::size_t>(partition)];
    const Range groups = groups_of(partition);
    bool here = done.load(std::memory_order_relaxed) != round();
    for (int one = groups.first; here && one < groups.end; ++one) here = has_arrived(one);
    if (!here) continue;
    const std::size_t begin = static_cast<std::size_t>(partition) * each;
    content().unpack({partition, partition + 1}, std::min(each, come > begin ? come - begin : 0));
    done.store(round(), std::memory_order_release);
  }
}

void ReceiveRequest::end_round() {
  if (link_) {
    bytes_ = link_->bytes();
    if (link_->failed()) fail(MPI_ERR_OTHER);
  }
  if (spill_) {
    if (content().bytes() > 0) std::memcpy(content().data(), spill_.get(), content().bytes());
    if (unpacks()) content().unpack({0, partitions_made()}, content().bytes());
  }
  if (too_long()) fail(MPI_ERR_TRUNCATE);
}

Range ReceiveRequest::groups_of(int partition) const {
  const std::size_t group_bytes = link_ ? link_->group_bytes() : level_->division.group_bytes;
  const int groups = link_ ? link_->groups() : level_->division.groups;
  return groups_under(partition, content().partition_bytes(), group_bytes, groups);
}

bool ReceiveRequest::has_arrived(int group) const {
  if (link_) return link_->has_arrived(group, round());
  return level_->arrived[static_cast<std::size_t>(group)].load(std::memory_order_acquire) == round();
}

bool ReceiveRequest::is_here(int partition) const {
  if (complete()) return true;
  if (!settled_.load(std::memory_order_acquire) || spill_) return false;
  if (link_ && !link_->sender_there()) return false;
  if (unpacks()) return unpacked_[static_cast<std::size_t>(partition)].load(std::memory_order_acquire) == round();
  const Range groups = groups_of(partition);
  for (int group = groups.first; group < groups.end; ++group) {
    if (!has_arrived(group)) return false;
  }
  return true;
}

int ReceiveRequest::arrived(int partition, bool& flag) {
  if (!is_partition(partition)) return MPI_ERR_ARG;
  flag = !active_ || is_here(partition);
  if (flag) return MPI_SUCCESS;
  if (office().carrier().any_thread()) {
    mover()->progress();
  } else {
    office().look();
  }
  flag = is_here(partition);
  return MPI_SUCCESS;
}

endpoints::Result ReceiveRequest::result() const {
  return {.source = peer(), .tag = name_.tag, .bytes = std::min(bytes_, content().bytes()), .error = error()};
}

int ReceiveRequest::messages() const {
  return !settled_.load(std::memory_order_acquire) || link_ ? 0 : level_->division.groups;
}

}  // namespace raddle::partitioned
