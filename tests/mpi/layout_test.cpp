// SPDX-License-Identifier: BSD-3-Clause
// Layouts of messages, case by case.
#include "endpoints/datatypes/layout.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <thread>
#include <vector>

#include "mpi/layout_bytes.hpp"

namespace raddle::endpoints {
namespace {

TEST(Layout, OfNamedDatatypesIsOnePieceUnlessTheyHaveGaps) {
  std::array<std::byte, 4096> buffer{};
  for (const MPI_Datatype type : {MPI_CHAR, MPI_BYTE, MPI_PACKED, MPI_INT, MPI_LONG_LONG, MPI_DOUBLE, MPI_LONG_DOUBLE,
                                  MPI_C_BOOL, MPI_INT64_T, MPI_AINT, MPI_COUNT, MPI_C_DOUBLE_COMPLEX, MPI_2INT}) {
    for (int twice = 0; twice < 2; ++twice) {  // the second time from the table
      Layout layout;
      MPI_Count size = 0;
      MPI_Type_size_x(type, &size);
      const Body body = describe(layout, buffer.data(), 3, type);
      EXPECT_EQ(body.data, buffer.data());
      EXPECT_EQ(body.bytes, static_cast<std::size_t>(3 * size));
      EXPECT_EQ(body.scattered, nullptr);
    }
  }
  for (const MPI_Datatype type : {MPI_SHORT_INT, MPI_LONG_INT, MPI_DOUBLE_INT, MPI_LONG_DOUBLE_INT}) {
    MPI_Count size = 0;
    MPI_Type_size_x(type, &size);
    Layout layout;
    const Body body = describe(layout, buffer.data(), 3, type);
    EXPECT_EQ(body.bytes, static_cast<std::size_t>(3 * size));
    EXPECT_NE(body.scattered, nullptr);
  }
}

TEST(Layout, IsOnePieceOnlyIfTheBytesLieInTheOrderInWhichTheyAreSent) {
  const std::array<int, 2> ones{1, 1};
  const std::array<int, 2> upwards{0, 1};
  const std::array<int, 2> downwards{1, 0};
  const std::array<int, 2> twice{0, 0};
  EXPECT_TRUE(in_one_piece(Type(made(MPI_Type_indexed, 2, ones.data(), upwards.data(), MPI_INT)), 3));
  EXPECT_FALSE(in_one_piece(Type(made(MPI_Type_indexed, 2, ones.data(), downwards.data(), MPI_INT))));
  EXPECT_FALSE(in_one_piece(Type(made(MPI_Type_indexed, 2, ones.data(), twice.data(), MPI_INT))));
  EXPECT_TRUE(in_one_piece(Type(made(MPI_Type_vector, 4, 2, 2, MPI_INT)), 3));
  EXPECT_FALSE(in_one_piece(Type(made(MPI_Type_vector, 4, 2, 3, MPI_INT))));
  EXPECT_FALSE(in_one_piece(Type(made(MPI_Type_vector, 4, 1, -1, MPI_INT))));
  const Type apart(made(MPI_Type_create_resized, MPI_INT, 0, 8));
  EXPECT_TRUE(in_one_piece(apart));
  EXPECT_FALSE(in_one_piece(apart, 2));
  const Type over(made(MPI_Type_create_resized, MPI_DOUBLE, 0, 4));
  EXPECT_FALSE(in_one_piece(over, 2));
  const std::array<int, 2> sizes{4, 6};
  const std::array<int, 2> rows{2, 6};
  const std::array<int, 2> columns{4, 2};
  const std::array<int, 2> starts{1, 0};
  const std::array<int, 2> corner{0, 0};
  EXPECT_TRUE(in_one_piece(
      Type(made(MPI_Type_create_subarray, 2, sizes.data(), rows.data(), starts.data(), MPI_ORDER_C, MPI_DOUBLE))));
  EXPECT_FALSE(in_one_piece(
      Type(made(MPI_Type_create_subarray, 2, sizes.data(), columns.data(), corner.data(), MPI_ORDER_C, MPI_DOUBLE))));
}

TEST(Layout, BeginsAtTheFirstByteWhereverThatIs) {
  std::array<int, 8> numbers{0, 1, 2, 3, 4, 5, 6, 7};
  const std::array<int, 1> length{2};
  const std::array<int, 1> back{-3};
  const Type before(made(MPI_Type_indexed, 1, length.data(), back.data(), MPI_INT));
  Layout layout;
  const Body body = describe(layout, &numbers[5], 1, before);
  EXPECT_EQ(static_cast<void*>(body.data), &numbers[2]);
  EXPECT_EQ(body.bytes, 2 * sizeof(int));

  std::array<MPI_Aint, 2> addresses{};
  MPI_Get_address(&numbers[6], addresses.data());
  MPI_Get_address(&numbers[1], &addresses[1]);
  const Type absolute(made(MPI_Type_create_hindexed_block, 2, 1, addresses.data(), MPI_INT));
  const Bytes sent = gather(describe(layout, MPI_BOTTOM, 1, absolute), whole);
  std::array<int, 2> received{};
  ASSERT_EQ(sent.size(), sizeof received);
  std::memcpy(received.data(), sent.data(), sizeof received);
  EXPECT_EQ(received, (std::array<int, 2>{6, 1}));
}

TEST(Layout, OfNothingIsNoBytes) {
  Layout layout;
  int number = 0;
  const Type empty(made(MPI_Type_contiguous, 0, MPI_INT));
  const Type column(made(MPI_Type_vector, 4, 1, 3, MPI_INT));
  for (const MPI_Datatype type : {MPI_INT, MPI_DOUBLE_INT, MPI_Datatype(column), MPI_Datatype(empty)}) {
    EXPECT_EQ(describe(layout, nullptr, 0, type).bytes, 0U);
    EXPECT_EQ(describe(layout, &number, 0, type).scattered, nullptr);
  }
  EXPECT_EQ(describe(layout, nullptr, 5, empty).bytes, 0U);
}

TEST(Layout, RefusesWhatIsNoMessage) {
  Layout layout;
  int number = 0;
  EXPECT_EQ(layout.describe(&number, -1, MPI_INT), MPI_ERR_COUNT);
  EXPECT_EQ(layout.describe(&number, 1, MPI_DATATYPE_NULL), MPI_ERR_TYPE);
  EXPECT_EQ(layout.describe(nullptr, 1, MPI_INT), MPI_ERR_BUFFER);
  EXPECT_EQ(layout.describe(nullptr, 1, Type(made(MPI_Type_vector, 2, 1, 3, MPI_INT))), MPI_ERR_BUFFER);
  MPI_Datatype type = made(MPI_Type_contiguous, 2, MPI_INT);
  EXPECT_EQ(layout.describe(&number, 1, type), MPI_ERR_TYPE);
  MPI_Type_commit(&type);
  EXPECT_EQ(layout.describe(&number, 1, type), MPI_SUCCESS);
  MPI_Type_free(&type);
}

TEST(Layout, CountsBeyondAnInt) {
  std::array<std::byte, 16> buffer{};
  Layout layout;
  constexpr MPI_Count many = 3'000'000'000;
  const Type column(made(MPI_Type_vector, 2, 1, 2, MPI_DOUBLE));
  EXPECT_EQ(describe(layout, buffer.data(), many, MPI_DOUBLE).bytes, 24'000'000'000U);
  EXPECT_EQ(describe(layout, buffer.data(), many, column).bytes, 48'000'000'000U);
  // Four elements of 3 GB each that lie in the same 1000 bytes.
  std::array<std::byte, 1000> small{};
  small[999] = std::byte{7};
  const Type same(made(MPI_Type_create_hvector, 3'000'000, 1000, 0, MPI_BYTE));
  const Body body = describe(layout, small.data(), 4, same);
  EXPECT_EQ(body.bytes, 12'000'000'000U);
}

TEST(Layout, ForgetsADatatypeThatIsFreed) {
  std::array<int, 64> buffer{};
  Layout layout;
  for (int i = 1; i <= 2000; ++i) {  // the MPI gives handles out again
    const Type type(i % 2 == 0 ? made(MPI_Type_contiguous, i, MPI_INT) : made(MPI_Type_vector, i, 1, 2, MPI_SHORT));
    const Body body = describe(layout, buffer.data(), 1, type);
    ASSERT_EQ(body.bytes, static_cast<std::size_t>(i) * (i % 2 == 0 ? sizeof(int) : sizeof(short)));
    ASSERT_EQ(body.scattered == nullptr, i % 2 == 0 || i == 1);
  }
}

TEST(Layout, ADuplicateIsADatatypeOfItsOwn) {
  std::array<int, 64> buffer{};
  Layout layout;
  MPI_Datatype first = made(MPI_Type_vector, 4, 1, 2, MPI_INT);
  MPI_Type_commit(&first);
  EXPECT_EQ(describe(layout, buffer.data(), 1, first).bytes, 16U);
  const Type duplicate(made(MPI_Type_dup, first));
  MPI_Type_free(&first);
  const Type other(made(MPI_Type_contiguous, 3, MPI_CHAR));
  EXPECT_EQ(describe(layout, buffer.data(), 1, duplicate).bytes, 16U);
  EXPECT_EQ(describe(layout, buffer.data(), 1, other).bytes, 3U);
}

TEST(Layout, AMessageUnderWayOutlivesItsDatatype) {
  std::array<int, 8> numbers{0, 1, 2, 3, 4, 5, 6, 7};
  Layout layout;
  {
    const Type type(made(MPI_Type_vector, 4, 1, 2, MPI_INT));
    describe(layout, numbers.data(), 1, type);
  }
  const Bytes sent = gather(layout.body(), [] { return 3U; });
  std::array<int, 4> received{};
  ASSERT_EQ(sent.size(), sizeof received);
  std::memcpy(received.data(), sent.data(), sizeof received);
  EXPECT_EQ(received, (std::array<int, 4>{0, 2, 4, 6}));
}

TEST(Layout, BeginsAgainFromAnywhere) {
  std::array<int, 8> numbers{0, 1, 2, 3, 4, 5, 6, 7};
  const Type type(made(MPI_Type_vector, 4, 1, 2, MPI_INT));
  Layout layout;
  const Body body = describe(layout, numbers.data(), 1, type);
  Bytes some(7);
  body.scattered->gather(some);
  layout.again();
  EXPECT_EQ(gather(layout.body(), whole), pack(numbers.data(), 1, type));
}

TEST(Layout, TheReceiversDatatypeMayHaveAnotherShape) {
  std::array<double, 12> matrix{};
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = static_cast<double>(i);
  const Type column(made(MPI_Type_vector, 3, 1, 4, MPI_DOUBLE));  // of 3 rows of 4
  const Type columns(made(MPI_Type_create_resized, column, 0, 8));
  const Type pairs(made(MPI_Type_vector, 2, 2, 3, MPI_DOUBLE));
  std::array<double, 16> received{};
  Layout from;
  Layout to;
  const Body out = describe(from, matrix.data(), 4, columns);
  const Body in = describe(to, received.data(), 3, pairs);
  ASSERT_EQ(out.bytes, in.bytes);
  std::size_t step = 0;
  for (std::size_t at = 0; at < out.bytes; at += step) {
    std::array<std::byte, 32> fragment{};
    step = std::min(1 + at % 29, out.bytes - at);
    out.scattered->gather({fragment.data(), step});
    in.scattered->scatter({fragment.data(), step});
  }
  EXPECT_EQ(received, (std::array<double, 16>{0, 4, 0, 8, 1, 5, 9, 0, 2, 6, 10, 3, 0, 7, 11, 0}));
}

TEST(Layout, ManyThreadsMayMeetADatatypeForTheFirstTime) {
  constexpr int threads = 8;
  std::array<int, 64> buffer{};
  for (int round = 0; round < 50; ++round) {
    const Type type(made(MPI_Type_vector, 4, 1, 2, MPI_INT));
    std::atomic<int> right{0};
    std::vector<std::thread> team;
    for (int i = 0; i < threads; ++i) {
      team.emplace_back([&] {
        Layout layout;
        const bool good = layout.describe(buffer.data(), 2, type) == MPI_SUCCESS;
        right += good && layout.body().bytes == 32 && layout.body().scattered != nullptr ? 1 : 0;
      });
    }
    for (std::thread& thread : team) thread.join();
    EXPECT_EQ(right, threads);
  }
}

}  // namespace
}  // namespace raddle::endpoints
