// SPDX-License-Identifier: BSD-3-Clause
// Collectives that ranks do not call alike: which the standard leaves undefined, and which must end with an error that
// names both calls. Each on a communicator of its own, as ranks may be out of step afterwards. All ranks run all tests.
#include <gtest/gtest.h>
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "mpi/own_endpoints.hpp"
#include "platform/mpi_quirks.hpp"

namespace {

using raddle::testing::class_of;
using raddle::testing::each;
using raddle::testing::Endpoints;
using raddle::testing::rank_in;
using raddle::testing::size_of;
using raddle::testing::text_of;

constexpr int few = 3;
constexpr int many = 100000;  // in rounds, in shares, or where they lie

struct Buffers {
  explicit Buffers(int count) : out(static_cast<std::size_t>(count)), in(out.size()) {}
  std::vector<int> out;
  std::vector<int> in;
};

bool is_last(MPI_Comm comm) { return rank_in(comm) == size_of(comm) - 1; }

/// Between nodes the bytes go by the MPI's own collectives, and whether lengths match is what the MPI notices of it.
bool all_in_a_process_or_on_a_node() { return std::getenv("RADDLE_NODE") == nullptr; }

/// All threads call `act(comm, buffers, whether this is the last rank)`. Somebody fails, and is told by name.
template <typename Act>
void unlike(int count, const std::string& named, Act&& act) {
  Endpoints endpoints(2);
  std::atomic<int> errors{0};
  each(endpoints, [&](MPI_Comm comm, int) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    Buffers buffers(2 * count);
    const int code = act(comm, buffers, is_last(comm));
    if (code != MPI_SUCCESS) ++errors;
    if (code != MPI_SUCCESS && !named.empty() && text_of(code).find("Raddle") != std::string::npos) {
      EXPECT_NE(text_of(code).find(named), std::string::npos) << text_of(code);
      EXPECT_NE(text_of(code).find("rank "), std::string::npos) << text_of(code);
    }
    // Whatever comes next ends as well.
    int number = 0;
    MPI_Bcast(&number, 1, MPI_INT, 0, comm);
  });
  int failed = errors;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_GT(failed, 0);
}

TEST(UnlikeCalls, OfOtherKinds) {
  for (const int count : {few, many}) {
    unlike(count, "MPI_Barrier", [&](MPI_Comm comm, Buffers& at, bool last) {
      return last ? MPI_Bcast(at.out.data(), count, MPI_INT, 0, comm) : MPI_Barrier(comm);
    });
    unlike(count, "MPI_Bcast", [&](MPI_Comm comm, Buffers& at, bool last) {
      return last ? MPI_Allreduce(at.out.data(), at.in.data(), count, MPI_INT, MPI_SUM, comm)
                  : MPI_Bcast(at.out.data(), count, MPI_INT, size_of(comm) - 1, comm);
    });
    unlike(count, "MPI_Allreduce", [&](MPI_Comm comm, Buffers& at, bool last) {
      return last ? MPI_Reduce(at.out.data(), at.in.data(), count, MPI_INT, MPI_SUM, 0, comm)
                  : MPI_Allreduce(at.out.data(), at.in.data(), count, MPI_INT, MPI_SUM, comm);
    });
    unlike(count, "MPI_Alltoall", [&](MPI_Comm comm, Buffers& at, bool last) {
      return last ? MPI_Alltoall(at.out.data(), 1, MPI_INT, at.in.data(), 1, MPI_INT, comm)
                  : MPI_Allgather(at.out.data(), 1, MPI_INT, at.in.data(), 1, MPI_INT, comm);
    });
  }
}

TEST(UnlikeCalls, WithOtherRoots) {
  for (const int count : {few, many}) {
    unlike(count, "with root 0", [&](MPI_Comm comm, Buffers& at, bool) {
      const int root = rank_in(comm) == 0 ? 0 : 1;
      return MPI_Reduce(at.out.data(), at.in.data(), count, MPI_INT, MPI_SUM, root, comm);
    });
  }
}

TEST(UnlikeCalls, OfOtherLengths) {
  for (const int count : {few, all_in_a_process_or_on_a_node() ? many : few}) {
    unlike(count, "MPI_Bcast", [&](MPI_Comm comm, Buffers& at, bool) {
      return MPI_Bcast(at.out.data(), rank_in(comm) == 0 ? 2 * count : count, MPI_INT, 0, comm);
    });
  }
}

