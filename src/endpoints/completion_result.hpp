// SPDX-License-Identifier: BSD-3-Clause
// How the program is told that requests are complete.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "endpoints/request.hpp"
#include "endpoints/status.hpp"

namespace raddle::endpoints {

/// @returns the request's error, not raised. MPI_STATUS_IGNORE is accepted
inline int tell(const Request& request, MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE && request.ended_well()) return MPI_SUCCESS;
  const Result result = request.result();
  write_status(status, result.source, result.tag, result.bytes, result.cancelled);
  return result.error;
}

/// Tells, and takes the request from the program unless it is persistent.
inline int end(Request& request, MPI_Request& handle, MPI_Status* status) {
  const int error = tell(request, status);
  if (!request.persistent()) handle = MPI_REQUEST_NULL;
  request.retire();
  return error;
}

/// Requests that a call has told the program of. Those of one pool that follow each other go back together.
class Retiring {
 public:
  Retiring() = default;
  Retiring(const Retiring&) = delete;
  Retiring& operator=(const Retiring&) = delete;
  ~Retiring() { give_back(); }

  void add(Request& request) {
    Pool* const pool = request.pool();
    if (pool == nullptr) return request.retire();
    if (pool != pool_) {
      give_back();
      pool_ = pool;
      last_ = &request;
    }
    request.behind = first_;
    first_ = &request;
  }

 private:
  void give_back() {
    if (first_ != nullptr) pool_->give_back(*first_, *last_);
    first_ = nullptr;
  }

  Pool* pool_ = nullptr;
  Request* first_ = nullptr;
  Request* last_ = nullptr;
};

/// Place `i` of an array of statuses that may be MPI_STATUSES_IGNORE.
inline MPI_Status* status_at(MPI_Status* statuses, std::size_t i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
}

/// The errors of a call that returns several statuses.
class Errors {
 public:
  explicit Errors(MPI_Status* statuses) : statuses_(statuses) {}

  /// What became of the request whose status is at `place`.
  /// @param comm where the error is to be raised; MPI_COMM_NULL: it has been
  void note(std::size_t place, int code, MPI_Comm comm) {
    if (code != MPI_SUCCESS) [[unlikely]]
      fail(place, code, comm);
  }

  [[nodiscard]] bool any() const { return !codes_.empty(); }

  /// @param count of statuses
  /// @returns what the call returns: if there was an error, MPI_ERR_IN_STATUS, with every status's MPI_ERROR set
  int finish(std::size_t count) { return any() ? report(count) : MPI_SUCCESS; }

 private:
  [[gnu::cold]] void fail(std::size_t place, int code, MPI_Comm comm);
  [[gnu::cold]] int report(std::size_t count);

  MPI_Status* statuses_;
  std::vector<int> codes_;  ///< by place, up to the last error
  MPI_Comm comm_ = MPI_COMM_NULL;
  int first_ = MPI_SUCCESS;  ///< the error to raise
};

}  // namespace raddle::endpoints
