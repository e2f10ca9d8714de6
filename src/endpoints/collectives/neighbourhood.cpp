// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/neighbourhood.hpp"

#include <utility>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/topology/topology.hpp"

namespace raddle::endpoints::collectives {

namespace {

constexpr int first_tag = greatest_own_tag;
constexpr int own_tags = 1 << 30;

/// Calls `visit(piece, rank)` for each neighbour to send to, in the order of the pieces.
template <typename Visit>
void each_destination(const Neighbours& neighbours, bool to_each, Visit&& visit) {
  for (std::size_t i = 0; i < neighbours.destinations.size(); ++i) {
    if (neighbours.destinations[i] != nobody) visit(to_each ? static_cast<int>(i) : 0, neighbours.destinations[i]);
  }
}

/// The same for each to receive from, in the order in which messages of one of them come.
template <typename Visit>
void each_source(const Neighbours& neighbours, Visit&& visit) {
  for (const int piece : neighbours.turns) {
    const int source = neighbours.sources[static_cast<std::size_t>(piece)];
    if (source != nobody) visit(piece, source);
  }
}

}  // namespace

int Neighbourhood::check(const Neighbours& neighbours, const Arguments& arguments) {
  if (arguments.out.in_place() || arguments.in.in_place()) return MPI_ERR_BUFFER;  // has no meaning here (section 8.6)
  int code = MPI_SUCCESS;
  Layout layout;
  const auto look = [&](const Pieces& pieces, int piece) {
    if (code == MPI_SUCCESS) code = pieces.describe(piece, layout);
  };
  each_source(neighbours, [&](int piece, int) { look(arguments.in, piece); });
  each_destination(neighbours, arguments.to_each, [&](int piece, int) { look(arguments.out, piece); });
  return code;
}

void Neighbourhood::receive(Endpoint& endpoint, const Pieces& room, int piece, int source) {
  if (const auto one = in_one_piece(room.address(piece), room.count(piece), room.type(piece))) {
    messages_.push_back(&endpoint.start_receive(*one, source, first_tag));
    return;
  }
  Layout layout;
  endpoints::check(room.describe(piece, layout));
  messages_.push_back(&endpoint.start_receive(std::move(layout), source, first_tag));
}

void Neighbourhood::send(Endpoint& endpoint, const Pieces& message, int piece, int to) {
  const auto one = in_one_piece(message.address(piece), message.count(piece), message.type(piece));
  if (one && endpoint.send_now(*one, to, first_tag)) return;
  Layout layout;
  endpoints::check(message.describe(piece, layout));
  messages_.push_back(&endpoint.start_send(std::move(layout), to, first_tag, Mode::standard));
}

int Neighbourhood::start(Endpoint& endpoint, const Arguments& arguments) {
  const Neighbours& neighbours = endpoint.topology()->neighbours();
  if (const int code = check(neighbours, arguments); code != MPI_SUCCESS) return code;
  each_source(neighbours, [&](int piece, int source) { receive(endpoint, arguments.in, piece, source); });
  each_destination(neighbours, arguments.to_each, [&](int piece, int to) { send(endpoint, arguments.out, piece, to); });
  return MPI_SUCCESS;
}

int Neighbourhood::make(Endpoint& endpoint, const Arguments& arguments) {
  const int own_tag = first_tag - 1 - endpoint.next_call() % own_tags;  // first, for all ranks count
  const Neighbours& neighbours = endpoint.topology()->neighbours();
  if (const int code = check(neighbours, arguments); code != MPI_SUCCESS) return code;
  const auto add = [&](const Pieces& pieces, int piece, int peer, bool sends) {
    Layout layout;
    endpoints::check(pieces.describe(piece, layout));
    messages_.push_back(&endpoint.make_persistent(std::move(layout), {peer, own_tag, sends, Mode::standard}));
  };
  each_source(neighbours, [&](int piece, int source) { add(arguments.in, piece, source, false); });
  each_destination(neighbours, arguments.to_each, [&](int piece, int to) { add(arguments.out, piece, to, true); });
  return MPI_SUCCESS;
}

int Neighbourhood::again() {
  ended_.store(0, std::memory_order_relaxed);
  for (Request* message : messages_) {
    if (const int code = message->start(); code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

bool Neighbourhood::complete() const {
  // Those before have been seen to be complete, which they stay.
  std::size_t at = ended_.load(std::memory_order_acquire);
  while (at < messages_.size() && messages_[at]->complete()) ++at;
  ended_.store(at, std::memory_order_release);
  return at == messages_.size();
}

int Neighbourhood::error() const {
  for (const Request* message : messages_) {
    if (const int code = message->result().error; code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

void Neighbourhood::retire() {
  for (Request* message : messages_) message->retire();
}

void Neighbourhood::abandon() {
  for (Request* message : messages_) message->abandon();
}

NeighbourhoodRequest::NeighbourhoodRequest(Endpoint& endpoint, std::unique_ptr<Neighbourhood> messages, bool persistent)
    : Request(nullptr), messages_(std::move(messages)) {
  belong_to(endpoint);
  persistent_ = persistent;
  active_ = !persistent;
  endpoint.communicator().hold();  // its handle may be freed before this has ended
}

NeighbourhoodRequest::~NeighbourhoodRequest() { endpoint_->communicator().let_go(); }

Ended NeighbourhoodRequest::ask() const {
  if (!messages_->complete()) return Ended::no;
  return messages_->error() == MPI_SUCCESS ? Ended::well : Ended::otherwise;
}

int NeighbourhoodRequest::start() {
  active_ = true;
  return messages_->again();
}

void NeighbourhoodRequest::retire() {
  messages_->retire();
  if (persistent_) {
    active_ = false;
  } else {
    delete this;
  }
}

void NeighbourhoodRequest::abandon() {
  const std::unique_ptr<NeighbourhoodRequest> ended(this);
  messages_->abandon();
}

}  // namespace raddle::endpoints::collectives
