// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/lane.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "platform/must.hpp"
#include "platform/own_copy.hpp"
#include "sparse/announced.hpp"
#include "sparse/check.hpp"
#include "sparse/handover.hpp"
#include "sparse/locality.hpp"
#include "sparse/nary.hpp"
#include "sparse/nbx.hpp"
#include "sparse/own_process.hpp"
#include "sparse/pcx.hpp"
#include "sparse/rsx.hpp"
#include "sparse/shared.hpp"

namespace raddle::sparse {

namespace {

/// Whether errors are raised on it, and not only returned.
bool raises(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  platform::must("MPI_Comm_get_errhandler", MPI_Comm_get_errhandler(comm, &handler));
  const bool returned = handler == MPI_ERRORS_RETURN;
  platform::regardless(MPI_Errhandler_free(&handler));
  return !returned;
}

}  // namespace

Lane::Lane(MPI_Comm comm, bool threads) {
  int code = MPI_SUCCESS;
  comm_ = platform::own_copy(comm, code);
  if (comm_ == MPI_COMM_NULL) throw endpoints::Failure(endpoints::no_communicators_left(code), raises(comm));
  platform::must("MPI_Comm_rank", MPI_Comm_rank(comm_, &rank_));
  platform::must("MPI_Comm_size", MPI_Comm_size(comm_, &size_));
  if (threads) look_for_threads();
}

void Lane::look_for_threads() {
  board_ = board_of_process(node(comm_).here(), rank_);
  const int mine = board_ ? 1 : 0;  // that of a node: others may have none
  int any = 0;
  check(MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm_));
  threads_ = any != 0;
}

bool Lane::may_share(MPI_Comm comm) {
  if (size_ == 1 || in_one_process()) return true;
  if (!shared_ && !sharing_failed_ && node(comm).nodes() == 1) {
    shared_ = SharedMemory::make(node(comm).here());
    sharing_failed_ = !shared_;
  }
  return shared_ != nullptr;
}

Lane::~Lane() {
  counters_.reset();
  node_.reset();
  platform::regardless(MPI_Comm_free(&comm_));
}

void Lane::prepare(SparseAlgorithm algorithm, MPI_Comm comm) {
  if (algorithm == SparseAlgorithm::rsx && !counters_) counters_ = std::make_unique<Counters>(comm);
  if (algorithm == SparseAlgorithm::locality) node(comm).learn_all(comm);
  if (algorithm == SparseAlgorithm::shared && !may_share(comm)) throw endpoints::Failure(MPI_ERR_UNSUPPORTED_OPERATION);
}

Node& Lane::node(MPI_Comm comm) {
  if (!node_) node_ = std::make_unique<Node>(comm);
  return *node_;
}

std::unique_ptr<Way> Lane::begin(SparseAlgorithm algorithm, int radix, bool blocks, std::span<const Message> messages,
                                 Sink& sink) {
  const Round round = next_round();
  const std::uint64_t number = rounds_++;
  const auto is_own = [this](const Message& message) { return message.rank == rank_; };
  if (!board_ && std::ranges::none_of(messages, is_own))
    return begin_outside(algorithm, radix, blocks, round, messages, sink);
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
  std::unique_ptr<Way> rest;
  if (!in_one_process()) rest = begin_outside(algorithm, radix, blocks, round, outside, sink);
  if (!board_) return rest;
  return std::make_unique<Handover>(*board_, board_->member(rank_), number, inside, sink, std::move(rest));
}

std::unique_ptr<Way> Lane::begin_outside(SparseAlgorithm algorithm, int radix, bool blocks, const Round& round,
                                         std::span<const Message> messages, Sink& sink) {
  using Data = Announced::Data;
  switch (algorithm) {
    case SparseAlgorithm::alltoallv:
      return std::make_unique<Announced>(round, messages, sink, blocks ? Data::blocking_alltoallv : Data::alltoallv);
    case SparseAlgorithm::pex:
      return std::make_unique<Announced>(round, messages, sink, Data::messages);
    case SparseAlgorithm::pcx:
      return std::make_unique<Pcx>(round, messages, sink);
    case SparseAlgorithm::rsx:
      return std::make_unique<Rsx>(round, *counters_, messages, sink);
    case SparseAlgorithm::nary:
      return std::make_unique<Nary>(round, radix, messages, sink);
    case SparseAlgorithm::shared:
      if (shared_) return std::make_unique<Shared>(round, shared_->board, messages, sink);
      break;  // alone
    case SparseAlgorithm::locality:
      return std::make_unique<Locality>(round, *node_, messages, sink);
    case SparseAlgorithm::automatic:  // has been chosen before
    case SparseAlgorithm::nbx:
      break;
  }
  return std::make_unique<Nbx>(round, Kind::payload, messages, sink);
}

}  // namespace raddle::sparse
