// SPDX-License-Identifier: BSD-3-Clause
// A variant opens a channel for every thread. One file each under variants/; endpoints plug in the same way.
#pragma once

#include <memory>
#include <string>

#include "core/registry.hpp"
#include "mpi/channel.hpp"

namespace raddle::bench {

/// The channels of one arm. begin/end run on thread 0 of every process, open/close on every thread.
class Channels {
 public:
  virtual ~Channels() = default;
  virtual void begin() {}
  virtual Channel open(const Seat& seat) = 0;
  virtual void close(const Seat& /*seat*/) {}
  virtual void end() {}
};

using ChannelsFactory = std::unique_ptr<Channels> (*)(const Team& team);

/// Registers a variant with its channels; `factory` may throw Unavailable.
struct RegisterVariant {
  RegisterVariant(const Variant& variant, ChannelsFactory factory);
};

/// @throws Unavailable, PlanError
std::unique_ptr<Channels> make_channels(const std::string& variant, const Team& team);

/// Team of all variants whose contexts are threads.
Team threaded_team(const PointSet& set);

/// All flows on MPI_COMM_WORLD, kept apart by rank and tag.
std::unique_ptr<Channels> world_channels(const Team& team);

/// The rank of `context`'s process as a peer, and tags that keep flow and direction apart on a shared communicator.
Channel channel_on(MPI_Comm comm, const Team& team, const Seat& seat);

}  // namespace raddle::bench
