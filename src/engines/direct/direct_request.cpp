// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/direct_request.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "endpoints/errors.hpp"

namespace raddle::direct {
namespace {

int error_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::truncated:
      return MPI_ERR_TRUNCATE;
    case Outcome::unreachable:
      return MPI_ERR_INTERN;
    default:
      return MPI_SUCCESS;
  }
}

}  // namespace

endpoints::Result result_of(const Operation& operation) {
  const bool well = operation.end.load(std::memory_order_acquire) == endpoints::Ended::well;
  const Outcome outcome = well ? Outcome::good : operation.outcome;
  if (operation.sends || outcome == Outcome::cancelled)
    return {.cancelled = outcome == Outcome::cancelled, .error = error_of(outcome)};
  return {operation.came.source, operation.came.tag, operation.bytes, false, error_of(outcome)};
}

DirectRequest::DirectRequest(RequestPool& pool, endpoints::Endpoint& endpoint, Port& port)
    // NOLINTNEXTLINE(clang-diagnostic-uninitialized): only the address is taken
    : Request(&operation_.end, &pool), pool_(pool), port_(port) {
  belong_to(endpoint);
  lie_in(&pool_);
}

endpoints::Result DirectRequest::result() const {
  if (to_nobody_ && !operation_.sends) return {.source = MPI_PROC_NULL};
  return result_of(operation_);
}

Operation& DirectRequest::begin(endpoints::Layout&& layout) {
  layout_ = std::move(layout);
  return begin();
}

void DirectRequest::send(endpoints::Layout&& message, int to, int tag, endpoints::Mode mode) {
  begin(std::move(message));
  operation_.sends = true;
  remember();
  operation_.synchronous = mode == endpoints::Mode::synchronous;
  port_.send(to, tag, operation_);
}

void DirectRequest::receive(endpoints::Layout&& room, Kept& message) { port_.receive(message, begin(std::move(room))); }

void DirectRequest::send_copy(std::shared_ptr<std::byte[]> copy, std::size_t bytes, int to, int tag) {
  buffered_ = std::move(copy);
  endpoints::Layout layout;
  endpoints::check(layout.describe(buffered_.get(), static_cast<MPI_Count>(bytes), MPI_BYTE));
  send(std::move(layout), to, tag, endpoints::Mode::standard);
}

void DirectRequest::describe(endpoints::Layout&& message, const endpoints::Endpoint::Persistent& description) {
  layout_ = std::move(message);
  description_ = description;
  persistent_ = true;
  active_ = false;
  remember();
}

void DirectRequest::forget() {
  persistent_ = false;
  active_ = true;
  buffered_.reset();
  to_nobody_ = false;
  operation_.sends = false;
  lie_in(&pool_);
}

int DirectRequest::start() {
  const auto& what = description_;
  layout_.again();
  active_ = true;
  to_nobody_ = what.peer == MPI_PROC_NULL;
  operation_.sends = what.sends;
  operation_.synchronous = what.mode == endpoints::Mode::synchronous;
  if (to_nobody_) {
    begin().complete(Outcome::good);
  } else if (what.mode == endpoints::Mode::buffered) {
    const endpoints::Body& body = layout_.body();
    std::shared_ptr<std::byte[]> copy = endpoint_->buffer().room(body.bytes, *endpoint_);
    if (!copy) {
      active_ = false;
      return MPI_ERR_BUFFER;
    }
    endpoints::copy_out(body, copy.get());
    endpoint_->send_copy(std::move(copy), body.bytes, what.peer, what.tag);
    begin().complete(Outcome::good);
  } else if (what.sends) {
    Operation& operation = begin();
    const endpoints::Body& body = operation.body;
    if (!operation.synchronous && body.scattered == nullptr &&
        port_.send_now(what.peer, what.tag, body.data, body.bytes)) {
      operation.end_well();
    } else {
      port_.send(what.peer, what.tag, operation);
    }
  } else {
    port_.receive(from_mpi_source(what.peer), from_mpi_tag(what.tag), begin());
  }
  return MPI_SUCCESS;
}

void DirectRequest::cancel() {
  if (active_) port_.cancel(operation_);
}

void DirectRequest::retire() {
  if (persistent_) {
    active_ = false;
  } else {
    pool_.give_back(*this, *this);
  }
}

void DirectRequest::abandon() {
  if (active_ && !complete()) {
    pool_.await(*this);
  } else {
    pool_.give_back(*this, *this);
  }
}

}  // namespace raddle::direct
