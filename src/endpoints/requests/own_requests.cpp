// SPDX-License-Identifier: BSD-3-Clause

#include "endpoints/requests/own_requests.hpp"

#include <mpi.h>

#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include "endpoints/endpoint.hpp"
#include "endpoints/rank.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {

namespace {

std::mutex guard;

}  // namespace

constinit CompleteRequest* CompleteRequest::sent_ = nullptr;
constinit CompleteRequest* CompleteRequest::received_from_nobody_ = nullptr;

void CompleteRequest::make_all() {
  const std::lock_guard lock(guard);
  if (sent_ != nullptr) return;
  sent_ = new CompleteRequest({});
  sent_handle_ = sent_->handle();
  received_from_nobody_ = new CompleteRequest({.source = MPI_PROC_NULL});
}

void CompleteRequest::end_all() {
  const std::lock_guard lock(guard);
  for (CompleteRequest** const one : {&sent_, &received_from_nobody_}) {
    delete *one;
    *one = nullptr;
  }
}

PairRequest::PairRequest(Endpoint& endpoint, Request& send, Request& receive)
    : Request(nullptr), send_(send), receive_(receive) {
  // Otherwise nothing keeps the endpoint, and nothing will be asked of it.
  if (send.mover() != nullptr || receive.mover() != nullptr) belong_to(endpoint);
}

Ended PairRequest::ask() const {
  if (!send_.complete() || !receive_.complete()) return Ended::no;
  return send_.ended_well() && receive_.ended_well() ? Ended::well : Ended::otherwise;
}

Result PairRequest::result() const {
  Result both = receive_.result();
  if (both.error == MPI_SUCCESS) both.error = send_.result().error;
  return both;
}

void PairRequest::retire() {
  const std::unique_ptr<PairRequest> ended(this);
  send_.retire();
  receive_.retire();
}

void PairRequest::abandon() {
  const std::unique_ptr<PairRequest> ended(this);
  send_.abandon();
  receive_.abandon();
}

using platform::must;

FlushRequest::FlushRequest(Endpoint& endpoint, buffered::Account& account, MPI_Request native)
    : Request(nullptr), account_(account.shared_from_this()), before_(account.entered()), native_(native) {
  belong_to(endpoint);
}

FlushRequest::~FlushRequest() { endpoint_->communicator().let_go(); }

void FlushRequest::abandon() {
  if (native_ != MPI_REQUEST_NULL) platform::regardless(PMPI_Request_free(&native_));
  delete this;
}

Ended FlushRequest::ask() const {
  if (native_ != MPI_REQUEST_NULL) {
    int flag = 0;
    must("MPI_Test", PMPI_Test(&native_, &flag, MPI_STATUS_IGNORE));
    if (flag == 0) return Ended::no;
  }
  if (account_->out(before_)) return Ended::well;
  endpoint_->meanwhile();  // messages of any endpoint may be in the buffer
  return account_->out(before_) ? Ended::well : Ended::no;
}

}  // namespace raddle::endpoints

namespace raddle::endpoints::buffered {
namespace {

/// What the MPI takes from the heap itself (MPI-4.1 section 3.6.1), where its mpi.h knows that.
bool automatic([[maybe_unused]] const void* where) {
#ifdef MPI_BUFFER_AUTOMATIC
  return where == MPI_BUFFER_AUTOMATIC;
#else
  return false;
#endif
}

}  // namespace

Account& account() {
  static auto& process = *new std::shared_ptr<Account>(std::make_shared<Account>());  // never destroyed
  return adopted == nullptr ? *process : *adopted->buffer;
}

bool Account::attach(void* where, std::int64_t bytes) {
  const std::lock_guard lock(guard_);
  if (attached() || bytes < 0) return false;
  where_ = where;
  room_ = automatic(where) ? std::numeric_limits<std::int64_t>::max() : bytes;
  most_ = room_;
  bytes_ = bytes;
  return true;
}

bool Account::detach(void*& where, std::int64_t& bytes) {
  const std::lock_guard lock(guard_);
  if (!messages_.empty()) return false;
  bytes = attached() ? bytes_.load() : 0;
  where = std::exchange(where_, nullptr);
  room_ = 0;
  most_ = 0;
  bytes_ = none;
  return true;
}

std::shared_ptr<std::byte[]> Account::room(std::size_t bytes, Endpoint& from) {
  const auto needed = static_cast<std::int64_t>(bytes) + MPI_BSEND_OVERHEAD;
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(guard_);
    if (needed > room_) return nullptr;
    room_ -= needed;
    number = next_++;
    messages_.emplace(number, &from);
  }
  return {new std::byte[bytes], [own = shared_from_this(), number, needed](const std::byte* memory) {
            delete[] memory;
            own->leave(number, needed);
          }};
}

void Account::leave(std::uint64_t number, std::int64_t needed) {
  const std::lock_guard lock(guard_);
  messages_.erase(number);
  room_ += needed;
}

std::uint64_t Account::entered() {
  const std::lock_guard lock(guard_);
  return next_;
}

bool Account::out(std::uint64_t before) {
  const std::lock_guard lock(guard_);
  return messages_.empty() || messages_.begin()->first >= before;
}

}  // namespace raddle::endpoints::buffered
