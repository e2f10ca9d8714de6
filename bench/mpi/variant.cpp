// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/variant.hpp"

#include <map>

namespace raddle::bench {
namespace {

std::map<std::string, ChannelsFactory>& factories() {
  static std::map<std::string, ChannelsFactory> map;
  return map;
}

class WorldChannels final : public Channels {
 public:
  explicit WorldChannels(const Team& team) : team_(team) {}
  Channel open(const Seat& seat) override { return channel_on(MPI_COMM_WORLD, team_, seat); }

 private:
  Team team_;
};

}  // namespace

RegisterVariant::RegisterVariant(const Variant& variant, ChannelsFactory factory) {
  Registry::instance().add(variant);
  factories().emplace(variant.name, factory);
}

std::unique_ptr<Channels> make_channels(const std::string& variant, const Team& team) {
  const auto found = factories().find(variant);
  if (found == factories().end()) throw PlanError("unknown variant '" + variant + "'");
  return found->second(team);
}

Team threaded_team(const PointSet& set) {
  const int flows = set.work.threads;
  return set.placement == Placement::one_process ? Team{flows, 1, 2 * flows} : Team{flows, 2, flows};
}

std::unique_ptr<Channels> world_channels(const Team& team) { return std::make_unique<WorldChannels>(team); }

Channel channel_on(MPI_Comm comm, const Team& team, const Seat& seat) {
  const int partner = seat.side == Side::sender ? seat.flow + team.flows : seat.flow;
  const int forward = 2 * seat.flow;
  const int backward = forward + 1;
  const bool sends = seat.side == Side::sender;
  return {comm, team.process_of(partner), sends ? forward : backward, sends ? backward : forward};
}

}  // namespace raddle::bench
