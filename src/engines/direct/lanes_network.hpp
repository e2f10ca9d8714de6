// SPDX-License-Identifier: BSD-3-Clause
// Packets and large messages between nodes: messages of the MPI on lanes, communicators of which each endpoint index of
// a process has one. What comes in on lane i is for endpoint i of the process, so threads do not meet in the MPI, where
// it lets them be apart.
//
// Packets have one tag. They are received by a ring of persistent receives: those of one sender match in the order in
// which the receives were started, and are looked at in that order. Where an MPI misses messages so, packets are probed
// for, and received one after the other. A large message has a tag of its own.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/requests/polling.hpp"
#include "engines/direct/network.hpp"
#include "platform/zeroed_array.hpp"

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

  [[nodiscard]] std::size_t eager() const override { return longest_body; }
  std::byte* packet(int peer, std::size_t payload) override;
  void add(const Header& header) override;
  void push() override;
  [[nodiscard]] bool may_wait() const override { return endpoints::mpi_progress::any_thread(); }
  std::int64_t body_tag() override;
  void send_body(int peer, std::int64_t tag, std::span<const std::byte> body, bool synchronous,
                 Reference owner) override;
  void receive_body(int peer, std::int64_t tag, std::size_t bytes, const endpoints::Body& room,
                    Reference owner) override;
  void drop_body(int peer, std::int64_t tag, std::size_t bytes) override;
  [[nodiscard]] bool drops_bodies() const override;
  void poll(Handler& handler, Reading reading) override;

 private:
  /// A longer body goes beside the packets: to copy it twice would cost more than a second message.
  static constexpr std::size_t longest_body = std::size_t{32} * 1024;
  static constexpr std::size_t message_bytes = longest_body + 64;
  static constexpr std::size_t receives = 12;             ///< messages that may come before one is looked at
  static constexpr std::size_t restarted = receives / 4;  ///< so many receives are started again at once
  static constexpr std::size_t most_outgoing = 8;         ///< messages that may be under way

  /// In front of each packet of a message.
  struct Frame {
    std::uint32_t payload;  ///< its bytes
    std::uint32_t more;     ///< 1: another packet follows, at the next multiple of 8 bytes
  };
  static_assert(message_bytes >= sizeof(Frame) + sizeof(Header) + sizeof(Reference) + longest_body);

  struct Outgoing {
    std::vector<std::byte> bytes;  ///< grows to what is needed
    MPI_Request request = MPI_REQUEST_NULL;
  };
  /// A large message under way.
  struct Beside {
    enum class Kind : std::uint8_t { sent, received, dropped } kind;
    Reference owner = 0;
    endpoints::Body room{};            ///< of one that is received
    std::vector<std::byte> scratch{};  ///< where it goes if it does not go straight to its place
    std::size_t parts = 0;             ///< that are under way
  };

  [[nodiscard]] const endpoints::Place& place_of(int peer) const {
    return (*lanes_->places)[static_cast<std::size_t>(first_peer_ + peer)];
  }
  [[nodiscard]] MPI_Comm comm_of(int peer) const {
    return lanes_->comms[static_cast<std::size_t>(place_of(peer).index)];
  }
  void receive_into(std::span<std::byte> place, int peer, std::int64_t tag, const std::shared_ptr<Beside>& beside);
  /// @returns the request of the next part of a large message
  MPI_Request& begin_part(const std::shared_ptr<Beside>& beside);
  [[nodiscard]] std::byte* room_of(std::size_t receive) { return &incoming_[receive * message_bytes]; }
  static bool has_left(Outgoing& message);
  void start_receives();
  void end_receives();
  void probe();
  void tidy();
  /// @returns whether a message of packets has come
  bool test_packets(Handler& handler);
  bool test_all(Handler& handler);
  void handle_packets(Handler& handler);
  static void end(Handler& handler, const Beside& beside);

  std::shared_ptr<const Lanes> lanes_;
  MPI_Comm own_;
  int first_peer_;
  std::vector<Outgoing> outgoing_;
  std::size_t outgoing_now_ = 0;               ///< the one that was sent last, or is put together
  int peer_ = 0;                               ///< of the message that is put together
  std::size_t filled_ = 0;                     ///< its bytes; 0: there is none
  std::size_t last_ = 0;                       ///< where its last packet begins
  std::size_t payload_ = 0;                    ///< of the packet that was taken
  platform::ZeroedArray<std::byte> incoming_;  ///< one message after the other
  const bool probes_;                          ///< nothing is posted for packets: the first receive is all there is
  std::array<MPI_Request, receives> receives_{};
  std::size_t next_receive_ = 0;
  std::size_t idle_receives_ = 0;  ///< not started: those before the next one
  /// The receive of the next packets, then the parts of large messages: one call finds whatever has come or left.
  std::vector<MPI_Request> under_way_{MPI_REQUEST_NULL};
  std::vector<std::shared_ptr<Beside>> beside_;  ///< of the parts
  std::vector<int> ended_;                       ///< what the call has found
};

}  // namespace raddle::direct
