// SPDX-License-Identifier: BSD-3-Clause
// Where threads meet an endpoint: its transport and the messages over it, the one lock of both, progress and waiting.
// Knows no MPI.
//
// Any thread may call. The lock is held for a look at the inbox, one piece of a long message, or calls of the network.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engines/direct/messages.hpp"
#include "engines/direct/transport.hpp"
#include "platform/adaptive_lock.hpp"
#include "platform/waiting.hpp"

namespace raddle::direct {

/// What may keep a blocked call from ending, looked into now and then.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// A call waits: one step for the other endpoints of this process.
  virtual void meanwhile() = 0;
  /// `call` has been blocked for another tenth of a second.
  virtual void blocked(const char* call) = 0;
};

struct PortOptions {
  std::size_t eager = 0;  ///< longest message that is copied through an inbox; less if that has not got the room
  std::size_t least_in_pipeline = node::Pipeline::least;  ///< as Messages has it
  bool crowded = false;                                   ///< busy contexts exceed cores: who waits makes room at once
};

class Port {
 public:
  /// @param rank    by which peers know this endpoint
  /// @param own     the endpoint itself
  /// @param peers   all endpoints that may send here or be sent to, by rank
  /// @param network nullptr: all peers are on this node
  Port(int rank, const Peer& own, std::shared_ptr<const Peers> peers, const PortOptions& options, Network* network,
       Surroundings& surroundings);

  // As in Messages.

  [[nodiscard, gnu::always_inline]] bool send_now(int to, int tag, const std::byte* data, std::size_t bytes) {
    return Messages::send_now(transport_, to, tag, data, bytes);
  }
  [[nodiscard, gnu::always_inline]] bool send_in_a_cell(int to, int tag, const std::byte* data, std::size_t bytes) {
    return transport_.send_in_a_cell(to, tag, data, bytes);
  }
  void send(int to, int tag, Operation& operation);
  /// A receive from one peer, if all peers are on the node, nobody has the lock, and no message is kept that it may be
  /// for.
  /// @param take  the operation, with the lock held, if there is one
  template <typename Take>
  [[gnu::always_inline]] void post_now(const Envelope& envelope, Take&& take) {
    if (lock_.sleeps() || !lock_.try_lock()) [[unlikely]]
      return;
    if (messages_.nothing_unusual()) [[likely]] {
      if (Operation* const operation = take()) [[likely]]
        messages_.post_to_one(envelope, *operation);
    }
    lock_.unlock_at_once();
  }
  void receive(int source, int tag, Operation& operation) {
    receive(source, tag, [&]() -> Operation& { return operation; });
  }
  /// The same with what `take` returns, which is called with the lock held.
  template <typename Take>
  void receive(int source, int tag, Take&& take) {
    const std::lock_guard lock(lock_);
    messages_.receive(source, tag, take());
  }
  void receive(Kept& message, Operation& operation);
  /// The next message that a receive would get, once progress has been made; nothing if there is none.
  std::optional<Header> probe(int source, int tag);
  /// As probe(); the message belongs to the caller from then on, who has to receive it. nullptr: none
  Kept* take(int source, int tag);
  void cancel(Operation& operation);

  /// Something that needs the lock.
  template <typename Do>
  auto locked(Do&& something) {
    const std::lock_guard lock(lock_);
    return something();
  }

  /// Makes progress until `ended()`, for the MPI function `call`.
  template <typename Ended>
  void wait(const char* call, Ended&& ended) {
    platform::Waiting waiting(crowded_);
    while (!ended()) {
      if (has_news()) {
        const bool looked = progress(Reading::to_match);
        if (ended()) return;
        if (looked && !transport_.busy())
          continue;  // news are worth another look at once; a network or a transfer is asked for ever
      }
      waiting.turn(transport_.network() == nullptr);
      if (waiting.idle()) surroundings_.meanwhile();
      if (waiting.long_wait()) surroundings_.blocked(call);
    }
  }

  /// One step, unless another thread makes one or needs the port for something else. @returns whether it was made
  bool progress(Reading reading = Reading::all);
  /// Whether a step may find anything to do. Takes no lock.
  [[nodiscard]] bool has_news() const { return transport_.has_news(); }
  /// Whether something is under way that needs this port, packets that have not left among it.
  [[nodiscard]] bool unfinished() const { return transport_.unfinished() != 0; }
  /// Whether messages are coming in that are thrown away.
  [[nodiscard]] bool drops_bodies() {
    Network* const network = transport_.network();
    return network != nullptr && locked([&] { return network->drops_bodies(); });
  }
  [[nodiscard]] bool crowded() const { return crowded_; }
  /// Another number than before if anything has come in, or a part of a long message gone out or been copied.
  [[nodiscard]] std::uint64_t moved();

  /// What waits here, for people.
  [[nodiscard]] std::string describe();

 private:
  void step(Reading reading);

  const bool crowded_;
  Surroundings& surroundings_;
  platform::AdaptiveLock lock_;  ///< over a network its owner may be inside the MPI
  Transport transport_;
  Messages messages_;
};

}  // namespace raddle::direct
