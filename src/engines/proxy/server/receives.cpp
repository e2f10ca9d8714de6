// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/server/receives.hpp"

#include <algorithm>

#include "platform/must.hpp"

namespace raddle::proxy {

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
