// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/communicators/derive.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "endpoints/collectives/context.hpp"
#include "endpoints/communicators/communicator.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/mover.hpp"
#include "platform/background.hpp"
#include "platform/must.hpp"
#include "platform/waiting.hpp"

namespace raddle::endpoints {
namespace {

/// Processes are numbered in the order in which the new ranks meet them: often that is the order of ranks.
std::unique_ptr<Communicator> make(const Communicator& parent, const std::vector<int>& ranks, int ticket) {
  std::map<int, int> numbers;
  std::vector<int> processes;
  std::vector<int> counts;
  std::vector<Place> places;
  Members members;
  for (const int rank : ranks) {
    const int process = parent.places()[static_cast<std::size_t>(rank)].process;
    const auto [known, fresh] = numbers.try_emplace(process, static_cast<int>(processes.size()));
    if (fresh) {
      processes.push_back(process);
      counts.push_back(0);
    }
    places.push_back({known->second, counts[static_cast<std::size_t>(known->second)]++});
    members.push_back(parent.members()[static_cast<std::size_t>(rank)]);
  }
  return std::make_unique<Communicator>(processes_of(parent, processes, ticket), std::move(places), std::move(members));
}

void carry_out(Endpoint& endpoint, const Birth& birth, const Agreement& agreement) {
  std::vector<Newcomer*> own;
  std::vector<MPI_Comm> handles;
  for (const int rank : birth.ranks) {
    const auto found = agreement.newcomers().find(rank);
    if (found == agreement.newcomers().end()) continue;
    own.push_back(found->second);
    handles.push_back(found->second->handle);
  }
  int code = birth.code;
  try {
    if (code == MPI_SUCCESS)
      endpoint.make_endpoints(make(endpoint.communicator(), birth.ranks, agreement.ticket()), handles);
  } catch (const Failure& failure) {
    code = failure.code;
  }
  for (Newcomer* newcomer : own) {
    newcomer->code = code;
    newcomer->member = code == MPI_SUCCESS;
    if (newcomer->member && newcomer->topology)
      find<Kind::communicator>(newcomer->handle)->set_topology(newcomer->topology);
  }
}

/// What one thread does for all ranks of its process.
void carry_out(Endpoint& endpoint, const Agreement& agreement) {
  const auto fail = [&](int code) {
    for (const auto& [rank, newcomer] : agreement.newcomers()) {
      if (newcomer->code == MPI_SUCCESS) newcomer->code = code;
    }
  };
  for (const int rank : agreement.ranks()) {
    if (const int wrong = agreement.given(rank).error_class; wrong != MPI_SUCCESS)
      return fail(error_with(wrong, "Raddle: another endpoint gave bad arguments to this call"));
  }
  try {
    for (const Birth& birth : agreement.newcomers().begin()->second->births(endpoint.communicator(), agreement))
      carry_out(endpoint, birth, agreement);
  } catch (const Failure& failure) {
    fail(failure.code);
  }
}

/// What has to be done once in a process.
using Once = void (*)(Endpoint&, const Agreement&);

/// In a thread of its own: it has time.
void carry_on(Endpoint& endpoint, const std::shared_ptr<Agreement>& agreement) {
  platform::Waiting waiting(true);
  bool hurries = true;
  while (!endpoint.communicator().agreements().step(*agreement)) {
    if (hurries) {
      waiting.turn();
      hurries = !waiting.long_wait();
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  carry_out(endpoint, *agreement);
  agreement->finish();
  // When the last one has ended nothing may be left of the endpoint.
  for (const auto& [rank, newcomer] : agreement->newcomers()) {
    const auto ended = newcomer->ended;  // which goes with the newcomer
    ended();
  }
}

void run(Endpoint& endpoint, const std::shared_ptr<Agreement>& agreement) {
  platform::relied_on("MPI_Comm_idup", [&] { carry_on(endpoint, agreement); });
}

void make_context(Endpoint& endpoint, const Agreement& agreement) {
  const Communicator& communicator = endpoint.communicator();
  std::shared_ptr<collectives::Context> made;
  int code = MPI_SUCCESS;
  try {
    made = std::make_shared<collectives::Context>(communicator, processes_of(communicator, agreement.ticket()));
  } catch (const Failure& failure) {
    code = failure.code;
  }
  for (const auto& [rank, newcomer] : agreement.newcomers()) {
    newcomer->context = made;
    newcomer->code = code;
  }
}

void do_together(Endpoint& endpoint, const char* call, const CallKey& key, Newcomer& newcomer, Once act) {
  Agreements& agreements = endpoint.communicator().agreements();
  const auto [agreement, last] = agreements.enter(key, endpoint.rank(), newcomer.given, newcomer);
  progress_until(endpoint, call, [&] { return agreements.step(*agreement); });
  if (agreement->claim()) {
    // All ranks have made this call, so none of them waits for what this thread does not do meanwhile.
    act(endpoint, *agreement);
    agreement->finish();
  } else {
    progress_until(endpoint, call, [&] { return agreement->finished(); });
  }
}

void together(Endpoint& endpoint, const char* call, const CallKey& key, Newcomer& newcomer, Once act) {
  platform::relied_on(call, [&] { do_together(endpoint, call, key, newcomer, act); });
}

}  // namespace

void derive(Endpoint& endpoint, const char* call, const CallKey& key, Newcomer& newcomer) {
  together(endpoint, call, key, newcomer, carry_out);
}

std::shared_ptr<collectives::Context> derive_context(Endpoint& endpoint, const char* call) {
  Newcomer newcomer;
  platform::relied_on(call,
                      [&] { together(endpoint, call, call_of_all(endpoint.next_call()), newcomer, make_context); });
  if (newcomer.code != MPI_SUCCESS) throw Failure(newcomer.code);
  return newcomer.context;
}

void start_derive(Endpoint& endpoint, Newcomer& newcomer) {
  platform::relied_on("MPI_Comm_idup", [&] {
    const CallKey key = call_of_all(endpoint.next_call());
    const auto [agreement, last] =
        endpoint.communicator().agreements().enter(key, endpoint.rank(), newcomer.given, newcomer);
    if (!last) return;
    try {
      platform::quiet_thread([&endpoint, kept = agreement] { run(endpoint, kept); }).detach();
    } catch (const std::system_error&) {
      run(endpoint, agreement);  // without threads it has to be now
    }
  });
}

}  // namespace raddle::endpoints
