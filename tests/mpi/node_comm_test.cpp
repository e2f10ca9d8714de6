// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a node find out together. Those of a test share one; all ranks run all tests.
#include "node/node_comm.hpp"

#include <gtest/gtest.h>
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "node/cpu_set.hpp"
#include "node/cross_memory.hpp"
#include "node/machine.hpp"
#include "node/process_watch.hpp"
#include "platform/errors.hpp"
#include "platform/settings.hpp"

namespace raddle::node {
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

NodeComm of_world(const Calls& calls = of_processes) {
  int code = MPI_ERR_OTHER;
  NodeComm here(MPI_COMM_WORLD, calls, code);
  EXPECT_EQ(code, MPI_SUCCESS);
  return here;
}

/// Communicators that are there: made and not freed.
int communicators = 0;

/// Those of processes, which count.
Calls counting() {
  Calls calls = of_processes;
  calls.comm_split_type = [](MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
    ++communicators;
    return PMPI_Comm_split_type(comm, type, key, info, made);
  };
  calls.comm_split = [](MPI_Comm comm, int color, int key, MPI_Comm* made) {
    ++communicators;
    return PMPI_Comm_split(comm, color, key, made);
  };
  calls.comm_free = [](MPI_Comm* comm) {
    --communicators;
    return PMPI_Comm_free(comm);
  };
  return calls;
}

class NodeComms : public testing::TestWithParam<const Calls*> {
 protected:
  const int rank_ = rank_in(MPI_COMM_WORLD);
  const int size_ = size_of(MPI_COMM_WORLD);
};
INSTANTIATE_TEST_SUITE_P(Of, NodeComms, testing::Values(&of_processes, &of_ranks),
                         [](const auto& calls) { return calls.param == &of_processes ? "processes" : "ranks"; });

TEST_P(NodeComms, HaveTheRanksInTheirOrder) {
  const NodeComm here = of_world(*GetParam());
  EXPECT_EQ(here.rank(), rank_);
  EXPECT_EQ(here.size(), size_);
  std::vector<int> ranks(static_cast<std::size_t>(size_));
  std::iota(ranks.begin(), ranks.end(), 0);
  EXPECT_EQ(here.gather(rank_), ranks);
}

TEST_P(NodeComms, AgreeOnlyIfAllDo) {
  const NodeComm here = of_world(*GetParam());
  EXPECT_TRUE(here.all(true));
  EXPECT_FALSE(here.all(false));
  EXPECT_FALSE(here.all(rank_ != size_ - 1));
  EXPECT_FALSE(all_of(MPI_COMM_WORLD, *GetParam(), rank_ != 0));
  EXPECT_TRUE(all_of(MPI_COMM_NULL, *GetParam(), true));
  EXPECT_FALSE(all_of(MPI_COMM_NULL, *GetParam(), false));
}

TEST_P(NodeComms, CountEachCpuOnce) {
  cpu_set_t own;
  CPU_ZERO(&own);
  ASSERT_EQ(sched_getaffinity(0, sizeof own, &own), 0);
  const NodeComm here = of_world(*GetParam());
  const std::vector<cpu_set_t> all = here.gather(own);
  for (const cpu_set_t& one : all) CPU_OR(&own, &own, &one);
  const int counted = here.count_cpus();
  EXPECT_GE(counted, CPU_COUNT(&own));
  EXPECT_EQ(here.gather(counted), std::vector<int>(all.size(), counted));
}

TEST_P(NodeComms, ShareMemoryOfZeros) {
  const NodeComm here = of_world(*GetParam());
  Sharing shared = here.share(static_cast<std::size_t>(size_) * sizeof(int));
  ASSERT_TRUE(shared.memory) << shared.problem;
  EXPECT_FALSE(shared.memory->named()) << "nothing of it can be left behind";
  const std::span all(reinterpret_cast<int*>(shared.memory->bytes().data()), static_cast<std::size_t>(size_));
  EXPECT_EQ(all[static_cast<std::size_t>(rank_)], 0);
  all[static_cast<std::size_t>(rank_)] = rank_ + 1;
  here.wait_for_all();
  for (int rank = 0; rank < size_; ++rank) EXPECT_EQ(all[static_cast<std::size_t>(rank)], rank + 1);
  here.wait_for_all();
}

TEST_P(NodeComms, ShareNothingIfOneCannot) {
  constexpr std::size_t too_much = std::size_t{1} << 63U;
  const Sharing shared = of_world(*GetParam()).share(too_much);
  EXPECT_FALSE(shared.memory);
  EXPECT_EQ(shared.problem.empty(), rank_ != 0) << "the first one is to blame: " << shared.problem;
}

TEST_P(NodeComms, DivideThemselves) {
  NodeComm here = of_world(*GetParam());
  ASSERT_EQ(here.divide(rank_ % 2), MPI_SUCCESS);
  EXPECT_EQ(here.rank(), rank_ / 2);
  EXPECT_EQ(here.size(), (size_ + 1 - rank_ % 2) / 2);
  for (const int rank : here.gather(rank_)) EXPECT_EQ(rank % 2, rank_ % 2);
}

TEST_P(NodeComms, KnowWhoTheyAre) {
  const std::vector<Member> members = of_world(*GetParam()).members(10 * rank_);
  ASSERT_EQ(members.size(), static_cast<std::size_t>(size_));
  std::set<std::uint64_t> numbers;
  std::set<pid_t> pids;
  for (std::size_t i = 0; i < members.size(); ++i) {
    EXPECT_EQ(members[i].rank, 10 * static_cast<int>(i));
    numbers.insert(members[i].number);
    pids.insert(members[i].process.pid);
  }
  EXPECT_EQ(numbers.size(), members.size());
  EXPECT_EQ(pids.size(), members.size());
  EXPECT_EQ(members[static_cast<std::size_t>(rank_)].number, own_number());
  EXPECT_EQ(members[static_cast<std::size_t>(rank_)].process.pid, getpid());
}

TEST_P(NodeComms, ReachTheMemoryOfAllOrOfNobody) {
  const NodeComm here = of_world(*GetParam());
  std::vector<Member> members = here.members(rank_);
  const bool reached = here.reach_each_other(members);
  if (platform::settings().single_copy == platform::SingleCopy::off) {
    EXPECT_EQ(reached, size_ == 1) << "nobody tries";
  }
  EXPECT_EQ(here.all(reached), reached) << "all say the same";
  for (std::size_t i = 0; reached && i < members.size(); ++i) {
    std::uint64_t number = 0;
    ASSERT_TRUE(copy_from(members[i].process.pid, members[i].number_at, std::as_writable_bytes(std::span(&number, 1))));
    EXPECT_EQ(number, members[i].number);
  }
  here.wait_for_all();
  // One finds another process than it was told of.
  if (rank_ == 0) members.back().number ^= 1U;
  EXPECT_EQ(here.reach_each_other(members), size_ == 1);
}

TEST(NodeComm, OfOneProcessCallsNoMpi) {
  Calls none{};
  int code = MPI_ERR_OTHER;
  NodeComm alone(MPI_COMM_NULL, none, code);
  EXPECT_EQ(code, MPI_SUCCESS);
  EXPECT_EQ(alone.comm(), MPI_COMM_NULL);
  EXPECT_EQ(alone.size(), 1);
  EXPECT_EQ(alone.gather(7), std::vector{7});
  EXPECT_FALSE(alone.all(false));
  EXPECT_GE(alone.count_cpus(), 1);
  EXPECT_EQ(alone.divide(5), MPI_SUCCESS);
  const std::vector<Member> members = alone.members(3);
  ASSERT_EQ(members.size(), 1U);
  EXPECT_EQ(members[0].rank, 3);
  EXPECT_TRUE(alone.reach_each_other(members));
  EXPECT_TRUE(alone.share(100).memory);
  alone.wait_for_all();
}

TEST_P(NodeComms, TellAMachineWhoTheyAre) {
  const NodeComm here = of_world(*GetParam());
  const auto id = [](int rank) { return static_cast<std::uint64_t>(1000 - 7 * rank); };  // in no order of ranks
  const Machine machine(here, id(rank_));
  const std::vector<pid_t> pids = here.gather(getpid());
  for (int rank = 0; rank < size_; ++rank) {
    const Machine::Process* const found = machine.find(id(rank));
    ASSERT_NE(found, nullptr) << rank;
    EXPECT_EQ(found->id, id(rank));
    EXPECT_EQ(found->process.pid, pids[static_cast<std::size_t>(rank)]);
    EXPECT_EQ(machine.find(id(rank) + 1), nullptr);
  }
  EXPECT_EQ(machine.find(0), nullptr);
  EXPECT_EQ(machine.find(2000), nullptr);
  EXPECT_EQ(CpuSet(machine.find(id(rank_))->cpus).count(), CpuSet().count());
  EXPECT_EQ(machine.reach_each_other(), here.reach_each_other(here.members(rank_)));
}

TEST(NodeComm, KeepsOneCommunicatorAndFreesIt) {
  const Calls calls = counting();
  {
    NodeComm here = of_world(calls);
    EXPECT_EQ(communicators, 1);
    ASSERT_EQ(here.divide(0), MPI_SUCCESS);
    EXPECT_EQ(communicators, 1);
    NodeComm moved = std::move(here);
    NodeComm assigned;
    assigned = std::move(moved);
    EXPECT_EQ(communicators, 1);
    EXPECT_EQ(assigned.gather(1).size(), static_cast<std::size_t>(size_of(MPI_COMM_WORLD)));
    assigned = of_world(calls);
    EXPECT_EQ(communicators, 1);
  }
  EXPECT_EQ(communicators, 0);
}

TEST(NodeComm, TellsThatTheMpiHasNoMore) {
  Calls failing = counting();
  failing.comm_split_type = [](MPI_Comm, int, int, MPI_Info, MPI_Comm*) { return MPI_ERR_INTERN; };
  failing.comm_split = [](MPI_Comm, int, int, MPI_Comm*) { return MPI_ERR_INTERN; };
  int code = MPI_SUCCESS;
  {
    const NodeComm none(MPI_COMM_WORLD, failing, code);
    EXPECT_EQ(code, MPI_ERR_INTERN);
    failing.comm_split_type = counting().comm_split_type;
    NodeComm here = of_world(failing);
    EXPECT_EQ(here.divide(0), MPI_ERR_INTERN);
    EXPECT_EQ(here.gather(1).size(), static_cast<std::size_t>(size_of(MPI_COMM_WORLD))) << "it is as before";
  }
  EXPECT_EQ(communicators, 0);
}

TEST(NodeComm, OfRanksThrowsTheErrorsOfTheMpi) {
  Calls failing = of_ranks;
  failing.allreduce = [](const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm) { return MPI_ERR_INTERN; };
  failing.allgather = [](const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm) { return MPI_ERR_INTERN; };
  failing.bcast = [](void*, int, MPI_Datatype, int, MPI_Comm) { return MPI_ERR_INTERN; };
  failing.barrier = [](MPI_Comm) { return MPI_ERR_INTERN; };
  const NodeComm here = of_world(failing);
  EXPECT_THROW(static_cast<void>(here.all(true)), platform::Failure);
  EXPECT_THROW(static_cast<void>(here.count_cpus()), platform::Failure);
  EXPECT_THROW(static_cast<void>(here.gather(1)), platform::Failure);
  EXPECT_THROW(static_cast<void>(here.share(100)), platform::Failure);
  EXPECT_THROW(here.wait_for_all(), platform::Failure);
}

}  // namespace
}  // namespace raddle::node
