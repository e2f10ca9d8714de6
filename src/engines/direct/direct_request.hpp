// SPDX-License-Identifier: BSD-3-Clause
// Requests of the direct engine.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/endpoint.hpp"
#include "engines/direct/matching.hpp"
#include "engines/direct/messages.hpp"
#include "engines/direct/port.hpp"
#include "engines/request_pool.hpp"

namespace raddle::direct {

// MPI's wildcards, whose values differ between MPIs, and the engine's.

inline int from_mpi_source(int source) { return source == MPI_ANY_SOURCE ? any : source; }
inline int from_mpi_tag(int tag) { return tag == MPI_ANY_TAG ? any : tag; }

class DirectRequest;
using RequestPool = engines::RequestPool<DirectRequest>;

/// What a finished operation is to MPI.
endpoints::Result result_of(const Operation& operation);

class DirectRequest final : public endpoints::Request {
 public:
  DirectRequest(RequestPool& pool, endpoints::Endpoint& endpoint, Port& port);

  [[nodiscard]] endpoints::Result result() const override;
  int start() override;
  void cancel() override;
  void retire() override;
  void abandon() override;
  /// Nothing of this use is left for the next one.
  void rest() {
    if (lies_in() == nullptr) [[unlikely]]
      forget();
  }

  /// This is fresh from its pool, or persistent: what it is about to begin.
  Operation& begin(const endpoints::Body& body) {
    operation_.body = body;
    operation_.end.store(endpoints::Ended::no, std::memory_order_relaxed);
    return operation_;
  }
  Operation& begin(endpoints::Layout&& layout);
  /// Begins an operation.
  void send(endpoints::Layout&& message, int to, int tag, endpoints::Mode mode);
  void receive(endpoints::Layout&& room, Kept& message);
  void send_copy(std::shared_ptr<std::byte[]> copy, std::size_t bytes, int to, int tag);
  void describe(endpoints::Layout&& message, const endpoints::Endpoint::Persistent& description);

 private:
  [[gnu::cold]] void forget();
  /// Something of it will have to be forgotten.
  void remember() { lie_in(nullptr); }
  Operation& begin() { return begin(layout_.body()); }

  RequestPool& pool_;
  Port& port_;
  Operation operation_;
  endpoints::Layout layout_;
  bool to_nobody_ = false;                         ///< the peer is MPI_PROC_NULL
  endpoints::Endpoint::Persistent description_{};  ///< of a persistent one
  std::shared_ptr<std::byte[]> buffered_;          ///< what is sent, if it is a copy
};

}  // namespace raddle::direct
