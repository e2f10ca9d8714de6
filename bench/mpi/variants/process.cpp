// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/check.hpp"
#include "mpi/variant.hpp"

namespace raddle::bench {
namespace {

/// The world split by flow.
class SplitGroups final : public Groups {
 public:
  MPI_Comm open(const Seat& seat) override {
    check(MPI_Comm_split(MPI_COMM_WORLD, seat.flow, seat.party, &comm_), "MPI_Comm_split");
    return comm_;
  }
  void close(const Seat&) override { check(MPI_Comm_free(&comm_), "MPI_Comm_free"); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

std::unique_ptr<Groups> split_groups(const Team&) { return std::make_unique<SplitGroups>(); }

const RegisterVariant process({"process", "ranks are processes, plain MPI_Init: what a program without threads gets",
                               Contexts::processes},
                              world_channels, split_groups);

// The settings are made before the start, so here it is the same.
const RegisterVariant tuned({"tuned", "processes, with settings of their MPI that were found to be its best",
                             Contexts::processes},
                            world_channels, split_groups);

}  // namespace
}  // namespace raddle::bench
