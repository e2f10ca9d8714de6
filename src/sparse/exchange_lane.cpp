// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/exchange_lane.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "node/node_comm.hpp"
#include "node/process_watch.hpp"
#include "platform/must.hpp"
#include "platform/own_copy.hpp"
#include "platform/settings.hpp"
#include "sparse/algorithm.hpp"

namespace raddle::sparse {

void NodeMap::keep_own_process() {
  const std::vector<std::uint64_t> processes = here_.gather(node::own_number());
  const auto first = std::ranges::find(processes, node::own_number()) - processes.begin();
  check(here_.divide(static_cast<int>(first)));
}

NodeMap::NodeMap(MPI_Comm comm) {
  int code = MPI_SUCCESS;
  here_ = node::NodeComm(comm, node::of_ranks, code);
  check(code);
  if (platform::settings().node == platform::NodeScope::rank) keep_own_process();
  platform::must("MPI_Comm_rank", MPI_Comm_rank(comm, &own_));
  cpus_ = here_.count_cpus();
  of_process_ = static_cast<int>(std::ranges::count(here_.gather(node::own_number()), node::own_number()));

  const int first = rank() == 0 ? 1 : 0;
  check(MPI_Allreduce(&first, &nodes_, 1, MPI_INT, MPI_SUM, comm));
}

void NodeMap::learn_all(MPI_Comm comm) {
  if (nodes_ == 1 || !node_of_.empty()) return;
  int size = 0;
  platform::must("MPI_Comm_size", MPI_Comm_size(comm, &size));
  int leader = own_;
  check(MPI_Bcast(&leader, 1, MPI_INT, 0, here_.comm()));
  std::vector<int> leaders(static_cast<std::size_t>(size));
  check(MPI_Allgather(&leader, 1, MPI_INT, leaders.data(), 1, MPI_INT, comm));
  std::map<int, int> numbers;  // of nodes, by leader
  for (int rank = 0; rank < size; ++rank) {
    const int node = numbers.try_emplace(leaders[static_cast<std::size_t>(rank)], numbers.size()).first->second;
    if (static_cast<std::size_t>(node) == ranks_.size()) ranks_.emplace_back();
    auto& ranks = ranks_[static_cast<std::size_t>(node)];
    node_of_.push_back(node);
    place_.push_back(static_cast<int>(ranks.size()));
    ranks.push_back(rank);
  }
}

int NodeMap::partner_at(int rank) const {
  const std::vector<int>& ranks = ranks_[static_cast<std::size_t>(node_of(rank))];
  return ranks[static_cast<std::size_t>(this->rank()) % ranks.size()];
}

namespace {

/// As a rank tells the others of its node.
struct Neighbour {
  std::uint64_t process;
  std::int64_t rank;
};

}  // namespace

std::shared_ptr<Board> board_of_process(const node::NodeComm& here, int rank) {
  const Neighbour mine{node::own_number(), rank};
  const std::vector<Neighbour> all = here.gather(mine);
  std::vector<std::uint64_t> processes;
  std::vector<int> ranks;
  int leader = -1;
  for (int i = 0; i < here.size(); ++i) {
    const Neighbour& one = all[static_cast<std::size_t>(i)];
    processes.push_back(one.process);
    if (one.process != mine.process) continue;
    if (leader < 0) leader = i;
    ranks.push_back(static_cast<int>(one.rank));
  }
  std::ranges::sort(processes);
  if (std::ranges::adjacent_find(processes) == processes.end()) return nullptr;  // nobody of the node has one

  std::ranges::sort(ranks);
  MPI_Comm inside = MPI_COMM_NULL;
  check(MPI_Comm_split(here.comm(), leader, here.rank(), &inside));
  using Held = std::shared_ptr<Board>;
  Held board = leader == here.rank() ? std::make_shared<Board>(std::move(ranks)) : nullptr;
  const Held* shown = &board;  // the others are threads of this process: they copy it where it is
  check(MPI_Bcast(static_cast<void*>(&shown), sizeof(const Held*), MPI_BYTE, 0, inside));
  if (leader != here.rank()) board = *shown;
  check(MPI_Barrier(inside));
  platform::regardless(MPI_Comm_free(&inside));
  return board;
}

namespace {

/// Whether errors are raised on it, and not only returned.
bool raises(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  platform::must("MPI_Comm_get_errhandler", MPI_Comm_get_errhandler(comm, &handler));
  const bool returned = handler == MPI_ERRORS_RETURN;
  platform::regardless(MPI_Errhandler_free(&handler));
  return !returned;
}

/// Nothing is under way.
class Nothing final : public Way {
 public:
  Step step() override { return Step::over; }
  [[nodiscard]] bool asks_mpi() const override { return false; }
};

/// An exchange in which ranks are threads of one process: what is for these is handed over, the rest goes its way.
class Handover final : public Way {
 public:
  /// @param messages  to members of the board @param rest  of the others; nullptr: nothing travels
  Handover(Board& board, int member, std::uint64_t round, std::span<const Message> messages, Sink& sink,
           std::unique_ptr<Way> rest)
      : board_(board), member_(member), round_(round), sink_(sink), rest_(std::move(rest)) {
    board_.post(member_, round_, messages);
  }

