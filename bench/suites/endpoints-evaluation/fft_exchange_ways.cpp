// SPDX-License-Identifier: BSD-3-Clause
#include <limits>

#include "core/barrier.hpp"
#include "core/whereabouts.hpp"
#include "mpi/check.hpp"
#include "mpi/variant.hpp"
#include "suites/endpoints-evaluation/fft_exchange.hpp"

namespace raddle::bench {
namespace {

/// Threads that wait for each other within a process, as at a barrier of OpenMP: some microseconds, then they yield.
constexpr std::uint32_t patience = 1U << 8U;

/// Equal parts for all ranks of a communicator.
void all_to_all(Whereabouts& where, const std::byte* out, std::byte* in, int part, MPI_Comm comm) {
  where.enter("MPI_Alltoall");
  check(MPI_Alltoall(out, part, MPI_BYTE, in, part, MPI_BYTE, comm), "MPI_Alltoall");
}

/// `blocks` of these bytes as the argument of an MPI function.
int share_of(int blocks, const Work& work) {
  const std::int64_t part = blocks * work.bytes;
  if (part > std::numeric_limits<int>::max()) throw PlanError("what one rank has for another has 2 GiB or more");
  return static_cast<int>(part);
}

/// Contexts are ranks: processes, or threads with a rank each.
class AmongRanks final : public ExchangeWay {
 public:
  AmongRanks(MPI_Comm comm, const Work& work) : comm_(comm), part_(share_of(1, work)) {
    int rank = 0;  // of a thread communicator not the context's number
    int size = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    for (int other = 0; other < size; ++other) {
      leaving.push_back({rank, other});
      arriving.push_back({other, rank});
    }
  }
  void round(const std::byte* out, std::byte* in) override { all_to_all(where_, out, in, part_, comm_); }

 private:
  MPI_Comm comm_;
  int part_;
  Whereabouts& where_ = here();
};

/// Threads of one rank, for which tags keep messages apart.
class ByMessages final : public ExchangeWay {
 public:
  ByMessages(MPI_Comm comm, const Seat& seat, const Team& team, const Work& work) : comm_(comm), bytes_(work.bytes) {
    const int threads = team.most_threads();
    for (int other = 0; other < team.contexts(); ++other) {
      leaving.push_back({seat.context, other});
      arriving.push_back({other, seat.context});
      const int its_thread = other % threads;
      partners_.push_back({other / threads, seat.thread * threads + its_thread, its_thread * threads + seat.thread});
    }
    requests_.resize(2 * partners_.size());
  }

  void round(const std::byte* out, std::byte* in) override {
    const int count = static_cast<int>(bytes_);
    MPI_Request* request = requests_.data();
    for (std::size_t i = 0; i < partners_.size(); ++i) {
      where_.enter("MPI_Irecv", partners_[i].process, partners_[i].from_it);
      check(MPI_Irecv(in + i * static_cast<std::size_t>(bytes_), count, MPI_BYTE, partners_[i].process,
                      partners_[i].from_it, comm_, request++),
            "MPI_Irecv");
    }
    for (std::size_t i = 0; i < partners_.size(); ++i) {
      where_.enter("MPI_Isend", partners_[i].process, partners_[i].to_it);
      check(MPI_Isend(out + i * static_cast<std::size_t>(bytes_), count, MPI_BYTE, partners_[i].process,
                      partners_[i].to_it, comm_, request++),
            "MPI_Isend");
    }
    where_.enter("MPI_Waitall");
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }

