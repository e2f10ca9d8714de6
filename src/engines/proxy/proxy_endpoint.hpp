// SPDX-License-Identifier: BSD-3-Clause
// An endpoint of the proxy engine: its proxy calls the MPI for it (seed 002; DESIGN section 5).
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/endpoint.hpp"
#include "engines/proxy/proxies.hpp"
#include "engines/proxy/proxy_collective.hpp"
#include "engines/proxy/proxy_request.hpp"
#include "platform/spin_lock.hpp"

namespace raddle::proxy {

class ProxyCreation;

class ProxyEndpoint final : public endpoints::Endpoint {
 public:
  /// @param own_comm  the endpoint's handle, whose end is the endpoint's
  /// @param proxy     which of this process's
  /// @param number    of the communicator
  ProxyEndpoint(MPI_Comm own_comm, int rank, ProxyCreation& creation, Proxies& proxies, int proxy,
                std::uint32_t number);

  /// Takes what making the communicator needs. @returns whether there was room
  /// @param ranks  of the proxies among all processes, in the order of the endpoints' ranks; stays until it is made
  bool prepare_communicator(std::span<const std::int32_t> ranks);
  /// It is not to be made after all. @returns an error class
  int give_up_communicator();
  /// Has its proxy make it. Collective over the proxies of all ranks; returns at once.
  void start_communicator();
  /// Waits for that. @returns an error class
  int finish_communicator();
  /// The proxy frees this one, or another one of the endpoint's.
  void free_communicator() { free_communicator(number_); }
  void free_communicator(std::uint32_t number);

  void make_endpoints(std::unique_ptr<endpoints::Communicator> communicator,
                      const std::vector<MPI_Comm>& handles) override;
  int send(const endpoints::Layout& message, int to, int tag, endpoints::Mode mode) override;
  endpoints::Result receive(const endpoints::Layout& room, int source, int tag) override;
  bool send_now(std::span<const std::byte> message, int to, int tag) override;
  endpoints::Request& start_send(endpoints::Layout&& message, int to, int tag, endpoints::Mode mode) override;
  endpoints::Request& start_receive(std::span<std::byte> room, int source, int tag) override;
  endpoints::Request& start_receive(endpoints::Layout&& room, int source, int tag) override;
  void send_copy(std::shared_ptr<std::byte[]> copy, std::size_t bytes, int to, int tag) override;
  endpoints::Request& make_persistent(endpoints::Layout&& message, const Persistent& description) override;
  bool probe(int source, int tag, endpoints::Result& found) override;
  endpoints::Probed* take(int source, int tag, endpoints::Result& found) override;
  endpoints::Result receive(const endpoints::Layout& room, endpoints::Probed& message) override;
  endpoints::Request& start_receive(endpoints::Layout&& room, endpoints::Probed& message) override;
  [[nodiscard]] bool has_own_tags() const override { return false; }
  [[nodiscard]] endpoints::collectives::Maker* maker() override { return &maker_; }
  [[nodiscard]] ProxyMaker& own_maker() { return maker_; }
  [[nodiscard]] bool crowded() const override { return proxies_.crowded(); }
  void meanwhile() override;
  void blocked(const char* call) override;
  void freed() override;
  [[nodiscard]] bool owes_nothing() override;
  [[nodiscard]] bool unused() override;

  [[nodiscard]] Proxies& proxies() const { return proxies_; }
  [[nodiscard]] int proxy() const { return proxy_; }
  [[nodiscard]] RequestPool& requests() { return requests_; }
  /// Waits for the answer, in the MPI function `call`. @returns an error class
  int ask(const char* call, const Command& command);
  /// What it has asked its proxy for and has not been told the end of.
  [[nodiscard]] std::string describe();
  // Proxies know all ranks of the communicator, the endpoint its peers. MPI's constants stay what they are.
  [[nodiscard]] int rank_of(int peer) const { return peer < 0 ? peer : peer + peers().first; }
  [[nodiscard]] int peer_of(int source) const { return source < 0 ? source : source - peers().first; }
  /// A command for a message. @param peer  a rank of the communicator, or another number that the command takes. Tags
  /// up to greatest_own_tag are Raddle's own.
  [[nodiscard]] Command message(Op op, int peer, int tag) const;

 private:
  void progress_messages() override { proxies_.wake(proxy_); }
  ProxyRequest& take_request();
  void wait(const char* call, const endpoints::Request& request);
  /// What a command finds, in its answer.
  bool look(Op op, int source, int tag, endpoints::Result& found, std::int32_t& number);

  ProxyCreation& creation_;
  Proxies& proxies_;
  int proxy_;
  std::uint32_t number_;
  ProxyMaker maker_{*this};
  platform::SpinLock taking_;
  RequestPool requests_;
  ProxyRequest* creating_ = nullptr;
  Command create_;
  std::span<const std::byte> create_data_;
};

}  // namespace raddle::proxy
