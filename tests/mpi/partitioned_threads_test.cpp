// SPDX-License-Identifier: BSD-3-Clause
// Threads of a rank that share its requests, and that make their own at the same time.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <thread>

#include "mpi/partitioned_ranks.hpp"

namespace raddle::testing {
namespace {

constexpr int threads = 3;

/// Runs `act(thread)` in several threads.
template <typename Act>
void in_threads(Act&& act) {
  std::vector<std::jthread> all;
  for (int t = 0; t < threads; ++t) all.emplace_back([&act, t] { act(t); });
}

class PartitionedThreads : public Partitioned {};

/// One request, whose partitions several threads compute and make ready. @param partitions multiple of all threads
class Shared {
 public:
  Shared(const Place& place, int partitions, int each, MPI_Info info = MPI_INFO_NULL)
      : place_(place), partitions_(partitions), each_(each), out_(size()), in_(size()) {
    send_ = send_part(place, out_.data(), partitions, each, MPI_INT, usual_tag, info);
    receive_ = receive_part(place, in_.data(), 4, static_cast<MPI_Count>(size() / 4), MPI_INT);
  }

  [[nodiscard]] int partitions() const { return partitions_; }
  [[nodiscard]] Part& send() { return send_; }
  void start() {
    receive_.start();
    send_.start();
  }
  void compute(int round, int partition) {
    const std::size_t first = static_cast<std::size_t>(partition) * static_cast<std::size_t>(each_);
    for (std::size_t i = first; i < first + static_cast<std::size_t>(each_); ++i) out_[i] = word(place_.rank, round, i);
  }
  void end(int round) {
    receive_.wait();
    send_.wait();
    check(round);
  }
  void check(int round) const { EXPECT_EQ(in_, words(place_.left, round, size())) << "round " << round; }
  [[nodiscard]] Part& receive() { return receive_; }

 private:
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(partitions_) * static_cast<std::size_t>(each_);
  }

  const Place& place_;
  int partitions_;
  int each_;
  std::vector<int> out_;
  std::vector<int> in_;
  Part send_;
  Part receive_;
};

TEST_P(PartitionedThreads, MakePartitionsReadyInTurns) {
  on_each_rank([](const Place& place) {
    struct Load {
      int each;
      int rounds;
    };
    for (const Load load : {Load{1, 20}, Load{4, 20}, Load{1000, 4}}) {
      Shared shared(place, 48 * threads, load.each * 4);
      for (int round = 0; round < load.rounds; ++round) {
        shared.start();
        in_threads([&](int thread) {
          for (int partition = thread; partition < shared.partitions(); partition += threads) {
            shared.compute(round, partition);
            shared.send().ready(partition);
          }
        });
        shared.end(round);
      }
    }
  });
}

/// Threads that go from round to round together: one of them starts and ends those.
TEST_P(PartitionedThreads, MeetBetweenRounds) {
  on_each_rank([](const Place& place) {
    Shared shared(place, 16 * threads, 64);
    constexpr int rounds = 50;
    int round = -1;
    shared.start();
    std::barrier meeting(threads, [&]() noexcept {
      if (++round == 0) return;
      shared.end(round - 1);
      if (round < rounds) shared.start();
    });
    in_threads([&](int thread) {
      meeting.arrive_and_wait();
      for (int r = 0; r < rounds; ++r) {
        for (int i = 0; i < 16; ++i) {
          shared.compute(r, 16 * thread + i);
          shared.send().ready(16 * thread + i);
        }
        meeting.arrive_and_wait();
      }
    });
  });
}

TEST_P(PartitionedThreads, MakeRangesAndListsReady) {
  on_each_rank([](const Place& place) {
    Shared shared(place, 20 * threads, 16);
    for (int round = 0; round < 20; ++round) {
      shared.start();
      in_threads([&](int thread) {
        const int first = 20 * thread;
        for (int i = 0; i < 20; ++i) shared.compute(round, first + i);
        const std::array<int, 8> odd{first + 11, first + 1, first + 7,  first + 3,
                                     first + 5,  first + 9, first + 13, first + 15};
        EXPECT_EQ(pready_range(first + 16, first + 19, shared.send().request), MPI_SUCCESS);
        EXPECT_EQ(pready_list(8, odd.data(), shared.send().request), MPI_SUCCESS);
        EXPECT_EQ(pready_list(0, odd.data(), shared.send().request), MPI_SUCCESS);
        EXPECT_EQ(pready_range(first, first, shared.send().request), MPI_SUCCESS);
        for (int i = 2; i <= 14; i += 2) shared.send().ready(first + i);
      });
      shared.end(round);
    }
  });
}

/// MPI_Wait may be called before all partitions are ready, by another thread.
TEST_P(PartitionedThreads, WaitWhileOthersMakePartitionsReady) {
  on_each_rank([](const Place& place) {
    Shared shared(place, 8 * threads, 1000);
    for (int round = 0; round < 10; ++round) {
      shared.start();
      const std::jthread computes([&] {
        for (int partition = 0; partition < shared.partitions(); ++partition) {
          shared.compute(round, partition);
          if (partition % threads == 0) std::this_thread::yield();
          shared.send().ready(partition);
        }
      });
      // What the handle stands for is asked by two threads at once; each has its own variable, and none frees it.
      MPI_Request waited = shared.send().request;
      if (round % 2 == 0) {
        EXPECT_EQ(MPI_Wait(&waited, MPI_STATUS_IGNORE), MPI_SUCCESS);
        shared.receive().wait();
      } else {
        shared.receive().wait();
        EXPECT_EQ(MPI_Wait(&waited, MPI_STATUS_IGNORE), MPI_SUCCESS);
      }
      shared.check(round);
    }
  });
}

/// Each with a tag of its own: all threads of both sides make, use and free requests without a word to each other.
TEST_P(PartitionedThreads, MakeTheirOwnRequests) {
  on_each_rank([](const Place& place) {
    in_threads([&](int thread) {
      for (int turn = 0; turn < 10; ++turn) exchange(place, {840 << thread, 5 + thread, 4}, 3, 20 + thread);
    });
  });
}

/// Several threads make requests for the same messages; which thread is first decides, so they are all alike.
TEST_P(PartitionedThreads, MakeRequestsOfOneTag) {
  on_each_rank([](const Place& place) {
    constexpr int each = 4;
    constexpr std::size_t all = threads * each;
    std::vector<int> in(all);
    std::vector<int> out(all);
    std::array<Part, all> sends;
    std::array<Part, all> receives;
    in_threads([&](int thread) {
      for (int i = 0; i < each; ++i) {
        const auto mine = static_cast<std::size_t>(thread * each + i);
        out[mine] = static_cast<int>(mine);
        sends[mine] = send_part(place, &out[mine], 1, 1, MPI_INT);
        receives[mine] = receive_part(place, &in[mine], 1, 1, MPI_INT);
      }
    });
    for (int round = 0; round < 5; ++round) {
      in.assign(all, -1);
      for (Part& receive : receives) receive.start();
      for (Part& send : sends) send.start();
      for (const Part& send : sends) send.ready(0);
      for (Part& receive : receives) receive.wait();
      for (Part& send : sends) send.wait();
      std::sort(in.begin(), in.end());
      EXPECT_EQ(in, out);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, PartitionedThreads, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, PartitionedThreads, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
