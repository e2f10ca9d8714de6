// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/variant.hpp"

namespace raddle::bench {
namespace {

class ProcessChannels final : public Channels {
 public:
  explicit ProcessChannels(const Team& team) : team_(team) {}
  Channel open(const Seat& seat) override { return channel_on(MPI_COMM_WORLD, team_, seat); }

 private:
  Team team_;
};

Team team(const PointSet& set) {
  if (set.placement == Placement::one_process)
    throw PlanError("variant process has no placement one-process: its contexts are processes");
  return {set.work.threads, 2 * set.work.threads, 1};
}

const RegisterVariant process({"process", "ranks are processes, plain MPI_Init: what a program without threads gets",
                               team},
                              [](const Team& shape) -> std::unique_ptr<Channels> {
                                return std::make_unique<ProcessChannels>(shape);
                              });

}  // namespace
}  // namespace raddle::bench
