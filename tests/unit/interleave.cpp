// SPDX-License-Identifier: BSD-3-Clause
#include "interleave.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <semaphore>
#include <thread>
#include <utility>

namespace raddle::test::interleave::detail {
namespace {

constexpr std::size_t most_steps = 100'000;

/// The threads of an exploration, of which one runs at a time: who has the turn gives it away.
class Stage {
 public:
  Stage(const Options& options, const std::vector<std::function<void()>>& bodies)
      : options_(options), bodies_(bodies), actors_(bodies.size()) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      actors_[i] = std::make_unique<Actor>();
      actors_[i]->thread = std::thread([this, i] { live(i); });
    }
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() {
    over_ = true;
    for (const auto& actor : actors_) {
      actor->turn.release();
      actor->thread.join();
    }
  }

  /// One execution, as `choices` say.
  void run(Choices& choices, Memory& memory) {
    choices_ = &choices;
    memory_ = &memory;
    preemptions_ = options_.preemptions;
    steps_ = 0;
    for (const auto& actor : actors_) {
      actor->ended = false;
      actor->began = false;
    }
    pass_on(none);
    end_.acquire();
  }

  static std::optional<Turn> have_turn() {
    return stage_ == nullptr ? std::nullopt : std::optional(Turn{stage_->memory_, self_});
  }

  /// Before each access of an atomic: another thread may come first.
  static void step() {
    if (stage_ != nullptr) stage_->step(self_);
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  struct Actor {
    std::thread thread;
    std::binary_semaphore turn{0};
    bool ended = false;
    bool began = false;  ///< has done an access
  };

  void live(std::size_t me) {
    while (true) {
      actors_[me]->turn.acquire();
      if (over_) return;
      stage_ = this;
      self_ = me;
      bodies_[me]();
      stage_ = nullptr;
      actors_[me]->ended = true;
      pass_on(none);
    }
  }

  void step(std::size_t me) {
    if (++steps_ > most_steps) {
      std::fputs("a thread under test does not end\n", stderr);
      std::abort();  // it may not throw
    }
    // Who has just been chosen goes on: to choose again would be to choose twice.
    if (!std::exchange(actors_[me]->began, true) || preemptions_ == 0) return;
    if (pass_on(me)) actors_[me]->turn.acquire();
  }

  /// Chooses who goes on: `me`, or at the price of a preemption another; if `me` is none, anyone who has not ended.
  /// @returns whether it is another than `me`
  bool pass_on(std::size_t me) {
    std::vector<std::size_t> ready;
    if (me != none) ready.push_back(me);
    for (std::size_t i = 0; i < actors_.size(); ++i) {
      if (i != me && !actors_[i]->ended) ready.push_back(i);
    }
    if (ready.empty()) {
      end_.release();
      return false;
    }
    const std::size_t next = ready[choices_->choose(ready.size())];
    if (next == me) return false;
    if (me != none) --preemptions_;
    actors_[next]->turn.release();
    return true;
  }

  static thread_local Stage* stage_;
  static thread_local std::size_t self_;

  const Options& options_;
  const std::vector<std::function<void()>>& bodies_;
  std::vector<std::unique_ptr<Actor>> actors_;
  std::binary_semaphore end_{0};
  bool over_ = false;
  Choices* choices_ = nullptr;
  Memory* memory_ = nullptr;
  std::size_t preemptions_ = 0;
  std::size_t steps_ = 0;
};

thread_local Stage* Stage::stage_ = nullptr;
thread_local std::size_t Stage::self_ = 0;

}  // namespace

std::optional<Turn> have_turn() { return Stage::have_turn(); }

std::optional<Turn> await_turn() {
  Stage::step();
  return have_turn();
}

Result explore(const Options& options, const std::vector<std::function<void()>>& threads,
               const std::function<void()>& prepare, const std::function<std::string()>& check) {
  Result result;
  Choices choices;
  Stage stage(options, threads);
  do {
    if (result.executions == options.most) return result;
    ++result.executions;
    prepare();
    Memory memory(choices, threads.size(), options.stale);
    stage.run(choices, memory);
    result.failure = memory.race().empty() ? check() : memory.race();
    if (!result.failure.empty()) result.failure += "\n" + memory.story();
  } while (result.failure.empty() && choices.next());
  result.complete = true;
  return result;
}

}  // namespace raddle::test::interleave::detail
