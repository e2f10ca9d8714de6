// SPDX-License-Identifier: BSD-3-Clause
#include "rank.hpp"

#include <algorithm>
#include <thread>

#include "../traffic/failure.hpp"
#include "core/text.hpp"
#include "core/whereabouts.hpp"

namespace raddle::sparse_random {

using bench::here;
using bench::text;
using traffic::mix;

Rank::Rank(const testing::Place& place, int thread, const traffic::Options& options, traffic::Meeting& meeting)
    : EpisodeRank(place, thread, options, meeting, 53) {}

void Rank::run() {
  const testing::Ranks ranks = options_.endpoints ? testing::Ranks::endpoints : testing::Ranks::processes;
  do_episodes([&] { episode(make_episode(options_.seed, ranks, place_.size, number_)); });
}

/// The second communicator is another one in each.
void Rank::episode(const std::vector<Round>& rounds) {
  check(MPI_Comm_dup(place_.comm, &second_), "MPI_Comm_dup");
  for (round_ = 0; round_ < static_cast<int>(rounds.size()); ++round_) {
    go(rounds[static_cast<std::size_t>(round_)]);
    if (random_.chance(40)) complete(false);
    while (flights_.size() > 6) complete(false);
  }
  // What is under way may outlive its communicator.
  const bool early = random_.chance(50);
  if (early) check(MPI_Comm_free(&second_), "MPI_Comm_free");
  complete(true);
  end_talking();
  if (!early) check(MPI_Comm_free(&second_), "MPI_Comm_free");
}

void Rank::go(const Round& round) {
  if (round.talks) begin_to_talk();
  auto call = std::make_unique<Call>(round, round.on_second ? second_ : place_.comm, random_.chance(50));
  here().enter("a sparse exchange");
  check(call->begin(), "the call", call.get());
  switch (round.form) {
    case Form::nonblocking:
      flights_.push_back(std::move(call));
      return;
    case Form::persistent:
      return repeat(*call);
    default:
      judge(*call);
  }
}

void Rank::repeat(Call& call) {
  for (int start = 0; start < call.round().starts; ++start) {
    check(call.start(), "MPI_Start", &call);
    if (random_.chance(20)) complete(false);
    here().enter("the completion of a plan's round");
    for (int flag = 0; flag == 0;) {
      if (random_.chance(50)) {
        check(MPI_Wait(&call.request, MPI_STATUS_IGNORE), "MPI_Wait", &call);
        flag = 1;
      } else {
        check(MPI_Test(&call.request, &flag, MPI_STATUS_IGNORE), "MPI_Test", &call);
      }
    }
    judge(call);
  }
}

void Rank::complete(bool all) {
  for (bool once = true; !flights_.empty() && (all || once); once = false) {
    random_.shuffle(flights_);
    complete_some();
    std::erase_if(flights_, [this](const std::unique_ptr<Call>& call) {
      if (call->request != MPI_REQUEST_NULL) return false;
      judge(*call);
      return true;
    });
  }
}

void Rank::complete_some() {
  std::vector<MPI_Request> requests{MPI_REQUEST_NULL};
  for (const auto& call : flights_) requests.push_back(call->request);
  const int count = static_cast<int>(requests.size());
  std::vector<int> indices(requests.size());
  int number = 0;
  switch (random_.below(7)) {
    case 0:
      here().enter("MPI_Wait");
      check(MPI_Wait(&requests[1], MPI_STATUS_IGNORE), "MPI_Wait", flights_.front().get());
      break;
    case 1:
      here().enter("MPI_Waitall");
      check(MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
      break;
    case 2:
      here().enter("MPI_Waitany");
      check(MPI_Waitany(count, requests.data(), indices.data(), MPI_STATUS_IGNORE), "MPI_Waitany");
      break;
    case 3:
      here().enter("MPI_Waitsome");
      check(MPI_Waitsome(count, requests.data(), &number, indices.data(), MPI_STATUSES_IGNORE), "MPI_Waitsome");
      break;
    case 4:
      here().enter("MPI_Testall");
      check(MPI_Testall(count, requests.data(), &number, MPI_STATUSES_IGNORE), "MPI_Testall");
      break;
    case 5:
      here().enter("MPI_Testany");
      check(MPI_Testany(count, requests.data(), indices.data(), &number, MPI_STATUS_IGNORE), "MPI_Testany");
      break;
    default:
      here().enter("MPI_Testsome");
      check(MPI_Testsome(count, requests.data(), &number, indices.data(), MPI_STATUSES_IGNORE), "MPI_Testsome");
  }
  for (std::size_t i = 0; i < flights_.size(); ++i) flights_[i]->request = requests[i + 1];
  std::this_thread::yield();
}

void Rank::judge(Call& call) {
  bench::Board::instance().moved();
  ++judged_;
  const std::string wrong = call.judge();
  if (!wrong.empty()) fail(wrong, &call);
}

/// A message to the right, received with wildcards, must not meet those of exchanges.
void Rank::begin_to_talk() {
  end_talking();
  talk_round_ = round_;
  words_ = {mix({options_.seed, static_cast<std::uint64_t>(number_), static_cast<std::uint64_t>(round_),
                 static_cast<std::uint64_t>(place_.rank)}),
            0};
  check(MPI_Irecv(&words_[1], 1, MPI_UINT64_T, MPI_ANY_SOURCE, MPI_ANY_TAG, place_.comm, &ordinary_[1]), "MPI_Irecv");
  check(MPI_Isend(words_.data(), 1, MPI_UINT64_T, place_.right, round_ % 3, place_.comm, ordinary_.data()),
        "MPI_Isend");
}

void Rank::end_talking() {
  if (ordinary_[0] == MPI_REQUEST_NULL) return;
  std::array<MPI_Status, 2> statuses{};
  here().enter("MPI_Waitall for ordinary messages");
  check(MPI_Waitall(2, ordinary_.data(), statuses.data()), "MPI_Waitall");
  const std::uint64_t expected =
      mix({options_.seed, static_cast<std::uint64_t>(number_), static_cast<std::uint64_t>(talk_round_),
           static_cast<std::uint64_t>(place_.left)});
  if (words_[1] != expected || statuses[1].MPI_SOURCE != place_.left || statuses[1].MPI_TAG != talk_round_ % 3)
    fail(text("an ordinary message from ", statuses[1].MPI_SOURCE, " with tag ", statuses[1].MPI_TAG,
              " came where one from ", place_.left, " with tag ", talk_round_ % 3, " was to come"));
}

void Rank::check(int code, const char* function, const Call* call) const {
  if (code != MPI_SUCCESS) fail(text(function, " failed: ", testing::text_of(code)), call);
}

void Rank::fail(const std::string& what, const Call* call) const {
  traffic::abandon(text("seed ", options_.seed, ", episode ", number_, ", round ", round_, ", rank ", place_.rank,
                        " of ", place_.size, ": ", call == nullptr ? "" : call->description() + ": ", what));
}

}  // namespace raddle::sparse_random
