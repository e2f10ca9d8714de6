// SPDX-License-Identifier: BSD-3-Clause
// Datatypes that do not lie in one piece: offsets go by extents, and gaps are nobody's.
#include <gtest/gtest.h>
#include <mpi.h>

#include <utility>

#include "mpi/partitioned_ranks.hpp"
#include "mpi/shape.hpp"

namespace raddle::testing {
namespace {

/// How many elements of which datatype make a partition.
struct Side {
  Shape shape;
  int partitions;
  int count;

  [[nodiscard]] std::size_t elements() const {
    return static_cast<std::size_t>(partitions) * static_cast<std::size_t>(count);
  }
};

/// All ranks send to their right. The datatypes are freed as soon as a program may.
void exchange(const Place& place, Side sender, Side receiver) {
  Field out(sender.shape, sender.elements());
  Field in(receiver.shape, receiver.elements());
  Field expected = in;
  ASSERT_EQ(out.words(), in.words());
  Part send = send_part(place, out.data(), sender.partitions, sender.count, sender.shape.type());
  Part receive = receive_part(place, in.data(), receiver.partitions, receiver.count, receiver.shape.type());
  traffic::Random random(static_cast<std::uint64_t>(place.rank));
  const std::size_t each = out.words() / static_cast<std::size_t>(sender.partitions);
  for (int round = 0; round < 4; ++round) {
    in.clear();
    receive.start();
    send.start();
    if (round == 0) {
      sender.shape.forget();
      receiver.shape.forget();
    }
    for (const int partition : in_any_order(sender.partitions, random)) {
      const std::size_t first = static_cast<std::size_t>(partition) * each;
      for (std::size_t i = first; i < first + each; ++i) out[i] = word(place.rank, round, i);
      send.ready(partition);
    }
    MPI_Status status;
    receive.wait(&status);
    int elements = -1;
    MPI_Get_elements(&status, MPI_INT, &elements);
    EXPECT_EQ(elements, static_cast<int>(in.words()));
    send.wait();
    for (std::size_t i = 0; i < expected.words(); ++i) expected[i] = word(place.left, round, i);
    EXPECT_EQ(in.all(), expected.all()) << "round " << round;
  }
}

class PartitionedTypes : public Partitioned {};

TEST_P(PartitionedTypes, OfTheSender) {
  on_each_rank([](const Place& place) {
    exchange(place, {Shape::vector(3, 2, 5), 6, 10}, {Shape::contiguous(1), 8, 45});
    exchange(place, {Shape::resized(4, 1, 3, 20), 5, 6}, {Shape::contiguous(3), 4, 10});
    exchange(place, {Shape::structure(), 7, 5}, {Shape::contiguous(1), 5, 28});
  });
}

TEST_P(PartitionedTypes, OfTheReceiver) {
  on_each_rank([](const Place& place) {
    exchange(place, {Shape::contiguous(1), 8, 45}, {Shape::vector(3, 2, 5), 6, 10});
    exchange(place, {Shape::contiguous(3), 4, 10}, {Shape::resized(4, 1, 3, 20), 5, 6});
    exchange(place, {Shape::contiguous(1), 5, 28}, {Shape::structure(), 7, 5});
  });
}

TEST_P(PartitionedTypes, OfBoth) {
  on_each_rank([](const Place& place) {
    exchange(place, {Shape::vector(3, 2, 5), 5, 4}, {Shape::structure(), 3, 10});
    exchange(place, {Shape::vector(3, 2, 5), 6, 10}, {Shape::vector(3, 2, 5), 6, 10});
    exchange(place, {Shape::structure(), 16, 1}, {Shape::resized(2, 1, 2, 9), 1, 32});
    exchange(place, {Shape::contiguous(7), 3, 11}, {Shape::contiguous(11), 7, 3});
  });
}

/// Each element is a column, so those of all partitions lie between one another.
TEST_P(PartitionedTypes, WhoseElementsLieBetweenOneAnother) {
  on_each_rank([](const Place& place) {
    constexpr int rows = 12;
    constexpr int columns = 30;
    exchange(place, {Shape::resized(rows, 1, columns, 1), 6, 5}, {Shape::contiguous(rows), 10, 3});
    exchange(place, {Shape::contiguous(rows), 10, 3}, {Shape::resized(rows, 1, columns, 1), 6, 5});
    exchange(place, {Shape::resized(rows, 1, columns, 1), 15, 2}, {Shape::resized(columns, 1, rows, 1), 4, 3});
  });
}

/// What is behind the end of a message that is shorter than its receive stays as it was, in whatever partition it ends.
TEST_P(PartitionedTypes, OfMoreThanComes) {
  on_each_rank([](const Place& place) {
    for (const int words : {5, 12, 24, 40}) {
      SCOPED_TRACE(words);
      const Shape shape = Shape::vector(3, 1, 2);
      Field in(shape, 16);
      Field expected = in;
      std::vector<int> out(static_cast<std::size_t>(words));
      Part send = send_part(place, out.data(), 1, words, MPI_INT);
      Part receive = receive_part(place, in.data(), 4, 4, shape.type());
      for (int round = 0; round < 3; ++round) {
        in.clear();
        fill(out, place.rank, round);
        receive.start();
        send.start();
        send.ready(0);
        MPI_Status status;
        receive.wait(&status);
        int got = -1;
        MPI_Get_elements(&status, MPI_INT, &got);
        EXPECT_EQ(got, words);
        send.wait();
        for (std::size_t i = 0; i < out.size(); ++i) expected[i] = word(place.left, round, i);
        EXPECT_EQ(in.all(), expected.all()) << "round " << round;
      }
    }
  });
}

TEST_P(PartitionedTypes, OfLongMessages) {
  on_each_rank([](const Place& place) {
    exchange(place, {Shape::vector(64, 8, 16), 32, 20}, {Shape::contiguous(512), 5, 128});
    exchange(place, {Shape::contiguous(512), 5, 128}, {Shape::vector(64, 8, 16), 32, 20});
    exchange(place, {Shape::vector(64, 8, 16), 32, 20}, {Shape::vector(128, 4, 5), 10, 64});
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, PartitionedTypes, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, PartitionedTypes, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
