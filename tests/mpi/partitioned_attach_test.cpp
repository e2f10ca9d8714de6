// SPDX-License-Identifier: BSD-3-Clause
// Whose the partitioned calls are: the MPI's until somebody asks for Raddle's. Not with RADDLE_PARTITIONED=1.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "mpi/hints.hpp"
#include "mpi/own_endpoints.hpp"
#include "raddle/raddle.h"

namespace {

/// Communicators that Raddle has made for what it does on another one.
int made_for_itself = 0;

}  // namespace

extern "C" int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  static const auto next = reinterpret_cast<decltype(&PMPI_Comm_create)>(dlsym(RTLD_NEXT, "PMPI_Comm_create"));
  ++made_for_itself;
  return next(comm, group, made);
}

namespace raddle::testing {
namespace {

/// A communicator of all processes whose errors are returned.
class Comm {
 public:
  Comm() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  Comm(const Comm&) = delete;
  Comm& operator=(const Comm&) = delete;
  ~Comm() { MPI_Comm_free(&comm_); }
  operator MPI_Comm() const { return comm_; }  // NOLINT(google-explicit-constructor): it is one

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

TEST(PartitionedAttach, IsNeededForOrdinaryCommunicators) {
  const Comm comm;
  int data = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(class_of(Raddle_Psend_init(&data, 1, 1, MPI_INT, 0, 0, comm, MPI_INFO_NULL, &request)), MPI_ERR_COMM);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
  EXPECT_EQ(class_of(Raddle_Precv_init(&data, 1, 1, MPI_INT, 0, 0, comm, MPI_INFO_NULL, &request)), MPI_ERR_COMM);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
}

TEST(PartitionedAttach, MayBeRepeatedAndIsNotInherited) {
  const Comm comm;
  EXPECT_EQ(Raddle_Partitioned_attach(comm), MPI_SUCCESS);
  EXPECT_EQ(Raddle_Partitioned_attach(comm), MPI_SUCCESS);
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &made);
  int data = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(class_of(Raddle_Psend_init(&data, 1, 1, MPI_INT, 0, 0, made, MPI_INFO_NULL, &request)), MPI_ERR_COMM);
  MPI_Comm_free(&made);
}

TEST(PartitionedAttach, WantsACommunicator) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  EXPECT_EQ(class_of(Raddle_Partitioned_attach(MPI_COMM_NULL)), MPI_ERR_COMM);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/// An intercommunicator that one group frees before its request, and the other one after it.
TEST(PartitionedAttach, BetweenGroupsThatEndItInDifferentOrders) {
  const int rank = rank_in(MPI_COMM_WORLD);
  if (size_of(MPI_COMM_WORLD) < 2) GTEST_SKIP() << "there are no two groups";
  const bool sends = rank % 2 == 0;
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, sends ? 0 : 1, 0, &own);
  for (const bool sender_first : {true, false}) {
    MPI_Comm between = MPI_COMM_NULL;
    ASSERT_EQ(MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, sends ? 1 : 0, 3, &between), MPI_SUCCESS);
    ASSERT_EQ(Raddle_Partitioned_attach(between), MPI_SUCCESS);
    int data = sends ? 17 : 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (sends) {
      Raddle_Psend_init(&data, 1, 1, MPI_INT, 0, 5, between, MPI_INFO_NULL, &request);
    } else {
      Raddle_Precv_init(&data, 1, 1, MPI_INT, 0, 5, between, MPI_INFO_NULL, &request);
    }
    EXPECT_EQ(MPI_Start(&request), MPI_SUCCESS);
    if (sends) {
      EXPECT_EQ(Raddle_Pready(0, request), MPI_SUCCESS);
    }
    EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(data, 17);
    const bool request_first = sends == sender_first;
    if (request_first) MPI_Request_free(&request);
    MPI_Comm_free(&between);
    if (!request_first) MPI_Request_free(&request);
  }
  MPI_Comm_free(&own);
}

