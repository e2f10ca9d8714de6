// SPDX-License-Identifier: BSD-3-Clause
// Requests of the direct engine, and their pool.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "endpoints/endpoint.hpp"
#include "endpoints/layout.hpp"
#include "engines/direct/operation.hpp"
#include "engines/direct/port.hpp"
#include "platform/spin_lock.hpp"

namespace raddle::direct {

class RequestPool;

/// What a finished operation is to MPI.
endpoints::Result result_of(const Operation& operation);

class DirectRequest final : public endpoints::Request {
 public:
  DirectRequest(RequestPool& pool, endpoints::Endpoint& endpoint, Port& port);
  ~DirectRequest() override;

  [[nodiscard]] endpoints::Result result() const override;
  int start() override;
  void cancel() override;
  void retire() override;
  void abandon() override;

  /// This is fresh from its pool: what it is about to begin.
  Operation& begin(const endpoints::Body& body) {
    operation_.body = body;
    operation_.end.store(endpoints::Ended::no, std::memory_order_relaxed);
    active_ = true;
    return operation_;
  }
  Operation& begin(endpoints::Layout&& layout);
  /// Begins an operation.
  void send(endpoints::Layout&& message, int to, int tag, endpoints::Mode mode);
  void receive(endpoints::Layout&& room, Kept& message);
  void send_copy(std::shared_ptr<std::byte[]> copy, std::size_t bytes, int to, int tag);
  void describe(endpoints::Layout&& message, const endpoints::Endpoint::Persistent& description);

 private:
  friend class RequestPool;
  /// Nothing of this use is left for the next one.
  void rest() {
    if (persistent_ || buffered_) [[unlikely]]
      forget();
  }
  [[gnu::cold]] void forget();
  Operation& begin() { return begin(layout_.body()); }

  RequestPool& pool_;
  Port& port_;
  Operation operation_;
  endpoints::Layout layout_;
  bool to_nobody_ = false;                         ///< the peer is MPI_PROC_NULL
  endpoints::Endpoint::Persistent description_{};  ///< of a persistent one
  std::shared_ptr<std::byte[]> buffered_;          ///< what is sent, if it is a copy
};

/// The requests of one endpoint: taken by one thread at a time, given back by any.
class RequestPool final : public endpoints::Pool {
 public:
  RequestPool(endpoints::Endpoint& endpoint, Port& port) : endpoint_(endpoint), port_(port) {}

  /// For who holds the port's lock.
  DirectRequest& take() {
    if (idle_ == nullptr) [[unlikely]]
      refill();
    return static_cast<DirectRequest&>(*std::exchange(idle_, idle_->behind));
  }
  void give_back(endpoints::Request& first, endpoints::Request& last) override;
  /// A request that nobody waits for comes back by itself, once it is complete.
  void await(DirectRequest& request);
  /// Whether there are some that nobody waits for and that are not complete.
  [[nodiscard]] bool awaits();
  /// Whether all have come back. For the last one who knows the endpoint.
  [[nodiscard]] bool all_idle();

 private:
  void refill();

  endpoints::Endpoint& endpoint_;
  Port& port_;
  std::vector<std::unique_ptr<DirectRequest>> all_;
  endpoints::Request* idle_ = nullptr;
  std::atomic<endpoints::Request*> returned_{nullptr};  ///< since idle_ was last empty
  platform::SpinLock abandoning_;
  std::vector<DirectRequest*> abandoned_;
};

}  // namespace raddle::direct
