// SPDX-License-Identifier: BSD-3-Clause
// The automatic choice: what ranks agree about, whatever each of them measures.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/sparse_algorithm.hpp"
#include "sparse/tuner.hpp"

namespace raddle::sparse {
namespace {

using enum SparseAlgorithm;

/// How long an exchange takes by an algorithm on a rank.
using Cost = std::function<double(SparseAlgorithm, int rank)>;

/// Ranks that exchange together.
class Job {
 public:
  Job(int ranks, const std::vector<SparseAlgorithm>& candidates) {
    for (int rank = 0; rank < ranks; ++rank) tuners_.emplace_back(candidates);
  }

  /// @returns the algorithm, which is the same for all
  SparseAlgorithm exchange(const Cost& cost) {
    if (tuners_.front().must_agree()) agree();
    const SparseAlgorithm algorithm = tuners_.front().choose();
    for (std::size_t rank = 0; rank < tuners_.size(); ++rank) {
      EXPECT_EQ(tuners_[rank].choose(), algorithm) << "rank " << rank;
      tuners_[rank].took(cost(algorithm, static_cast<int>(rank)));
    }
    for (const Tuner& tuner : tuners_) EXPECT_EQ(tuner.must_agree(), tuners_.front().must_agree());
    return algorithm;
  }
  [[nodiscard]] SparseAlgorithm settled() const { return tuners_.front().settled(); }

 private:
  void agree() {
    std::vector<double> sums(tuners_.front().times().size());
    for (Tuner& tuner : tuners_) {
      ASSERT_EQ(tuner.times().size(), sums.size());
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += tuner.times()[i];
    }
    for (Tuner& tuner : tuners_) {
      std::ranges::copy(sums, tuner.times().begin());
      tuner.agree();
    }
  }

