// SPDX-License-Identifier: BSD-3-Clause
// Who a rank is, whatever communicator it is a rank of. Knows no MPI.
#pragma once

#include <compare>
#include <vector>

namespace raddle::endpoints {

/// A process (endpoints/members.hpp numbers them), and which of the process's endpoints in the communicator that
/// MPIX_Comm_create_endpoints made; 0 for a process itself.
struct Member {
  int process;
  int index;
  auto operator<=>(const Member&) const = default;
};

/// In the order of ranks.
using Members = std::vector<Member>;

}  // namespace raddle::endpoints
