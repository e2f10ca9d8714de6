// SPDX-License-Identifier: BSD-3-Clause
// The request of MPI_Isendrecv (MPI-4.1 section 3.10): complete when a send and a receive are.
#pragma once

#include "endpoints/request.hpp"

namespace raddle::endpoints {

/// Made for one operation; ends itself when the program has been told of it.
class PairRequest final : public Request {
 public:
  PairRequest(Endpoint& endpoint, Request& send, Request& receive);

  /// What was received; the error is that of the receive, or else of the send (MPI-4.1 section 3.10).
  [[nodiscard]] Result result() const override;
  int start() override { return MPI_ERR_REQUEST; }
  void cancel() override {}  // an error of the program: there is no cancelling of both at once
  void retire() override;
  void abandon() override;

 private:
  [[nodiscard]] Ended ask() const override;

  Request& send_;
  Request& receive_;
};

}  // namespace raddle::endpoints
