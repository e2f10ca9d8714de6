// SPDX-License-Identifier: BSD-3-Clause
// MPI_Parrived: a partition has arrived when all its bytes have, and not before.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <thread>

#include "mpi/hints.hpp"
#include "mpi/partitioned_ranks.hpp"

namespace raddle::testing {
namespace {

class PartitionedArrival : public Partitioned {};

/// What the receiver knows of a sender that makes one partition after the other ready, and lets it look at each step.
class Steps {
 public:
  Steps(const Place& place, Division division, MPI_Info info, bool early)
      : place_(place), division_(division), early_(early), out_(size()), in_(size()), there_(size()) {
    send_ = send_part(place, out_.data(), division.sender, division.words / division.sender, MPI_INT, usual_tag, info);
    receive_ = receive_part(place, in_.data(), division.receiver, division.words / division.receiver, MPI_INT);
  }

  void round(int number) {
    const auto key = [number](int rank) {
      return traffic::mix({static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(rank)});
    };
    traffic::Random mine(key(place_.rank));
    traffic::Random lefts(key(place_.left));
    const std::vector<int> order = in_any_order(division_.sender, mine);
    const std::vector<int> left_order = in_any_order(division_.sender, lefts);
    const std::size_t each = size() / order.size();
    round_ = number;
    there_.assign(size(), false);
    for (int p = 0; p < division_.receiver; ++p) EXPECT_TRUE(receive_.arrived(p)) << "not started";
    receive_.start();
    send_.start();
    look();
    for (std::size_t step = 0; step < order.size(); ++step) {
      MPI_Barrier(place_.comm);  // all have looked
      const std::size_t first = static_cast<std::size_t>(order[step]) * each;
      for (std::size_t i = first; i < first + each; ++i) out_[i] = word(place_.rank, number, i);
      send_.ready(order[step]);
      MPI_Barrier(place_.comm);  // this step of the left one has been done
      const auto from = there_.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(left_order[step]) * each);
      std::fill(from, from + static_cast<std::ptrdiff_t>(each), true);
      look();
    }
    for (int p = 0; p < division_.receiver; ++p) {
      while (!receive_.arrived(p)) std::this_thread::yield();
      expect_there(p);
    }
    receive_.wait();
    send_.wait();
    for (int p = 0; p < division_.receiver; ++p) EXPECT_TRUE(receive_.arrived(p)) << "inactive";
    EXPECT_EQ(in_, words(place_.left, number, size()));
  }

 private:
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(division_.words); }

  void look() {
    for (int p = 0; p < division_.receiver; ++p) {
      const std::ptrdiff_t each = division_.words / division_.receiver;
      const auto first = there_.begin() + p * each;
      if (!std::all_of(first, first + each, [](bool there) { return there; })) {
        EXPECT_FALSE(receive_.arrived(p)) << "partition " << p;
        continue;
      }
      while (early_ && !receive_.arrived(p)) std::this_thread::yield();
      if (!receive_.arrived(p)) continue;
      expect_there(p);
      EXPECT_TRUE(receive_.arrived(p)) << "it remains so";
    }
  }

  void expect_there(int partition) const {
    const std::size_t each = size() / static_cast<std::size_t>(division_.receiver);
    const std::size_t first = static_cast<std::size_t>(partition) * each;
    std::size_t i = first;
    while (i < first + each && in_[i] == word(place_.left, round_, i)) ++i;
    EXPECT_EQ(i, first + each) << "partition " << partition << ", its first wrong word";
  }

  const Place& place_;
  Division division_;
  bool early_;
  int round_ = 0;
  std::vector<int> out_;
  std::vector<int> in_;
  std::vector<bool> there_;  ///< what the left one has made ready
  Part send_;
  Part receive_;
};

TEST_P(PartitionedArrival, IsExact) {
  on_each_rank([](const Place& place) {
    for (const Division division : {Division{64, 8, 8}, Division{40, 8, 5}, Division{40, 5, 8}, Division{16, 1, 4},
                                    Division{16, 4, 1}, Division{70'000, 7, 5}}) {
      SCOPED_TRACE(::testing::Message() << division.sender << " partitions for " << division.receiver);
      Steps steps(place, division, MPI_INFO_NULL, false);
      for (int round = 0; round < 6; ++round) steps.round(round);
    }
  });
}

/// With a message for each partition, what is ready arrives while other partitions are not.
TEST_P(PartitionedArrival, DoesNotWaitForOtherPartitions) {
  on_each_rank([](const Place& place) {
    const Hints hints{{"raddle_part_policy", "none"}};
    for (const Division division : {Division{64, 8, 8}, Division{40, 8, 5}, Division{40, 5, 8}, Division{16, 4, 1},
                                    Division{70'000, 7, 5}, Division{1 << 18, 4, 8}}) {
      SCOPED_TRACE(::testing::Message() << division.sender << " partitions for " << division.receiver);
      Steps steps(place, division, hints, true);
      const int rounds = division.words > 1000 ? 2 : 6;
      for (int round = 0; round < rounds; ++round) steps.round(round);
    }
  });
}

/// Who sees the flag sees the bytes, in any thread.
TEST_P(PartitionedArrival, IsSeenByAllThreads) {
  on_each_rank([](const Place& place) {
    constexpr int partitions = 32;
    constexpr std::size_t each = 500;
    std::vector<int> out(partitions * each);
    std::vector<int> in(out.size());
    Part send = send_part(place, out.data(), partitions, each, MPI_INT);
    Part receive = receive_part(place, in.data(), partitions, each, MPI_INT);
    for (int round = 0; round < 10; ++round) {
      receive.start();
      send.start();
      std::vector<std::jthread> threads;
      for (int t = 0; t < 2; ++t) {
        threads.emplace_back([&, t] {
          for (int i = 0; i < partitions; ++i) {
            const int partition = t == 0 ? i : partitions - 1 - i;
            while (!receive.arrived(partition)) std::this_thread::yield();
            const std::size_t first = static_cast<std::size_t>(partition) * each;
            for (std::size_t k = first; k < first + each; ++k)
              ASSERT_EQ(in[k], word(place.left, round, k)) << "partition " << partition;
          }
        });
      }
      for (int partition = 0; partition < partitions; ++partition) {
        const std::size_t first = static_cast<std::size_t>(partition) * each;
        for (std::size_t k = first; k < first + each; ++k) out[k] = word(place.rank, round, k);
        send.ready(partition);
      }
      threads.clear();
      receive.wait();
      send.wait();
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, PartitionedArrival, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, PartitionedArrival, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
