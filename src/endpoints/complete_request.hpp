// SPDX-License-Identifier: BSD-3-Clause
// The request of operations that are complete when they begin: one for all of an endpoint, which nobody uses up.
#pragma once

#include <mpi.h>

#include "endpoints/request.hpp"

namespace raddle::endpoints {

class CompleteRequest final : public Request {
 public:
  CompleteRequest(Endpoint& endpoint, const Result& result);

  [[nodiscard]] Result result() const override { return result_; }
  int start() override { return MPI_ERR_REQUEST; }
  void cancel() override {}
  void retire() override {}
  void abandon() override {}

 private:
  End end_{Ended::well};
  Result result_;
};

}  // namespace raddle::endpoints
