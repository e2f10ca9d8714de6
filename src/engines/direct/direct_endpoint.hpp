// SPDX-License-Identifier: BSD-3-Clause
// An endpoint of the direct engine: MPI's terms in front of a port.
#pragma once

#include <mpi.h>

#include <memory>
#include <span>
#include <vector>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/endpoint.hpp"
#include "engines/direct/direct_request.hpp"
#include "engines/direct/port.hpp"

namespace raddle::direct {

class DirectCreation;

class DirectEndpoint final : public endpoints::Endpoint, private Surroundings {
 public:
  /// @param own_comm the endpoint's handle, whose end is the endpoint's
  /// @param own      how it is reached
  /// @param peers    how those are with which it exchanges messages
  DirectEndpoint(MPI_Comm own_comm, int rank, DirectCreation& creation, const Peer& own,
                 std::shared_ptr<const Peers> peers, const PortOptions& options, std::unique_ptr<Network> network);

  void make_endpoints(std::unique_ptr<endpoints::Communicator> communicator,
                      const std::vector<MPI_Comm>& handles) override;
  int send(const endpoints::Layout& message, int to, int tag, endpoints::Mode mode) override;
  endpoints::Result receive(const endpoints::Layout& room, int source, int tag) override;
  bool send_now(std::span<const std::byte> message, int to, int tag) override;
  // The short way (endpoints/endpoint.hpp): what most calls do, without a call and without anything that may throw.
  /// As send_now(), for the shortest.
  [[nodiscard, gnu::always_inline]] bool send_in_a_cell(const std::byte* data, std::size_t bytes, int to, int tag) {
    return port_.send_in_a_cell(to, tag, data, bytes);
  }
  /// As start_receive(), where nothing is in its way. @param envelope  the engine's wildcards @returns nullptr
  /// otherwise
  [[nodiscard, gnu::always_inline]] DirectRequest* post_now(std::byte* data, std::size_t bytes,
                                                            const Envelope& envelope) {
    DirectRequest* request = nullptr;
    port_.post_now(envelope, [&]() -> Operation* {
      request = requests_.idle();
      if (request == nullptr) [[unlikely]]
        return nullptr;
      requests_.take_idle();
      return &request->begin({data, bytes, nullptr});
    });
    return request;
  }
  endpoints::Request& start_send(endpoints::Layout&& message, int to, int tag, endpoints::Mode mode) override;
  endpoints::Request& start_receive(std::span<std::byte> room, int source, int tag) override;
  endpoints::Request& start_receive(endpoints::Layout&& room, int source, int tag) override;
  void send_copy(std::shared_ptr<std::byte[]> copy, std::size_t bytes, int to, int tag) override;
  endpoints::Request& make_persistent(endpoints::Layout&& message, const Persistent& description) override;
  bool probe(int source, int tag, endpoints::Result& found) override;
  endpoints::Probed* take(int source, int tag, endpoints::Result& found) override;
  endpoints::Result receive(const endpoints::Layout& room, endpoints::Probed& message) override;
  endpoints::Request& start_receive(endpoints::Layout&& room, endpoints::Probed& message) override;
  [[nodiscard]] bool crowded() const override { return port_.crowded(); }
  void meanwhile() override;
  void blocked(const char* call) override;

  [[nodiscard]] Port& port() { return port_; }
  void freed() override;

  [[nodiscard]] bool owes_nothing() override {
    const bool awaits = requests_.awaits();  // always asked: so those that are complete come back
    return !awaits && !port_.unfinished() && !port_.drops_bodies() && !collectives().any();
  }
  [[nodiscard]] bool unused() override { return owes_nothing() && requests_.all_idle(); }
  [[nodiscard]] std::uint64_t moved() override { return port_.moved(); }

 private:
  void progress_messages() override {
    if (port_.has_news()) port_.progress();
  }
  /// Until the operation is complete; what else is under way goes on.
  void wait(const char* call, const Operation& operation);
  DirectRequest& take_request();

  DirectCreation& creation_;
  std::unique_ptr<Network> network_;
  Port port_;
  RequestPool requests_;
};

}  // namespace raddle::direct
