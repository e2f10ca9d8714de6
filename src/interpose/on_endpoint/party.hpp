// SPDX-License-Identifier: BSD-3-Clause
// Two groups of endpoints that come together (MPI-4.1 sections 7.6.2, 11.9 and 11.10): what their leaders tell each
// other, and what they know then. Groups that descend from one communicator find each other there; others are
// connected by the MPI, process by process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "endpoints/communicators/agree.hpp"
#include "endpoints/communicators/communicator.hpp"
#include "interpose/on_endpoint.hpp"

namespace raddle::interpose::on_endpoint {

/// What a leader tells of its group. The processes of both have one architecture.
struct Party {
  std::uint64_t origin = 0;              ///< the name of what its ranks descend from; 0: not all from one
  std::vector<int> ranks;                ///< there
  std::vector<char> port;                ///< the MPI's, if this is who accepts and it has one
  std::vector<std::uint64_t> processes;  ///< their numbers, which no two of the world have in common
  std::uint64_t call = 0;                ///< no other call has it whose leader has the same rank at the origin
};

/// The origin that has most of a rank's: its world, if it has one.
const endpoints::Communicator& origin_of(const Endpoint& endpoint);

/// Of the communicator of an endpoint that leads, whose ranks are looked up in `origin`.
Party party_of(const Endpoint& endpoint, const endpoints::Communicator& origin);

std::vector<std::byte> packed(const Party& party);
/// @returns nothing: these are not the bytes of a party
std::optional<Party> unpacked(const std::vector<std::byte>& bytes);

/// Both leaders find the same one: whose ranks are the first group where the call itself does not say it.
bool goes_first(const Party& mine, const Party& theirs);

/// What the leaders know then, and tell their groups.
struct Agreed {
  std::uint64_t origin = 0;  ///< 0: they have none in common, and the MPI connects them
  std::int32_t code = MPI_SUCCESS;
  std::int32_t ranks = 0;  ///< of both groups
  std::int32_t first = 0;  ///< of the first one
  std::uint64_t call = 0;  ///< of the first one
};

/// The same at both leaders.
Agreed agree(const Party& first, const Party& second);

/// Tells the call from others that the same ranks make at the same time, in other threads.
endpoints::CallKey key_of(const Agreed& agreed, const std::vector<int>& ranks);

/// The ranks of both groups, at their origin.
std::vector<int> ranks_of_both(const Party& first, const Party& second);

}  // namespace raddle::interpose::on_endpoint
