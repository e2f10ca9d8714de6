// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/direct_endpoint.hpp"

#include <utility>

#include "endpoints/requests/polling.hpp"
#include "engines/direct/direct_creation.hpp"
#include "engines/direct/direct_request.hpp"

namespace raddle::direct {
namespace {

using endpoints::Layout;
using endpoints::Mode;
using endpoints::Probed;
using endpoints::Request;
using endpoints::Result;

class DirectProbed final : public Probed {
 public:
  DirectProbed(DirectEndpoint& endpoint, Kept& message) : Probed(endpoint), message_(message) {}
  [[nodiscard]] Kept& message() const { return message_; }

 private:
  Kept& message_;
};

Result found_in(const Header& header) { return {header.source, header.tag, header.bytes, false, MPI_SUCCESS}; }

}  // namespace

DirectEndpoint::DirectEndpoint(MPI_Comm own_comm, int rank, DirectCreation& creation, const Peer& own,
                               std::shared_ptr<const Peers> peers, const PortOptions& options,
                               std::unique_ptr<Network> network)
    : Endpoint(own_comm, rank, creation.communicator()),
      creation_(creation),
      network_(std::move(network)),
      port_(rank_in_group(), own, std::move(peers), options, network_.get(), *this),
      requests_([this] { return std::make_unique<DirectRequest>(requests_, *this, port_); }) {
  short_way_to_ = this->peers().size;
}

void DirectEndpoint::make_endpoints(std::unique_ptr<endpoints::Communicator> communicator,
                                    const std::vector<MPI_Comm>& handles) {
  DirectCreation::make(std::move(communicator), handles);
}

bool DirectEndpoint::send_now(std::span<const std::byte> message, int to, int tag) {
  return port_.send_now(to, tag, message.data(), message.size());
}

void DirectEndpoint::wait(const char* call, const Operation& operation) {
  port_.wait(call, [&] {
    if (operation.complete()) return true;
    progress_rest();
    return false;
  });
}

int DirectEndpoint::send(const Layout& message, int to, int tag, Mode mode) {
  Operation operation;
  operation.body = message.body();
  operation.synchronous = mode == Mode::synchronous;
  port_.send(to, tag, operation);
  wait("a blocking send", operation);
  return result_of(operation).error;
}

Result DirectEndpoint::receive(const Layout& room, int source, int tag) {
  Operation operation;
  operation.body = room.body();
  port_.receive(from_mpi_source(source), from_mpi_tag(tag), operation);
  wait("a blocking receive", operation);
  return result_of(operation);
}

Result DirectEndpoint::receive(const Layout& room, Probed& message) {
  const std::unique_ptr<DirectProbed> probed(&static_cast<DirectProbed&>(message));
  Operation operation;
  operation.body = room.body();
  port_.receive(probed->message(), operation);
  wait("a blocking receive", operation);
  return result_of(operation);
}

DirectRequest& DirectEndpoint::take_request() {
  return *port_.locked([&] { return &requests_.take(); });
}

Request& DirectEndpoint::start_send(Layout&& message, int to, int tag, Mode mode) {
  DirectRequest& request = take_request();
  request.send(std::move(message), to, tag, mode);
  return request;
}

Request& DirectEndpoint::start_receive(std::span<std::byte> room, int source, int tag) {
  DirectRequest* request = nullptr;
  port_.receive(from_mpi_source(source), from_mpi_tag(tag), [&]() -> Operation& {
    request = &requests_.take();
    return request->begin(endpoints::Body{room.data(), room.size(), nullptr});
  });
  return *request;
}

Request& DirectEndpoint::start_receive(Layout&& room, int source, int tag) {
  DirectRequest* request = nullptr;
  port_.receive(from_mpi_source(source), from_mpi_tag(tag), [&]() -> Operation& {
    request = &requests_.take();
    return request->begin(std::move(room));
  });
  return *request;
}

Request& DirectEndpoint::start_receive(Layout&& room, Probed& message) {
  const std::unique_ptr<DirectProbed> probed(&static_cast<DirectProbed&>(message));
  DirectRequest& request = take_request();
  request.receive(std::move(room), probed->message());
  return request;
}

void DirectEndpoint::send_copy(std::shared_ptr<std::byte[]> copy, std::size_t bytes, int to, int tag) {
  DirectRequest& request = take_request();
  request.send_copy(std::move(copy), bytes, to, tag);
  request.abandon();
}

Request& DirectEndpoint::make_persistent(Layout&& message, const Persistent& description) {
  DirectRequest& request = take_request();
  request.describe(std::move(message), description);
  return request;
}

bool DirectEndpoint::probe(int source, int tag, Result& found) {
  const std::optional<Header> header = port_.probe(from_mpi_source(source), from_mpi_tag(tag));
  if (header) found = found_in(*header);
  return header.has_value();
}

Probed* DirectEndpoint::take(int source, int tag, Result& found) {
  Kept* const kept = port_.take(from_mpi_source(source), from_mpi_tag(tag));
  if (kept == nullptr) return nullptr;
  found = found_in(kept->header);
  return std::make_unique<DirectProbed>(*this, *kept).release();
}

void DirectEndpoint::freed() { creation_.freed(); }

void DirectEndpoint::meanwhile() { endpoints::Everything::progress(); }

void DirectEndpoint::blocked(const char* call) { creation_.blocked(*this, call); }

}  // namespace raddle::direct