/// A side of a link that waits for the other one ends with its communicator: another one may get the same address.
TEST(PartitionedAttach, LeavesNothingForTheNextCommunicator) {
  for (int turn = 0; turn < 20; ++turn) {
    MPI_Comm comm = MPI_COMM_NULL;
    int out = turn;
    int in = -1;
    std::array<MPI_Request, 2> requests{};
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    ASSERT_EQ(Raddle_Partitioned_attach(comm), MPI_SUCCESS);
    Raddle_Psend_init(&out, 1, 1, MPI_INT, 0, 0, comm, MPI_INFO_NULL, &requests[0]);
    MPI_Request_free(&requests[0]);
    MPI_Comm_free(&comm);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    ASSERT_EQ(Raddle_Partitioned_attach(comm), MPI_SUCCESS);
    Raddle_Precv_init(&in, 1, 1, MPI_INT, 0, 0, comm, MPI_INFO_NULL, &requests[0]);
    Raddle_Psend_init(&out, 1, 1, MPI_INT, 0, 0, comm, MPI_INFO_NULL, &requests[1]);
    for (MPI_Request& request : requests) MPI_Start(&request);
    EXPECT_EQ(Raddle_Pready(0, requests[1]), MPI_SUCCESS);
    for (MPI_Request& request : requests) MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(in, turn);
    for (MPI_Request& request : requests) MPI_Request_free(&request);
    MPI_Comm_free(&comm);
  }
}

int raised = 0;

void count_raised(MPI_Comm*, int*, ...) { ++raised; }

/// With fewer communicators than it needs it takes none. RADDLE_PART_LANES says how many that are. For MPIs that have
/// few.
TEST(PartitionedAttach, DISABLED_FailsByNameWithoutCommunicators) {
  const Comm comm;
  const Comm from;
  std::vector<MPI_Comm> all(3000, MPI_COMM_NULL);
  std::size_t made = 0;
  while (made < all.size() && MPI_Comm_dup(from, &all[made]) == MPI_SUCCESS) ++made;
  const char* const told = std::getenv("RADDLE_PART_LANES");
  const int lanes = told == nullptr ? 1 : std::atoi(told);
  const bool are_few = made < all.size();
  if (are_few) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(count_raised, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    int expected = 0;
    Raddle_Err_endpoints(&expected);
    // Up to as many as its own ones: it makes another one for a moment.
    for (int left = 0; left <= lanes; ++left) {
      SCOPED_TRACE(left);
      raised = 0;
      EXPECT_EQ(class_of(Raddle_Partitioned_attach(comm)), expected);
      EXPECT_EQ(raised, 1);
      int again = 0;
      std::vector<MPI_Comm> more(static_cast<std::size_t>(lanes) + 2, MPI_COMM_NULL);
      for (MPI_Comm& one : more) again += MPI_Comm_dup(from, &one) == MPI_SUCCESS ? 1 : 0;
      EXPECT_EQ(again, left);
      for (int i = 0; i < again; ++i) MPI_Comm_free(&more[static_cast<std::size_t>(i)]);
      MPI_Comm_free(&all[--made]);
    }
    for (int more = 0; more < 5; ++more) MPI_Comm_free(&all[--made]);  // the MPI takes some of its own
    EXPECT_EQ(Raddle_Partitioned_attach(comm), MPI_SUCCESS);
  }
  while (made > 0) MPI_Comm_free(&all[--made]);
  if (!are_few) GTEST_SKIP() << "this MPI has more communicators than that";
}

#if RADDLE_HAVE_PARTITIONED

