// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/requests/buffered.hpp"

#include <mpi.h>

#include <limits>
#include <utility>

#include "endpoints/rank.hpp"

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
  bytes_ = bytes;
  return true;
}

bool Account::detach(void*& where, std::int64_t& bytes) {
  const std::lock_guard lock(guard_);
  if (!messages_.empty()) return false;
  bytes = attached() ? bytes_.load() : 0;
  where = std::exchange(where_, nullptr);
  room_ = 0;
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
