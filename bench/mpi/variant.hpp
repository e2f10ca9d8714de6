// SPDX-License-Identifier: BSD-3-Clause
// A variant opens a channel for every thread, or a communicator for every flow. One file each under variants/;
// endpoints plug in the same way.
#pragma once

#include <memory>
#include <string>

#include "core/registry.hpp"
#include "mpi/channel.hpp"

namespace raddle::bench {

/// What the threads of one arm communicate through. begin/end run on thread 0 of every process, open/close on every
/// thread.
/// @tparam Connection Channel: to the other context of a flow. MPI_Comm: the contexts of a flow, ranked by party
template <typename Connection>
class Links {
 public:
  virtual ~Links() = default;
  virtual void begin() {}
  virtual Connection open(const Seat& seat) = 0;
  virtual void close(const Seat& /*seat*/) {}
  virtual void end() {}
};
using Channels = Links<Channel>;
using Groups = Links<MPI_Comm>;

template <typename Connection>
using LinksFactory = std::unique_ptr<Links<Connection>> (*)(const Team& team);

/// Registers a variant with its channels and, if flows can have communicators, its groups; either may be missing.
/// Factories may throw Unavailable.
struct RegisterVariant {
  RegisterVariant(const Variant& variant, LinksFactory<Channel> channels, LinksFactory<MPI_Comm> groups = nullptr);
};

/// @throws Unavailable, PlanError
template <typename Connection>
std::unique_ptr<Links<Connection>> make_links(const std::string& variant, const Team& team);

/// All flows on MPI_COMM_WORLD, kept apart by rank and tag.
std::unique_ptr<Channels> world_channels(const Team& team);

/// The rank of the partner's process as a peer, and tags that keep flow and direction apart on a shared communicator.
Channel channel_on(MPI_Comm comm, const Team& team, const Seat& seat);

}  // namespace raddle::bench