  Step step() override {
    bool moved = false;
    if (!taken_ && board_.complete(round_)) {
      board_.take(member_, round_, sink_);
      taken_ = moved = true;
    }
    if (rest_) {
      const Step step = rest_->step();
      if (step == Step::over) rest_.reset();
      moved = moved || step != Step::idle;
    }
    return taken_ && !rest_ && board_.taken(member_, round_) ? Step::over : moved_if(moved);
  }

  [[nodiscard]] bool asks_mpi() const override { return rest_ && rest_->asks_mpi(); }

 private:
  Board& board_;
  int member_;
  std::uint64_t round_;
  Sink& sink_;
  std::unique_ptr<Way> rest_;
  bool taken_ = false;
};

}  // namespace

ExchangeLane::ExchangeLane(MPI_Comm comm, bool threads) {
  int code = MPI_SUCCESS;
  comm_ = platform::own_copy(comm, code);
  if (comm_ == MPI_COMM_NULL) throw endpoints::Failure(endpoints::no_communicators_left(code), raises(comm));
  platform::must("MPI_Comm_rank", MPI_Comm_rank(comm_, &rank_));
  platform::must("MPI_Comm_size", MPI_Comm_size(comm_, &size_));
  if (threads) look_for_threads();
}

void ExchangeLane::look_for_threads() {
  board_ = board_of_process(node_map(comm_).here(), rank_);
  const int mine = board_ ? 1 : 0;  // that of a node: others may have none
  int any = 0;
  check(MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm_));
  threads_ = any != 0;
}

ExchangeLane::~ExchangeLane() {
  prepared_.clear();
  node_map_.reset();
  platform::regardless(MPI_Comm_free(&comm_));
}

const Preparation* ExchangeLane::preparation(SparseAlgorithm algorithm) const {
  const std::lock_guard lock(guard_);
  const auto known = prepared_.find(algorithm);
  return known == prepared_.end() ? nullptr : &known->second;
}

bool ExchangeLane::prepare(SparseAlgorithm algorithm, MPI_Comm comm) {
  if (const Preparation* const known = preparation(algorithm)) return known->possible;
  const auto& prepare = listed(algorithm).algorithm->prepare;
  Preparation made = prepare == nullptr ? Preparation{} : prepare(*this, comm);
  const std::lock_guard lock(guard_);
  return prepared_.emplace(algorithm, std::move(made)).first->second.possible;
}

NodeMap& ExchangeLane::node_map(MPI_Comm comm) {
  if (!node_map_) node_map_ = std::make_unique<NodeMap>(comm);
  return *node_map_;
}

std::unique_ptr<Way> ExchangeLane::begin(SparseAlgorithm algorithm, int radix, bool blocks,
                                         std::span<const Message> messages, Sink& sink) {
  const Round round = next_round();
  const std::uint64_t number = rounds_++;
  const auto travel = [&](std::span<const Message> which) -> std::unique_ptr<Way> {
    if (alone()) return nullptr;
    Resources* const resources = preparation(algorithm)->resources.get();
    return listed(algorithm).algorithm->begin({round, which, sink, radix, blocks}, resources);
  };
  const auto is_own = [this](const Message& message) { return message.rank == rank_; };
  if (!board_ && !alone() && std::ranges::none_of(messages, is_own)) return travel(messages);
  std::vector<Message> inside;
  std::vector<Message> outside;
  for (const Message& message : messages) {
    if (is_own(message)) {
      hand_over(sink, rank_, message.bytes);
    } else if (board_ && board_->member(message.rank) >= 0) {
      inside.push_back(message);
    } else {
      outside.push_back(message);
    }
  }
  std::unique_ptr<Way> rest = travel(outside);
  if (board_) return std::make_unique<Handover>(*board_, board_->member(rank_), number, inside, sink, std::move(rest));
  if (!rest) rest = std::make_unique<Nothing>();
  return rest;
}

}  // namespace raddle::sparse
