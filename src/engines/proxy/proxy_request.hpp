// SPDX-License-Identifier: BSD-3-Clause
// Requests of the proxy engine for messages.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/endpoint.hpp"
#include "engines/proxy/command.hpp"
#include "engines/proxy/proxies.hpp"
#include "engines/request_pool.hpp"

namespace raddle::proxy {

// The line in which a request's answer comes. A base class, since a request tells at once where its end will be seen.

class Line {
 public:
  explicit Line(Proxies& proxies) : proxies_(proxies), answer_(proxies.take_answer()) {
    if (answer_ != nullptr) return;
    instead_ = std::make_unique<Answer>();
    answer_ = instead_.get();
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line() {
    if (shared()) proxies_.give_back(answer_);
  }

  /// Whether the proxy sees it: the heap may have had no room for one. Then nothing can be asked for.
  [[nodiscard]] bool shared() const { return instead_ == nullptr; }
  [[nodiscard]] Answer& answer() const { return *answer_; }
  [[nodiscard]] std::uint64_t place() const { return proxies_.area().place_of(answer_); }
  void expect() {
    answer_->end.store(endpoints::Ended::no, std::memory_order_relaxed);
    answer_->cancelled = false;
  }
  /// Without the proxy.
  void end(endpoints::Ended how) { answer_->end.store(how, std::memory_order_release); }

 private:
  Proxies& proxies_;
  Answer* answer_;
  std::unique_ptr<Answer> instead_;
};

class ProxyEndpoint;

class ProxyRequest final : private Line, public endpoints::Request {
 public:
  explicit ProxyRequest(ProxyEndpoint& endpoint);

  /// What was received is put into its place when this is first asked for.
  [[nodiscard]] endpoints::Result result() const override;
  int start() override;
  void cancel() override;
  void retire() override;
  void abandon() override;
  /// Nothing of this use is left for the next one.
  void rest();

  /// From here on the layout lasts as long as the use.
  const endpoints::Body& keep(endpoints::Layout&& layout);
  // Begins an operation. What cannot begin is complete with an error.
  void send(const endpoints::Body& message, int to, int tag, endpoints::Mode mode);
  void receive(const endpoints::Body& room, int source, int tag);
  /// What a probe has taken, by its number.
  void receive_taken(const endpoints::Body& room, std::int32_t number);
  void send_copy(std::shared_ptr<std::byte[]> copy, std::size_t bytes, int to, int tag);
  /// Another command, whose answer is looked at.
  void ask_proxy(Command command, std::span<const std::byte> data = {});
  /// The same in two steps, of which the first one takes all that it needs. @returns false: there is no room, and it
  /// has failed
  bool room_to_ask(Command& command, std::span<const std::byte>& data);
  void post_asked(const Command& command, std::span<const std::byte> data);
  /// Ends what has not been posted.
  void fail(int code);
  void describe(endpoints::Layout&& message, const endpoints::Endpoint::Persistent& description);
  using Line::answer;
  /// What it waits for, in words. Of one that is not complete.
  [[nodiscard]] std::string describe() const;

 private:
  /// @returns false: there is no way to be told of the end
  bool begin(const Command& command, bool receives);
  void receive(const endpoints::Body& room, Command command);
  void deliver() const;
  /// Memory of the heap, until rest(); 0: it has no room.
  std::uint64_t stage(std::size_t bytes);

  ProxyEndpoint& own_;
  endpoints::Layout layout_;
  endpoints::Body body_;
  Command asked_;
  void* stage_ = nullptr;  ///< where the message is for the proxy, if its own place is out of its sight
  bool receives_ = false;
  bool copies_ = false;  ///< what comes has to be put into its place
  mutable std::atomic<bool> delivered_{false};
  int error_ = MPI_SUCCESS;  ///< of what could not begin
  bool to_nobody_ = false;   ///< the peer is MPI_PROC_NULL
  endpoints::Endpoint::Persistent description_{};
  std::shared_ptr<std::byte[]> buffered_;
};

using RequestPool = engines::RequestPool<ProxyRequest>;

/// The error that the heap has no room for so much.
int no_room(const Heap& heap, std::size_t bytes);

}  // namespace raddle::proxy
