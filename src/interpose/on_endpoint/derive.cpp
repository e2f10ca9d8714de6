// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/on_endpoint/derive.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/groups/group.hpp"
#include "endpoints/groups/group_algebra.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/requests/request.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/wrapper.hpp"
#include "platform/errors.hpp"
#include "platform/must.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Failure;
using endpoints::raise;

/// The request of MPI_Comm_idup. A thread of Raddle's ends it, whether the program looks or not. It belongs to the
/// program, until that has been told of the end.
class DeriveRequest final : public endpoints::Request {
 public:
  /// @param made  the program's variable, which is MPI_COMM_NULL in the end if the communicator could not be made
  DeriveRequest(Endpoint& endpoint, MPI_Comm& made) : Request(&end_), made_(made) {
    belong_to(endpoint);
    newcomer.ended = [this] { end(); };
    endpoint.communicator().hold();
  }
  ~DeriveRequest() override { endpoint_->communicator().let_go(); }

  [[nodiscard]] endpoints::Result result() const override { return {.error = newcomer.code}; }
  int start() override { return MPI_ERR_REQUEST; }
  void cancel() override {}  // neither this nor the next is allowed here (MPI-4.1 section 6.12)
  void abandon() override {
    if (complete()) retire();  // otherwise it is lost: the thread may still need it
  }
  void retire() override { delete this; }

  Newcomer newcomer;

 private:
  void end() {
    if (!newcomer.member) {
      if (newcomer.handle != MPI_COMM_NULL) endpoints::free_own_handle(newcomer.handle);
      made_ = MPI_COMM_NULL;
    }
    end_.store(newcomer.code == MPI_SUCCESS ? endpoints::Ended::well : endpoints::Ended::otherwise,
               std::memory_order_release);
  }

  MPI_Comm& made_;
  endpoints::End end_{endpoints::Ended::no};
};

/// The MPI copies what is kept with an endpoint's communicator: attributes with their copy functions, error handler,
/// hints. An error it raises there itself; all others hear of it from Raddle.
template <typename Duplicate>
void duplicate(MPI_Comm comm, Newcomer& newcomer, Duplicate&& duplicate_it) {
  const MPI_Comm real = endpoints::late::real(comm);
  if (real == MPI_COMM_NULL) return say(newcomer, endpoints::no_communicators_left());
  MPI_Comm made = MPI_COMM_NULL;
  const endpoints::Outcome outcome;
  const int code = outcome.of(duplicate_it(real, &made));
  if (made != MPI_COMM_NULL && code == MPI_SUCCESS) {
    newcomer.handle = endpoints::late::is(comm) ? endpoints::late::put_before(made) : made;
    return;
  }
  say(newcomer, code);
  newcomer.raised = true;
}

void duplicate(MPI_Comm comm, Newcomer& newcomer) {
  if (endpoints::late::is(comm) && !endpoints::late::keeps(comm)) {  // there is nothing to copy
    newcomer.handle = endpoints::own_handle(comm);
    return;
  }
  static const auto dup = the_mpis<decltype(PMPI_Comm_dup)>("MPI_Comm_dup");
  duplicate(comm, newcomer, [](MPI_Comm from, MPI_Comm* to) { return dup(from, to); });
}

void duplicate(MPI_Comm comm, Newcomer& newcomer, MPI_Info info) {
  static const auto dup = the_mpis<decltype(PMPI_Comm_dup_with_info)>("MPI_Comm_dup_with_info");
  duplicate(comm, newcomer, [&](MPI_Comm from, MPI_Comm* to) { return dup(from, info, to); });
}

/// Attributes are copied now (MPI-4.1 section 7.4.2), as all that is done for one endpoint.
template <typename Duplicate>
int start_duplicate(Endpoint& endpoint, MPI_Comm* made, MPI_Request* request, Duplicate&& duplicate_it) {
  int level = MPI_THREAD_SINGLE;
  platform::must("MPI_Query_thread", PMPI_Query_thread(&level));
  if (level < MPI_THREAD_MULTIPLE) {
    return raise(endpoint.comm,
                 endpoints::error_with(MPI_ERR_UNSUPPORTED_OPERATION,
                                       "Raddle: nonblocking duplicates of endpoints need MPI_THREAD_MULTIPLE"));
  }
  auto waiting = std::make_unique<DeriveRequest>(endpoint, *made);
  waiting->newcomer.births = endpoints::of_all;
  waiting->newcomer.topology = endpoint.topology();
  duplicate_it(waiting->newcomer);
  *made = waiting->newcomer.handle;
  *request = waiting->handle();
  endpoints::start_derive(endpoint, waiting.release()->newcomer);
  return MPI_SUCCESS;
}

