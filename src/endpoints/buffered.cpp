// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/buffered.hpp"

#include <mpi.h>

#include "endpoints/rank.hpp"

namespace raddle::endpoints::buffered {

Account& account() {
  static auto& process = *new Account;
  return adopted == nullptr ? process : adopted->buffer;
}

void attach(std::int64_t bytes) { account().attached.store(bytes); }

std::shared_ptr<std::byte[]> room(std::size_t bytes) {
  Account& own = account();
  const auto needed = static_cast<std::int64_t>(bytes) + MPI_BSEND_OVERHEAD;
  if (own.used.fetch_add(needed) + needed > own.attached.load()) {
    own.used.fetch_sub(needed);
    return nullptr;
  }
  return {new std::byte[bytes], [needed, &own](const std::byte* memory) {
            delete[] memory;
            own.used.fetch_sub(needed);
          }};
}

bool in_use() { return account().used.load() > 0; }

}  // namespace raddle::endpoints::buffered
