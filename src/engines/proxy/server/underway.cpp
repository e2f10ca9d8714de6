// SPDX-License-Identifier: BSD-3-Clause

#include "engines/proxy/server/underway.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "platform/errors.hpp"
#include "platform/last_words.hpp"
#include "platform/must.hpp"

namespace raddle::proxy {
namespace {

/// Requests in one call: the MPI looks at each of them, and thousands may be under way while the next ones end.
constexpr std::size_t at_once = 64;

using platform::class_of;

/// Of a send, the only operation that nobody may ask about: how it ended must not be lost.
void end_the_job(int code) {
  platform::last_words("raddle: a proxy's MPI refused a send: " + platform::text_of(code) + ". Ending the job.\n");
  platform::regardless(MPI_Abort(MPI_COMM_WORLD, 1));
}

}  // namespace

void tell(Answer& answer, int code, bool to_look_at) {
  answer.error = class_of(code);
  const bool well = code == MPI_SUCCESS && !answer.cancelled && !to_look_at;
  answer.end.store(well ? endpoints::Ended::well : endpoints::Ended::otherwise, std::memory_order_release);
}

Operation& Underway::take() {
  if (idle_.empty()) {
    taken_ = std::make_unique<Operation>();
  } else {
    taken_ = std::move(idle_.back());
    idle_.pop_back();
    taken_->answer = nullptr;
    taken_->receives = false;
    taken_->told = false;
    taken_->into_answer = false;
    taken_->cut_to = nullptr;
  }
  return *taken_;
}

void Underway::begin(Operation& operation, MPI_Request request, int code) {
  if (code != MPI_SUCCESS) {
    end(operation, {}, code);
    idle_.push_back(std::move(taken_));
    return;
  }
  if (operation.answer == nullptr) ++unanswered_;
  operations_.push_back(std::move(taken_));
  requests_.push_back(request);
}

void Underway::end(Operation& operation, const MPI_Status& status, int code) {
  if (operation.answer == nullptr) {
    if (code != MPI_SUCCESS) end_the_job(code);
    return;
  }
  Answer& answer = *operation.answer;
  int cancelled = 0;
  if (code == MPI_SUCCESS) platform::must("MPI_Test_cancelled", MPI_Test_cancelled(&status, &cancelled));
  answer.cancelled = cancelled != 0;
  if (operation.receives && !answer.cancelled) {
    MPI_Count bytes = 0;
    platform::must("MPI_Get_elements_x", MPI_Get_elements_x(&status, MPI_BYTE, &bytes));
    answer.source = status.MPI_SOURCE;
    answer.tag = status.MPI_TAG;
    answer.bytes = bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0;
    // MPICH 5.0.2 now and then says so in the status and not by an error.
    if (code == MPI_SUCCESS && answer.bytes > operation.room) code = MPI_ERR_TRUNCATE;
    if (operation.cut_to != nullptr) std::memcpy(operation.cut_to, operation.data.data(), operation.room);
    if (operation.into_answer) std::memcpy(answer.data.data(), operation.data.data(), Answer::room);
  }
  tell(answer, code, operation.told);
}

void Underway::give_back(std::size_t at) {
  if (operations_[at]->answer == nullptr) --unanswered_;
  idle_.push_back(std::move(operations_[at]));
  operations_[at] = std::move(operations_.back());
  requests_[at] = requests_.back();
  operations_.pop_back();
  requests_.pop_back();
}

bool Underway::progress() {
  for (std::size_t looked_at = 0; looked_at < requests_.size();) {
    if (next_ >= requests_.size()) next_ = 0;
    const std::size_t first = next_;
    const std::size_t count = std::min(at_once, requests_.size() - first);
    next_ += count;  // also where some end: those after them have their turn
    looked_at += count;
    if (test(first, count)) return true;
  }
  return false;
}

bool Underway::test(std::size_t first, std::size_t count) {
  if (count == 1) {
    int flag = 0;
    MPI_Status status;
    const int code = MPI_Test(&requests_[first], &flag, &status);
    if (flag == 0 && code == MPI_SUCCESS) return false;
    end(*operations_[first], status, code);
    give_back(first);
    return true;
  }
  ended_.resize(count);
  statuses_.resize(count);
  int done = 0;
  const int code = MPI_Testsome(static_cast<int>(count), &requests_[first], &done, ended_.data(), statuses_.data());
  // Whose error it is nobody can tell.
  if (class_of(code) != MPI_ERR_IN_STATUS) platform::must("MPI_Testsome", code);
  if (done == MPI_UNDEFINED || done == 0) return false;
  for (int i = 0; i < done; ++i) {
    const auto each = static_cast<std::size_t>(i);
    end(*operations_[first + static_cast<std::size_t>(ended_[each])], statuses_[each],
        code == MPI_SUCCESS ? MPI_SUCCESS : statuses_[each].MPI_ERROR);
  }
  std::sort(ended_.begin(), ended_.begin() + done, std::greater<>{});  // the last goes where one leaves
  for (int i = 0; i < done; ++i) give_back(first + static_cast<std::size_t>(ended_[static_cast<std::size_t>(i)]));
  return true;
}

void Underway::cancel(const Answer* answer) {
  const auto found = std::ranges::find_if(operations_, [&](const auto& one) { return one->answer == answer; });
  if (found != operations_.end())
    platform::must("MPI_Cancel", MPI_Cancel(&requests_[static_cast<std::size_t>(found - operations_.begin())]));
}

bool Receives::matches(const Pattern& pattern, MPI_Comm comm, const MPI_Status& status) {
  return pattern.comm == comm && (pattern.source == MPI_ANY_SOURCE || pattern.source == status.MPI_SOURCE) &&
         (pattern.tag == MPI_ANY_TAG || pattern.tag == status.MPI_TAG);
}

void Receives::add(const Waiting& receive) {
  const Command& command = receive.command;
  auto found = std::ranges::find_if(patterns_, [&](const Pattern& one) {
    return one.comm == receive.comm && one.source == command.peer && one.tag == command.tag;
  });
  if (found == patterns_.end()) found = patterns_.insert(found, {receive.comm, command.peer, command.tag, {}});
  found->receives.emplace_back(posted_++, command);
}

std::size_t Receives::first_of(MPI_Comm comm, const MPI_Status& status) const {
  std::size_t first = patterns_.size();
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    if (!matches(patterns_[i], comm, status)) continue;
    if (first == patterns_.size() || patterns_[i].receives.front().first < patterns_[first].receives.front().first)
      first = i;
  }
  return first;
}

