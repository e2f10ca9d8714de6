// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "mpi/check.hpp"
#include "mpi/variant.hpp"
#include "raddle/raddle.h"

namespace raddle::bench {
namespace {

class LaneChannels final : public Channels {
 public:
  explicit LaneChannels(const Team& team) : team_(team), lanes_(static_cast<std::size_t>(team.flows), MPI_COMM_NULL) {}

  void begin() override {
    check(Raddle_Lanes_create(MPI_COMM_WORLD, team_.flows, MPI_INFO_NULL, lanes_.data()), "Raddle_Lanes_create");
  }
  Channel open(const Seat& seat) override {
    return channel_on(lanes_[static_cast<std::size_t>(seat.flow)], team_, seat);
  }
  void end() override { check(Raddle_Lanes_free(team_.flows, lanes_.data()), "Raddle_Lanes_free"); }

 private:
  Team team_;
  std::vector<MPI_Comm> lanes_;
};

const RegisterVariant lane({"lane", "MPI_THREAD_MULTIPLE, a communicator per flow from Raddle_Lanes_create",
                            threaded_team},
                           [](const Team& team) -> std::unique_ptr<Channels> {
                             return std::make_unique<LaneChannels>(team);
                           });

}  // namespace
}  // namespace raddle::bench
