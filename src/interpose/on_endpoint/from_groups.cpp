// SPDX-License-Identifier: BSD-3-Clause
// Communicators that are made of groups alone: MPI-4.1 sections 7.4.2 and 7.6.2. The ranks find each other where they
// all come from: a rank that a thread has adopted among all ranks of the job, any other endpoint in the communicator of
// MPIX_Comm_create_endpoints.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/communicators/derive.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/groups/group.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/rank.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/on_endpoint/derive.hpp"
#include "platform/must.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Communicator;
using endpoints::Failure;

constexpr const char* of_group = "MPI_Comm_create_from_group";
constexpr const char* of_groups = "MPI_Intercomm_create_from_groups";

/// Where the ranks of a group find each other, which stays as long as this does.
class Meeting {
 public:
  /// @throws Failure  there is no such place any more
  explicit Meeting(const Group& group) : where_(place_of(group)) { where_.hold(); }
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;
  ~Meeting() { where_.let_go(); }

  /// The caller's endpoint there.
  [[nodiscard]] Endpoint& own(const Group& group) const {
    const endpoints::Rank* const rank = endpoints::adopted;
    if (rank != nullptr) return *rank->everyone;
    const int asker = endpoints::Ranks(where_.members()).of(group.source().asker);
    return where_.endpoint(where_.places()[static_cast<std::size_t>(asker)].index);
  }

  /// The group's members, as ranks there. @throws Failure
  [[nodiscard]] std::vector<int> ranks(const Group& group) const {
    const endpoints::Ranks known(where_.members());
    std::vector<int> ranks;
    for (const endpoints::Member& member : group.members()) {
      ranks.push_back(known.of(member));
      if (ranks.back() == endpoints::Ranks::none)
        throw Failure(endpoints::error_with(
            MPI_ERR_UNSUPPORTED_OPERATION,
            "Raddle: making a communicator of a group is not supported with members that do not all come from one "
            "MPIX_Comm_create_endpoints, or are no endpoints"));
    }
    return ranks;
  }

 private:
  static Communicator& place_of(const Group& group) {
    if (endpoints::adopted != nullptr) return endpoints::adopted->everyone->communicator();
    Communicator* const origin = Communicator::origin_named(group.source().origin);
    if (origin != nullptr) return *origin;
    throw Failure(endpoints::error_with(
        MPI_ERR_GROUP, "Raddle: the endpoints of the group have been freed, and all that was made of them"));
  }

  Communicator& where_;
};

/// The handle of the new communicator, with the program's error handler, which hears of what goes wrong meanwhile as
/// well. It is given back unless it is kept.
class Promised {
 public:
  /// @throws Failure  raised by nobody: there is no handler to hear of it
  Promised(MPI_Info info, MPI_Errhandler handler) : handle_(endpoints::own_handle(endpoints::comm_to_ask())) {
    if (handle_ == MPI_COMM_NULL) throw Failure(endpoints::no_communicators_left());
    if (const int code = PMPI_Comm_set_errhandler(handle_, handler); code != MPI_SUCCESS) {
      endpoints::free_own_handle(handle_);
      throw Failure(code);
    }
    if (info != MPI_INFO_NULL) code_ = PMPI_Comm_set_info(handle_, info);
  }
  Promised(const Promised&) = delete;
  Promised& operator=(const Promised&) = delete;
  ~Promised() {
    if (handle_ != MPI_COMM_NULL) endpoints::free_own_handle(handle_);
  }

  [[nodiscard]] MPI_Comm handle() const { return handle_; }
  /// What the MPI says of the hints.
  [[nodiscard]] int code() const { return code_; }
  MPI_Comm keep() { return std::exchange(handle_, MPI_COMM_NULL); }

  /// @returns MPI_SUCCESS, or what `act` has thrown, raised
  template <typename Act>
  int raising(Act&& act) {
    try {
      act();
      return MPI_SUCCESS;
    } catch (const Failure& failure) {
      return endpoints::raise(handle_, failure);
    }
  }

