// SPDX-License-Identifier: BSD-3-Clause
// Completion and start calls on partitioned requests among all others, and what their statuses say.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <set>

#include "mpi/partitioned_ranks.hpp"

namespace raddle::testing {
namespace {

/// Calls on arrays, by the way in which they complete and tell.
enum class Way { waitall, waitany, waitsome, testall, testany, testsome };
constexpr std::array ways{Way::waitall, Way::waitany, Way::waitsome, Way::testall, Way::testany, Way::testsome};

/// Completes all of an array. @returns the status of each that was active
class Completed {
 public:
  Completed(std::vector<MPI_Request>& requests, std::size_t active, Way way)
      : statuses(requests.size()), requests_(requests), count_(static_cast<int>(requests.size())) {
    if (way == Way::waitall || way == Way::testall) {
      for (int flag = 0; flag == 0;) {
        if (way == Way::waitall) flag = 1;
        EXPECT_EQ(way == Way::waitall ? MPI_Waitall(count_, requests.data(), statuses.data())
                                      : MPI_Testall(count_, requests.data(), &flag, statuses.data()),
                  MPI_SUCCESS);
      }
      return;
    }
    while (told_.size() < active && !::testing::Test::HasFailure()) step(way);
    step(way);
    EXPECT_TRUE(over_);
  }

  std::vector<MPI_Status> statuses;

 private:
  void step(Way way) {
    int index = -1;
    int flag = 1;
    MPI_Status status;
    std::vector<int> indices(requests_.size());
    std::vector<MPI_Status> some(requests_.size());
    switch (way) {
      case Way::waitany:
        EXPECT_EQ(MPI_Waitany(count_, requests_.data(), &index, &status), MPI_SUCCESS);
        return tell_one(flag, index, status);
      case Way::testany:
        EXPECT_EQ(MPI_Testany(count_, requests_.data(), &index, &flag, &status), MPI_SUCCESS);
        return tell_one(flag, index, status);
      case Way::waitsome:
        EXPECT_EQ(MPI_Waitsome(count_, requests_.data(), &index, indices.data(), some.data()), MPI_SUCCESS);
        break;
      default:
        EXPECT_EQ(MPI_Testsome(count_, requests_.data(), &index, indices.data(), some.data()), MPI_SUCCESS);
    }
    over_ = index == MPI_UNDEFINED;
    for (int i = 0; i < index; ++i) tell(indices[static_cast<std::size_t>(i)], some[static_cast<std::size_t>(i)]);
  }
  void tell_one(int flag, int index, const MPI_Status& status) {
    over_ = flag != 0 && index == MPI_UNDEFINED;
    if (flag != 0 && !over_) tell(index, status);
  }
  void tell(int index, const MPI_Status& status) {
    ASSERT_TRUE(told_.insert(index).second) << "request " << index << " has completed twice";
    statuses[static_cast<std::size_t>(index)] = status;
  }

