// SPDX-License-Identifier: BSD-3-Clause
// raddle.hpp as programs use it.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "raddle/raddle.hpp"

namespace {

struct Particle {
  double x;
  int id;
  bool operator==(const Particle&) const = default;
};

static_assert(std::ranges::random_access_range<raddle::Messages<double>>);
static_assert(!raddle::Parcels<std::map<int, std::vector<std::string>>>);

class SparseCpp : public testing::Test {
 protected:
  void SetUp() override {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
  }
  void TearDown() override { MPI_Comm_free(&comm); }

  [[nodiscard]] int next() const { return (rank + 1) % size; }
  [[nodiscard]] int before() const { return (rank - 1 + size) % size; }

  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int size = 0;
};

TEST_F(SparseCpp, AMapOfVectorsIsSentAndIteratedOver) {
  std::map<int, std::vector<double>> out;
  for (int to = 0; to < size; ++to) out[to] = std::vector<double>(static_cast<std::size_t>(rank), rank + 0.5 * to);
  const auto in = raddle::sparse_exchange(comm, out);
  std::map<int, std::vector<double>> seen;
  for (const auto& [source, values] : in) seen[source].assign(values.begin(), values.end());
  ASSERT_EQ(in.size(), static_cast<std::size_t>(size));
  for (int from = 0; from < size; ++from)
    EXPECT_EQ(seen[from], std::vector<double>(static_cast<std::size_t>(from), from + 0.5 * rank)) << from;
}

TEST_F(SparseCpp, SpansAreSentFromWhereTheyAre) {
  const std::array<int, 2> dests{next(), next()};
  const std::array<MPI_Count, 3> offsets{1, 1, 3};  // the first one has no elements
  const std::vector<short> values{7, static_cast<short>(rank), 9};
  const auto in = raddle::sparse_exchange<short>(comm, dests, offsets, values);
  ASSERT_EQ(in.size(), 2U);
  EXPECT_EQ(in[0].source, before());
  EXPECT_TRUE(in[0].values.empty());
  EXPECT_TRUE(std::ranges::equal(in[1].values, std::array<short, 2>{static_cast<short>(before()), 9}));
  EXPECT_EQ(in.values().size(), 2U);
}

TEST_F(SparseCpp, StructsArriveWhole) {
  const std::vector<std::pair<int, std::vector<Particle>>> out{{next(), {{1.5, rank}, {2.5, -rank}}}};
  const auto in = raddle::sparse_exchange(comm, out);
  ASSERT_EQ(in.size(), 1U);
  EXPECT_TRUE(std::ranges::equal(in[0].values, std::array{Particle{1.5, before()}, Particle{2.5, -before()}}));
}

TEST_F(SparseCpp, NothingIsExchangedWhereNobodySends) {
  EXPECT_TRUE(raddle::sparse_exchange(comm, std::map<int, std::vector<int>>{}).empty());
}

TEST_F(SparseCpp, ALambdaTakesEachMessage) {
  const std::map<int, std::vector<int>> out{{next(), {rank, 5}}};
  int sum = 0;
  raddle::sparse_exchange_each(comm, out, [&](int source, std::span<const int> values) {
    EXPECT_EQ(source, before());
    for (const int value : values) sum += value;
  });
  EXPECT_EQ(sum, before() + 5);
}

TEST_F(SparseCpp, AnExceptionPassesAndTheNextExchangeIsAsEver) {
  const std::map<int, std::vector<int>> out{{next(), {rank}}, {rank, {rank}}};
  int calls = 0;
  const auto take = [&](int, std::span<const int>) {
    ++calls;
    throw std::runtime_error("enough");
  };
  EXPECT_THROW(raddle::sparse_exchange_each(comm, out, take), std::runtime_error);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(raddle::sparse_exchange(comm, out).size(), out.size());
}

TEST_F(SparseCpp, QuestionsAreAnsweredInTheirOrder) {
  const std::vector<std::pair<int, std::vector<int>>> questions{{next(), {1, 2}}, {rank, {}}, {next(), {3}}};
  const auto answers = raddle::sparse_ask(comm, questions, [&](int source, std::span<const int> asked) {
    std::vector<double> answer{100.0 * rank + source};
    for (const int one : asked) answer.push_back(one * 0.5);
    return answer;
  });
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_TRUE(std::ranges::equal(answers[0].values, std::vector{100.0 * next() + rank, 0.5, 1.0}));
  EXPECT_TRUE(std::ranges::equal(answers[1].values, std::vector{101.0 * rank}));
  EXPECT_TRUE(std::ranges::equal(answers[2].values, std::vector{100.0 * next() + rank, 1.5}));
}

TEST_F(SparseCpp, OneUnderWayMovesAndIsCompleted) {
  const std::map<int, std::vector<int>> out{{next(), {rank, rank}}};
  raddle::SparseExchange first(comm, out);
  raddle::SparseExchange second(std::move(first));
  while (!second.test()) {
  }
  const auto in = second.wait();
  ASSERT_EQ(in.size(), 1U);
  EXPECT_TRUE(std::ranges::equal(in[0].values, std::array{before(), before()}));
}

TEST_F(SparseCpp, OneThatIsForgottenIsWaitedFor) {
  const std::map<int, std::vector<int>> out{{next(), {rank}}};
  {
    const raddle::SparseExchange forgotten(comm, out);
  }
  EXPECT_EQ(raddle::sparse_exchange(comm, out).size(), 1U);
}

TEST_F(SparseCpp, APlanSendsWhatIsThereInEachRound) {
  const std::array<int, 2> dests{next(), rank};
  const std::array<MPI_Count, 3> offsets{0, 1, 3};
  std::vector<long> values(3);
  raddle::SparsePlan<long> plan(comm, dests, offsets, values);
  for (long round = 0; round < 5; ++round) {
    for (long& value : values) value = 10 * round + rank;
    plan.start();
    const auto& in = plan.wait();
    ASSERT_EQ(in.size(), 2U);
    for (const auto& [source, got] : in) {
      for (const long value : got) EXPECT_EQ(value, 10 * round + source);
    }
  }
}

TEST_F(SparseCpp, WhatIsWrongIsThrownWithItsCode) {
  const std::map<int, std::vector<int>> out{{size, {1}}};
  try {
    (void)raddle::sparse_exchange(comm, out);
    FAIL() << "no such rank";
  } catch (const raddle::Error& error) {
    EXPECT_EQ(error.error_class(), MPI_ERR_RANK);
    EXPECT_FALSE(std::string(error.what()).empty());
  }
}

TEST_F(SparseCpp, OffsetsPastTheEndAreNotSent) {
  const std::array<int, 1> dests{rank};
  const std::array<MPI_Count, 2> offsets{0, 3};
  const std::vector<int> values(2);
  EXPECT_THROW((void)raddle::sparse_exchange<int>(comm, dests, offsets, values), std::invalid_argument);
}

}  // namespace
