// SPDX-License-Identifier: BSD-3-Clause
// What tests of partitioned communication run on: the ranks of a communicator of processes, and of one of endpoints,
// each of which sends to its right and receives from its left.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "mpi/own_endpoints.hpp"
#include "mpi/partitioned_names.hpp"
#include "mpi/ranks.hpp"
#include "mpi/traffic/random.hpp"

namespace raddle::testing {

class Partitioned : public ::testing::TestWithParam<Ranks> {
 protected:
  static constexpr int endpoints_each = 2;

  /// Runs `act(its place)` for all ranks of a new communicator, whose errors are returned. Collective.
  template <typename Act>
  void on_each_rank(Act&& act) const {
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
    if (GetParam() == Ranks::processes) {
      ASSERT_EQ(attach(parent), MPI_SUCCESS);
      act(Place(parent));
    } else {
      Endpoints endpoints(endpoints_each, parent);
      ASSERT_EQ(endpoints.code(), MPI_SUCCESS);
      each(endpoints, [&act](MPI_Comm comm, int) { act(Place(comm)); });
    }
    MPI_Comm_free(&parent);
  }
};

/// A partitioned request, freed when it goes.
class Part {
 public:
  Part() = default;
  Part(Part&& other) noexcept : request(std::exchange(other.request, MPI_REQUEST_NULL)) {}
  Part& operator=(Part&& other) noexcept {
    std::swap(request, other.request);
    return *this;
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() { free(); }

  void free() {
    if (request == MPI_REQUEST_NULL) return;
    EXPECT_EQ(MPI_Request_free(&request), MPI_SUCCESS);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
  }
  void start() { EXPECT_EQ(MPI_Start(&request), MPI_SUCCESS); }
  void wait(MPI_Status* status = MPI_STATUS_IGNORE) { EXPECT_EQ(MPI_Wait(&request, status), MPI_SUCCESS); }
  [[nodiscard]] bool test(MPI_Status* status = MPI_STATUS_IGNORE) {
    int flag = -1;
    EXPECT_EQ(MPI_Test(&request, &flag, status), MPI_SUCCESS);
    return flag != 0;
  }
  void ready(int partition) const { EXPECT_EQ(pready(partition, request), MPI_SUCCESS); }
  [[nodiscard]] bool arrived(int partition) const {
    int flag = -1;
    EXPECT_EQ(parrived(request, partition, &flag), MPI_SUCCESS);
    return flag != 0;
  }

  MPI_Request request = MPI_REQUEST_NULL;
};

constexpr int usual_tag = 7;

inline Part send_part(const Place& place, const void* data, int partitions, MPI_Count count, MPI_Datatype type,
                      int tag = usual_tag, MPI_Info info = MPI_INFO_NULL) {
  Part part;
  EXPECT_EQ(psend_init(data, partitions, count, type, place.right, tag, place.comm, info, &part.request), MPI_SUCCESS);
  return part;
}

inline Part receive_part(const Place& place, void* data, int partitions, MPI_Count count, MPI_Datatype type,
                         int tag = usual_tag, MPI_Info info = MPI_INFO_NULL) {
  Part part;
  EXPECT_EQ(precv_init(data, partitions, count, type, place.left, tag, place.comm, info, &part.request), MPI_SUCCESS);
  return part;
}

inline std::vector<int> in_any_order(int count, traffic::Random& random) {
  std::vector<int> order(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) order[static_cast<std::size_t>(i)] = i;
  random.shuffle(order);
  return order;
}

/// How the same words are divided on the two sides.
struct Division {
  int words;
  int sender;
  int receiver;
};

/// All ranks send to their right, in several rounds, and check what has come.
inline void exchange(const Place& place, Division division, int rounds = 3, int tag = usual_tag) {
  const auto count = static_cast<std::size_t>(division.words);
  std::vector<int> out(count);
  std::vector<int> in(count);
  Part send = send_part(place, out.data(), division.sender, division.words / division.sender, MPI_INT, tag);
  Part receive = receive_part(place, in.data(), division.receiver, division.words / division.receiver, MPI_INT, tag);
  traffic::Random random(traffic::mix({static_cast<std::uint64_t>(place.rank), count}));
  for (int round = 0; round < rounds; ++round) {
    receive.start();
    send.start();
    for (const int partition : in_any_order(division.sender, random)) {
      const std::size_t each = count / static_cast<std::size_t>(division.sender);
      const std::size_t first = static_cast<std::size_t>(partition) * each;
      for (std::size_t i = first; i < first + each; ++i) out[i] = word(place.rank, round, i);
      send.ready(partition);
    }
    MPI_Status status;
    receive.wait(&status);
    int got = -1;
    MPI_Get_count(&status, MPI_INT, &got);
    EXPECT_EQ(status.MPI_SOURCE, place.left);
    EXPECT_EQ(status.MPI_TAG, tag);
    EXPECT_EQ(got, division.words);
    send.wait();
    EXPECT_EQ(in, words(place.left, round, count)) << "round " << round;
  }
}

}  // namespace raddle::testing
