// SPDX-License-Identifier: BSD-3-Clause
// A protocol over a transport that is not two-sided messages: each rank has a window, puts into those of others, and
// gets from them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engines/direct/transport.hpp"
#include "fake_network.hpp"
#include "fake_node.hpp"
#include "message_buffer.hpp"

namespace raddle::direct::windows {

using test::MessageBuffer;
using test::WorldOptions;

// Kinds that messages do not have.
inline constexpr PacketKind put{100};         // payload: Place, then the bytes
inline constexpr PacketKind get{101};         // payload: Place
inline constexpr PacketKind got{102};         // payload: Place, then bytes of the answer
inline constexpr PacketKind got_beside{103};  // payload: Beside; the answer comes beside the packets
inline constexpr PacketKind put_at_tag{104};  // payload: the bytes; the tag is their place in the window

struct Place {
  std::uint64_t offset = 0;  ///< in the window; with `got`, in the answer
  Reference access = 0;      ///< the origin's
};
struct Beside {
  std::int64_t tag = 0;
  Reference access = 0;
};

/// A put or a get of its origin.
struct Access {
  endpoints::Body body;
  int target = 0;
  std::uint64_t address = 0;  ///< of a get that copies
  std::size_t moved = 0;
  bool failed = false;
  bool done = false;
};

inline Reference reference_to(Access& access) { return reinterpret_cast<Reference>(&access); }
inline Access& access_of(Reference reference) { return *reinterpret_cast<Access*>(reference); }

/// The window of one rank, and its accesses to those of others.
class Window final : public Handler {
 public:
  Window(Transport& transport, std::size_t bytes) : transport_(transport), bytes_(bytes) {}

  [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }
  [[nodiscard]] std::uint64_t puts() const { return puts_; }
  [[nodiscard]] int steps() const { return steps_; }
  [[nodiscard]] std::size_t most_in_a_packet(int to) const {
    return transport_.most(to) + sizeof(Reference) - sizeof(Place);
  }

  void put_into(int target, std::size_t offset, Access& access) {
    const Place place{offset, reference_to(access)};
    access.done = transport_.put(target, transport_.header(put, 0, access.body.bytes),
                                 std::as_bytes(std::span(&place, 1)), access.body, place.access);
  }

  /// @param window  of the target; only its address is used
  void get_from(int target, std::size_t offset, const Window& window, Access& access) {
    access.target = target;
    if (transport_.peer(target).inbox != nullptr && transport_.peer(target).reachable) {
      access.address = reinterpret_cast<std::uint64_t>(window.bytes_.data()) + offset;
      copying_.push_back(&access);
      transport_.begin_work();
    } else {
      transport_.put(target, transport_.header(get, 0, access.body.bytes), Place{offset, reference_to(access)});
    }
  }

  bool packet_arrived(const Header& header, std::span<const std::byte> payload) override {
    if (header.kind == put) {
      const auto place = prefix_of<Place>(payload);
      std::ranges::copy(payload.subspan(sizeof place, header.bytes),
                        bytes_.begin() + static_cast<std::ptrdiff_t>(place.offset));
      ++puts_;
    } else if (header.kind == put_at_tag) {
      std::ranges::copy(payload.first(header.bytes), bytes_.begin() + header.tag);
      ++puts_;
    } else if (header.kind == get) {
      answer(header, prefix_of<Place>(payload));
    } else if (header.kind == got) {
      const auto place = prefix_of<Place>(payload);
      Access& access = access_of(place.access);
      endpoints::copy_in(access.body, place.offset, payload.subspan(sizeof place, header.bytes));
      access.moved += header.bytes;
      if (access.moved == access.body.bytes) access.done = true;
    } else {
      EXPECT_EQ(header.kind, got_beside);
      const auto beside = prefix_of<Beside>(payload);
      Access& access = access_of(beside.access);
      transport_.network()->receive_body(header.source, beside.tag, header.bytes, access.body, beside.access);
    }
    return true;
  }

