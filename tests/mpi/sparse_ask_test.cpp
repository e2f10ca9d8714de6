// SPDX-License-Identifier: BSD-3-Clause
// Questions and answers: each is answered where it arrives, and answers come in the order of the questions.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <stdexcept>
#include <string>

#include "mpi/shape.hpp"
#include "mpi/sparse_ranks.hpp"

namespace raddle::testing {
namespace {

/// Who answers, and how often it was asked.
struct Answerer {
  explicit Answerer(const Place& at) : place(at) {}

  Place place;
  int asked = 0;
  int fails_at = -1;
  int throws_at = -1;
};

/// What a rank answers to the words of another: as many words as the first one says, none where it says so, and no
/// reply where it is negative or there is none.
std::vector<int> answer_of(int rank, int source, const std::vector<int>& question) {
  if (question.empty() || question[0] < 0) return {};
  std::vector<int> all;
  for (int i = 0; i < question[0]; ++i)
    all.push_back(word(rank, source, static_cast<std::size_t>(question.back() + i)));
  return all;
}

int answer(void* context, int source, const void* data, MPI_Count count, Raddle_Sparse_answer handle) {
  Answerer& answerer = *static_cast<Answerer*>(context);
  const int number = answerer.asked++;
  if (number == answerer.throws_at) throw std::runtime_error("question " + std::to_string(number));
  if (number == answerer.fails_at) return MPI_ERR_OTHER;
  const int* const words = static_cast<const int*>(data);
  const std::vector<int> question(words, words + count);
  if (question.empty() || question[0] < 0) return MPI_SUCCESS;
  std::vector<int> all = answer_of(answerer.place.rank, source, question);
  const int code = Raddle_Sparse_reply(handle, all.data(), static_cast<MPI_Count>(all.size()));
  all.assign(all.size(), -1);  // has been copied
  return code;
}

int ask(const Place& place, const Parcels& questions, Answerer& answerer, Received& in, MPI_Info info = MPI_INFO_NULL) {
  const Outgoing out(questions);
  return Raddle_Sparse_ask(out.data.data(), out.count(), out.dests.data(), out.offsets.data(), MPI_INT, MPI_INT, answer,
                           &answerer, info, place.comm, &in.messages);
}

Parcels answers_to(int rank, const Parcels& questions) {
  Parcels all;
  for (const Parcel& question : questions)
    all.push_back({question.peer, question.peer == MPI_PROC_NULL ? std::vector<int>{}
                                                                 : answer_of(question.peer, rank, question.words)});
  return all;
}

/// Questions that differ in their length, in who is asked, and in how long their answers are.
Parcels some_questions(const Place& place, int round) {
  traffic::Random random(traffic::mix({static_cast<std::uint64_t>(place.rank), static_cast<std::uint64_t>(round), 41}));
  Parcels all;
  for (std::size_t i = random.below(8); i > 0; --i) {
    const int dest =
        random.chance(8) ? MPI_PROC_NULL : static_cast<int>(random.below(static_cast<std::size_t>(place.size)));
    std::vector<int> question(random.chance(10) ? 0 : 1 + random.below(random.chance(5) ? 40'000 : 20));
    if (!question.empty()) {
      const auto length = static_cast<int>(random.chance(5) ? 30'000 : random.below(12));
      question[0] = random.chance(15) ? -1 : length;
      if (question.size() > 1) question.back() = static_cast<int>(random.below(1000));
    }
    all.push_back({dest, question});
  }
  return all;
}

class SparseAsk : public Sparse {};

TEST_P(SparseAsk, AnswersComeInTheOrderOfTheQuestions) {
  on_each_rank([](const Place& place) {
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      for (int round = 0; round < 25; ++round) {
        SCOPED_TRACE(round);
        Answerer answerer(place);
        Received in;
        const Parcels questions = some_questions(place, round);
        ASSERT_EQ(ask(place, questions, answerer, in, Hints{{"raddle_sparse_algorithm", algorithm}}), MPI_SUCCESS);
        ASSERT_EQ(in.parcels(), answers_to(place.rank, questions));
      }
    }
  });
}

TEST_P(SparseAsk, RanksMayAskThemselvesAndOthersTwice) {
  on_each_rank([](const Place& place) {
    const Parcels questions{{place.rank, {3, 0}}, {place.right, {1, 7}}, {place.right, {1, 7}},
                            {place.rank, {0, 0}}, {place.right, {4, 2}}, {place.left, {2, 9}}};
    Answerer answerer(place);
    Received in;
    ASSERT_EQ(ask(place, questions, answerer, in), MPI_SUCCESS);
    EXPECT_EQ(in.parcels(), answers_to(place.rank, questions));
    EXPECT_EQ(answerer.asked, 6);
  });
}

TEST_P(SparseAsk, AnswersMayHaveNoElementsAndRepliesMayBeMissing) {
  on_each_rank([](const Place& place) {
    for (const Parcels& questions :
         {Parcels{{place.right, {0}}, {place.right, {-1}}, {place.left, {}}}, Parcels{{place.right, {-1}}}, Parcels{},
          Parcels{{MPI_PROC_NULL, {4}}, {place.right, {2}}, {MPI_PROC_NULL, {}}}}) {
      Answerer answerer(place);
      Received in;
      ASSERT_EQ(ask(place, questions, answerer, in), MPI_SUCCESS);
      EXPECT_EQ(in.parcels(), answers_to(place.rank, questions));
    }
  });
}

TEST_P(SparseAsk, OneMayBeAskedByAll) {
  on_each_rank([](const Place& place) {
    for (int asked = 0; asked < place.size; ++asked) {
      const Parcels questions{{asked, {5, place.rank}}, {asked, {50'000, 1}}};
      Answerer answerer(place);
      Received in;
      ASSERT_EQ(ask(place, questions, answerer, in), MPI_SUCCESS);
      EXPECT_EQ(in.parcels(), answers_to(place.rank, questions));
      EXPECT_EQ(answerer.asked, asked == place.rank ? 2 * place.size : 0);
    }
  });
}

/// The rank whose function fails is told; nobody waits for an answer that does not come.
TEST_P(SparseAsk, ErrorOfOneAnswererIsItsOwn) {
  on_each_rank([](const Place& place) {
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      const Hints hints{{"raddle_sparse_algorithm", algorithm}};
      for (int round = 0; round < 4; ++round) {
        const Parcels questions{{place.right, {3, round}}, {place.right, {2, 8}}, {place.rank, {1, 1}}};
        Answerer answerer(place);
        const bool mine = place.rank == round % place.size;
        (round % 2 == 0 ? answerer.fails_at : answerer.throws_at) = mine ? 1 : -1;
        Received in;
        std::string thrown;
        int code = MPI_SUCCESS;
        try {
          code = ask(place, questions, answerer, in, hints);
        } catch (const std::runtime_error& error) {
          thrown = error.what();
        }
        EXPECT_EQ(code, mine && round % 2 == 0 ? MPI_ERR_OTHER : MPI_SUCCESS);
        EXPECT_EQ(thrown, mine && round % 2 == 1 ? "question 1" : "");
        EXPECT_EQ(answerer.asked, mine ? 2 : 3);
        // Those that were asked of others are answered, as far as these do not fail.
        if (!mine && place.right != round % place.size) {
          EXPECT_EQ(in.parcels(), answers_to(place.rank, questions));
        }
        in.free();
        Answerer again(place);
        EXPECT_EQ(ask(place, questions, again, in, hints), MPI_SUCCESS);
        EXPECT_EQ(in.parcels(), answers_to(place.rank, questions));
        expect_exchange(place, some(place.size, round), hints);
      }
    }
  });
}

TEST_P(SparseAsk, BadRepliesAreRefused) {
  on_each_rank([](const Place& place) {
    const Outgoing out(Parcels{{place.right, {1}}});
    Received in;
    std::array<int, 3> codes{};
    const auto reply = [](void* context, int, const void*, MPI_Count, Raddle_Sparse_answer handle) -> int {
      auto& told = *static_cast<std::array<int, 3>*>(context);
      const int seven = 7;
      told[0] = class_of(Raddle_Sparse_reply(handle, &seven, -1));
      told[1] = Raddle_Sparse_reply(handle, &seven, 1);
      return MPI_SUCCESS;
    };
    EXPECT_EQ(Raddle_Sparse_ask(out.data.data(), 1, out.dests.data(), out.offsets.data(), MPI_INT, MPI_INT, reply,
                                &codes, MPI_INFO_NULL, place.comm, &in.messages),
              MPI_SUCCESS);
    EXPECT_EQ(codes[0], MPI_ERR_COUNT);
    EXPECT_EQ(codes[1], MPI_SUCCESS);
    EXPECT_EQ(in.parcels(), (Parcels{{place.right, {7}}}));
  });
}

/// Of other types than the questions, with gaps.
TEST_P(SparseAsk, AnswersHaveDatatypesOfTheirOwn) {
  on_each_rank([](const Place& place) {
    const Shape shape = Shape::structure();
    struct Context {
      const Shape& shape;
      int rank;
    } context{shape, place.rank};
    const std::array<char, 4> question{'a', 'b', 'c', 'd'};
    const std::vector<int> dests{place.right, place.rank};
    const std::vector<MPI_Count> offsets{0, 3, 4};
    const auto reply = [](void* given, int, const void* data, MPI_Count count, Raddle_Sparse_answer handle) {
      const Context& mine = *static_cast<const Context*>(given);
      Field out(mine.shape, static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < out.words(); ++i) out[i] = word(mine.rank, *static_cast<const char*>(data), i);
      return Raddle_Sparse_reply(handle, out.data(), count);
    };
    Received in;
    ASSERT_EQ(Raddle_Sparse_ask(question.data(), 2, dests.data(), offsets.data(), MPI_CHAR, shape.type(), reply,
                                &context, MPI_INFO_NULL, place.comm, &in.messages),
              MPI_SUCCESS);
    ASSERT_EQ(in.messages.count, 2);
    EXPECT_EQ(in.messages.ranks[0], place.right);
    EXPECT_EQ(in.messages.ranks[1], place.rank);
    EXPECT_EQ(in.messages.offsets[1], 3);
    EXPECT_EQ(in.messages.offsets[2], 4);
    const int* const data = static_cast<const int*>(in.messages.data);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(data[shape.place(i)], word(place.right, 'a', i));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(data[shape.place(12 + i)], word(place.rank, 'd', i));
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, SparseAsk, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, SparseAsk, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
