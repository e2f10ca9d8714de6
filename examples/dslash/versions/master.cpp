// SPDX-License-Identifier: BSD-3-Clause
// All threads of a process compute on its domain, and the master thread communicates: MPI_THREAD_FUNNELED is enough.
#include <omp.h>

#include "dslash/member.hpp"
#include "dslash/versions/team.hpp"

namespace dslash {
namespace {

class CrewMember final : public Member {
 public:
  CrewMember(int rank, int ranks, int threads, ThreadTeam& team, std::unique_ptr<Part>& part)
      : Member(rank, ranks, ranks_of(MPI_COMM_WORLD), omp_get_thread_num(), threads), team_(team), part_(part) {}
  std::unique_ptr<Part>& part() override { return part_; }
  void combine(std::span<double> values, MPI_Op operation) override { team_.combine(values, operation); }
  void meet() override {
#pragma omp barrier
  }

 private:
  ThreadTeam& team_;
  std::unique_ptr<Part>& part_;
};

}  // namespace

bool run_master(const Options& options, const Work& work) {
  int process = 0;
  int processes = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  ThreadTeam team;
  std::unique_ptr<Part> part;
  bool wrong = false;
#pragma omp parallel num_threads(options.threads) reduction(|| : wrong)
  {
    CrewMember member(process, processes, options.threads, team, part);
    wrong = work(member);
  }
  return wrong;
}

}  // namespace dslash
