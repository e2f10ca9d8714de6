// SPDX-License-Identifier: BSD-3-Clause
// Ranks are processes.
#include "dslash/member.hpp"

namespace dslash {
namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

}  // namespace

RankMember::RankMember(MPI_Comm comm) : Member(rank_in(comm), size_of(comm), {ranks_of(comm)}), comm_(comm) {}

void RankMember::combine(std::span<double> values, MPI_Op operation) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, operation, comm_);
}

bool run_process(const Options&, const Work& work) {
  RankMember member(MPI_COMM_WORLD);
  return work(member);
}

}  // namespace dslash