void choose(Newcomer& newcomer, const Endpoint& endpoint, std::vector<int>&& ranks) {
  newcomer.given.digest = endpoints::digest_of(ranks);
  if (std::ranges::find(ranks, endpoint.rank()) == ranks.end()) return;
  newcomer.chosen = std::move(ranks);
  bring_handle(newcomer, endpoint);
}

/// Of an intercommunicator: the others of its group say the same, and those of the other group their own.
void choose_of_group(Newcomer& newcomer, const Endpoint& endpoint, const std::vector<int>& ranks) {
  const endpoints::Communicator& both = endpoint.communicator();
  for (const int rank : ranks) {
    if (both.side_of(rank) != both.side_of(endpoint.rank()))
      throw Failure(endpoints::error_with(MPI_ERR_GROUP, "Raddle: the group has members of the remote group"));
  }
  newcomer.given.digest = endpoints::digest_of(ranks);
  const auto own = std::ranges::find(ranks, endpoint.rank());
  newcomer.given.colour = own == ranks.end() ? MPI_UNDEFINED : 0;
  newcomer.given.key = static_cast<int>(own - ranks.begin());
  if (own != ranks.end()) bring_handle(newcomer, endpoint);
}

int no_endpoints_there(MPI_Comm comm, MPI_Comm* made) {
  *made = MPI_COMM_NULL;
  if (comm == MPI_COMM_NULL) return raise(endpoints::without_communicator(), MPI_ERR_COMM);
  return raise(comm,
               endpoints::error_with(MPI_ERR_GROUP, "Raddle: a group of endpoints for a communicator without any"));
}

}  // namespace

MPI_Group group_of(const Endpoint& endpoint, Side side) {
  const endpoints::Communicator& communicator = endpoint.communicator();
  const int own = communicator.side_of(endpoint.rank());
  return endpoints::Group::make(communicator.members_of_side(side == Side::own ? own : 1 - own),
                                {.asker = communicator.members()[static_cast<std::size_t>(endpoint.rank())],
                                 .origin = communicator.origin().name(),
                                 .buffer = endpoint.session_buffer()});
}

std::vector<int> ranks_of(const Endpoint& endpoint, MPI_Group group) {
  if (group == MPI_GROUP_NULL) throw Failure(MPI_ERR_GROUP);
  const auto* const found = endpoints::find<endpoints::Kind::group>(group);
  std::vector<int> ranks = endpoints::ranks_among(
      endpoint.communicator().members(), found != nullptr ? found->members() : endpoints::members_of_group(group));
  if (std::ranges::find(ranks, endpoints::Ranks::none) != ranks.end())
    throw Failure(endpoints::error_with(MPI_ERR_GROUP, "Raddle: the group has members that the communicator has not"));
  return ranks;
}

void say(Newcomer& newcomer, int code) {
  newcomer.code = code;
  if (code != MPI_SUCCESS) newcomer.given.error_class = platform::class_of(code);
}

void bring_handle(Newcomer& newcomer, const Endpoint& endpoint) {
  newcomer.handle = endpoints::own_handle(endpoint.comm);
  if (newcomer.handle == MPI_COMM_NULL) say(newcomer, endpoints::endpoints_error("the MPI has no communicators left"));
}

void bring_handle(Newcomer& newcomer, const Endpoint& endpoint, MPI_Info hints) {
  bring_handle(newcomer, endpoint);
  if (newcomer.handle == MPI_COMM_NULL || hints == MPI_INFO_NULL) return;
  if (const int code = PMPI_Comm_set_info(newcomer.handle, hints); code != MPI_SUCCESS) say(newcomer, code);
}

int derive(Endpoint& endpoint, const char* call, const endpoints::CallKey& key, Newcomer& newcomer, MPI_Comm* made) {
  endpoints::derive(endpoint, call, key, newcomer);
  if (!newcomer.member && newcomer.handle != MPI_COMM_NULL) endpoints::free_own_handle(newcomer.handle);
  *made = newcomer.handle;
  const bool heard = newcomer.code == MPI_SUCCESS || newcomer.raised;
  return heard ? newcomer.code : raise(endpoint.comm, newcomer.code);
}