/// One partition to the right. @returns whether the requests were Raddle's
bool passes_through_raddle(MPI_Comm comm) {
  const int rank = rank_in(comm);
  const int size = size_of(comm);
  const int out = 100 + rank;
  int in = -1;
  std::array<MPI_Request, 2> requests{};
  EXPECT_EQ(MPI_Psend_init(&out, 1, 1, MPI_INT, (rank + 1) % size, 5, comm, MPI_INFO_NULL, &requests[0]), MPI_SUCCESS);
  EXPECT_EQ(MPI_Precv_init(&in, 1, 1, MPI_INT, (rank + size - 1) % size, 5, comm, MPI_INFO_NULL, &requests[1]),
            MPI_SUCCESS);
  for (MPI_Request& request : requests) MPI_Start(&request);
  EXPECT_EQ(MPI_Pready(0, requests[0]), MPI_SUCCESS);
  EXPECT_EQ(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(in, 100 + (rank + size - 1) % size);
  int messages = -1;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const int code = Raddle_Partitioned_messages(requests[0], &messages);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  for (MPI_Request& request : requests) MPI_Request_free(&request);
  if (code != MPI_SUCCESS) {
    EXPECT_EQ(class_of(code), MPI_ERR_REQUEST);
  }
  return code == MPI_SUCCESS;
}

TEST(PartitionedAttach, LeavesOtherCommunicatorsToTheMpi) {
  const Comm attached;
  const Comm other;
  ASSERT_EQ(Raddle_Partitioned_attach(attached), MPI_SUCCESS);
  EXPECT_TRUE(passes_through_raddle(attached));
  EXPECT_FALSE(passes_through_raddle(other));
  EXPECT_FALSE(passes_through_raddle(MPI_COMM_WORLD));
}

TEST(PartitionedAttach, MayBeAskedForWithAHint) {
  const Comm comm;
  const Hints hints{{"raddle_partitioned", "true"}};
  const Hints others{{"raddle_partitioned", "false"}};
  MPI_Comm made = MPI_COMM_NULL;
  ASSERT_EQ(MPI_Comm_dup_with_info(comm, hints, &made), MPI_SUCCESS);
  EXPECT_TRUE(passes_through_raddle(made));
  MPI_Comm_free(&made);
  ASSERT_EQ(MPI_Comm_dup_with_info(comm, others, &made), MPI_SUCCESS);
  EXPECT_FALSE(passes_through_raddle(made));
  ASSERT_EQ(MPI_Comm_set_info(made, hints), MPI_SUCCESS);
  EXPECT_TRUE(passes_through_raddle(made));
  MPI_Comm_free(&made);
}

TEST(PartitionedAttach, WantsHintsThatItKnows) {
  const Comm comm;
  MPI_Comm made = MPI_COMM_NULL;
  const Hints bad{{"raddle_partitioned", "maybe"}};
  EXPECT_EQ(class_of(MPI_Comm_dup_with_info(comm, bad, &made)), MPI_ERR_INFO_VALUE);
  EXPECT_EQ(made, MPI_COMM_NULL);
  const Hints misspelt{{"raddle_partition", "true"}};
  EXPECT_EQ(class_of(MPI_Comm_dup_with_info(comm, misspelt, &made)), MPI_ERR_INFO_KEY);
  EXPECT_EQ(made, MPI_COMM_NULL);
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(class_of(MPI_Comm_idup_with_info(comm, misspelt, &made, &request)), MPI_ERR_INFO_KEY);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
  EXPECT_EQ(class_of(MPI_Comm_set_info(comm, bad)), MPI_ERR_INFO_VALUE);
}

/// Under RADDLE_PARTITIONED=1.
TEST(PartitionedAttach, DISABLED_MayBeDeclinedWithAHint) {
  const Comm comm;
  EXPECT_TRUE(passes_through_raddle(comm));
  const Hints hints{{"raddle_partitioned", "false"}};
  MPI_Comm made = MPI_COMM_NULL;
  ASSERT_EQ(MPI_Comm_dup_with_info(comm, hints, &made), MPI_SUCCESS);
  EXPECT_FALSE(passes_through_raddle(made));
  MPI_Comm_free(&made);
}

/// Under RADDLE_PARTITIONED=1.
TEST(PartitionedAttach, DISABLED_IsNotForWhatRaddleHasForItself) {
  const Comm comm;
  made_for_itself = 0;
  EXPECT_EQ(Raddle_Sparse_attach(comm), MPI_SUCCESS);
  EXPECT_EQ(made_for_itself, 3);  // for exchanges that block and two lanes; none of those is attached
  made_for_itself = 0;
  std::array<MPI_Comm, 3> lanes{};
  ASSERT_EQ(Raddle_Lanes_create(comm, 3, MPI_INFO_NULL, lanes.data()), MPI_SUCCESS);
  EXPECT_EQ(made_for_itself, 3);  // lanes are the program's
  for (MPI_Comm& lane : lanes) EXPECT_TRUE(passes_through_raddle(lane));
  for (MPI_Comm& lane : lanes) Raddle_Lanes_free(1, &lane);
}

TEST(PartitionedAttach, IsNotNeededForEndpoints) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    const int out = 100 + rank;
    int in = -1;
    std::array<MPI_Request, 2> requests{};
    EXPECT_EQ(MPI_Psend_init(&out, 1, 1, MPI_INT, (rank + 1) % size, 5, comm, MPI_INFO_NULL, &requests[0]),
              MPI_SUCCESS);
    EXPECT_EQ(MPI_Precv_init(&in, 1, 1, MPI_INT, (rank + size - 1) % size, 5, comm, MPI_INFO_NULL, &requests[1]),
              MPI_SUCCESS);
    MPI_Startall(2, requests.data());
    EXPECT_EQ(MPI_Pready(0, requests[0]), MPI_SUCCESS);
    EXPECT_EQ(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(in, 100 + (rank + size - 1) % size);
    for (MPI_Request& request : requests) {
      int messages = -1;
      EXPECT_EQ(Raddle_Partitioned_messages(request, &messages), MPI_SUCCESS);
      MPI_Request_free(&request);
    }
  });
}

#endif

}  // namespace
}  // namespace raddle::testing
