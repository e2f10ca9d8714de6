// SPDX-License-Identifier: BSD-3-Clause
// Packets and large messages between nodes: messages of the MPI on lanes, communicators of which each endpoint index of
// a process has one. What comes in on lane i is for endpoint i of the process, so threads do not meet in the MPI, where
// it lets them be apart.
//
// Packets have one tag. They are received by a ring of persistent receives: those of one sender match in the order in
// which the receives were started, and are looked at in that order. A large message has a tag of its own.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "engines/direct/network.hpp"

namespace raddle::direct {

/// What the endpoints of a process share.
struct Lanes {
  Lanes() = default;
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;
  ~Lanes();

  std::vector<MPI_Comm> comms;  ///< by index of endpoint
  const std::vector<endpoints::Place>* places =
      nullptr;  ///< by rank; the lane on which an endpoint receives has its index
  int greatest_tag = 32767;
};

/// Collective over its processes. The communicator has to last as long.
/// @throws endpoints::Failure, on all processes: the MPI has no communicators left, or provides less than
///   MPI_THREAD_MULTIPLE though several threads need it
std::shared_ptr<const Lanes> make_lanes(const endpoints::Communicator& communicator);

constexpr int packet_tag = 0;
/// Tags of large messages begin here.
constexpr int first_body_tag = 1;

class LanesNetwork final : public Network {
 public:
  /// @param lane        of `lanes`, on which the endpoint receives
  /// @param first_peer  the rank in the communicator of the endpoint's peer 0
  LanesNetwork(std::shared_ptr<const Lanes> lanes, int lane, int first_peer);
  LanesNetwork(const LanesNetwork&) = delete;
  LanesNetwork& operator=(const LanesNetwork&) = delete;
  ~LanesNetwork() override;

  [[nodiscard]] std::size_t eager() const override { return packet_bytes - sizeof(Header) - sizeof(Reference); }
  std::byte* packet(std::size_t payload) override;
  void send(int peer, const Header& header) override;
  std::int64_t send_body(int peer, std::span<const std::byte> body, bool synchronous, Reference owner) override;
  void receive_body(int peer, std::int64_t tag, std::size_t bytes, const endpoints::Body& room,
                    Reference owner) override;
  void drop_body(int peer, std::int64_t tag, std::size_t bytes) override;
  [[nodiscard]] bool drops_bodies() const override;
  void poll(Handler& handler, Reading reading) override;

 private:
  static constexpr std::size_t packet_bytes = std::size_t{8} * 1024;
  static constexpr std::size_t packets = 32;  ///< that may be under way, either way

  struct Outgoing {
    std::vector<std::byte> bytes;  ///< grows to what is needed
    MPI_Request request = MPI_REQUEST_NULL;
  };
  struct Incoming {
    std::array<std::byte, packet_bytes> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  /// A large message under way.
  struct Beside {
    enum class Kind : std::uint8_t { sent, received, dropped } kind;
    Reference owner = 0;
    endpoints::Body room{};            ///< of one that is received
    std::vector<std::byte> scratch{};  ///< where it goes if it does not go straight to its place
    std::vector<MPI_Request> requests{};
  };

  [[nodiscard]] const endpoints::Place& place_of(int peer) const {
    return (*lanes_->places)[static_cast<std::size_t>(first_peer_ + peer)];
  }
  [[nodiscard]] MPI_Comm comm_of(int peer) const {
    return lanes_->comms[static_cast<std::size_t>(place_of(peer).index)];
  }
  void receive_into(std::span<std::byte> place, int peer, std::int64_t tag, Beside&& beside);
  void poll_packets(Handler& handler, Reading reading);
  void poll_beside(Handler& handler);

  std::shared_ptr<const Lanes> lanes_;
  MPI_Comm own_;
  int first_peer_;
  std::vector<Outgoing> outgoing_;
  std::size_t next_outgoing_ = 0;
  std::size_t packet_size_ = 0;  ///< of the packet that was taken, header and all
  std::unique_ptr<std::array<Incoming, packets>> incoming_;
  std::size_t next_incoming_ = 0;
  std::vector<Beside> beside_;
};

}  // namespace raddle::direct
