// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/communicators/two_phase_commit.hpp"

#include <algorithm>
#include <random>
#include <utility>

namespace raddle::endpoints {

std::chrono::microseconds TwoPhaseCommit::pause_after(int aborts) {
  static thread_local std::minstd_rand random{std::random_device{}()};
  return std::chrono::microseconds(std::uniform_int_distribution(0, 50 << std::min(aborts, 8))(random));
}

std::size_t TwoPhaseCommit::children() const {
  const std::size_t first = position_ * branches + 1;
  return first >= processes_ ? 0 : std::min(branches, processes_ - first);
}

void TwoPhaseCommit::tell_children(News news) {
  for (std::size_t child = 0; child < children(); ++child)
    messages_.push_back({news, position_ * branches + 1 + child});
}

std::vector<TwoPhaseCommit::Message> TwoPhaseCommit::take_messages() { return std::exchange(messages_, {}); }

void TwoPhaseCommit::come() {
  come_ = true;
  gather();
}

void TwoPhaseCommit::receive(News news) {
  switch (news) {
    case News::gathered:
      ++heard_;
      return gather();
    case News::prepare:
      phase_ = Phase::prepares;
      return tell_children(News::prepare);
    case News::refused:
      refused_ = true;
      [[fallthrough]];
    case News::ready:
      ++heard_;
      return vote();
    case News::commit:
      phase_ = Phase::committed;
      return tell_children(News::commit);
    case News::abort:
      return abort();
  }
}

void TwoPhaseCommit::gather() {
  if (!come_ || heard_ < children()) return;
  heard_ = 0;
  if (!is_root()) {
    phase_ = Phase::waits;
    messages_.push_back({News::gathered, parent()});
  } else if (processes_ == 1) {
    phase_ = Phase::committed;  // there is nobody to agree with
  } else {
    phase_ = Phase::prepares;
  }
}

void TwoPhaseCommit::answer(Answer answer) {
  // The root holds nothing while it waits for its own lock.
  if (answer == Answer::later || (is_root() && answer == Answer::refused)) return;
  decided_ = true;
  has_lock_ = answer == Answer::taken;
  refused_ |= !has_lock_;
  if (is_root()) tell_children(News::prepare);
  vote();
}

void TwoPhaseCommit::vote() {
  if (!decided_ || heard_ < children()) return;
  heard_ = 0;
  if (!is_root()) {
    phase_ = Phase::voted;
    messages_.push_back({refused_ ? News::refused : News::ready, parent()});
  } else if (refused_) {
    abort();
  } else {
    phase_ = Phase::committed;
    tell_children(News::commit);
  }
}

void TwoPhaseCommit::abort() {
  ++aborts_;
  refused_ = decided_ = has_lock_ = false;
  phase_ = is_root() ? Phase::prepares : Phase::waits;
  tell_children(News::abort);
}

}  // namespace raddle::endpoints
