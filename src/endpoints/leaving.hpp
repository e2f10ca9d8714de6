// SPDX-License-Identifier: BSD-3-Clause
// An endpoint whose handle is being freed. What deletes its attributes is given the communicator that is freed (MPI-4.1
// section 7.7.2), so in this thread the handle is still the endpoint's. To other threads the MPI may give it at once.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace raddle::endpoints {

class Endpoint;

/// Bit of the gate: the handle of an endpoint is being freed.
constexpr std::uint32_t someone_leaves = 1U << 28U;

/// While it lives the calling thread frees `endpoint`, whose handle no table has any more.
class Leaving {
 public:
  explicit Leaving(Endpoint& endpoint);
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;
  ~Leaving();

  /// The endpoint of this handle, if the calling thread is freeing it; otherwise nullptr.
  [[nodiscard]] static Endpoint* with(MPI_Comm comm);

 private:
  Endpoint& endpoint_;
  Leaving* outer_;  ///< of a function that deletes an attribute and frees another endpoint
};

}  // namespace raddle::endpoints
