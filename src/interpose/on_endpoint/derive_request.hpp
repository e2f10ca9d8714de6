// SPDX-License-Identifier: BSD-3-Clause
// The request of MPI_Comm_idup. A thread of Raddle's ends it, whether the program looks or not.
#pragma once

#include <mpi.h>

#include "endpoints/derive.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/request.hpp"

namespace raddle::interpose::on_endpoint {

/// Belongs to the program, until it has been told of the end.
class DeriveRequest final : public endpoints::Request {
 public:
  /// @param made  the program's variable, which is MPI_COMM_NULL in the end if the communicator could not be made
  DeriveRequest(endpoints::Endpoint& endpoint, MPI_Comm& made);
  ~DeriveRequest() override;

  [[nodiscard]] endpoints::Result result() const override { return {.error = newcomer.code}; }
  int start() override { return MPI_ERR_REQUEST; }
  void cancel() override {}  // neither this nor the next is allowed here (MPI-4.1 section 6.12)
  void abandon() override;
  void retire() override { delete this; }

  endpoints::Newcomer newcomer;

 private:
  void end();

  MPI_Comm& made_;
  endpoints::End end_{endpoints::Ended::no};
};

}  // namespace raddle::interpose::on_endpoint
