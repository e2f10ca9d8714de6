// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/variant.hpp"

#include <map>
#include <type_traits>

namespace raddle::bench {
namespace {

template <typename Connection>
std::map<std::string, LinksFactory<Connection>>& factories() {
  static std::map<std::string, LinksFactory<Connection>> map;
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

RegisterVariant::RegisterVariant(const Variant& variant, LinksFactory<Channel> channels,
                                 LinksFactory<MPI_Comm> groups) {
  Registry::instance().add(variant);
  factories<Channel>().emplace(variant.name, channels);
  factories<MPI_Comm>().emplace(variant.name, groups);
}

template <typename Connection>
std::unique_ptr<Links<Connection>> make_links(const std::string& variant, const Team& team) {
  const auto found = factories<Connection>().find(variant);
  if (found == factories<Connection>().end()) throw PlanError("unknown variant '" + variant + "'");
  if (found->second == nullptr) {
    const bool channels = std::is_same_v<Connection, Channel>;
    throw Unavailable("variant " + variant + " has no " +
                      (channels ? "channel for each thread" : "communicator for each flow"));
  }
  return found->second(team);
}
template std::unique_ptr<Channels> make_links(const std::string&, const Team&);
template std::unique_ptr<Groups> make_links(const std::string&, const Team&);

std::unique_ptr<Channels> world_channels(const Team& team) { return std::make_unique<WorldChannels>(team); }

Channel channel_on(MPI_Comm comm, const Team& team, const Seat& seat) {
  const int forward = 4 * seat.flow;
  const int backward = forward + 1;
  const bool sends = seat.side == Side::sender;
  return {comm, team.process_of(team.partner_of(seat)), sends ? forward : backward, sends ? backward : forward};
}

}  // namespace raddle::bench
