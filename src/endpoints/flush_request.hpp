// SPDX-License-Identifier: BSD-3-Clause
// The request of MPI_Buffer_iflush and MPI_Comm_iflush_buffer (MPI-4.1 section 3.6): complete when the messages are out
// that have entered a buffer before.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "endpoints/buffered.hpp"
#include "endpoints/request.hpp"

namespace raddle::endpoints {

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