TEST(UnlikeCalls, ReductionsOfOtherLengthsAndOperators) {
  if (!all_in_a_process_or_on_a_node()) GTEST_SKIP();
  for (const int count : {few, many}) {
    unlike(count, "MPI_Allreduce", [&](MPI_Comm comm, Buffers& at, bool last) {
      return MPI_Allreduce(at.out.data(), at.in.data(), last ? 2 * count : count, MPI_INT, MPI_SUM, comm);
    });
    unlike(count, "MPI_Reduce", [&](MPI_Comm comm, Buffers& at, bool last) {
      return MPI_Reduce(at.out.data(), at.in.data(), last ? count : 2 * count, MPI_INT, MPI_SUM, 0, comm);
    });
    unlike(count, "MPI_Scan", [&](MPI_Comm comm, Buffers& at, bool last) {
      return MPI_Scan(at.out.data(), at.in.data(), last ? 2 * count : count, MPI_INT, MPI_SUM, comm);
    });
    unlike(count, "MPI_MAX", [&](MPI_Comm comm, Buffers& at, bool last) {
      return MPI_Allreduce(at.out.data(), at.in.data(), count, MPI_INT, last ? MPI_SUM : MPI_MAX, comm);
    });
    unlike(count, "an operator of the program", [&](MPI_Comm comm, Buffers& at, bool last) {
      MPI_Op op = MPI_OP_NULL;
      MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, &op);
      const int code = MPI_Allreduce(at.out.data(), at.in.data(), count, MPI_INT, last ? op : MPI_SUM, comm);
      MPI_Op_free(&op);
      return code;
    });
  }
}

TEST(UnlikeCalls, NonblockingAndPersistent) {
  if (!all_in_a_process_or_on_a_node()) GTEST_SKIP();
  unlike(few, "MPI_Barrier", [&](MPI_Comm comm, Buffers& at, bool last) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (last)
      MPI_Ibcast(at.out.data(), few, MPI_INT, 0, comm, &request);
    else
      MPI_Ibarrier(comm, &request);
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
  for (const int count : {few, many}) {
    unlike(count, "MPI_Allreduce", [&](MPI_Comm comm, Buffers& at, bool last) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Iallreduce(at.out.data(), at.in.data(), last ? 2 * count : count, MPI_INT, MPI_SUM, comm, &request);
      return MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
  }
}

TEST(UnlikeCalls, PiecesLongerThanTheRoomAreTruncated) {
  // Where memory is out of reach pieces go by the MPI's collectives, on a node as well.
  if (!all_in_a_process_or_on_a_node() || std::getenv("RADDLE_SINGLE_COPY") != nullptr) GTEST_SKIP();
  for (const int count : {few, many}) {
    unlike(count, "", [&](MPI_Comm comm, Buffers& at, bool last) {
      std::vector<int> room(static_cast<std::size_t>(count) * static_cast<std::size_t>(size_of(comm)));
      const int code =
          MPI_Gather(at.out.data(), last ? 2 * count : count, MPI_INT, room.data(), count, MPI_INT, 0, comm);
      if (rank_in(comm) == 0 && size_of(comm) > 1) EXPECT_EQ(class_of(code), MPI_ERR_TRUNCATE);
      return code;
    });
  }
}

/// Ranks of one length stay in step, and go on.
TEST(UnlikeCalls, AreFollowedByOthers) {
  if (!all_in_a_process_or_on_a_node()) GTEST_SKIP();
  Endpoints endpoints(2);
  each(endpoints, [&](MPI_Comm comm, int) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const bool root = rank_in(comm) == 0;
    for (const int count : {few, many}) {
      std::vector<int> data(static_cast<std::size_t>(2 * count));
      int code = MPI_Bcast(data.data(), root ? 2 * count : count, MPI_INT, 0, comm);
      EXPECT_EQ(class_of(code), root ? MPI_SUCCESS : MPI_ERR_TRUNCATE);
      code = MPI_Bcast(data.data(), root ? count : 2 * count, MPI_INT, 0, comm);
      const bool refused = !root && raddle::platform::quirks().refuses_short_bcast;
      EXPECT_EQ(class_of(code), refused ? MPI_ERR_OTHER : MPI_SUCCESS);
      int sum = 1;
      EXPECT_EQ(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
      EXPECT_EQ(sum, size_of(comm));
    }
  });
}

TEST(UnlikeCalls, OfAnEarlierCommunicatorAreNotOfThisOne) {
  // Who waits long tells the others in what. Who comes late and need not wait never looks, and the MPI may give the
  // context of a communicator that has been freed to the next one.
  for (int i = 0; i < 6; ++i) {
    Endpoints endpoints(1);
    MPI_Comm_set_errhandler(endpoints[0], MPI_ERRORS_RETURN);
    if (rank_in(MPI_COMM_WORLD) == i % 2) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    int value = 1;
    const int code = MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, i % 2 == 0 ? MPI_SUM : MPI_MAX, endpoints[0]);
    EXPECT_EQ(code, MPI_SUCCESS) << text_of(code);
    EXPECT_EQ(value, i % 2 == 0 ? size_of(MPI_COMM_WORLD) : 1);
  }
}

}  // namespace
