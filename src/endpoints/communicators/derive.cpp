// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/communicators/derive.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "endpoints/collectives/context.hpp"
#include "endpoints/communicators/communicator.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/mover.hpp"
#include "endpoints/rank.hpp"
#include "platform/background.hpp"
#include "platform/must.hpp"
#include "platform/waiting.hpp"

namespace raddle::endpoints {
namespace {

/// Where the ranks of a new communicator are. Processes are numbered in the order in which the new ranks meet them:
/// often that is the order of ranks.
struct Plan {
  Plan(const Communicator& parent, std::span<const int> ranks) {
    std::map<int, int> numbers;
    std::vector<int> counts;
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
    takes_part = numbers.contains(parent.process());
  }

  std::vector<int> processes;
  std::vector<Place> places;
  Members members;
  bool takes_part = false;  ///< this process has some
};

/// Collective: whether it is so for all these processes; MPI_COMM_NULL: for this one.
bool all_of(MPI_Comm processes, bool mine) {
  int every = mine ? 1 : 0;
  if (processes != MPI_COMM_NULL)
    platform::must("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, &every, 1, MPI_INT, MPI_LAND, processes));
  return every != 0;
}

/// Collective over both groups of `birth`. @throws Failure, on all processes
std::unique_ptr<Communicator> make_between(const Communicator& parent, const Birth& birth, int ticket) {
  const std::span ranks(birth.ranks);
  Plan both(parent, ranks);
  const MPI_Comm processes = processes_of(parent, both.processes, ticket);
  std::array<Plan, 2> each{Plan(parent, ranks.first(static_cast<std::size_t>(birth.first_group))),
                           Plan(parent, ranks.subspan(static_cast<std::size_t>(birth.first_group)))};
  std::array<MPI_Comm, 2> of_each{MPI_COMM_NULL, MPI_COMM_NULL};
  bool made = true;
  for (std::size_t which = 0; which < each.size(); ++which) {
    try {
      if (each[which].takes_part) of_each[which] = processes_of(parent, each[which].processes, ticket);
    } catch (const Failure&) {
      made = false;
    }
  }
  if (!all_of(processes, made)) {
    for (MPI_Comm comm : {of_each[0], of_each[1], processes}) {
      if (comm != MPI_COMM_NULL) platform::regardless(PMPI_Comm_free(&comm));
    }
    throw Failure(no_communicators_left());
  }
  Groups groups{.first = birth.first_group};
  for (std::size_t which = 0; which < each.size(); ++which) {
    Plan& plan = each[which];
    if (plan.takes_part)
      groups.sides[which] =
          std::make_unique<Communicator>(of_each[which], std::move(plan.places), std::move(plan.members));
  }
  return std::make_unique<Communicator>(processes, std::move(both.places), std::move(both.members), std::move(groups));
}

std::unique_ptr<Communicator> make(Communicator& parent, const Birth& birth, int ticket) {
  std::unique_ptr<Communicator> made;
  if (birth.first_group != 0) {
    made = make_between(parent, birth, ticket);
  } else {
    Plan plan(parent, birth.ranks);
    const MPI_Comm processes = processes_of(parent, plan.processes, ticket);
    made = std::make_unique<Communicator>(processes, std::move(plan.places), std::move(plan.members));
  }
  made->descend_from(parent);
  return made;
}

/// What is made of an intercommunicator is one, of those of each group. @returns false: one of the groups has nobody
bool keep_groups(const Communicator& parent, Birth& birth) {
  if (!parent.has_two_groups() || birth.merged || birth.code != MPI_SUCCESS) return true;
  const auto second = std::ranges::stable_partition(birth.ranks, [&](int rank) { return parent.side_of(rank) == 0; });
  birth.first_group = static_cast<int>(second.begin() - birth.ranks.begin());
  return birth.first_group != 0 && !second.empty();
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
    if (code == MPI_SUCCESS) endpoint.make_endpoints(make(endpoint.communicator(), birth, agreement.ticket()), handles);
  } catch (const Failure& failure) {
    code = failure.code;
  }
  for (Newcomer* newcomer : own) {
    newcomer->code = code;
    newcomer->member = code == MPI_SUCCESS;
    if (!newcomer->member) continue;
    Endpoint& made = *find<Kind::communicator>(newcomer->handle);
    if (newcomer->topology) made.set_topology(newcomer->topology);
    if (newcomer->session_buffer) made.use_session_buffer(newcomer->session_buffer);
  }
}

/// What one thread does for all ranks of its process, and so not as the rank that it may have adopted: lanes, say, are
/// the process's, and must not end with that rank's MPI_COMM_SELF.
void carry_out(Endpoint& endpoint, const Agreement& agreement) {
  const AsProcess process;
  const auto fail = [&](int code) {
    for (const auto& [rank, newcomer] : agreement.newcomers()) {
      if (newcomer->code == MPI_SUCCESS) newcomer->code = code;
    }
  };
  if (const int wrong = wrong_in(agreement); wrong != MPI_SUCCESS) return fail(wrong);
  try {
    for (Birth& birth : agreement.newcomers().begin()->second->births(endpoint.communicator(), agreement)) {
      if (keep_groups(endpoint.communicator(), birth)) carry_out(endpoint, birth, agreement);
    }
  } catch (const Failure& failure) {
    fail(failure.code);
  }
}

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

/// What goes with a context on an intercommunicator for each group by itself. Collective over its processes.
/// @throws Failure, on all
void give_sides(collectives::Context& context, int ticket) {
  const Communicator& both = context.communicator();
  bool made = true;
  for (const int which : {0, 1}) {
    const auto [first, size] = both.side(which);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::iota(ranks.begin(), ranks.end(), first);
    const Plan plan(both, ranks);
    try {
      if (plan.takes_part)
        context.use_side(which, std::make_unique<collectives::Context>(both.alone(which),
                                                                       processes_of(both, plan.processes, ticket)));
    } catch (const Failure&) {
      made = false;
    }
  }
  if (!all_of(context.processes(), made)) throw Failure(no_communicators_left());
}

void make_context(Endpoint& endpoint, const Agreement& agreement) {
  const AsProcess process;
  const Communicator& communicator = endpoint.communicator();
  std::shared_ptr<collectives::Context> made;
  int code = MPI_SUCCESS;
  try {
    made = std::make_shared<collectives::Context>(communicator, processes_of(communicator, agreement.ticket()));
    if (communicator.has_two_groups()) give_sides(*made, agreement.ticket());
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

}  // namespace

int wrong_in(const Agreement& agreement) {
  for (const int rank : agreement.ranks()) {
    if (const int wrong = agreement.given(rank).error_class; wrong != MPI_SUCCESS)
      return error_with(wrong, "Raddle: another endpoint gave bad arguments to this call");
  }
  return MPI_SUCCESS;
}

void do_once(Endpoint& endpoint, const char* call, const CallKey& key, Newcomer& newcomer, Once act) {
  platform::relied_on(call, [&] { do_together(endpoint, call, key, newcomer, act); });
}

void derive(Endpoint& endpoint, const char* call, const CallKey& key, Newcomer& newcomer) {
  if (!newcomer.session_buffer) newcomer.session_buffer = endpoint.session_buffer();
  do_once(endpoint, call, key, newcomer, carry_out);
}

std::shared_ptr<collectives::Context> derive_context(Endpoint& endpoint, const char* call) {
  Newcomer newcomer;
  platform::relied_on(call,
                      [&] { do_once(endpoint, call, call_of_all(endpoint.next_call()), newcomer, make_context); });
  if (newcomer.code != MPI_SUCCESS) throw Failure(newcomer.code);
  return newcomer.context;
}

void start_derive(Endpoint& endpoint, Newcomer& newcomer) {
  newcomer.session_buffer = endpoint.session_buffer();
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
