// SPDX-License-Identifier: BSD-3-Clause
#include "suites/endpoints-evaluation/dslash_domains.hpp"

#include <utility>

#include "mpi/check.hpp"
#include "mpi/variant.hpp"

namespace raddle::bench {
namespace {

/// Threads that wait for each other within a process, as at a barrier of OpenMP: some microseconds, then they yield.
constexpr std::uint32_t polls = 1U << 8U;

std::shared_ptr<DslashDomain> make_domain(int rank, int ranks, const dslash::Gauge& gauge,
                                          const std::vector<dslash::Directory>& directories) {
  const dslash::Site grid = dslash::choose_grid(ranks, gauge.lattice.extent);
  return std::make_shared<DslashDomain>(rank, dslash::domain_of(rank, grid, gauge.lattice), gauge, directories);
}

/// Each context has a domain and is a rank of the variant's communicator.
class DomainsOfRanks final : public DslashDomains {
 public:
  DomainsOfRanks(const std::string& variant, const Team& team, const dslash::Gauge& gauge)
      : links_(make_links<MPI_Comm>(variant, team)), contexts_(team.contexts()), gauge_(gauge) {}

  void begin() override { links_->begin(); }
  std::unique_ptr<DslashCrew> join(const Seat& seat) override {
    auto domain = make_domain(seat.context, contexts_, gauge_, {directory(links_->open(seat), seat)});
    return std::make_unique<DslashCrew>(0, 1, std::move(domain), nullptr);
  }
  void quit(const Seat& seat) override { links_->close(seat); }
  void end() override { links_->end(); }

 private:
  /// Ranks of a thread communicator are not the contexts' numbers, so all learn who is who.
  [[nodiscard]] dslash::Directory directory(MPI_Comm comm, const Seat& seat) const {
    std::vector<int> contexts(static_cast<std::size_t>(contexts_));
    check(MPI_Allgather(&seat.context, 1, MPI_INT, contexts.data(), 1, MPI_INT, comm), "MPI_Allgather");
    std::vector<int> ranks(contexts.size());
    for (std::size_t rank = 0; rank < contexts.size(); ++rank)
      ranks[static_cast<std::size_t>(contexts[rank])] = static_cast<int>(rank);
    return
        [comm, ranks](int, int, int peer) { return dslash::Address{comm, ranks[static_cast<std::size_t>(peer)], 0}; };
  }

  std::unique_ptr<Groups> links_;
  int contexts_;
  dslash::Gauge gauge_;
};

/// Each thread has a domain, and tags tell the threads of a process apart.
class DomainsOfThreads final : public DslashDomains {
 public:
  DomainsOfThreads(const Team& team, const dslash::Gauge& gauge) : team_(team), gauge_(gauge) {}

  std::unique_ptr<DslashCrew> join(const Seat& seat) override {
    const auto directory = dslash::threads_on(MPI_COMM_WORLD, team_.most_threads());
    return std::make_unique<DslashCrew>(0, 1, make_domain(seat.context, team_.contexts(), gauge_, {directory}),
                                        nullptr);
  }

 private:
  Team team_;
  dslash::Gauge gauge_;
};

/// Each process has a domain, on which all of its threads compute. Those communicate that the variant gives a
/// communicator of the processes: one of them, or all, who then have a part of each face.
class DomainsOfProcesses final : public DslashDomains {
 public:
  DomainsOfProcesses(const std::string& variant, const Team& team, const dslash::Gauge& gauge)
      : flows_({team.most_threads(), team.processes(), team.threads}),
        links_(make_links<MPI_Comm>(variant, flows_)),
        gauge_(gauge),
        together_(team.most_threads(), polls),
        comms_(static_cast<std::size_t>(team.most_threads()), MPI_COMM_NULL) {}

  void begin() override { links_->begin(); }
  std::unique_ptr<DslashCrew> join(const Seat& seat) override {
    comms_[static_cast<std::size_t>(seat.thread)] = links_->open(flows_.seat(seat.process, seat.thread));
    together_.arrive_and_wait();
    if (seat.thread == 0) {
      std::vector<dslash::Directory> directories;
      for (const MPI_Comm comm : comms_)
        if (comm != MPI_COMM_NULL) directories.push_back(dslash::ranks_of(comm));
      domain_ = make_domain(seat.process, flows_.processes(), gauge_, directories);
    }
    together_.arrive_and_wait();
    return std::make_unique<DslashCrew>(seat.thread, flows_.most_threads(), domain_, &together_);
  }
  void quit(const Seat& seat) override { links_->close(flows_.seat(seat.process, seat.thread)); }
  void end() override { links_->end(); }

 private:
  Team flows_;  ///< a flow is a thread's number in its process
  std::unique_ptr<Groups> links_;
  dslash::Gauge gauge_;
  ThreadBarrier together_;
  std::vector<MPI_Comm> comms_;  ///< by thread
  std::shared_ptr<DslashDomain> domain_;
};

}  // namespace

std::unique_ptr<DslashDomains> make_dslash_domains(const std::string& variant, const Team& team,
                                                   const dslash::Gauge& gauge) {
  if (variant == "thread") return std::make_unique<DomainsOfThreads>(team, gauge);
  if (variant != "lane" && variant != "master") return std::make_unique<DomainsOfRanks>(variant, team, gauge);
  if (team.processes() == 1 && team.contexts() > 1)
    throw Unavailable("threads of one process that share its domain exchange nothing");
  return std::make_unique<DomainsOfProcesses>(variant, team, gauge);
}

}  // namespace raddle::bench
