// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/server/receives.hpp"

#include <algorithm>
#include <iterator>

namespace raddle::proxy {
namespace {

bool same_pattern(const Receives::Waiting& one, const Receives::Waiting& other) {
  return one.comm == other.comm && one.command.peer == other.command.peer && one.command.tag == other.command.tag;
}

bool matches(const Receives::Waiting& receive, MPI_Comm comm, const MPI_Status& status) {
  return receive.comm == comm &&
         (receive.command.peer == MPI_ANY_SOURCE || receive.command.peer == status.MPI_SOURCE) &&
         (receive.command.tag == MPI_ANY_TAG || receive.command.tag == status.MPI_TAG);
}

}  // namespace

std::optional<Receives::Matched> Receives::match() {
  for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
    if (it != waiting_.begin() && same_pattern(*it, *std::prev(it))) continue;  // nothing has come for it just now
    auto receive = it;
    while (true) {
      int flag = 0;
      MPI_Status status{};
      if (MPI_Iprobe(receive->command.peer, receive->command.tag, receive->comm, &flag, &status) != MPI_SUCCESS ||
          flag == 0)
        break;
      const auto first =
          std::ranges::find_if(waiting_, [&](const Waiting& one) { return matches(one, receive->comm, status); });
      if (first == receive) return take(first, status);
      receive = first;  // for which an earlier message may have come meanwhile
    }
  }
  return std::nullopt;
}

std::optional<Receives::Matched> Receives::take(std::list<Waiting>::iterator receive, const MPI_Status& found) {
  int flag = 0;
  Matched matched{receive->command, MPI_MESSAGE_NULL, {}};
  MPI_Improbe(found.MPI_SOURCE, found.MPI_TAG, receive->comm, &flag, &matched.message, &matched.status);
  if (flag == 0) return std::nullopt;
  waiting_.erase(receive);
  return matched;
}

bool Receives::await(MPI_Comm comm, const MPI_Status& status) const {
  return std::ranges::any_of(waiting_, [&](const Waiting& one) { return matches(one, comm, status); });
}

bool Receives::cancel(std::uint64_t answer) {
  return std::erase_if(waiting_, [&](const Waiting& one) { return one.command.answer == answer; }) > 0;
}

}  // namespace raddle::proxy
