// SPDX-License-Identifier: BSD-3-Clause
// All threads of a process compute on its domain. Either the master thread communicates, for which MPI_THREAD_FUNNELED
// is enough; or each exchanges its part of every face, on a lane, which no other thread uses.
#include <omp.h>

#include "dslash/member.hpp"
#include "dslash/versions/team.hpp"
#include "raddle/raddle.h"

namespace dslash {
namespace {

class SharingMember final : public Member {
 public:
  SharingMember(int rank, int ranks, const std::vector<Directory>& directories, int threads, ThreadTeam& team,
                std::unique_ptr<Part>& part)
      : Member(rank, ranks, directories, omp_get_thread_num(), threads), team_(team), part_(part) {}
  std::unique_ptr<Part>& part() override { return part_; }
  void combine(std::span<double> values, MPI_Op operation) override { team_.combine(values, operation); }
  void meet() override {
#pragma omp barrier
  }

 private:
  ThreadTeam& team_;
  std::unique_ptr<Part>& part_;
};

bool run(const std::vector<Directory>& directories, int threads, const Work& work) {
  int process = 0;
  int processes = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  ThreadTeam team;
  std::unique_ptr<Part> part;
  bool wrong = false;
#pragma omp parallel num_threads(threads) reduction(|| : wrong)
  {
    expect_threads(threads);
    SharingMember member(process, processes, directories, threads, team, part);
    wrong = work(member);
  }
  return wrong;
}

}  // namespace

bool run_master(const Options& options, const Work& work) {
  return run({ranks_of(MPI_COMM_WORLD)}, options.threads, work);
}

bool run_lane(const Options& options, const Work& work) {
  std::vector<MPI_Comm> lanes(static_cast<std::size_t>(options.threads));
  Raddle_Lanes_create(MPI_COMM_WORLD, options.threads, MPI_INFO_NULL, lanes.data());
  std::vector<Directory> directories;
  for (const MPI_Comm lane : lanes) directories.push_back(ranks_of(lane));
  const bool wrong = run(directories, options.threads, work);
  Raddle_Lanes_free(options.threads, lanes.data());
  return wrong;
}

}  // namespace dslash
