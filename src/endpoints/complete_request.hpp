// SPDX-License-Identifier: BSD-3-Clause
// The requests of operations that are complete when they begin. There is one for all of a kind, which nobody uses up
// and which belongs to no endpoint: a program may ask for it when its communicator is long gone (MPI-4.1
// section 7.4.3).
#pragma once

#include <mpi.h>

#include "endpoints/request.hpp"

namespace raddle::endpoints {

class CompleteRequest final : public Request {
 public:
  /// Of a send that is complete, or goes to MPI_PROC_NULL. @pre make_all()
  [[nodiscard]] static Request& sent() { return *sent_; }
  /// Of a receive from MPI_PROC_NULL. @pre make_all()
  [[nodiscard]] static Request& received_from_nobody() { return *received_from_nobody_; }

  /// Unless there are some.
  static void make_all();
  /// Before the MPI ends.
  static void end_all();

  [[nodiscard]] Result result() const override { return result_; }
  int start() override { return MPI_ERR_REQUEST; }
  void cancel() override {}
  void retire() override {}
  void abandon() override {}

 private:
  explicit CompleteRequest(const Result& result) : Request(&end_), result_(result) {}

  static CompleteRequest* sent_;
  static CompleteRequest* received_from_nobody_;

  End end_{Ended::well};
  Result result_;
};

}  // namespace raddle::endpoints