  void packet_sent(const Header& header, Reference owner) override {
    EXPECT_EQ(header.kind, put);
    access_of(owner).done = true;
  }
  void body_sent(Reference owner) override {
    EXPECT_EQ(owner, reinterpret_cast<Reference>(this));
    transport_.end_work();
  }
  void body_received(Reference owner) override { access_of(owner).done = true; }

  void step() override {
    ++steps_;
    std::erase_if(copying_, [&](Access* access) {
      const std::size_t part = std::min(Transport::piece, access->body.bytes - access->moved);
      access->failed =
          !transport_.fetch(access->target, access->address + access->moved, part, access->body, access->moved);
      access->moved += part;
      if (!access->failed && access->moved < access->body.bytes) return false;
      transport_.end_work();
      access->done = true;
      return true;
    });
  }

 private:
  void answer(const Header& header, const Place& asked) {
    const std::span part = std::span(bytes_).subspan(asked.offset, header.bytes);
    const int origin = header.source;
    if (transport_.peer(origin).inbox == nullptr && part.size() > transport_.eager(origin)) {
      const auto owner = reinterpret_cast<Reference>(this);
      transport_.begin_work();
      const std::int64_t tag = transport_.network()->body_tag();
      transport_.network()->send_body(origin, tag, part, false, owner);
      transport_.put(origin, transport_.header(got_beside, 0, part.size()), Beside{tag, asked.access});
      return;
    }
    std::size_t at = 0;
    do {
      const std::span next = part.subspan(at, std::min(part.size() - at, most_in_a_packet(origin)));
      const Place place{at, asked.access};
      transport_.put(origin, transport_.header(got, 0, next.size()), std::as_bytes(std::span(&place, 1)),
                     {next.data(), next.size()}, 0);
      at += next.size();
    } while (at < part.size());
  }

  Transport& transport_;
  std::vector<std::byte> bytes_;
  std::vector<Access*> copying_;
  std::uint64_t puts_ = 0;
  int steps_ = 0;
};

inline constexpr std::size_t window_bytes = std::size_t{1} << 20U;

/// Transports of a node, or of several, and a window of each.
class World {
 public:
  explicit World(const WorldOptions& options) : wire_(options.seed), node_(options) {
    for (int rank = 0; rank < options.ports; ++rank) {
      if (options.networked) networks_.push_back(std::make_unique<test::FakeNetwork>(wire_, rank));
      Network* const network = options.networked ? networks_.back().get() : nullptr;
      const auto peers = node_.peers_of(rank);
      const Peer& own = (*peers)[rank];
      transports_.push_back(std::make_unique<Transport>(rank, own, peers, options.eager, network));
      windows_.push_back(std::make_unique<Window>(*transports_.back(), window_bytes));
    }
  }

  [[nodiscard]] int size() const { return static_cast<int>(transports_.size()); }
  [[nodiscard]] Transport& transport(int rank) { return *transports_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] Window& window(int rank) { return *windows_[static_cast<std::size_t>(rank)]; }
  void step(int rank, Reading reading = Reading::all) { transport(rank).step(window(rank), reading); }

  /// One thread for all. @returns false: that takes far too long
  template <typename Ended>
  bool until(Ended&& ended) {
    for (int round = 0; round < 200'000; ++round) {
      if (ended()) return true;
      for (int rank = 0; rank < size(); ++rank) step(rank);
    }
    return false;
  }

  /// What waits or is under way, of all.
  [[nodiscard]] std::string left() {
    std::string text = wire_.describe();
    for (const auto& transport : transports_) {
      text += transport->describe();
      if (transport->unfinished() != 0) text += "\n" + std::to_string(transport->rank()) + " is unfinished";
    }
    return text;
  }

 private:
  test::Wire wire_;
  test::FakeNode node_;
  std::vector<std::unique_ptr<test::FakeNetwork>> networks_;
  std::vector<std::unique_ptr<Transport>> transports_;
  std::vector<std::unique_ptr<Window>> windows_;
};

/// An access and its memory.
struct Buffered {
  Buffered(std::size_t bytes, bool scattered) : buffer(bytes, scattered) { access.body = buffer.body(); }
  MessageBuffer buffer;
  Access access;
};

}  // namespace raddle::direct::windows
