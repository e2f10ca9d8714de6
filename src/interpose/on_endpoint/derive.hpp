// SPDX-License-Identifier: BSD-3-Clause
// What all functions do that make communicators of an endpoints communicator.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "endpoints/communicators/derive.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/topology/topology.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;
using endpoints::Newcomer;

/// Whether a rank's arguments are good: an MPI error code.
void say(Newcomer& newcomer, int code);

/// A rank that becomes a member of a communicator needs a handle there.
void bring_handle(Newcomer& newcomer, const Endpoint& endpoint);
/// The same, with hints: MPI_Comm_get_info tells those that the MPI knows (MPI-4.1 section 7.4.4).
void bring_handle(Newcomer& newcomer, const Endpoint& endpoint, MPI_Info hints);

/// The ranks of a group's members. @throws Failure if one is none of the communicator's
std::vector<int> ranks_of(const Endpoint& endpoint, MPI_Group group);

/// The group of an endpoint's communicator, or of an intercommunicator that it is in or that it is not in.
enum class Side { own, remote };
[[nodiscard]] MPI_Group group_of(const Endpoint& endpoint, Side side);

/// Blocks in the MPI function `call`. @returns an MPI error code, raised
int derive(Endpoint& endpoint, const char* call, const endpoints::CallKey& key, Newcomer& newcomer, MPI_Comm* made);
/// The same by all ranks of the communicator.
int derive(Endpoint& endpoint, const char* call, Newcomer& newcomer, MPI_Comm* made);

/// An intercommunicator of endpoints that have an origin in common (MPI_Intercomm_create). Collective over both groups.
/// @param origin  its name @param ranks  of the origin's: those of the first group, then those of the second
/// @param key     apart from all else on the origin
/// @throws endpoints::Failure
void make_of_two_groups(Endpoint& local, const char* call, std::uint64_t origin, const std::vector<int>& ranks,
                        int first_group, const endpoints::CallKey& key, MPI_Comm* made);

// What functions of topologies ask first, and what they tell last.

/// @returns MPI_SUCCESS, or the error, raised, of what `answer` returns when it is given the topology of this kind
template <typename Kind, typename Answer>
int about(const endpoints::Endpoint& endpoint, Answer&& answer) {
  const auto& topology = endpoint.topology();
  const Kind* const found = topology ? topology->as<Kind>() : nullptr;
  const int code = found == nullptr ? MPI_ERR_TOPOLOGY : answer(*found);
  return code == MPI_SUCCESS ? code : endpoints::raise(endpoint.comm, code);
}

/// An array that the program gives. @pre are_there()
inline std::span<const int> several(const int* numbers, int count) {
  return {numbers, static_cast<std::size_t>(count)};
}
inline bool are_there(const int* numbers, int count) { return count >= 0 && (count == 0 || numbers != nullptr); }

inline bool is_rank(const endpoints::Endpoint& endpoint, int rank) { return rank >= 0 && rank < endpoint.size(); }

inline int to_mpi(int rank) { return rank == endpoints::nobody ? MPI_PROC_NULL : rank; }

}  // namespace raddle::interpose::on_endpoint