  std::vector<Tuner> tuners_;
};

/// How often each was chosen in so many exchanges.
std::map<SparseAlgorithm, int> chosen(Job& job, int exchanges, const Cost& cost) {
  std::map<SparseAlgorithm, int> counts;
  for (int i = 0; i < exchanges; ++i) ++counts[job.exchange(cost)];
  return counts;
}

Cost costs(std::map<SparseAlgorithm, double> of) {
  return [of = std::move(of)](SparseAlgorithm algorithm, int) { return of.at(algorithm); };
}

TEST(SparseTuner, BeginsWithTheRule) {
  Job job(3, {pcx, nbx, nary});
  EXPECT_EQ(job.settled(), pcx);
  const auto counts = chosen(job, Tuner::first_rest, costs({{pcx, 9}, {nbx, 1}, {nary, 1}}));
  EXPECT_EQ(counts, (std::map<SparseAlgorithm, int>{{pcx, Tuner::first_rest}}));
}

TEST(SparseTuner, KeepsTheBest) {
  for (const SparseAlgorithm best : {pcx, nbx, nary}) {
    Job job(4, {pcx, nbx, nary});
    std::map<SparseAlgorithm, double> of{{pcx, 1.1}, {nbx, 1.2}, {nary, 1.15}};
    of[best] = 1;
    chosen(job, 100, costs(of));
    EXPECT_EQ(job.settled(), best);
    // From here on it rests most of the time.
    const int often = 5000;
    EXPECT_GT(chosen(job, often, costs(of))[best], often * 9 / 10);
    EXPECT_EQ(job.settled(), best);
  }
}

/// The sum over ranks counts: the rank that is quick with one and those that are slow agree.
TEST(SparseTuner, ChoosesForAllTogether) {
  Job job(4, {pcx, nbx});
  chosen(job, 60, [](SparseAlgorithm algorithm, int rank) {
    if (algorithm == pcx) return rank == 0 ? 0.1 : 2.0;
    return 1.0;
  });
  EXPECT_EQ(job.settled(), nbx);
}

/// One that is far from the best is looked at, and not more than that.
TEST(SparseTuner, DoesNotTryWhatIsHopeless) {
  Job job(2, {pcx, nbx, alltoallv});
  const auto counts = chosen(job, 10'000, costs({{pcx, 1}, {nbx, 1.5}, {alltoallv, 50}}));
  const int tries = counts.at(alltoallv);
  EXPECT_GT(tries, 0);
  EXPECT_EQ(tries % (Tuner::looks * Tuner::repeats), 0);
  EXPECT_LT(tries, counts.at(nbx));
  EXPECT_LT(counts.at(nbx), counts.at(pcx) / 10);
}

/// A single disturbance decides nothing.
TEST(SparseTuner, IsNotMisledByOneLongExchange) {
  Job job(2, {pcx, nbx});
  int trial = 0;
  chosen(job, 60, [&trial](SparseAlgorithm algorithm, int rank) {
    const double usual = algorithm == nbx ? 1.0 : 1.3;
    // The first of nbx's, and one of those that follow.
    if (algorithm == nbx && rank == 0) ++trial;
    return algorithm == nbx && (trial == 1 || trial == 4) ? 100.0 : usual;
  });
  EXPECT_EQ(job.settled(), nbx);
}

/// An exchange waits for those who are late from the one before: after a long one it takes longer.
TEST(SparseTuner, IsNotMisledByWhatCameBefore) {
  Job job(2, {pcx, nbx, nary});
  SparseAlgorithm before = pcx;
  const std::map<SparseAlgorithm, double> own{{pcx, 30}, {nbx, 10}, {nary, 12}};
  chosen(job, 200, [&](SparseAlgorithm algorithm, int rank) {
    const double late = before == algorithm ? 0 : own.at(before);
    if (rank == 1) before = algorithm;
    return own.at(algorithm) + late;
  });
  EXPECT_EQ(job.settled(), nbx);
}

/// However bad some candidates are.
TEST(SparseTuner, LosesLittleByTrials) {
  Job job(2, {pcx, nbx, alltoallv});
  const std::map<SparseAlgorithm, double> of{{pcx, 1}, {nbx, 1.5}, {alltoallv, 50}};
  double spent = 0;
  constexpr int exchanges = 40'000;
  for (const auto& [algorithm, times] : chosen(job, exchanges, costs(of))) spent += times * of.at(algorithm);
  EXPECT_LT(spent, exchanges * (1 + 1.5 * Tuner::share));
}

TEST(SparseTuner, FollowsAProgramThatChanges) {
  Job job(2, {pcx, nbx});
  chosen(job, 400, costs({{pcx, 1}, {nbx, 1.5}}));
  EXPECT_EQ(job.settled(), pcx);
  chosen(job, 2 * Tuner::longest_rest, costs({{pcx, 1.5}, {nbx, 1}}));
  EXPECT_EQ(job.settled(), nbx);
}

TEST(SparseTuner, TriesNothingWhereThereIsNoChoice) {
  Job job(1, {nbx});
  const auto counts = chosen(job, 1000, costs({{nbx, 1}}));
  EXPECT_EQ(counts, (std::map<SparseAlgorithm, int>{{nbx, 1000}}));
}

TEST(SparseAlgorithms, AreToldOneAfterTheOther) {
  std::string told = platform::sparse_algorithm_names.front();
  for (std::size_t i = 1; i + 1 < platform::sparse_algorithm_names.size(); ++i)
    told += std::string(", ") + platform::sparse_algorithm_names[i];
  EXPECT_EQ(platform::sparse_algorithms_valid, told + " or " + platform::sparse_algorithm_names.back());
}

TEST(SparseAlgorithms, HaveNamesThatAreFoundAgain) {
  for (std::size_t i = 0; i < platform::sparse_algorithm_names.size(); ++i)
    EXPECT_EQ(platform::sparse_algorithm_named(platform::sparse_algorithm_names[i]), static_cast<SparseAlgorithm>(i));
  EXPECT_EQ(platform::sparse_algorithm_named("auto"), automatic);
  EXPECT_EQ(platform::sparse_algorithm_named("nary"), nary);
  EXPECT_EQ(platform::sparse_algorithm_named("NBX"), std::nullopt);
  EXPECT_EQ(platform::sparse_algorithm_named(""), std::nullopt);
}

}  // namespace
}  // namespace raddle::sparse
