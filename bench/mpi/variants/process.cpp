// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/variant.hpp"

namespace raddle::bench {
namespace {

Team team(const PointSet& set) {
  if (set.placement == Placement::one_process)
    throw PlanError("variant process has no placement one-process: its contexts are processes");
  return {set.work.threads, 2 * set.work.threads, 1};
}

const RegisterVariant process({"process", "ranks are processes, plain MPI_Init: what a program without threads gets",
                               team},
                              world_channels);

}  // namespace
}  // namespace raddle::bench
