// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "mpi/check.hpp"
#include "mpi/variant.hpp"
#include "raddle/raddle.h"

namespace raddle::bench {
namespace {

/// A lane for each flow.
template <typename Connection>
class LaneLinks final : public Links<Connection> {
 public:
  explicit LaneLinks(const Team& team) : team_(team), lanes_(static_cast<std::size_t>(team.flows), MPI_COMM_NULL) {}

  void begin() override {
    check(Raddle_Lanes_create(MPI_COMM_WORLD, team_.flows, MPI_INFO_NULL, lanes_.data()), "Raddle_Lanes_create");
  }
  Connection open(const Seat& seat) override {
    const MPI_Comm lane = lanes_[static_cast<std::size_t>(seat.flow)];
    if constexpr (std::is_same_v<Connection, Channel>) {
      return channel_on(lane, team_, seat);
    } else {
      return lane;
    }
  }
  void end() override { check(Raddle_Lanes_free(team_.flows, lanes_.data()), "Raddle_Lanes_free"); }

 private:
  Team team_;
  std::vector<MPI_Comm> lanes_;
};

template <typename Connection>
std::unique_ptr<Links<Connection>> make_lane_links(const Team& team) {
  return std::make_unique<LaneLinks<Connection>>(team);
}

const RegisterVariant lane({"lane", "MPI_THREAD_MULTIPLE, a communicator per flow from Raddle_Lanes_create",
                            Contexts::threads},
                           make_lane_links<Channel>, make_lane_links<MPI_Comm>);

}  // namespace
}  // namespace raddle::bench
