// SPDX-License-Identifier: BSD-3-Clause
// The links of partitioned requests of which both sides are in this process: each finds the other here.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>

#include "partitioned/link.hpp"

namespace raddle::partitioned {

class OwnLinks {
 public:
  struct Key {
    const void* communicator;  ///< the same for both
    int from;
    int to;
    int tag;
    std::uint64_t number;  ///< of the send, and of the receive, with these

    auto operator<=>(const Key&) const = default;
  };

  /// Each side once, any thread: whoever comes first makes the link.
  static std::shared_ptr<Link> join(const Key& key);
  /// The communicator is no more, and another one may get its address.
  static void forget(const void* communicator);
};

}  // namespace raddle::partitioned
