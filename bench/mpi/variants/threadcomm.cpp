// SPDX-License-Identifier: BSD-3-Clause
// MPICH's own thread communicators (MPIX_Threadcomm, since 4.2). Compiled in where mpi.h declares them.
#include <type_traits>
#include <vector>

#include "mpi/check.hpp"
#include "mpi/features.hpp"
#include "mpi/variant.hpp"

namespace raddle::bench {
namespace {

#if RADDLE_HAVE_THREADCOMM

template <typename Connection>
class ThreadcommLinks final : public Links<Connection> {
 public:
  explicit ThreadcommLinks(const Team& team) : team_(team) {}

  void begin() override {
    int process = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    const int threads = team_.threads[static_cast<std::size_t>(process)];
    if (MPIX_Threadcomm_init(MPI_COMM_WORLD, threads, &comm_) != MPI_SUCCESS) {
      throw Unavailable("MPIX_Threadcomm_init failed: this MPICH was built without thread communicators");
    }
  }

  Connection open(const Seat& seat) override {
    check(MPIX_Threadcomm_start(comm_), "MPIX_Threadcomm_start");
    if constexpr (std::is_same_v<Connection, Channel>) {
      return channel(seat);
    } else {
      return comm_;
    }
  }

  void close(const Seat&) override { check(MPIX_Threadcomm_finish(comm_), "MPIX_Threadcomm_finish"); }
  void end() override { check(MPIX_Threadcomm_free(&comm_), "MPIX_Threadcomm_free"); }

 private:
  Channel channel(const Seat& seat) {
    // A thread's rank is the order of its arrival, so everyone must learn who sits where.
    int rank = 0;
    check(MPI_Comm_rank(comm_, &rank), "MPI_Comm_rank");
    std::vector<int> contexts(static_cast<std::size_t>(team_.contexts()));
    check(MPI_Allgather(&seat.context, 1, MPI_INT, contexts.data(), 1, MPI_INT, comm_), "MPI_Allgather");
    const int partner = team_.partner_of(seat);
    Channel channel = channel_on(comm_, team_, seat);
    for (std::size_t r = 0; r < contexts.size(); ++r) {
      if (contexts[r] == partner) channel.peer = static_cast<int>(r);
    }
    return channel;
  }

  Team team_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

template <typename Connection>
std::unique_ptr<Links<Connection>> make_threadcomm_links(const Team& team) {
  if (std::is_same_v<Connection, MPI_Comm> && team.flows > 1)
    throw Unavailable("MPICH cannot split a thread communicator into one for each flow");
  return std::make_unique<ThreadcommLinks<Connection>>(team);
}

#else

template <typename Connection>
std::unique_ptr<Links<Connection>> make_threadcomm_links(const Team&) {
  throw Unavailable("this MPI has no MPIX_Threadcomm_init (MPICH 4.2 or later has)");
}

#endif

const RegisterVariant threadcomm({"threadcomm", "MPICH's thread communicator: a rank per thread (MPIX_Threadcomm)",
                                  Contexts::threads},
                                 make_threadcomm_links<Channel>, make_threadcomm_links<MPI_Comm>);

}  // namespace
}  // namespace raddle::bench
