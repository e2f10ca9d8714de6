// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "mpi/check.hpp"
#include "mpi/variant.hpp"

namespace raddle::bench {
namespace {

/// Threads may not call collectives on one communicator at the same time, so each flow has a duplicate.
class DuplicateGroups final : public Groups {
 public:
  explicit DuplicateGroups(const Team& team) : comms_(static_cast<std::size_t>(team.flows), MPI_COMM_NULL) {}
  void begin() override {
    for (MPI_Comm& comm : comms_) check(MPI_Comm_dup(MPI_COMM_WORLD, &comm), "MPI_Comm_dup");
  }
  MPI_Comm open(const Seat& seat) override { return comms_[static_cast<std::size_t>(seat.flow)]; }
  void end() override {
    for (MPI_Comm& comm : comms_) check(MPI_Comm_free(&comm), "MPI_Comm_free");
  }

 private:
  std::vector<MPI_Comm> comms_;
};

const RegisterVariant thread({"thread",
                              "MPI_THREAD_MULTIPLE, all threads on MPI_COMM_WORLD, one tag a flow; for collectives a "
                              "duplicate a flow",
                              Contexts::threads},
                             world_channels, [](const Team& team) -> std::unique_ptr<Groups> {
                               return std::make_unique<DuplicateGroups>(team);
                             });

}  // namespace
}  // namespace raddle::bench
