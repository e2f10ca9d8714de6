// SPDX-License-Identifier: BSD-3-Clause
// A network between the endpoints of one process: packets take their time, those of a pair keep their order, few may be
// under way; large messages go beside them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engines/direct/network.hpp"

namespace raddle::test {

/// What lies between the nodes.
class Wire {
 public:
  explicit Wire(std::uint64_t seed) : random_(seed) {}

  /// What is under way, for people; empty: nothing.
  [[nodiscard]] std::string describe() {
    const std::lock_guard lock(guard_);
    std::string text;
    for (const auto& [pair, packets] : packets_) {
      if (packets.empty()) continue;
      text += "\n" + std::to_string(packets.size()) + " packets from " + std::to_string(pair.first) + " to " +
              std::to_string(pair.second);
    }
    if (!bodies_.empty()) text += "\n" + std::to_string(bodies_.size()) + " large messages";
    return text;
  }

 private:
  friend class FakeNetwork;
  static constexpr std::uint64_t longest_delay = 6;  // looks of anybody

  struct Packet {
    direct::Header header;
    std::vector<std::byte> payload;
    std::uint64_t due;
  };
  struct Body {
    int from;
    direct::Reference send;           ///< 0: it has ended
    std::span<const std::byte> data;  ///< in the program's memory, while the send has not ended
    bool synchronous;
    std::vector<std::byte> buffered{};  ///< the message, if it has left the program's memory before it was received
    bool received = false;
  };

  std::uint64_t later() { return now_ + random_() % longest_delay; }

  std::mutex guard_;
  std::mt19937_64 random_;
  std::uint64_t now_ = 0;
  std::map<std::pair<int, int>, std::deque<Packet>> packets_;
  std::map<std::int64_t, Body> bodies_;
  std::int64_t next_body_ = 1;
};

class FakeNetwork final : public direct::Network {
 public:
  static constexpr std::size_t longest_packet = 300;

  FakeNetwork(Wire& wire, int rank) : wire_(wire), rank_(rank) {}

  [[nodiscard]] std::size_t eager() const override { return longest_packet; }
  std::byte* packet(int peer, std::size_t payload) override;
  void add(const direct::Header& header) override;
  void push() override;
  [[nodiscard]] bool may_wait() const override { return true; }
  std::int64_t body_tag() override;
  void send_body(int peer, std::int64_t tag, std::span<const std::byte> body, bool synchronous,
                 direct::Reference owner) override;
  void receive_body(int peer, std::int64_t tag, std::size_t bytes, const endpoints::Body& room,
                    direct::Reference owner) override;
  void drop_body(int peer, std::int64_t tag, std::size_t bytes) override;
  [[nodiscard]] bool drops_bodies() const override {
    return std::ranges::any_of(receives_, [](const Receive& receive) { return receive.owner == 0; });
  }
  void poll(direct::Handler& handler, direct::Reading reading) override;

 private:
  static constexpr std::size_t most_packets = 3;  // under way at once

  struct Receive {
    direct::Reference owner;  ///< 0: it is thrown away
    endpoints::Body room;
    std::int64_t tag;
    std::size_t bytes;
    std::uint64_t due;
  };
  bool next_packet(Wire::Packet& packet);
  void move_bodies(direct::Handler& handler);
  void end_sends(direct::Handler& handler);

  Wire& wire_;
  int rank_;
  int peer_ = 0;
  std::vector<std::byte> payload_;
  std::vector<Wire::Packet> message_;  ///< to that peer
  std::vector<Receive> receives_;
};

}  // namespace raddle::test
