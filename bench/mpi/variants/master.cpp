// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/variant.hpp"

namespace raddle::bench {
namespace {

/// MPI_COMM_WORLD for the first thread of each process, and nothing for the others.
class MasterGroups final : public Groups {
 public:
  MPI_Comm open(const Seat& seat) override { return seat.thread == 0 ? MPI_COMM_WORLD : MPI_COMM_NULL; }
};

const RegisterVariant master({"master",
                              "MPI_THREAD_FUNNELED, one thread of each process communicates for all, the others wait",
                              Contexts::threads},
                             nullptr,
                             [](const Team&) -> std::unique_ptr<Groups> { return std::make_unique<MasterGroups>(); });

}  // namespace
}  // namespace raddle::bench