 private:
  MPI_Comm handle_;
  int code_ = MPI_SUCCESS;
};

/// @throws Failure
void check_caller(const Endpoint& there, const std::vector<int>& ranks) {
  if (std::ranges::find(ranks, there.rank()) == ranks.end())
    throw Failure(endpoints::error_with(MPI_ERR_GROUP, "Raddle: the caller is no member of its group"));
}

/// By all of these ranks, with the same text. @throws Failure
void make(Endpoint& there, const char* call, std::string_view text, Newcomer& newcomer) {
  newcomer.given.digest = endpoints::digest_of(newcomer.chosen);
  endpoints::derive(there, call, endpoints::call_of_some(text, newcomer.chosen), newcomer);
  if (newcomer.code != MPI_SUCCESS) throw Failure(newcomer.code, newcomer.raised);
}

/// What a program gives and what Raddle makes for itself are told apart by the first letter.
std::string programs(const char* text) { return std::string("p") + text; }

/// A communicator of the local group, for the time of a call.
class Local {
 public:
  /// @throws Failure
  Local(Endpoint& there, std::vector<int> ranks, const char* text)
      : handle_(endpoints::own_handle(endpoints::comm_to_ask())) {
    Newcomer newcomer{.births = endpoints::as_chosen, .chosen = std::move(ranks), .handle = handle_};
    if (handle_ == MPI_COMM_NULL) say(newcomer, endpoints::no_communicators_left());
    try {
      make(there, of_groups, std::string("l") + text, newcomer);
    } catch (...) {
      if (handle_ != MPI_COMM_NULL) endpoints::free_own_handle(handle_);
      throw;
    }
  }
  Local(const Local&) = delete;
  Local& operator=(const Local&) = delete;
  ~Local() { platform::regardless(PMPI_Comm_free(&handle_)); }

  [[nodiscard]] Endpoint& endpoint() const { return *endpoints::find<endpoints::Kind::communicator>(handle_); }

  /// From the leader to all. @throws Failure
  void tell(int leader, void* what, std::size_t bytes) const {
    const int code = Bcast(what, static_cast<MPI_Count>(bytes), MPI_BYTE, leader, endpoint());
    if (code != MPI_SUCCESS) throw Failure(code, true);
  }

 private:
  MPI_Comm handle_;
};

/// Both groups, the one that has the least rank in front: so both leaders say the same.
struct Both {
  std::int32_t code = MPI_SUCCESS;  ///< the class of what is wrong
  std::int32_t first = 0;           ///< ranks of the first group
  std::int32_t all = 0;             ///< of both
  std::vector<int> ranks{};
};

/// By the leader.
Both both(const Meeting& meeting, const std::vector<int>& local, MPI_Group remote_group, int remote_leader) {
  Both told;
  const Group* const remote = endpoints::find<endpoints::Kind::group>(remote_group);
  if (remote == nullptr) {
    told.code = remote_group == MPI_GROUP_NULL ? MPI_ERR_GROUP : MPI_ERR_UNSUPPORTED_OPERATION;
    return told;
  }
  std::vector<int> theirs;
  try {
    theirs = meeting.ranks(*remote);
  } catch (const Failure& failure) {
    told.code = platform::class_of(failure.code);
    return told;
  }
  if (!below(remote_leader, static_cast<int>(theirs.size()))) {
    told.code = MPI_ERR_RANK;
    return told;
  }
  std::vector<int> mine = local;
  if (*std::ranges::min_element(theirs) < *std::ranges::min_element(mine)) std::swap(mine, theirs);
  told.first = static_cast<std::int32_t>(mine.size());
  told.ranks = std::move(mine);
  told.ranks.insert(told.ranks.end(), theirs.begin(), theirs.end());
  told.all = static_cast<std::int32_t>(told.ranks.size());
  std::vector<int> sorted = told.ranks;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) told.code = MPI_ERR_GROUP;
  return told;
}

