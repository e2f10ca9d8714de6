// SPDX-License-Identifier: BSD-3-Clause
// The ways to complete operations, over arrays with null requests among them.
#include <algorithm>
#include <array>
#include <thread>

#include "core/text.hpp"
#include "exceptions.hpp"
#include "mpi/error_words.hpp"
#include "rank.hpp"

namespace raddle::collectives {
namespace {

enum class Way { wait, waitall, waitany, waitsome, test, testall, testany, testsome };

constexpr std::array<const char*, 8> names{"MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome",
                                           "MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome"};

/// Places that are complete, after a call that has succeeded.
std::vector<int> call(Way way, std::vector<MPI_Request>& list, std::vector<MPI_Status>& statuses, int& code) {
  const int n = static_cast<int>(list.size());
  MPI_Request* requests = list.data();
  int done = 0;
  int index = MPI_UNDEFINED;
  std::vector<int> places(list.size());
  std::vector<int> every(list.size());
  for (int i = 0; i < n; ++i) every[static_cast<std::size_t>(i)] = i;
  MPI_Status* status = statuses.data();
  switch (way) {
    case Way::wait:
      code = MPI_Wait(requests, status);
      return {0};
    case Way::test:
      code = MPI_Test(requests, &done, status);
      return done ? std::vector<int>{0} : std::vector<int>{};
    case Way::waitall:
      code = MPI_Waitall(n, requests, status);
      return every;
    case Way::testall:
      code = MPI_Testall(n, requests, &done, status);
      return done ? every : std::vector<int>{};
    case Way::waitany:
      code = MPI_Waitany(n, requests, &index, status);
      break;
    case Way::testany:
      code = MPI_Testany(n, requests, &index, &done, status);
      if (!done) index = MPI_UNDEFINED;
      break;
    case Way::waitsome:
      code = MPI_Waitsome(n, requests, &done, places.data(), status);
      break;
    case Way::testsome:
      code = MPI_Testsome(n, requests, &done, places.data(), status);
      break;
  }
  if (way == Way::waitany || way == Way::testany)
    return index == MPI_UNDEFINED ? std::vector<int>{} : std::vector<int>{index};
  places.resize(done == MPI_UNDEFINED ? 0 : static_cast<std::size_t>(done));
  return places;
}

}  // namespace

std::vector<Operation*> Rank::active() const {
  std::vector<Operation*> list;
  for (const auto& operation : operations_) {
    if (operation && operation->active) list.push_back(operation.get());
  }
  return list;
}

void Rank::complete(std::vector<Operation*> chosen, bool must) {
  if (chosen.empty()) return;
  random_.shuffle(chosen);
  chosen.resize(1 + random_.below(chosen.size()));
  const auto way = static_cast<Way>(polls_ ? 4 + random_.below(4) : random_.below(must ? 4 : 8));
  const bool one = way == Way::wait || way == Way::test;
  if (one) chosen.resize(1);
  if (options_.spare && way == Way::testall) std::erase_if(chosen, spared_from_testall);
  if (!one) {
    for (std::size_t nulls = random_.below(3); nulls > 0; --nulls) chosen.push_back(nullptr);
    random_.shuffle(chosen);
  }
  const char* name = names[static_cast<std::size_t>(way)];
  if (random_.chance(10)) {
    // Must change nothing. (Some MPIs end persistent requests here.)
    const auto found = std::ranges::find_if(chosen, [](Operation* operation) { return operation != nullptr; });
    Operation* looked_at = found == chosen.end() ? nullptr : *found;
    int flag = 0;
    if (looked_at && looked_at->call().mode == Mode::nonblocking &&
        MPI_Request_get_status(looked_at->request, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      fail(looked_at, "MPI_Request_get_status failed");
  }
  std::vector<MPI_Request> requests;
  for (const Operation* operation : chosen) requests.push_back(operation ? operation->request : MPI_REQUEST_NULL);
  enter(name);
  int code = MPI_SUCCESS;
  std::vector<MPI_Status> statuses(requests.size());
  std::vector<int> completed = call(way, requests, statuses, code);
  const bool any = std::ranges::any_of(chosen, [](const Operation* operation) { return operation != nullptr; });
  while (polls_ && must && any && code == MPI_SUCCESS && completed.empty()) {
    std::this_thread::yield();
    completed = call(way, requests, statuses, code);
  }
  if (code != MPI_SUCCESS) {
    std::string words = bench::text(name, " failed: ", testing::text_of(code));
    for (std::size_t i = 0; !one && i < chosen.size(); ++i) {
      if (chosen[i])
        words += bench::text("; ", chosen[i]->call().describe(), ": ", testing::text_of(statuses[i].MPI_ERROR));
    }
    fail(chosen.front(), words);
  }
  for (const int place : completed) {
    const auto at = static_cast<std::size_t>(place);
    if (at >= chosen.size())
      fail(nullptr, bench::text(name, " told of place ", place, " in an array of ", chosen.size()));
    Operation* operation = chosen[at];
    if (operation == nullptr) continue;
    operation->request = requests[at];
    const bool persistent = operation->call().mode == Mode::persistent;
    if (persistent == (operation->request == MPI_REQUEST_NULL))
      fail(operation, bench::text(name, " left the request as it must not be"));
    settle(*operation);
  }
  if (completed.empty()) std::this_thread::yield();
}

}  // namespace raddle::collectives
