// SPDX-License-Identifier: BSD-3-Clause
// Plans: who sends how much to whom is found out once, and data go as often as the program likes.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>

#include "mpi/shape.hpp"
#include "mpi/sparse_ranks.hpp"

namespace raddle::testing {
namespace {

/// A plan and what it works on. What is sent differs from round to round, its pattern does not.
class Plan {
 public:
  /// @param number of the plan, which all ranks give alike
  Plan(const Place& place, int number, std::size_t longest = 40, MPI_Info info = MPI_INFO_NULL)
      : place_(place), number_(number), longest_(longest), out_(some(place.size, number, longest)(place.rank)) {
    const std::vector<int> dests = out_.dests;
    const std::vector<MPI_Count> offsets = out_.offsets;
    EXPECT_EQ(Raddle_Sparse_exchange_init(out_.data.data(), out_.count(), dests.data(), offsets.data(), MPI_INT,
                                          MPI_INT, info, place.comm, &in_.messages, &request),
              MPI_SUCCESS);
    EXPECT_NE(request, MPI_REQUEST_NULL);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() { free(); }

  void compute(int round) {
    round_ = round;
    for (int& word : out_.data) word += 1000 * (round - out_round_);
    out_round_ = round;
  }
  void start() { EXPECT_EQ(MPI_Start(&request), MPI_SUCCESS); }
  void wait() {
    EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    check();
  }
  void check() const {
    Parcels expected = arriving(some(place_.size, number_, longest_), place_.size, place_.rank);
    for (Parcel& parcel : expected) {
      for (int& word : parcel.words) word += 1000 * round_;
    }
    // Sorted, whatever was asked for.
    EXPECT_EQ(in_.parcels(), expected) << "plan " << number_ << ", round " << round_;
  }
  void free() {
    if (request == MPI_REQUEST_NULL) return;
    EXPECT_EQ(MPI_Request_free(&request), MPI_SUCCESS);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
  }
  [[nodiscard]] const Raddle_Sparse_messages& messages() const { return in_.messages; }

  MPI_Request request = MPI_REQUEST_NULL;

 private:
  Place place_;
  int number_;
  std::size_t longest_;
  Outgoing out_;
  Received in_;
  int round_ = 0;
  int out_round_ = 0;
};

class SparsePersistent : public Sparse {};

TEST_P(SparsePersistent, PlansAreStartedOftenWithOtherData) {
  on_each_rank([](const Place& place) {
    for (int number = 0; number < 6; ++number) {
      Plan plan(place, number, number == 5 ? 50'000 : 40);
      const Raddle_Sparse_messages before = plan.messages();
      for (int round = 1; round <= 40; ++round) {
        plan.compute(round);
        plan.start();
        if ((round + place.rank) % 3 == 0) {
          for (int flag = 0; flag == 0;) EXPECT_EQ(MPI_Test(&plan.request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
          plan.check();
        } else {
          plan.wait();
        }
        EXPECT_NE(plan.request, MPI_REQUEST_NULL);
        EXPECT_EQ(plan.messages().ranks, before.ranks);
        EXPECT_EQ(plan.messages().offsets, before.offsets);
        EXPECT_EQ(plan.messages().data, before.data);
      }
    }
  });
}

TEST_P(SparsePersistent, PlansMayBeOfAnyAlgorithm) {
  on_each_rank([](const Place& place) {
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      Plan plan(place, 3, 60, Hints{{"raddle_sparse_algorithm", algorithm}, {"raddle_sparse_sorted", "false"}});
      for (int round = 1; round <= 5; ++round) {
        plan.compute(round);
        plan.start();
        plan.wait();
      }
    }
  });
}

TEST_P(SparsePersistent, PlansMayNeverStart) {
  on_each_rank([](const Place& place) {
    Plan never(place, 1);
    Plan once(place, 2);
    once.start();
    once.wait();
    EXPECT_EQ(MPI_Wait(&never.request, MPI_STATUS_IGNORE), MPI_SUCCESS);  // inactive
    never.free();
    expect_exchange(place, some(place.size, 5));
  });
}

/// Both under way, completed in any order, together with a plain exchange and one that does not wait.
TEST_P(SparsePersistent, PlansMayBeSeveral) {
  on_each_rank([](const Place& place) {
    Plan first(place, 11);
    Plan second(place, 12, 50'000);
    for (int round = 1; round <= 30; ++round) {
      SCOPED_TRACE(round);
      first.compute(round);
      second.compute(7 * round);
      switch (round % 4) {
        case 0:
          first.start();
          second.start();
          break;
        case 1: {
          std::array requests{second.request, MPI_Request{MPI_REQUEST_NULL}, first.request};
          // MPI_Startall wants no null ones.
          std::swap(requests[1], requests[2]);
          EXPECT_EQ(MPI_Startall(2, requests.data()), MPI_SUCCESS);
          break;
        }
        default:
          second.start();
          first.start();
      }
      Flight flight(place, some(place.size, round));
      if (round % 5 == 0) expect_exchange(place, some(place.size, round + 300));
      if ((round + place.rank) % 2 == 0) {
        first.wait();
        flight.wait();
        second.wait();
      } else {
        std::array requests{first.request, flight.request, second.request};
        EXPECT_EQ(MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
        EXPECT_EQ(requests[0], first.request);
        EXPECT_EQ(requests[1], MPI_REQUEST_NULL);
        EXPECT_EQ(requests[2], second.request);
        flight.request = MPI_REQUEST_NULL;
        first.check();
        second.check();
        flight.check();
      }
    }
  });
}

/// Ranks start in other rounds' time: one may be a round ahead.
TEST_P(SparsePersistent, PlansDoNotMixRounds) {
  on_each_rank([](const Place& place) {
    Plan plan(place, 21);
    for (int round = 1; round <= 500; ++round) {
      if (round % place.size == place.rank && round % 7 == 0) std::this_thread::yield();
      plan.compute(round);
      plan.start();
      plan.wait();
    }
  });
}

TEST_P(SparsePersistent, PlansOutliveOthersAndTheirCommunicator) {
  on_each_rank([](const Place& place) {
    MPI_Comm made = MPI_COMM_NULL;
    ASSERT_EQ(MPI_Comm_dup(place.comm, &made), MPI_SUCCESS);
    Plan one(Place(made), 31);
    {
      Plan other(Place(made), 32);
      other.start();
      other.wait();
    }
    MPI_Comm_free(&made);
    for (int round = 1; round <= 5; ++round) {
      one.compute(round);
      one.start();
      one.wait();
    }
  });
}

TEST_P(SparsePersistent, PlansHaveDatatypes) {
  on_each_rank([](const Place& place) {
    Shape sender = Shape::vector(3, 2, 5);
    Shape receiver = Shape::structure();
    Field out(sender, 6);
    const std::vector<int> dests{place.right, place.rank};
    const std::vector<MPI_Count> offsets{0, 4, 6};
    Received in;
    MPI_Request request = MPI_REQUEST_NULL;
    ASSERT_EQ(Raddle_Sparse_exchange_init(out.data(), 2, dests.data(), offsets.data(), sender.type(), receiver.type(),
                                          MPI_INFO_NULL, place.comm, &in.messages, &request),
              MPI_SUCCESS);
    sender.forget();
    receiver.forget();
    for (int round = 0; round < 5; ++round) {
      for (std::size_t i = 0; i < out.words(); ++i) out[i] = word(place.rank, round, i);
      EXPECT_EQ(MPI_Start(&request), MPI_SUCCESS);
      EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
      ASSERT_EQ(in.messages.count, 2);
      for (int m = 0; m < 2; ++m) {
        const bool own = in.messages.ranks[m] == place.rank && (place.size > 1 || m == 1);
        const MPI_Count first = in.messages.offsets[m];
        EXPECT_EQ(in.messages.offsets[m + 1] - first, own ? 3 : 6);
        const auto words_of = static_cast<std::size_t>(in.messages.offsets[m + 1] - first) * 4;
        for (std::size_t i = 0; i < words_of; ++i)
          EXPECT_EQ(static_cast<const int*>(in.messages.data)[receiver.place(static_cast<std::size_t>(first) * 4 + i)],
                    word(in.messages.ranks[m], round, i + (own ? 24 : 0)));
      }
    }
    EXPECT_EQ(MPI_Request_free(&request), MPI_SUCCESS);
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, SparsePersistent, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, SparsePersistent, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
