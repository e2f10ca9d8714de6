// SPDX-License-Identifier: BSD-3-Clause
// Calls of some of the processes take a lock in each of them: random schedules, with messages in flight that only keep
// their order between two processes.
#include "endpoints/communicators/two_phase_commit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using raddle::endpoints::TwoPhaseCommit;
using News = TwoPhaseCommit::News;
using Answer = TwoPhaseCommit::Answer;
using Random = std::mt19937;

/// One call: the processes that make it, and what each knows of it.
struct Call {
  explicit Call(std::vector<std::size_t> of) : processes(std::move(of)) {
    for (std::size_t at = 0; at < processes.size(); ++at) each.emplace_back(at, processes.size());
    over.resize(processes.size());
    come.resize(processes.size());
  }
  std::vector<std::size_t> processes;
  std::vector<TwoPhaseCommit> each;
  std::vector<bool> come;
  std::vector<bool> over;  ///< the lock has been given back
};

/// The locks of all processes, and the messages between them.
class World {
 public:
  World(std::size_t processes, std::vector<Call> calls, unsigned seed)
      : random_(seed), calls_(std::move(calls)), holders_(processes) {}

  /// One thing that can happen, at random. @returns whether there was one
  bool step() {
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    for (std::size_t call = 0; call < calls_.size(); ++call) {
      for (std::size_t at = 0; at < calls_[call].each.size(); ++at) parts.emplace_back(call, at);
    }
    std::ranges::shuffle(parts, random_);
    const bool deliver = random_() % 2 == 0;
    if (deliver && deliver_one()) return true;
    for (const auto& [call, at] : parts) {
      if (act(call, at)) return true;
    }
    return deliver_one();
  }

  [[nodiscard]] std::size_t messages() const { return messages_; }
  [[nodiscard]] int aborts() const {
    int all = 0;
    for (const Call& call : calls_) all += call.each.front().aborts();
    return all;
  }
  [[nodiscard]] bool over() const {
    return std::ranges::all_of(
        calls_, [](const Call& call) { return std::ranges::all_of(call.over, [](bool each) { return each; }); });
  }
  [[nodiscard]] bool none_holds() const {
    return std::ranges::all_of(holders_, [](const auto& each) { return !each.has_value(); });
  }

 private:
  struct Channel {
    std::size_t call, from, to;
    auto operator<=>(const Channel&) const = default;
  };

  /// @returns whether this part of a call could do something
  bool act(std::size_t number, std::size_t at) {
    Call& call = calls_[number];
    if (!call.come[at]) {
      call.come[at] = true;
      happens(number, at, [](TwoPhaseCommit& part) { part.come(); });
      return true;
    }
    if (call.each[at].wants_lock()) {
      const Answer answer = ask(number, call.processes[at]);
      const bool moves = answer == Answer::taken || (answer == Answer::refused && at != 0);
      happens(number, at, [&](TwoPhaseCommit& part) { part.answer(answer); });
      return moves;
    }
    // The call itself is made when all have committed: none can be over before.
    const bool all = std::ranges::all_of(call.each, [](const TwoPhaseCommit& part) { return part.committed(); });
    if (!all || call.over[at]) return false;
    call.over[at] = true;
    if (call.processes.size() > 1) give_back(number, call.processes[at]);
    return true;
  }

  bool deliver_one() {
    if (channels_.empty()) return false;
    auto chosen = channels_.begin();
    std::advance(chosen, static_cast<long>(random_() % channels_.size()));
    const Channel channel = chosen->first;
    const News news = chosen->second.front();
    chosen->second.pop_front();
    if (chosen->second.empty()) channels_.erase(chosen);
    happens(channel.call, channel.to, [&](TwoPhaseCommit& part) { part.receive(news); });
    return true;
  }

  template <typename Event>
  void happens(std::size_t number, std::size_t at, Event&& event) {
    TwoPhaseCommit& part = calls_[number].each[at];
    const bool had = part.has_lock();
    event(part);
    if (had && !part.has_lock()) give_back(number, calls_[number].processes[at]);
    for (const TwoPhaseCommit::Message& message : part.take_messages()) {
      channels_[{number, at, message.to}].push_back(message.news);
      ++messages_;
    }
  }