std::optional<Receives::Matched> Receives::match() {
  for (std::size_t begin = 0; begin < patterns_.size(); ++begin) {
    std::size_t asked = begin;
    while (true) {
      const Pattern& pattern = patterns_[asked];
      int flag = 0;
      MPI_Status status{};
      platform::must("MPI_Iprobe", MPI_Iprobe(pattern.source, pattern.tag, pattern.comm, &flag, &status));
      if (flag == 0) break;
      const std::size_t first = first_of(pattern.comm, status);
      if (first == asked) return take(first, status);
      asked = first;  // for which an earlier message may have come meanwhile
    }
  }
  return std::nullopt;
}

std::optional<Receives::Matched> Receives::take(std::size_t pattern, const MPI_Status& found) {
  auto& receives = patterns_[pattern].receives;
  int flag = 0;
  Matched matched{receives.front().second, MPI_MESSAGE_NULL, {}};
  platform::must("MPI_Improbe", MPI_Improbe(found.MPI_SOURCE, found.MPI_TAG, patterns_[pattern].comm, &flag,
                                            &matched.message, &matched.status));
  if (flag == 0) return std::nullopt;
  receives.pop_front();
  if (receives.empty()) patterns_.erase(patterns_.begin() + static_cast<std::ptrdiff_t>(pattern));
  return matched;
}

bool Receives::await(MPI_Comm comm, const MPI_Status& status) const {
  return std::ranges::any_of(patterns_, [&](const Pattern& one) { return matches(one, comm, status); });
}

bool Receives::cancel(std::uint64_t answer) {
  for (auto pattern = patterns_.begin(); pattern != patterns_.end(); ++pattern) {
    if (std::erase_if(pattern->receives, [&](const auto& one) { return one.second.answer == answer; }) == 0) continue;
    if (pattern->receives.empty()) patterns_.erase(pattern);
    return true;
  }
  return false;
}

}  // namespace raddle::proxy
