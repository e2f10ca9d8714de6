// SPDX-License-Identifier: BSD-3-Clause
// Completion calls (MPI-4.1 sections 3.7.3 to 3.7.6) on arrays that mix requests of any endpoints with the MPI's own,
// null and inactive ones, and all that is done with one request of an endpoint.
//
// Parameters are those of the MPI functions of like names. Errors of endpoints' requests are raised once, on the
// endpoint whose request failed first, and returned; those of the MPI's own requests have been raised by the MPI.
//
// An endpoint whose requests are waited for or tested makes progress. No heap is used unless a request has failed.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "endpoints/endpoint.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/requests/polling.hpp"
#include "endpoints/requests/request.hpp"
#include "platform/waiting.hpp"

namespace raddle::endpoints {

using Requests = std::span<MPI_Request>;

// One request of an endpoint, behind `handle`.
int wait(Request& request, MPI_Request& handle, MPI_Status* status);
int test(Request& request, MPI_Request& handle, int& flag, MPI_Status* status);
int look(const Request& request, int& flag, MPI_Status* status);  ///< MPI_Request_get_status
int cancel(Request& request);                                     ///< MPI_ERR_REQUEST if it is inactive
int start(Request& request);                                      ///< MPI_ERR_REQUEST if it cannot be started

/// Starts one after the other, up to the first error.
int start_all(Requests requests);

/// Waits for one after the other. Once a request has failed the others are given up at the next tenth of a second that
/// goes by, with MPI_ERR_PENDING: what has gone wrong may be why they never complete.
int wait_all(Requests requests, MPI_Status* statuses);
int test_all(Requests requests, int& flag, MPI_Status* statuses);
int look_all(Requests requests, int& flag, MPI_Status* statuses);

/// Of several that are complete, takes the one with the lowest index: programs expect that, although MPI leaves it
/// open. Where that is always an endpoint's, the MPI still gets to make progress with its own.
int wait_any(Requests requests, int& index, MPI_Status* status);
int test_any(Requests requests, int& index, int& flag, MPI_Status* status);
int look_any(Requests requests, int& index, int& flag, MPI_Status* status);

int wait_some(Requests requests, int& outcount, int* indices, MPI_Status* statuses);
int test_some(Requests requests, int& outcount, int* indices, MPI_Status* statuses);
int look_some(Requests requests, int& outcount, int* indices, MPI_Status* statuses);

// What completion calls have in common: how the program is told of the end of a request, the two ways of looking at
// requests, and how a call is blocked.

// How the program is told that requests are complete.

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

// The two ways of looking at requests: completion calls end what is complete, MPI_Request_get_status and its relatives
// leave it. And what stands between requests of endpoints in an array: runs of the MPI's own, which it is asked about
// where they lie.

/// The requests at the front that are not an endpoint's, of which the first is known to be none.
inline Requests native_run(Requests requests) {
  std::size_t length = 1;
  while (length < requests.size() && find<Kind::request>(requests[length]) == nullptr) ++length;
  return requests.first(length);
}

struct Ending {
  static int tell(Request& request, MPI_Request& handle, MPI_Status* status) { return end(request, handle, status); }
  static int all(Requests natives, int& flag, MPI_Status* statuses) {
    return PMPI_Testall(static_cast<int>(natives.size()), natives.data(), &flag, statuses);
  }
  static int any(Requests run, int& index, int& flag, MPI_Status* status) {
    return PMPI_Testany(static_cast<int>(run.size()), run.data(), &index, &flag, status);
  }
  static int some(Requests run, int& outcount, int* indices, MPI_Status* statuses) {
    return PMPI_Testsome(static_cast<int>(run.size()), run.data(), &outcount, indices, statuses);
  }
};

/// Templates, since what they call came with MPI-4.1: where mpi.h does not declare it, nobody calls what calls these.
struct Looking {
  static int tell(Request& request, MPI_Request&, MPI_Status* status) { return endpoints::tell(request, status); }
  template <typename Request>
  static int all(std::span<Request> natives, int& flag, MPI_Status* statuses) {
    const int length = static_cast<int>(natives.size());
    if constexpr (requires { PMPI_Request_get_status_all(length, natives.data(), &flag, statuses); })
      return PMPI_Request_get_status_all(length, natives.data(), &flag, statuses);
    else
      return MPI_ERR_UNSUPPORTED_OPERATION;
  }
  template <typename Request>
  static int any(std::span<Request> run, int& index, int& flag, MPI_Status* status) {
    const int length = static_cast<int>(run.size());
    if constexpr (requires { PMPI_Request_get_status_any(length, run.data(), &index, &flag, status); })
      return PMPI_Request_get_status_any(length, run.data(), &index, &flag, status);
    else
      return MPI_ERR_UNSUPPORTED_OPERATION;
  }
  template <typename Request>
  static int some(std::span<Request> run, int& outcount, int* indices, MPI_Status* statuses) {
    const int length = static_cast<int>(run.size());
    if constexpr (requires { PMPI_Request_get_status_some(length, run.data(), &outcount, indices, statuses); })
      return PMPI_Request_get_status_some(length, run.data(), &outcount, indices, statuses);
    else
      return MPI_ERR_UNSUPPORTED_OPERATION;
  }
};

// A call that is blocked until something becomes of an array of requests.

/// Calls `visit` with each mover of requests here; more than once if those of several alternate.
template <typename Visit>
void each_mover(Requests requests, Visit&& visit) {
  const Mover* last = nullptr;
  for (const MPI_Request handle : requests) {
    const Request* const request = find<Kind::request>(handle);
    Mover* const mover = request == nullptr ? nullptr : request->mover();
    if (mover == nullptr || mover == last) continue;
    last = mover;
    visit(*mover);
  }
}

/// Of a call that only looks.
inline void polled(Requests requests, bool found, const char* call) {
  if (found) return Polling::found();
  Mover* one = nullptr;
  each_mover(requests, [&](Mover& mover) { one = &mover; });
  Polling::in_vain(one, call);
}

class Blocked {
 public:
  explicit Blocked(const char* call) : call_(call) {}

  /// To be called after each look that found nothing; lets none of these progress.
  /// @returns whether another tenth of a second has gone by
  bool turn(Requests requests) {
    if (!began_) waiting_ = platform::Waiting(crowded(requests));
    began_ = true;
    waiting_.turn();
    if (waiting_.idle()) each_mover(requests, [](Mover& mover) { mover.meanwhile(); });
    if (!waiting_.long_wait()) return false;
    each_mover(requests, [this](Mover& mover) { mover.blocked(call_); });
    return true;
  }

 private:
  static bool crowded(Requests requests) {
    bool any = false;
    each_mover(requests, [&](const Mover& mover) { any = any || mover.crowded(); });
    return any;
  }

  const char* call_;
  bool began_ = false;
  platform::Waiting waiting_{false};  // until it begins
};

}  // namespace raddle::endpoints
