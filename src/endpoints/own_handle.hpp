// SPDX-License-Identifier: BSD-3-Clause
// The handles of endpoints. Each is a communicator of this process alone, or gets one late (late_handle.hpp).
#pragma once

#include <mpi.h>

#include <vector>

namespace raddle::endpoints {

/// With the error handler of another communicator; MPI_COMM_NULL if the MPI has none left. Any thread.
MPI_Comm own_handle(MPI_Comm like);
/// One that is no endpoint's; MPI_COMM_NULL is left alone, and there afterwards.
void free_own_handle(MPI_Comm& handle);

/// So many, or none if the MPI has not got so many: given back unless they are kept.
class OwnHandles {
 public:
  OwnHandles(MPI_Comm like, int count);
  OwnHandles(const OwnHandles&) = delete;
  OwnHandles& operator=(const OwnHandles&) = delete;
  ~OwnHandles() { give_back(); }

  [[nodiscard]] const std::vector<MPI_Comm>& get() const { return handles_; }
  void keep() { handles_.clear(); }

 private:
  void give_back();
  std::vector<MPI_Comm> handles_;
};

}  // namespace raddle::endpoints