 private:
  struct Partner {
    int process;
    int to_it;
    int from_it;
  };
  MPI_Comm comm_;
  std::int64_t bytes_;
  std::vector<Partner> partners_;
  std::vector<MPI_Request> requests_;
  Whereabouts& where_ = here();
};

/// Some threads of each process communicate for all of them, each on a communicator of all processes: thread `first`
/// has what the threads from itself to `first + count` send, and gets what theirs of other processes send to anybody
/// here. So nobody may go on before all are done; nor one that sends for others begin before they have what to send.
class ForOthers final : public ExchangeWay {
 public:
  ForOthers(MPI_Comm comm, const Seat& seat, int count, const Team& team, const Work& work, ThreadBarrier& together)
      : comm_(comm), part_(share_of(count * team.most_threads(), work)), waits_first_(count > 1), together_(together) {
    const int threads = team.most_threads();
    for (int process = 0; process < team.processes() && comm != MPI_COMM_NULL; ++process) {
      for (int sender = seat.thread; sender < seat.thread + count; ++sender) {
        for (int receiver = 0; receiver < threads; ++receiver) {
          leaving.push_back({seat.process * threads + sender, process * threads + receiver});
          arriving.push_back({process * threads + sender, seat.process * threads + receiver});
        }
      }
    }
  }
  void round(const std::byte* out, std::byte* in) override {
    if (comm_ != MPI_COMM_NULL) all_to_all(where_, out, in, part_, comm_);
  }
  void begin() override {
    if (waits_first_) wait();
  }
  void end() override { wait(); }

 private:
  void wait() {
    where_.enter("barrier of the process");
    together_.arrive_and_wait();
  }

  MPI_Comm comm_;
  int part_;
  bool waits_first_;
  ThreadBarrier& together_;
  Whereabouts& where_ = here();
};

class RankWays final : public ExchangeWays {
 public:
  RankWays(const std::string& variant, const Team& team, const Work& work)
      : links_(make_links<MPI_Comm>(variant, team)), work_(work) {}
  void begin() override { links_->begin(); }
  std::unique_ptr<ExchangeWay> join(const Seat& seat) override {
    return std::make_unique<AmongRanks>(links_->open(seat), work_);
  }
  void quit(const Seat& seat) override { links_->close(seat); }
  void end() override { links_->end(); }

 private:
  std::unique_ptr<Groups> links_;
  Work work_;
};

class MessageWays final : public ExchangeWays {
 public:
  MessageWays(const Team& team, const Work& work) : team_(team), work_(work) {}
  std::unique_ptr<ExchangeWay> join(const Seat& seat) override {
    return std::make_unique<ByMessages>(MPI_COMM_WORLD, seat, team_, work_);
  }

 private:
  Team team_;
  Work work_;
};

/// Of variants that have a communicator for each flow, a thread's flow being its number in the process.
class ForOthersWays final : public ExchangeWays {
 public:
  ForOthersWays(const std::string& variant, int count, const Team& team, const Work& work)
      : flows_({team.most_threads(), team.processes(), team.threads}),
        links_(make_links<MPI_Comm>(variant, flows_)),
        count_(count),
        work_(work),
        together_(team.most_threads(), patience) {}
  void begin() override { links_->begin(); }
  std::unique_ptr<ExchangeWay> join(const Seat& seat) override {
    const MPI_Comm comm = links_->open(flows_.seat(seat.process, seat.thread));
    return std::make_unique<ForOthers>(comm, seat, count_, flows_, work_, together_);
  }
  void quit(const Seat& seat) override { links_->close(flows_.seat(seat.process, seat.thread)); }
  void end() override { links_->end(); }

 private:
  Team flows_;
  std::unique_ptr<Groups> links_;
  int count_;
  Work work_;
  ThreadBarrier together_;
};

}  // namespace

std::unique_ptr<ExchangeWays> exchange_ways(const std::string& variant, const Team& team, const Work& work) {
  if (variant == "thread") return std::make_unique<MessageWays>(team, work);
  if (variant != "lane" && variant != "master") return std::make_unique<RankWays>(variant, team, work);
  if (team.processes() == 1) throw Unavailable("threads of one process need no " + variant + " to exchange blocks");
  return std::make_unique<ForOthersWays>(variant, variant == "lane" ? 1 : team.most_threads(), team, work);
}

}  // namespace raddle::bench
