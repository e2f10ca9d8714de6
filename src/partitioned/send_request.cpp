// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/send_request.hpp"

#include <algorithm>
#include <mutex>
#include <system_error>
#include <utility>

#include "endpoints/errors.hpp"
#include "partitioned/costs.hpp"
#include "partitioned/link.hpp"
#include "partitioned/office.hpp"
#include "platform/settings.hpp"

namespace raddle::partitioned {
namespace {

// The fewest bytes of a group that goes straight into the receiver's buffer. Below, what the two sides tell each other
// about it costs more than being early is worth.
constexpr std::size_t usual_direct = std::size_t{32} * 1024;

/// In how many pieces a group is copied, so that both sides can copy of it: equal ones, and no more than there may be.
int pieces_of(std::size_t group_bytes, int groups) {
  constexpr std::size_t enough = std::size_t{256} * 1024;
  int pieces = static_cast<int>(std::min<std::size_t>(group_bytes / enough, most_groups / std::max(groups, 1)));
  while (pieces > 1 && group_bytes % static_cast<std::size_t>(pieces) != 0) --pieces;
  return std::max(pieces, 1);
}

}  // namespace

SendRequest::SendRequest(Desk desk, const Arguments& arguments) : PartitionedRequest(std::move(desk), arguments) {
  const std::lock_guard lock(office().guard());
  Carrier& carrier = office().carrier();
  const bool direct = platform::settings().part_direct;
  if (const void* const shared = carrier.shared_with(peer()); direct && shared != nullptr) {
    link_to_own_process(shared, arguments.tag, arguments);
    return;
  }
  setup_.tag = arguments.tag;
  setup_.bytes = content().bytes();
  // Without data a send is over before its receiver is there, and with it the memory of a link.
  const bool linked = direct && content().bytes() > 0 && carrier.reaches(peer()) && link_to_other_process(arguments);
  if (!linked) use_messages(arguments);
  setup_.number = office().next_send(peer(), arguments.tag).number;  // last: the receiver counts only what was made
}

SendRequest::~SendRequest() {
  const std::lock_guard lock(office().guard());
  if (first_tag_ >= 0) office().give_back_tags(peer(), first_tag_);
}

void SendRequest::link_to_own_process(const void* shared, int tag, const Arguments& arguments) {
  own_process_ = true;
  const Name name = office().next_send(peer(), tag);
  link_ = OwnLinks::join({shared, office().carrier().rank(), peer(), tag, name.number});
  use_link(arguments);
}

bool SendRequest::link_to_other_process(const Arguments& arguments) {
  try {
    link_ = Link::create();
  } catch (const std::system_error&) {
    return false;  // no memory or file descriptor is left for it: messages need none
  }
  link_->describe(setup_);
  use_link(arguments);
  return true;
}

void SendRequest::use_link(const Arguments& arguments) {
  const int per_group = per_message(arguments.hints, partitions_made(), content().partition_bytes(), usual_direct);
  level_ = &level(per_group);
  const Groups& groups = level_->counters.groups();
  const std::size_t group_bytes = division(groups).group_bytes;
  pieces_ = pieces_of(group_bytes, groups.count());
  const std::size_t piece = group_bytes / static_cast<std::size_t>(pieces_);
  const std::size_t pieces =
      piece == 0 ? static_cast<std::size_t>(groups.count()) : (content().bytes() + piece - 1) / piece;
  link_->join_as_sender(content().data(), content().bytes(), piece, static_cast<int>(pieces));
}

void SendRequest::use_messages(const Arguments& arguments) {
  GroupingHints finest = arguments.hints;
  adapts_ = finest.policy == platform::PartPolicy::automatic && partitions_made() > 1 && content().bytes() > 0;
  const int per_group =
      per_message(arguments.hints, partitions_made(), content().partition_bytes(), usual_message_bytes());
  finest.policy = platform::PartPolicy::none;
  finest_ = adapts_ ? per_message(finest, partitions_made(), content().partition_bytes(), 1) : per_group;
  first_tag_ = office().take_tags(peer(), std::max(1, Groups(partitions_made(), finest_).count()));
  level_ = &level(per_group);
  planned_ = per_group;
  setup_.first_tag = first_tag_;
  setup_.groups = level_->counters.groups().count();
  setup_.group_bytes = division(level_->counters.groups()).group_bytes;
  setup_.adapts = adapts_ ? 1 : 0;
}

Division SendRequest::division(const Groups& groups) const {
  return {.data = content().data(),
          .bytes = content().bytes(),
          .group_bytes = static_cast<std::size_t>(groups.per_group()) * content().partition_bytes(),
          .groups = groups.count(),
          .peer = peer(),
          .first_tag = first_tag_};
}

SendRequest::Level& SendRequest::level(int per_group) {
  std::unique_ptr<Level>& found = levels_[per_group];
  if (!found) {
    const Groups groups(partitions_made(), per_group);
    found = std::make_unique<Level>(groups);
    if (!link_) found->messages = office().carrier().sends(division(groups));
  }
  return *found;
}

int SendRequest::begin() {
  // Not before: a send that is never started may have no receive that would take its notice.
  if (round() == 1 && !own_process_) office().carrier().tell(peer(), setup_);
  if (adapts_) {
    level_ = &level(planned_);
    if (tells_plan(round())) {
      planned_ = next_per_group();
      Notice notice;
      notice.kind = Notice::Kind::plan;
      notice.first_tag = first_tag_;
      notice.number = round() + 1;
      notice.group_bytes = division(Groups(partitions_made(), planned_)).group_bytes;
      office().carrier().tell(peer(), notice);
    }
  }
  observes_ = adapts_ && tells_plan(round() + 1);
  if (observes_) level_->pace.begin();
  level_->counters.next_round();
  left_ = level_->counters.groups().count();
  return MPI_SUCCESS;
}

int SendRequest::ready(int partition) {
  if (!active_) [[unlikely]]
    return MPI_ERR_REQUEST;
  if (!is_partition(partition)) [[unlikely]]
    return MPI_ERR_ARG;
  if (content().copied()) content().pack({partition, partition + 1});
  Level& level = *level_;
  const int group = level.counters.groups().of(partition);
  if (observes_) level.pace.partition(group);
  // Once all are counted the round may end, and the program free this, before the others return.
  if (!level.counters.arrive(group)) [[likely]]
    return MPI_SUCCESS;
  if (observes_) level.pace.last(group);
  return leave(group);
}

int SendRequest::leave(int group) {
  if (link_) {
    const int end = std::min((group + 1) * pieces_, link_->groups());
    for (int piece = group * pieces_; piece < end; ++piece) link_->ready(piece, round());
    departed_.fetch_add(1, std::memory_order_release);  // the last that is touched here
    return MPI_SUCCESS;
  }
  const Carrier& carrier = office().carrier();
  if (carrier.any_thread()) return level_->messages->start(group);
  if (carrier.may_start()) {
    const std::lock_guard lock(office().guard());
    if (carrier.may_start()) return level_->messages->start(group);
  }
  pending_.add(group);
  return MPI_SUCCESS;
}

bool SendRequest::advance() {
  const auto groups = static_cast<std::uint64_t>(level_->counters.groups().count());
  if (link_) {
    link_->help_as_sender(round());
    // The receiver may have copied what a thread is still busy with here.
    if (link_->arrived() < round() * static_cast<std::uint64_t>(link_->groups())) return false;
    if (departed_.load(std::memory_order_acquire) < round() * groups) return false;
    if (link_->failed()) fail(MPI_ERR_OTHER);
    return true;
  }
  if (!office().carrier().may_start()) return left_ == 0;
  pending_.take_all([this](int group) {
    if (const int code = level_->messages->start(group); code != MPI_SUCCESS) fail(code);
  });
  ended_.clear();
  if (const int code = level_->messages->look(ended_); code != MPI_SUCCESS) fail(code);
  left_ -= static_cast<int>(ended_.size());
  return left_ == 0;
}

int SendRequest::messages() const { return link_ ? 0 : level_->counters.groups().count(); }

int SendRequest::next_per_group() {
  const Groups& groups = level_->counters.groups();
  const Costs& costs = message_costs();
  int best = groups.per_group();
  double least = level_->pace.tail(content().bytes(), 1, costs);
  for (int per_group = finest_;; per_group *= 2) {
    const int tried = std::min(per_group, partitions_made());
    const double parts = static_cast<double>(groups.per_group()) / tried;
    // What would change little is left as it is: measured times differ from round to round.
    constexpr double worth = 0.9;
    if (const double tail = level_->pace.tail(content().bytes(), parts, costs); tail < worth * least) {
      least = tail;
      best = tried;
    }
    if (tried == partitions_made()) return best;
  }
}

}  // namespace raddle::partitioned
