// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/attachment.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include "node/process_watch.hpp"
#include "platform/must.hpp"
#include "platform/settings.hpp"
#include "sparse/algorithm.hpp"

namespace raddle::sparse {
namespace {

using Held = std::shared_ptr<Attachment>;

struct All {
  std::mutex guard;
  std::atomic<int> key = MPI_KEYVAL_INVALID;
  /// As the attributes have them, or had.
  std::vector<Held*> held;
  /// Those of communicators that have been freed, but whose windows are there: MPI_Comm_free waits for nobody, and
  /// MPI_Win_free does. They go when all have freed them and meet for another window, or when the MPI ends.
  std::vector<Held*> retired;
  std::int64_t numbers = 0;  ///< the last one that this process has given as rank 0
};

All& all() {
  static auto& lasting = *new All;  // calls may come after the destructors of a program
  return lasting;
}

/// The communicator is being freed. What is still under way keeps its attachment.
int forget(MPI_Comm, int, void* value, void*) {
  auto* const held = static_cast<Held*>(value);
  {
    const std::lock_guard lock(all().guard);
    if (*held && (*held)->identity()) {
      platform::relied_on("MPI_Comm_free", [&] { all().retired.push_back(held); });
      return MPI_SUCCESS;
    }
    std::erase(all().held, held);
  }
  delete held;
  return MPI_SUCCESS;
}

/// Takes from the retired ones the oldest that was on the same ranks and that nothing needs any more; nullptr: none.
/// Another thread, whose communicator has the same ranks, does not find it meanwhile.
Held* claim_retired(MPI_Comm comm) {
  const std::lock_guard lock(all().guard);
  Held* oldest = nullptr;
  for (Held* const held : all().retired) {
    int likeness = MPI_UNEQUAL;
    check(MPI_Comm_compare((*held)->comm(), comm, &likeness));
    if (likeness != MPI_CONGRUENT || held->use_count() != 1) continue;
    if (oldest == nullptr || (*held)->identity() < (*oldest)->identity()) oldest = held;
  }
  if (oldest != nullptr) std::erase(all().retired, oldest);
  return oldest;
}

/// The next identity, whose values only rank 0 knows: a minimum over all ranks is that.
Identity propose(int rank) {
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  if (rank != 0) return {.process = greatest, .number = greatest};
  const std::lock_guard lock(all().guard);
  return {.process = static_cast<std::int64_t>(node::own_number()), .number = ++all().numbers};
}

/// Collective over `comm`: ends a retired one, if all have claimed the same. Its rank 0 was the same process, so its
/// number suffices. @returns what the next one is
Identity make_way(MPI_Comm comm, int rank) {
  Held* const claimed = claim_retired(comm);
  const std::int64_t number = claimed == nullptr ? 0 : (*claimed)->identity()->number;
  const Identity proposed = propose(rank);
  std::array<std::int64_t, 4> least{number, -number, proposed.process, proposed.number};
  check(MPI_Allreduce(MPI_IN_PLACE, least.data(), static_cast<int>(least.size()), MPI_INT64_T, MPI_MIN, comm));
  const bool same = least[0] == number && -least[1] == number;
  std::unique_ptr<Held> ended;  // after the guard has been given back: its end is collective
  if (claimed != nullptr) {
    const std::lock_guard lock(all().guard);
    if (same) {
      std::erase(all().held, claimed);
      ended.reset(claimed);
    } else {
      all().retired.push_back(claimed);
    }
  }
  return {.process = least[2], .number = least[3]};
}

int key() {
  if (const int known = all().key.load(std::memory_order_acquire); known != MPI_KEYVAL_INVALID) return known;
  const std::lock_guard lock(all().guard);
  int made = all().key.load(std::memory_order_relaxed);
  if (made != MPI_KEYVAL_INVALID) return made;
  check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &made, nullptr));
  all().key.store(made, std::memory_order_release);
  return made;
}

/// The rule's choice first.
std::vector<SparseAlgorithm> candidates_of(ExchangeLane& lane) {
  if (lane.alone()) return {SparseAlgorithm::nbx};  // nothing travels: any would do
  std::vector<std::pair<int, SparseAlgorithm>> turns;
  for (const Listed& one : listed()) {
    if (one.algorithm->turn == nullptr) continue;
    if (const auto turn = one.algorithm->turn(lane)) turns.emplace_back(*turn, one.which);
  }
  std::ranges::stable_sort(turns, {}, &std::pair<int, SparseAlgorithm>::first);
  std::vector<SparseAlgorithm> candidates;
  for (const auto& [turn, which] : turns) candidates.push_back(which);
  return candidates;
}

