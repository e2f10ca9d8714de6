// SPDX-License-Identifier: BSD-3-Clause
// A message that two threads have seen by probing, before either received it: the second one to receive gets another.
#include "check/call.hpp"
#include "check/findings.hpp"

namespace raddle::check {

void Call::probed(const MPI_Status* status) {
  const std::lock_guard alone(lock());
  thread_->probed = {};
  if (status == nullptr || status == MPI_STATUS_IGNORE || status->MPI_SOURCE == MPI_PROC_NULL) return;
  thread_->probed.is = true;
  thread_->probed.communicator = communicator_;
  thread_->probed.source = status->MPI_SOURCE;
  thread_->probed.tag = status->MPI_TAG;
  thread_->probed.site = site_;
}

void Call::receives(int source, int tag) {
  if (thread_ == nullptr) return;
  const std::lock_guard alone(lock());
  auto& mine = thread_->probed;
  const auto may_be_it = [&](const auto& probed) {
    return probed.is && probed.communicator == communicator_ && (source == MPI_ANY_SOURCE || source == probed.source) &&
           (tag == MPI_ANY_TAG || tag == probed.tag);
  };
  if (!may_be_it(mine)) {
    // Who has seen it by probing may have handed it over to this thread.
    for (Thread* const other : threads()) {
      if (other != thread_ && may_be_it(other->probed)) other->probed = {};
    }
    return;
  }
  if (mine.taken) found({.rule = "probe-overtaken", .site = site_, .other = mine.by});
  for (Thread* const other : threads()) {
    auto& its = other->probed;
    if (other == thread_ || !its.is || its.communicator != communicator_) continue;
    if (its.source != mine.source || its.tag != mine.tag) continue;
    its.taken = true;
    its.by = site_;
  }
  mine = {};
}

}  // namespace raddle::check
