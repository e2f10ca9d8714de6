// SPDX-License-Identifier: BSD-3-Clause
// How far an operation is, as others look at it. Knows no MPI.
#pragma once

#include <atomic>
#include <cstdint>

namespace raddle::endpoints {

enum class Ended : std::uint8_t {
  no,
  well,       ///< without error, and it was not cancelled
  otherwise,  ///< the result says how
  ask,        ///< the request says it
};

/// Stored with release by the one who ends it, after all else that he does to the operation; loaded with acquire.
using End = std::atomic<Ended>;

}  // namespace raddle::endpoints
