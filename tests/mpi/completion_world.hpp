// SPDX-License-Identifier: BSD-3-Clause
// Three endpoints without an engine, whose error handlers listen.
#pragma once

#include <mpi.h>

#include <array>
#include <vector>

#include "mpi/fake_endpoint.hpp"

namespace raddle::endpoints {

/// What error handlers were given, by any communicator.
struct Heard {
  MPI_Comm comm;
  int code;
};
inline std::vector<Heard> heard;

/// A communicator of this process alone whose error handler listens.
class Listening {
 public:
  Listening() {
    MPI_Comm_create_errhandler(listen, &handler_);
    MPI_Comm_dup(MPI_COMM_SELF, &comm_);
    MPI_Comm_set_errhandler(comm_, handler_);
  }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  ~Listening() {
    MPI_Comm_free(&comm_);
    MPI_Errhandler_free(&handler_);
  }
  operator MPI_Comm() const { return comm_; }  // NOLINT(google-explicit-constructor): it is one

 private:
  static void listen(MPI_Comm* comm, int* code, ...) { heard.push_back({*comm, *code}); }

  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Endpoints for many arrays.
struct World {
  std::array<Listening, 3> comms;
  Listening natives;
  std::array<FakeEndpoint, 3> endpoints{FakeEndpoint(comms[0], 0, 3), FakeEndpoint(comms[1], 1, 3),
                                        FakeEndpoint(comms[2], 2, 3)};
};

}  // namespace raddle::endpoints
