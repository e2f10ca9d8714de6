// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/lane.hpp"

#include <cstring>
#include <vector>

#include "sparse/announced.hpp"
#include "sparse/check.hpp"
#include "sparse/locality.hpp"
#include "sparse/nary.hpp"
#include "sparse/nbx.hpp"
#include "sparse/pcx.hpp"
#include "sparse/rsx.hpp"

namespace raddle::sparse {

Lane::Lane(MPI_Comm comm) {
  check(MPI_Comm_dup(comm, &comm_));
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

Lane::~Lane() {
  counters_.reset();
  node_.reset();
  MPI_Comm_free(&comm_);
}

void Lane::prepare(SparseAlgorithm algorithm, MPI_Comm comm) {
  if (algorithm == SparseAlgorithm::rsx && !counters_) counters_ = std::make_unique<Counters>(comm);
  if (algorithm == SparseAlgorithm::locality) static_cast<void>(node(comm));
}

const Node& Lane::node(MPI_Comm comm) {
  if (!node_) node_ = std::make_unique<Node>(comm);
  return *node_;
}

std::unique_ptr<Way> Lane::begin(SparseAlgorithm algorithm, int radix, std::span<const Message> messages, Sink& sink) {
  const Round round = next_round();
  ++rounds_;
  std::vector<Message> others;
  others.reserve(messages.size());
  for (const Message& message : messages) {
    if (message.rank != rank_) {
      others.push_back(message);
      continue;
    }
    std::byte* const room = sink.room(rank_, message.bytes.size());
    if (!message.bytes.empty()) std::memcpy(room, message.bytes.data(), message.bytes.size());
    sink.arrived(rank_, {room, message.bytes.size()});
  }
  switch (algorithm) {
    case SparseAlgorithm::alltoallv:
      return std::make_unique<Announced>(round, others, sink, Announced::Data::alltoallv);
    case SparseAlgorithm::pex:
      return std::make_unique<Announced>(round, others, sink, Announced::Data::messages);
    case SparseAlgorithm::pcx:
      return std::make_unique<Pcx>(round, others, sink);
    case SparseAlgorithm::rsx:
      return std::make_unique<Rsx>(round, *counters_, others, sink);
    case SparseAlgorithm::nary:
      return std::make_unique<Nary>(round, radix, others, sink);
    case SparseAlgorithm::locality:
      return std::make_unique<Locality>(round, *node_, others, sink);
    case SparseAlgorithm::automatic:  // has been chosen before
    case SparseAlgorithm::nbx:
      break;
  }
  return std::make_unique<Nbx>(round, Kind::payload, others, sink);
}

}  // namespace raddle::sparse
