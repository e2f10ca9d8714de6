// SPDX-License-Identifier: BSD-3-Clause
// Each thread has a domain and communicates for itself, on the communicator of the processes: tags have to say which
// thread a message is from and which one it is for.
#include <omp.h>

#include "dslash/member.hpp"
#include "dslash/versions/team.hpp"

namespace dslash {
namespace {

class ThreadMember final : public Member {
 public:
  ThreadMember(int rank, int ranks, int threads, ThreadTeam& team)
      : Member(rank, ranks, {threads_on(MPI_COMM_WORLD, threads)}), team_(team) {}
  std::unique_ptr<Part>& part() override { return part_; }
  void combine(std::span<double> values, MPI_Op operation) override { team_.combine(values, operation); }

 private:
  ThreadTeam& team_;
  std::unique_ptr<Part> part_;
};

}  // namespace

bool run_thread(const Options& options, const Work& work) {
  int process = 0;
  int processes = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  const int threads = options.threads;
  ThreadTeam team;
  bool wrong = false;
#pragma omp parallel num_threads(threads) reduction(|| : wrong)
  {
    expect_threads(threads);
    ThreadMember member(process * threads + omp_get_thread_num(), processes * threads, threads, team);
    wrong = work(member);
  }
  return wrong;
}

}  // namespace dslash