constexpr int first_persistent_tag = 16;

}  // namespace

Attachment::Attachment(MPI_Comm comm)
    : blocking_(comm, true), tuner_(candidates_of(blocking_)), next_persistent_tag_(first_persistent_tag) {}

std::shared_ptr<Attachment> Attachment::look(MPI_Comm comm) {
  void* found = nullptr;
  int flag = 0;
  check(MPI_Comm_get_attr(comm, key(), static_cast<void*>(&found), &flag));
  return flag == 0 ? nullptr : *static_cast<Held*>(found);
}

std::shared_ptr<Attachment> Attachment::of(MPI_Comm comm) {
  if (Held found = look(comm)) return found;
  return platform::relied_on("an exchange that is the first on its communicator", [&] {
    auto made = std::make_unique<Held>(std::make_shared<Attachment>(comm));
    platform::must("MPI_Comm_set_attr", MPI_Comm_set_attr(comm, key(), made.get()));
    const std::lock_guard lock(all().guard);
    all().held.push_back(made.get());
    return *made.release();
  });
}

void Attachment::progress_all() {
  std::vector<Held> busy;
  {
    const std::unique_lock lock(all().guard, std::try_to_lock);
    if (!lock.owns_lock()) return;  // another one is about it
    for (const Held* held : all().held) {
      if (*held && (*held)->busy()) busy.push_back(*held);
    }
  }
  for (const Held& held : busy) held->progress();
}

void Attachment::end() {
  std::vector<Held> left;
  {
    const std::lock_guard lock(all().guard);
    // The communicators are freed without them, if they ever are.
    for (Held* held : std::exchange(all().held, {})) left.push_back(std::exchange(*held, nullptr));
    all().retired.clear();
  }
  // In the same order everywhere: threads have made them in any.
  std::ranges::stable_sort(left, {}, [](const Held& held) { return held->identity(); });
  for (Held& held : left) held.reset();
}

void Attachment::prepare(ExchangeLane& lane, SparseAlgorithm algorithm) {
  if (lane.is_prepared(algorithm)) return;
  if (listed(algorithm).needs == SparseNeeds::windows) {
    const Identity next = make_way(comm(), lane.rank());
    if (!identity_) identity_ = next;
  }
  if (!lane.prepare(algorithm, comm())) throw endpoints::Failure(MPI_ERR_UNSUPPORTED_OPERATION);
}

void Attachment::make_lanes() {
  const platform::Settings& settings = platform::settings();
  if (!lanes_.empty()) return;
  const std::array<SparseAlgorithm, 1> set{settings.sparse_algorithm};
  const bool automatic = settings.sparse_algorithm == SparseAlgorithm::automatic;
  const std::span<const SparseAlgorithm> needed = automatic ? tuner_.candidates() : set;
  while (lanes_.size() < static_cast<std::size_t>(settings.sparse_lanes)) {
    ExchangeLane& made = *lanes_.emplace_back(std::make_unique<ExchangeLane>(comm(), blocking_.has_threads()));
    for (const SparseAlgorithm algorithm : needed) prepare(made, algorithm);
  }
}

void Attachment::enter(Task& task) {
  tasks_entered_.fetch_add(1, std::memory_order_relaxed);
  const std::lock_guard lock(entering_);
  entered_.push_back(&task);
}

void Attachment::progress() {
  if (busy()) platform::relied_on("a nonblocking sparse exchange", [&] { advance_all(); });
}

void Attachment::advance_all() {
  const auto self = shared_from_this();  // a task that is over may have been the last to need it
  const std::unique_lock lock(stepping_, std::try_to_lock);
  if (!lock) return;
  {
    const std::lock_guard entering(entering_);
    tasks_.insert(tasks_.end(), entered_.begin(), entered_.end());
    entered_.clear();
  }
  std::erase_if(tasks_, [this](Task* task) {
    const bool over = task->advance();
    if (over) tasks_entered_.fetch_sub(1, std::memory_order_relaxed);
    return over;
  });
}

}  // namespace raddle::sparse