int derive(Endpoint& endpoint, const char* call, Newcomer& newcomer, MPI_Comm* made) {
  return platform::relied_on(
      call, [&] { return derive(endpoint, call, endpoints::call_of_all(endpoint.next_call()), newcomer, made); });
}

int Comm_dup(Endpoint& endpoint, MPI_Comm* made) {
  Newcomer newcomer{.births = endpoints::of_all, .topology = endpoint.topology()};
  duplicate(endpoint.comm, newcomer);
  return derive(endpoint, "MPI_Comm_dup", newcomer, made);
}

int Comm_dup_with_info(Endpoint& endpoint, MPI_Info info, MPI_Comm* made) {
  Newcomer newcomer{.births = endpoints::of_all, .topology = endpoint.topology()};
  duplicate(endpoint.comm, newcomer, info);
  return derive(endpoint, "MPI_Comm_dup_with_info", newcomer, made);
}

int Comm_idup(Endpoint& endpoint, MPI_Comm* made, MPI_Request* request) {
  return start_duplicate(endpoint, made, request, [&](Newcomer& newcomer) { duplicate(endpoint.comm, newcomer); });
}

int Comm_idup_with_info(Endpoint& endpoint, MPI_Info info, MPI_Comm* made, MPI_Request* request) {
  return start_duplicate(endpoint, made, request,
                         [&](Newcomer& newcomer) { duplicate(endpoint.comm, newcomer, info); });
}

int Comm_split(Endpoint& endpoint, int colour, int key, MPI_Comm* made) {
  Newcomer newcomer{.births = endpoints::by_colour};
  newcomer.given.colour = colour;
  newcomer.given.key = key;
  if (colour < 0 && colour != MPI_UNDEFINED) {
    say(newcomer, endpoints::error_with(MPI_ERR_ARG, "Raddle: the colour of MPI_Comm_split is negative"));
  } else if (colour != MPI_UNDEFINED) {
    bring_handle(newcomer, endpoint);
  }
  return derive(endpoint, "MPI_Comm_split", newcomer, made);
}

int Comm_split_type(Endpoint& endpoint, int type, int key, MPI_Info info, MPI_Comm* made) {
  Newcomer newcomer{.births = endpoints::by_type};
  newcomer.given.colour = type;
  newcomer.given.key = key;
  newcomer.info = info;
  if (type != MPI_UNDEFINED) bring_handle(newcomer, endpoint, info);
  return derive(endpoint, "MPI_Comm_split_type", newcomer, made);
}

int Comm_create(Endpoint& endpoint, MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  if (comm == MPI_COMM_NULL) return no_endpoints_there(comm, made);
  Newcomer newcomer{.births = endpoint.has_two_groups() ? endpoints::of_each_group : endpoints::as_chosen};
  try {
    std::vector<int> ranks = ranks_of(endpoint, group);
    if (endpoint.has_two_groups())
      choose_of_group(newcomer, endpoint, ranks);
    else
      choose(newcomer, endpoint, std::move(ranks));
  } catch (const Failure& failure) {
    say(newcomer, failure.code);
  }
  return derive(endpoint, "MPI_Comm_create", newcomer, made);
}

int Comm_create_group(Endpoint& endpoint, MPI_Comm, MPI_Group group, int tag, MPI_Comm* made) {
  *made = MPI_COMM_NULL;
  if (tag < 0 || tag > endpoint.greatest_tag()) return raise(endpoint.comm, MPI_ERR_TAG);
  Newcomer newcomer{.births = endpoints::as_chosen};
  try {
    std::vector<int> ranks = ranks_of(endpoint, group);
    const endpoints::CallKey key = endpoints::call_of_some(tag, ranks);
    choose(newcomer, endpoint, std::move(ranks));
    if (newcomer.chosen.empty()) return MPI_SUCCESS;  // not one of them
    return derive(endpoint, "MPI_Comm_create_group", key, newcomer, made);
  } catch (const Failure& failure) {
    return raise(endpoint.comm, failure.code);  // who the others are is not known
  }
}

int Comm_create(const endpoints::Group&, MPI_Comm comm, MPI_Group, MPI_Comm* made) {
  return no_endpoints_there(comm, made);
}

int Comm_create_group(const endpoints::Group&, MPI_Comm comm, MPI_Group, int, MPI_Comm* made) {
  return no_endpoints_there(comm, made);
}

}  // namespace raddle::interpose::on_endpoint