  Answer ask(std::size_t number, std::size_t process) {
    std::optional<std::size_t>& holder = holders_[process];
    if (!holder) {
      holder = number;
      return Answer::taken;
    }
    const Call& other = calls_[*holder];
    const auto at = std::ranges::find(other.processes, process) - other.processes.begin();
    return other.each[static_cast<std::size_t>(at)].committed() ? Answer::later : Answer::refused;
  }
  void give_back(std::size_t number, std::size_t process) {
    ASSERT_EQ(holders_[process], number);
    holders_[process].reset();
  }

  Random random_;
  std::vector<Call> calls_;
  std::vector<std::optional<std::size_t>> holders_;  ///< by process: which call
  std::map<Channel, std::deque<News>> channels_;
  std::size_t messages_ = 0;
};

std::vector<std::size_t> some(std::size_t processes, Random& random) {
  std::vector<std::size_t> all(processes);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::ranges::shuffle(all, random);
  all.resize(1 + random() % processes);
  std::ranges::sort(all);
  return all;
}

TEST(TwoPhaseCommit, OneProcessAgreesWithItself) {
  TwoPhaseCommit alone(0, 1);
  EXPECT_FALSE(alone.committed());
  alone.come();
  EXPECT_TRUE(alone.committed());
  EXPECT_FALSE(alone.has_lock());
  EXPECT_TRUE(alone.take_messages().empty());
}

TEST(TwoPhaseCommit, RandomCallsOfRandomProcessesAllComeToTheirEnd) {
  int aborts = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const std::size_t processes = 1 + random() % 9;
    std::vector<Call> calls;
    for (std::size_t call = 0, count = 1 + random() % 5; call < count; ++call)
      calls.emplace_back(some(processes, random));
    World world(processes, std::move(calls), seed);
    long steps = 0;
    while (!world.over() && ++steps < 200'000) ASSERT_TRUE(world.step()) << "nothing can happen any more";
    ASSERT_TRUE(world.over()) << "after " << steps << " steps";
    EXPECT_TRUE(world.none_holds());
    aborts += world.aborts();
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(aborts, 0) << "no two calls have met";
}

TEST(TwoPhaseCommit, CallsOfTheSameProcessesNeverAbort) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::vector<Call> calls(4, Call({0, 1, 2, 3, 4, 5, 6}));
    World world(7, std::move(calls), seed);
    while (!world.over()) ASSERT_TRUE(world.step());
    EXPECT_EQ(world.aborts(), 0) << "seed " << seed;
  }
}

TEST(TwoPhaseCommit, MessagesGrowWithProcessesAndTheWayOfEachWithTheirLogarithm) {
  for (const std::size_t processes : {2U, 16U, 64U, 1024U, 100'000U}) {
    std::vector<TwoPhaseCommit> each;
    for (std::size_t at = 0; at < processes; ++at) each.emplace_back(at, processes);
    // All that can be done at once is one round.
    std::vector<TwoPhaseCommit::Message> now;
    std::size_t messages = 0;
    int rounds = 0;
    const auto collect = [&](std::size_t at, std::vector<TwoPhaseCommit::Message>& into) {
      if (each[at].wants_lock()) each[at].answer(Answer::taken);
      const auto out = each[at].take_messages();
      into.insert(into.end(), out.begin(), out.end());
    };
    for (std::size_t at = 0; at < processes; ++at) {
      each[at].come();
      collect(at, now);
    }
    while (!now.empty()) {
      ++rounds;
      messages += now.size();
      std::vector<TwoPhaseCommit::Message> later;
      for (const TwoPhaseCommit::Message& message : now) {
        each[message.to].receive(message.news);
        collect(message.to, later);
      }
      now = std::move(later);
    }
    EXPECT_TRUE(std::ranges::all_of(each, [](const TwoPhaseCommit& part) { return part.committed(); }));
    EXPECT_EQ(messages, 4 * (processes - 1));
    int depth = 0;
    for (std::size_t at = processes - 1; at > 0; at = (at - 1) / 4) ++depth;
    EXPECT_EQ(rounds, 4 * depth) << processes << " processes";
  }
}

}  // namespace
