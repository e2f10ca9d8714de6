// SPDX-License-Identifier: BSD-3-Clause
// Errors of the MPI's on a communicator of the program that Raddle raises itself.
#pragma once

#include <mpi.h>

namespace raddle::endpoints {

/// While it lives the program's error handler does not hear of a communicator: errors are raised once, by who asked.
class Quiet {
 public:
  explicit Quiet(MPI_Comm comm) : comm_(comm) {
    PMPI_Comm_get_errhandler(comm_, &handler_);
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet() {
    PMPI_Comm_set_errhandler(comm_, handler_);
    PMPI_Errhandler_free(&handler_);
  }

 private:
  MPI_Comm comm_;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

}  // namespace raddle::endpoints