/// What the leader of the local group tells the others. @throws Failure
void tell(const Local& local, int leader, Both& told) {
  struct {
    std::int32_t code, first, all;
  } front{told.code, told.first, told.all};
  local.tell(leader, &front, sizeof front);
  told.code = front.code;
  told.first = front.first;
  told.ranks.resize(static_cast<std::size_t>(front.all));
  if (told.code == MPI_SUCCESS) local.tell(leader, told.ranks.data(), told.ranks.size() * sizeof(int));
}

/// @throws Failure
void check(const Both& told) {
  if (told.code == MPI_ERR_GROUP)
    throw Failure(endpoints::error_with(
        MPI_ERR_GROUP,
        "Raddle: the groups of MPI_Intercomm_create_from_groups have members in common, or the remote one is null"));
  if (told.code == MPI_ERR_UNSUPPORTED_OPERATION)
    throw Failure(endpoints::error_with(MPI_ERR_UNSUPPORTED_OPERATION,
                                        "Raddle: MPI_Intercomm_create_from_groups is not supported between endpoints "
                                        "and processes that are none, nor with endpoints of another origin"));
  if (told.code != MPI_SUCCESS) throw Failure(told.code);
}

}  // namespace

int Comm_create_from_group(const Group& group, const char* text, MPI_Info info, MPI_Errhandler handler,
                           MPI_Comm* made) {
  *made = MPI_COMM_NULL;
  Promised promised(info, handler);
  return promised.raising([&] {
    if (text == nullptr) throw Failure(MPI_ERR_ARG);
    const Meeting meeting(group);
    Endpoint& there = meeting.own(group);
    Newcomer newcomer{.births = endpoints::as_chosen, .chosen = meeting.ranks(group), .handle = promised.handle()};
    check_caller(there, newcomer.chosen);
    newcomer.session_buffer = group.source().buffer;
    say(newcomer, promised.code());
    make(there, of_group, programs(text), newcomer);
    *made = promised.keep();
  });
}

int Intercomm_create_from_groups(const Group&, MPI_Group local_group, int local_leader, MPI_Group remote_group,
                                 int remote_leader, const char* text, MPI_Info info, MPI_Errhandler handler,
                                 MPI_Comm* made) {
  *made = MPI_COMM_NULL;
  if (local_group == MPI_GROUP_EMPTY || remote_group == MPI_GROUP_EMPTY) return MPI_SUCCESS;
  Promised promised(info, handler);
  return promised.raising([&] {
    const Group* const group = endpoints::find<endpoints::Kind::group>(local_group);
    if (group == nullptr) check({.code = MPI_ERR_UNSUPPORTED_OPERATION});  // the remote one is of endpoints
    if (text == nullptr) throw Failure(MPI_ERR_ARG);
    const Meeting meeting(*group);
    Endpoint& there = meeting.own(*group);
    const std::vector<int> ranks = meeting.ranks(*group);
    check_caller(there, ranks);
    if (!below(local_leader, static_cast<int>(ranks.size()))) throw Failure(MPI_ERR_RANK);
    Both told;
    if (ranks[static_cast<std::size_t>(local_leader)] == there.rank())
      told = both(meeting, ranks, remote_group, remote_leader);
    if (ranks.size() > 1) tell(Local(there, ranks, text), local_leader, told);
    check(told);
    Newcomer newcomer{.births = endpoints::of_two_groups,
                      .chosen = std::move(told.ranks),
                      .first_group = told.first,
                      .handle = promised.handle()};
    newcomer.session_buffer = group->source().buffer;
    say(newcomer, promised.code());
    make(there, of_groups, programs(text), newcomer);
    *made = promised.keep();
  });
}

}  // namespace raddle::interpose::on_endpoint
