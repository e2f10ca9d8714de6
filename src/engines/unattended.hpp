// SPDX-License-Identifier: BSD-3-Clause
// Endpoints that no thread has moved for a while: theirs is blocked in the MPI, or at the program's own work. The
// others are left alone, whatever goes on there: a second thread would only be in the way.
#pragma once

#include <cstdint>
#include <vector>

#include "endpoints/endpoint.hpp"

namespace raddle::engines {

/// Of one communicator in this process. One thread at a time.
class Unattended {
 public:
  /// Finds those where nothing has moved since the last call. @returns whether there are any
  bool look(const std::vector<endpoints::Endpoint*>& all);
  /// A step for each of those. @returns whether anything has moved
  bool step(const std::vector<endpoints::Endpoint*>& all);

 private:
  struct Seen {
    std::uint64_t moved = 0;  ///< Endpoint::moved()
    bool unattended = false;
  };

  std::vector<Seen> seen_;  ///< by index
};

}  // namespace raddle::engines
