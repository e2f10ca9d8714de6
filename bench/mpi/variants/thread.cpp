// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/variant.hpp"

namespace raddle::bench {
namespace {

class ThreadChannels final : public Channels {
 public:
  explicit ThreadChannels(const Team& team) : team_(team) {}
  Channel open(const Seat& seat) override { return channel_on(MPI_COMM_WORLD, team_, seat); }

 private:
  Team team_;
};

const RegisterVariant thread({"thread", "MPI_THREAD_MULTIPLE, all threads on MPI_COMM_WORLD, one tag a flow",
                              threaded_team},
                             [](const Team& team) -> std::unique_ptr<Channels> {
                               return std::make_unique<ThreadChannels>(team);
                             });

}  // namespace
}  // namespace raddle::bench