  std::vector<MPI_Request>& requests_;
  int count_;
  std::set<int> told_;
  bool over_ = false;
};

void expect_received(const MPI_Status& status, int source, int tag, int count) {
  int got = -1;
  int cancelled = -1;
  MPI_Get_count(&status, MPI_INT, &got);
  MPI_Test_cancelled(&status, &cancelled);
  EXPECT_EQ(status.MPI_SOURCE, source);
  EXPECT_EQ(status.MPI_TAG, tag);
  EXPECT_EQ(got, count);
  EXPECT_EQ(cancelled, 0);
}

void expect_empty(const MPI_Status& status) {
  int got = -1;
  MPI_Get_count(&status, MPI_BYTE, &got);
  EXPECT_EQ(status.MPI_SOURCE, MPI_ANY_SOURCE);
  EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
  EXPECT_EQ(got, 0);
}

class PartitionedCompletion : public Partitioned {};

TEST_P(PartitionedCompletion, OfOneTellsWhatHasCome) {
  on_each_rank([](const Place& place) {
    std::vector<int> out(60);
    std::vector<int> in(60);
    Part send = send_part(place, out.data(), 4, 15, MPI_INT, 9);
    Part receive = receive_part(place, in.data(), 5, 12, MPI_INT, 9);
    for (int round = 0; round < 12; ++round) {
      MPI_Status status{};
      receive.wait(&status);  // inactive
      expect_empty(status);
      status = {};
      EXPECT_TRUE(send.test(&status));
      expect_empty(status);
      fill(out, place.rank, round);
      receive.start();
      send.start();
      const MPI_Request handle = receive.request;
      EXPECT_EQ(pready_range(0, 3, send.request), MPI_SUCCESS);
      if (round % 3 == 0) {
        receive.wait(&status);
      } else if (round % 3 == 1) {
        while (!receive.test(&status)) {
        }
      } else {
        // Tells again and again, and ends nothing.
        for (int flag = 0; flag == 0;) EXPECT_EQ(MPI_Request_get_status(receive.request, &flag, &status), MPI_SUCCESS);
        expect_received(status, place.left, 9, 60);
        int flag = -1;
        EXPECT_EQ(MPI_Request_get_status(receive.request, &flag, &status), MPI_SUCCESS);
        EXPECT_EQ(flag, 1);
        expect_received(status, place.left, 9, 60);
        receive.wait(&status);
      }
      expect_received(status, place.left, 9, 60);
      EXPECT_EQ(receive.request, handle);
      send.wait();
      EXPECT_EQ(in, words(place.left, round, 60));
    }
  });
}

/// With ordinary requests of the same communicator, others of the MPI's own, and null ones.
TEST_P(PartitionedCompletion, OfMixedArrays) {
  on_each_rank([](const Place& place) {
    std::vector<int> out(60);
    std::vector<int> in(60);
    std::vector<int> second(6000);
    std::vector<int> second_in(6000);
    Part send = send_part(place, out.data(), 4, 15, MPI_INT);
    Part receive = receive_part(place, in.data(), 5, 12, MPI_INT);
    Part second_send = send_part(place, second.data(), 3, 2000, MPI_INT, 8);
    Part second_receive = receive_part(place, second_in.data(), 6, 1000, MPI_INT, 8);
    const Part inactive = send_part(place, second.data(), 3, 2000, MPI_INT, 10);
    const Part never = receive_part(place, second_in.data(), 3, 2000, MPI_INT, 10);
    for (int round = 0; round < 30; ++round) {
      const Way way = ways[static_cast<std::size_t>(round) % ways.size()];
      SCOPED_TRACE(::testing::Message() << "round " << round);
      const int word_out = word(place.rank, round, 1);
      int word_in = 0;
      int own_in = 0;
      MPI_Request ordinary_send = MPI_REQUEST_NULL;
      MPI_Request ordinary_receive = MPI_REQUEST_NULL;
      MPI_Request own_send = MPI_REQUEST_NULL;
      MPI_Request own_receive = MPI_REQUEST_NULL;
      fill(out, place.rank, round);
      fill(second, place.rank, round + 1000);
      MPI_Irecv(&word_in, 1, MPI_INT, MPI_ANY_SOURCE, usual_tag, place.comm, &ordinary_receive);
      MPI_Irecv(&own_in, 1, MPI_INT, 0, place.rank, MPI_COMM_SELF, &own_receive);
      second_receive.start();
      send.start();
      receive.start();
      second_send.start();
      EXPECT_EQ(pready_range(0, 2, second_send.request), MPI_SUCCESS);
      EXPECT_EQ(pready_range(0, 3, send.request), MPI_SUCCESS);
      MPI_Isend(&word_out, 1, MPI_INT, 0, place.rank, MPI_COMM_SELF, &own_send);
      MPI_Isend(&word_out, 1, MPI_INT, place.right, usual_tag, place.comm, &ordinary_send);
      std::vector<MPI_Request> all{second_receive.request, MPI_REQUEST_NULL, inactive.request, ordinary_receive,
                                   send.request,           own_send,         receive.request,  never.request,
                                   ordinary_send,          own_receive,      MPI_REQUEST_NULL, second_send.request};
      const Completed completed(all, 8, way);
      const std::vector<MPI_Request> after{second_receive.request, MPI_REQUEST_NULL, inactive.request,
                                           MPI_REQUEST_NULL,       send.request,     MPI_REQUEST_NULL,
                                           receive.request,        never.request,    MPI_REQUEST_NULL,
                                           MPI_REQUEST_NULL,       MPI_REQUEST_NULL, second_send.request};
      EXPECT_EQ(all, after);
      expect_received(completed.statuses[0], place.left, 8, 6000);
      expect_received(completed.statuses[3], place.left, usual_tag, 1);
      expect_received(completed.statuses[6], place.left, usual_tag, 60);
      if (way == Way::waitall || way == Way::testall) {
        for (const std::size_t i : {1, 2, 7, 10}) expect_empty(completed.statuses[i]);
      }
      EXPECT_EQ(word_in, word(place.left, round, 1));
      EXPECT_EQ(own_in, word_out);
      EXPECT_EQ(in, words(place.left, round, 60));
      EXPECT_EQ(second_in, words(place.left, round + 1000, 6000));
    }
  });
}

TEST_P(PartitionedCompletion, OfWhatOneCallHasStarted) {
  on_each_rank([](const Place& place) {
    std::array<std::vector<int>, 3> out;
    std::array<std::vector<int>, 3> in;
    std::array<Part, 3> parts_out;
    std::array<Part, 3> parts_in;
    for (std::size_t i = 0; i < 3; ++i) {
      out[i].resize(600);
      in[i].resize(600);
      parts_out[i] = send_part(place, out[i].data(), 4, 150, MPI_INT);
      parts_in[i] = receive_part(place, in[i].data(), 3, 200, MPI_INT);
    }
    int word_out = 0;
    int word_in = 0;
    MPI_Request ordinary_send = MPI_REQUEST_NULL;
    MPI_Request ordinary_receive = MPI_REQUEST_NULL;
    MPI_Send_init(&word_out, 1, MPI_INT, place.right, usual_tag, place.comm, &ordinary_send);
    MPI_Recv_init(&word_in, 1, MPI_INT, place.left, usual_tag, place.comm, &ordinary_receive);
    std::vector<MPI_Request> all{parts_out[0].request, parts_in[1].request, ordinary_receive,     parts_out[2].request,
                                 parts_in[0].request,  ordinary_send,       parts_out[1].request, parts_in[2].request};
    const std::vector<MPI_Request> before = all;
    for (int round = 0; round < 12; ++round) {
      word_out = word(place.rank, round, 0);
      EXPECT_EQ(MPI_Startall(static_cast<int>(all.size()), all.data()), MPI_SUCCESS);
      for (std::size_t i = 0; i < 3; ++i) {
        fill(out[i], place.rank, 10 * round + static_cast<int>(i));
        for (const int partition : {3, 1, 0, 2}) parts_out[i].ready(partition);
      }
      const Completed completed(all, all.size(), ways[static_cast<std::size_t>(round) % ways.size()]);
      EXPECT_EQ(all, before);
      for (const std::size_t i : {1, 4, 7}) expect_received(completed.statuses[i], place.left, usual_tag, 600);
      EXPECT_EQ(word_in, word(place.left, round, 0));
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(in[i], words(place.left, 10 * round + static_cast<int>(i), 600)) << "request " << i;
    }
    MPI_Request_free(&ordinary_send);
    MPI_Request_free(&ordinary_receive);
  });
}

/// What does not fit is cut off and told of, in each round anew; nothing is written behind the end.
TEST_P(PartitionedCompletion, TellsOfWhatWasCutOff) {
  on_each_rank([](const Place& place) {
    for (const std::size_t each : {std::size_t{10}, std::size_t{10'000}}) {
      const std::size_t fits = 3 * each;
      std::vector<int> out(4 * each);
      std::vector<int> in(4 * each);
      Part send = send_part(place, out.data(), 4, static_cast<MPI_Count>(each), MPI_INT);
      Part receive = receive_part(place, in.data(), 2, static_cast<MPI_Count>(fits / 2), MPI_INT);
      for (int round = 0; round < 4; ++round) {
        fill(out, place.rank, round);
        in.assign(in.size(), -1);
        receive.start();
        send.start();
        EXPECT_EQ(pready_range(0, 3, send.request), MPI_SUCCESS);
        if (round % 2 == 0) {
          EXPECT_EQ(class_of(MPI_Wait(&receive.request, MPI_STATUS_IGNORE)), MPI_ERR_TRUNCATE);
        } else {
          std::array<MPI_Status, 2> statuses{};
          std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, receive.request};
          EXPECT_EQ(MPI_Waitall(2, requests.data(), statuses.data()), MPI_ERR_IN_STATUS);
          EXPECT_EQ(statuses[0].MPI_ERROR, MPI_SUCCESS);
          EXPECT_EQ(class_of(statuses[1].MPI_ERROR), MPI_ERR_TRUNCATE);
          EXPECT_EQ(statuses[1].MPI_SOURCE, place.left);
          EXPECT_EQ(statuses[1].MPI_TAG, usual_tag);
        }
        send.wait();
        EXPECT_EQ(std::vector<int>(in.begin() + static_cast<std::ptrdiff_t>(fits), in.end()),
                  std::vector<int>(each, -1));
      }
    }
    exchange(place, {60, 3, 5});
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, PartitionedCompletion, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, PartitionedCompletion, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
