// SPDX-License-Identifier: BSD-3-Clause
// Requests that no engine makes: those of operations that are complete when they begin, of a send and a receive
// together, and of a flush of the buffers of MPI_Bsend.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "endpoints/requests/buffered.hpp"
#include "endpoints/requests/request.hpp"

namespace raddle::endpoints {

// The requests of operations that are complete when they begin. There is one for all of a kind, which nobody uses up
// and which belongs to no endpoint: a program may ask for it when its communicator is long gone (MPI-4.1
// section 7.4.3).

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

// The request of MPI_Isendrecv (MPI-4.1 section 3.10): complete when a send and a receive are.

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

// The request of MPI_Buffer_iflush and MPI_Comm_iflush_buffer (MPI-4.1 section 3.6): complete when the messages are out
// that have entered a buffer before.

/// Ends itself when the program has been told of it.
class FlushRequest final : public Request {
 public:
  /// @param endpoint  whose communicator is held
  /// @param native    the MPI's own for messages that are no endpoint's, or MPI_REQUEST_NULL
  FlushRequest(Endpoint& endpoint, buffered::Account& account, MPI_Request native = MPI_REQUEST_NULL);
  ~FlushRequest() override;

  [[nodiscard]] Result result() const override { return {}; }
  int start() override { return MPI_ERR_REQUEST; }
  void cancel() override {}  // not allowed (MPI-4.1 section 3.8.4)
  void retire() override { delete this; }
  void abandon() override;

 private:
  [[nodiscard]] Ended ask() const override;

  std::shared_ptr<buffered::Account> account_;
  std::uint64_t before_;
  mutable MPI_Request native_;
};

}  // namespace raddle::endpoints
