// SPDX-License-Identifier: BSD-3-Clause
// Datatypes that do not lie in one piece: offsets go by extents, and gaps are nobody's.
#include <gtest/gtest.h>
#include <mpi.h>

#include "mpi/shape.hpp"
#include "mpi/sparse_ranks.hpp"

namespace raddle::testing {
namespace {

/// How many elements a message has.
using Elements = std::vector<int>;

/// Messages of so many elements to the right and to rank 0, whose words `sender` and `receiver` pack in different ways.
void exchange_shapes(const Place& place, const Shape& sender, const Shape& receiver, const Elements& elements,
                     MPI_Info info = MPI_INFO_NULL) {
  const auto dests_of = [&](int rank) {
    std::vector<int> dests;
    for (std::size_t i = 0; i < elements.size(); ++i)
      dests.push_back(i % 3 == 2 ? 0 : i % 3 == 1 ? rank : (rank + 1) % place.size);
    return dests;
  };
  std::vector<MPI_Count> offsets{0};
  for (const int each : elements) offsets.push_back(offsets.back() + each);
  Field out(sender, static_cast<std::size_t>(offsets.back()));
  for (std::size_t i = 0; i < out.words(); ++i) out[i] = word(place.rank, 3, i);
  const std::vector<int> dests = dests_of(place.rank);
  Received in;
  ASSERT_EQ(Raddle_Sparse_exchange(out.data(), static_cast<int>(elements.size()), dests.data(), offsets.data(),
                                   sender.type(), receiver.type(), info, place.comm, &in.messages),
            MPI_SUCCESS);
  // The words of a message, wherever the receiver has them.
  Parcels got;
  const int* const data = static_cast<const int*>(in.messages.data);
  for (int m = 0; m < in.messages.count; ++m) {
    Parcel parcel{in.messages.ranks[m], {}};
    const std::size_t each = receiver.words();
    const auto end = static_cast<std::size_t>(in.messages.offsets[m + 1]) * each;
    for (std::size_t i = static_cast<std::size_t>(in.messages.offsets[m]) * each; i < end; ++i)
      parcel.words.push_back(data[receiver.place(i)]);
    got.push_back(parcel);
  }
  Parcels expected;
  for (int source = 0; source < place.size; ++source) {
    const std::vector<int> theirs = dests_of(source);
    for (std::size_t m = 0; m < elements.size(); ++m) {
      if (theirs[m] != place.rank) continue;
      Parcel parcel{source, {}};
      for (MPI_Count i = offsets[m] * static_cast<MPI_Count>(sender.words());
           i < offsets[m + 1] * static_cast<MPI_Count>(sender.words()); ++i)
        parcel.words.push_back(word(source, 3, static_cast<std::size_t>(i)));
      expected.push_back(parcel);
    }
  }
  EXPECT_EQ(by_source(got), expected);
}

class SparseTypes : public Sparse {};

TEST_P(SparseTypes, OfTheSender) {
  on_each_rank([](const Place& place) {
    const Elements elements{4, 0, 7, 1, 12, 2};
    exchange_shapes(place, Shape::vector(3, 2, 5), Shape::contiguous(1), elements);
    exchange_shapes(place, Shape::resized(4, 1, 3, 20), Shape::contiguous(2), elements);
    exchange_shapes(place, Shape::structure(), Shape::contiguous(4), elements);
  });
}

TEST_P(SparseTypes, OfTheReceiver) {
  on_each_rank([](const Place& place) {
    const Elements elements{12, 0, 24, 12, 36};
    exchange_shapes(place, Shape::contiguous(1), Shape::vector(3, 2, 5), elements);
    exchange_shapes(place, Shape::contiguous(1), Shape::resized(4, 1, 3, 20), elements);
    exchange_shapes(place, Shape::contiguous(1), Shape::structure(), elements);
  });
}

TEST_P(SparseTypes, OfBoth) {
  on_each_rank([](const Place& place) {
    exchange_shapes(place, Shape::vector(3, 2, 5), Shape::structure(), {2, 4, 0, 6});
    exchange_shapes(place, Shape::structure(), Shape::resized(2, 1, 2, 9), {2, 4, 0, 6});
    exchange_shapes(place, Shape::vector(3, 2, 5), Shape::vector(3, 2, 5), {1, 5, 0, 6});
    exchange_shapes(place, Shape::structure(), Shape::structure(), {1, 0, 9});
  });
}

/// Each element is a column, so those of several messages lie between one another.
TEST_P(SparseTypes, WhoseElementsLieBetweenOneAnother) {
  on_each_rank([](const Place& place) {
    const Elements elements{1, 3, 0, 5, 2};
    const Shape column = Shape::resized(12, 1, 30, 1);
    exchange_shapes(place, column, Shape::contiguous(12), elements);
    exchange_shapes(place, Shape::contiguous(12), column, {1, 1});
  });
}

TEST_P(SparseTypes, OfLongMessages) {
  on_each_rank([](const Place& place) {
    exchange_shapes(place, Shape::vector(64, 8, 16), Shape::contiguous(512), {64, 1, 200});
    exchange_shapes(place, Shape::contiguous(512), Shape::vector(64, 8, 16), {64, 1, 200});
  });
}

TEST_P(SparseTypes, ByEachAlgorithm) {
  on_each_rank([](const Place& place) {
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      const Hints hints{{"raddle_sparse_algorithm", algorithm}};
      exchange_shapes(place, Shape::vector(3, 2, 5), Shape::structure(), {2, 4, 0, 600}, hints);
      exchange_shapes(place, Shape::structure(), Shape::resized(2, 1, 2, 9), {2000, 4, 0, 6}, hints);
    }
  });
}

/// Other numbers of other types, whose bytes are as many.
TEST_P(SparseTypes, ThatArePredefined) {
  on_each_rank([](const Place& place) {
    const std::vector<double> out{place.rank + 0.5, -1, 1e300};
    const std::vector<int> dests{place.right, place.right};
    const std::vector<MPI_Count> offsets{0, 1, 3};
    Received in;
    EXPECT_EQ(Raddle_Sparse_exchange(out.data(), 2, dests.data(), offsets.data(), MPI_DOUBLE, MPI_DOUBLE, MPI_INFO_NULL,
                                     place.comm, &in.messages),
              MPI_SUCCESS);
    ASSERT_EQ(in.messages.count, 2);
    const double* const data = static_cast<const double*>(in.messages.data);
    EXPECT_EQ(std::vector<double>(data, data + 3), (std::vector<double>{place.left + 0.5, -1, 1e300}));
    const std::vector<char> letters{'r', 'a', 'd', 'd', 'l', 'e'};
    const std::vector<MPI_Count> parts{0, 1, 6};
    Received text;
    EXPECT_EQ(Raddle_Sparse_exchange(letters.data(), 2, dests.data(), parts.data(), MPI_CHAR, MPI_CHAR, MPI_INFO_NULL,
                                     place.comm, &text.messages),
              MPI_SUCCESS);
    ASSERT_EQ(text.messages.count, 2);
    EXPECT_EQ(std::string(static_cast<const char*>(text.messages.data), 6), "raddle");
    EXPECT_EQ(text.messages.offsets[1], 1);
  });
}

/// Elements that have no bytes are no elements that anybody could count; the messages are there.
TEST_P(SparseTypes, WithoutBytes) {
  on_each_rank([](const Place& place) {
    MPI_Datatype empty = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    const std::vector<int> dests{place.right, place.rank};
    const std::vector<MPI_Count> offsets{0, 3, 3};
    Received in;
    EXPECT_EQ(Raddle_Sparse_exchange(nullptr, 2, dests.data(), offsets.data(), empty, empty, MPI_INFO_NULL, place.comm,
                                     &in.messages),
              MPI_SUCCESS);
    EXPECT_EQ(in.messages.count, 2);
    MPI_Type_free(&empty);
  });
}

/// Once the call has returned, an exchange needs the handle no more.
TEST_P(SparseTypes, ThatAreFreedWhileAnExchangeIsUnderWay) {
  on_each_rank([](const Place& place) {
    for (int round = 0; round < 10; ++round) {
      Shape sender = Shape::vector(3, 2, 5);
      Shape receiver = Shape::structure();
      Field out(sender, 6);
      for (std::size_t i = 0; i < out.words(); ++i) out[i] = word(place.rank, round, i);
      const std::vector<int> dests{place.right};
      const std::vector<MPI_Count> offsets{0, 6};
      Received in;
      MPI_Request request = MPI_REQUEST_NULL;
      ASSERT_EQ(Raddle_Sparse_iexchange(out.data(), 1, dests.data(), offsets.data(), sender.type(), receiver.type(),
                                        MPI_INFO_NULL, place.comm, &in.messages, &request),
                MPI_SUCCESS);
      sender.forget();
      receiver.forget();
      EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
      ASSERT_EQ(in.messages.count, 1);
      EXPECT_EQ(in.messages.offsets[1], 9);
      for (std::size_t i = 0; i < 36; ++i)
        EXPECT_EQ(static_cast<const int*>(in.messages.data)[receiver.place(i)], word(place.left, round, i));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, SparseTypes, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, SparseTypes, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
