// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>

#include "endpoints/errors.hpp"
#include "endpoints/groups/group.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/rank.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/on_endpoint/derive.hpp"
#include "interpose/wrapper.hpp"

namespace raddle::interpose::on_endpoint {

namespace {

/// Of intercommunicators both groups have to be alike, the local one with the local one (MPI-4.1 section 7.4.1).
int compare_groups(const Endpoint& one, const Endpoint& other) {
  if (one.has_two_groups() != other.has_two_groups()) return MPI_UNEQUAL;
  const auto compare_sides = [&](bool local) {
    const auto side = [&](const Endpoint& endpoint) {
      const endpoints::Communicator& both = endpoint.communicator();
      const int own = both.side_of(endpoint.rank());
      return both.members_of_side(local || !both.has_two_groups() ? own : 1 - own);
    };
    return endpoints::compare(side(one), side(other));
  };
  const int local = compare_sides(true);
  const int remote = compare_sides(false);
  if (local == MPI_UNEQUAL || remote == MPI_UNEQUAL) return MPI_UNEQUAL;
  return local == MPI_CONGRUENT && remote == MPI_CONGRUENT ? MPI_CONGRUENT : MPI_SIMILAR;
}

}  // namespace

int Abort(const Endpoint&, int errorcode) {
  // The endpoint's own communicator is this process alone.
  const endpoints::AsProcess process;
  return PMPI_Abort(MPI_COMM_WORLD, errorcode);
}

int Comm_compare(const Endpoint& endpoint, MPI_Comm one, MPI_Comm other, int* result) {
  const Endpoint* const first = endpoints::find<endpoints::Kind::communicator>(one);
  const Endpoint* const second = endpoints::find<endpoints::Kind::communicator>(other);
  const MPI_Comm native = first == nullptr ? one : other;
  if (first != nullptr && second != nullptr) {
    *result = &first->communicator() == &second->communicator() ? MPI_IDENT : compare_groups(*first, *second);
    return MPI_SUCCESS;
  }
  int inter = 0;
  if (native == MPI_COMM_NULL) return endpoints::raise(endpoint.comm, MPI_ERR_COMM);
  if (const int code = PMPI_Comm_test_inter(native, &inter); code != MPI_SUCCESS) return code;
  *result = inter != 0 || endpoint.has_two_groups()
                ? MPI_UNEQUAL
                : endpoints::compare(endpoint.communicator().members(), endpoints::members_of(native));
  return MPI_SUCCESS;
}

int Comm_free(Endpoint& endpoint, MPI_Comm* comm) {
  // A rank's MPI_COMM_WORLD and MPI_COMM_SELF end with MPI_Finalize.
  if (*comm != endpoint.comm) return endpoints::raise(endpoint.comm, MPI_ERR_COMM);
  // First, since the MPI may give the handle out again at once.
  endpoints::erase<endpoints::Kind::communicator>(*comm);
  const MPI_Comm own = *comm;
  const bool used = !endpoint.unused() || endpoint.communicator().held();
  MPI_Comm heir = used ? endpoints::own_handle(own) : MPI_COMM_NULL;
  static const auto free_it = the_mpis<decltype(PMPI_Comm_free)>("MPI_Comm_free");
  MPI_Comm real = endpoints::late::behind(own);
  int code = MPI_SUCCESS;
  if (real != MPI_COMM_NULL) {
    const endpoints::Leaving leaving(endpoint);
    const endpoints::Outcome outcome;
    code = outcome.of(free_it(&real));
  }
  if (code != MPI_SUCCESS) {  // an attribute's delete function has refused
    if (heir != MPI_COMM_NULL) endpoints::free_own_handle(heir);
    endpoints::insert<endpoints::Kind::communicator>(own, endpoint);
    return code;
  }
  endpoints::late::give_back(own);
  *comm = MPI_COMM_NULL;
  endpoint.leave_to(heir);
  endpoint.freed();
  return MPI_SUCCESS;
}

int Comm_group(const Endpoint& endpoint, MPI_Group* group) {
  try {
    *group = group_of(endpoint, Side::own);
    return MPI_SUCCESS;
  } catch (const endpoints::Failure& failure) {
    return endpoints::raise(endpoint.comm, failure.code);
  }
}

int Comm_rank(const Endpoint& endpoint, int* rank) {
  *rank = endpoint.rank_in_group();
  return MPI_SUCCESS;
}

int Comm_size(const Endpoint& endpoint, int* size) {
  *size = endpoint.group().size;
  return MPI_SUCCESS;
}

}  // namespace raddle::interpose::on_endpoint
