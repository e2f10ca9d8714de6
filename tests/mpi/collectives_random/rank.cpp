// SPDX-License-Identifier: BSD-3-Clause
#include "rank.hpp"

#include <cstdio>
#include <thread>
#include <utility>

#include "../traffic/failure.hpp"
#include "core/text.hpp"
#include "core/whereabouts.hpp"
#include "mpi/error_words.hpp"

namespace raddle::collectives {

using bench::text;
using traffic::mix;

namespace {

constexpr int rounds_between_meetings = 8;
constexpr std::uint64_t most_steps = 64;

std::uint64_t number(int n) { return static_cast<std::uint64_t>(n); }

}  // namespace

Rank::Rank(const Place& place, MPI_Comm base, const Options& options, Meeting& meeting, Entered& entered)
    : place_(place),
      options_(options),
      meeting_(meeting),
      entered_(entered),
      families_(base, place.size, place.rank),
      random_(mix({options.seed, number(place.rank), 77})) {}

void Rank::run() {
  const auto began = std::chrono::steady_clock::now();
  auto told = began;
  for (bool stop = false; !stop; ++round_) {
    if (place_.thread == 0) bench::Board::instance().stage(text("round ", round_));
    round();
    const auto now = std::chrono::steady_clock::now();
    if (place_.rank == 0 && now - told > std::chrono::seconds(5)) {
      std::fprintf(stderr, "collectives: round %d\n", round_);
      told = now;
    }
    if (round_ % rounds_between_meetings != rounds_between_meetings - 1 && round_ + 1 < options_.rounds) continue;
    const bool late = std::chrono::duration<double>(now - began).count() > options_.seconds;
    enter("the meeting after a round");
    stop = meeting_.meet(place_.thread, late || round_ + 1 >= options_.rounds, [] { std::this_thread::yield(); });
  }
  families_.free_all();
}

void Rank::round() {
  const std::uint64_t key = mix({options_.seed, number(round_)});
  traffic::Random random(key);
  if ((options_.derived || options_.topologies) && random.chance(20)) {
    enter("the change of a communicator");
    families_.change(random.next(), options_.topologies, options_.spare);
    bench::Board::instance().moved();
  }
  const Family& family = families_.all()[random.below(families_.all().size())];
  const auto me = static_cast<std::size_t>(place_.rank);
  const int cell = family.cell[me];
  if (cell == nobody) return;
  members_ = family.members(cell);
  on_ = family.how;
  const std::vector<const Family*> families = families_.alike(family);
  Choice choice{static_cast<int>(members_.size()), {}};
  for (const Family* one : families) {
    const auto graph = one->graphs.find(cell);
    choice.graphs.push_back(graph == one->graphs.end() ? nullptr : &graph->second);
  }
  run_batch(make_batch(mix({key, number(cell)}), choice, {options_.topologies, options_.spare}), families);
}

void Rank::run_batch(const Batch& batch, const std::vector<const Family*>& families) {
  operations_.clear();
  operations_.resize(batch.calls.size());
  polls_ = random_.chance(30);
  const auto me = static_cast<std::size_t>(place_.rank);
  std::uint64_t step = number(round_) * most_steps;
  for (const int which : batch.steps) {
    const Call& call = batch.calls[static_cast<std::size_t>(which)];
    std::unique_ptr<Operation>& operation = operations_[static_cast<std::size_t>(which)];
    if (!operation) {
      const Family& family = *families[static_cast<std::size_t>(call.which)];
      operation = std::make_unique<Operation>(call, family.rank[me], family.comm);
    }
    if (operation->active) finish(*operation);
    begin(*operation, ++step);
    if (random_.chance(50)) complete(active(), false);
  }
  while (!active().empty()) complete(active(), polls_ || random_.chance(50));
  for (const auto& operation : operations_) {
    if (operation->call().mode == Mode::persistent && MPI_Request_free(&operation->request) != MPI_SUCCESS)
      fail(operation.get(), "MPI_Request_free failed");
  }
}

void Rank::begin(Operation& operation, std::uint64_t step) {
  if (random_.chance(10)) dawdle();
  entered_.enter(place_.rank, step);
  operation.step = step;
  enter(operation.name());
  if (options_.trace) {
    const std::string line = text("round ", round_, ", rank ", place_.rank, ": ", operation.call().describe(), "\n");
    std::fputs(line.c_str(), stderr);
  }
  ++used_[operation.name()];
  operation.active = true;
  tell_pending();
  const int code = operation.begin();
  if (code != MPI_SUCCESS) fail(&operation, text(" failed: ", testing::text_of(code)));
  if (operation.call().mode == Mode::blocking) settle(operation);
}

void Rank::finish(Operation& operation) {
  while (operation.active) complete({&operation}, true);
}

void Rank::settle(Operation& operation) {
  operation.active = false;
  tell_pending();
  bench::Board::instance().moved();
  if (operation.call().kind == Kind::barrier) return check_barrier(operation);
  const std::string wrong = operation.verdict();
  if (!wrong.empty()) fail(&operation, wrong);
}

void Rank::check_barrier(const Operation& operation) {
  for (const int base : members_) {
    if (!entered_.is_in(base, operation.step))
      fail(&operation, text("it let this rank out before rank ", base, " had come"));
  }
}

void Rank::dawdle() { std::this_thread::sleep_for(std::chrono::microseconds(random_.below(2000))); }

void Rank::tell_pending() {
  std::string list =
      text("rank ", place_.rank, " of the first communicator, pending on ", members_.size(), " ranks by ", on_, ":");
  for (const Operation* operation : active()) list += "\n    " + operation->call().describe();
  const std::lock_guard lock(guard_);
  pending_ = std::move(list);
}

std::string Rank::pending() const {
  const std::lock_guard lock(guard_);
  return pending_;
}

void Rank::enter(const char* call) { bench::here().enter(call); }

void Rank::fail(const Operation* operation, const std::string& what) {
  traffic::abandon(text("seed ", options_.seed, ", round ", round_, ", rank ", place_.rank, " of ", place_.size,
                        " (process ", place_.process, ", thread ", place_.thread, "), on ", members_.size(),
                        " ranks by ", on_, ": ", operation ? operation->call().describe() + ": " : "", what));
}

}  // namespace raddle::collectives
