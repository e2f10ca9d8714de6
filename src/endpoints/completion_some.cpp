// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/completion.hpp"
#include "endpoints/completion_blocked.hpp"
#include "endpoints/completion_native.hpp"
#include "endpoints/completion_result.hpp"
#include "platform/errors.hpp"

namespace raddle::endpoints {
namespace {

/// One look at all requests, which finds every one that is complete.
template <typename Way>
class SomeOf {
 public:
  SomeOf(Requests requests, int* indices, MPI_Status* statuses)
      : requests_(requests), indices_(indices), statuses_(statuses), errors_(statuses) {}

  /// @returns whether the search is over: with requests, or since there are none to wait for
  bool look() {
    each_mover(requests_, [](Mover& mover) { mover.progress(); });
    active_ = false;
    for (std::size_t i = 0; i < requests_.size();) {
      if (Request* const request = find<Kind::request>(requests_[i])) {
        one(*request, i);
        ++i;
      } else {
        const Requests run = native_run(requests_.subspan(i));
        native(run, i);
        i += run.size();
      }
    }
    return found_ > 0 || !active_ || failed_ != MPI_SUCCESS;
  }

  int finish(int& outcount) {
    outcount = active_ ? static_cast<int>(found_) : MPI_UNDEFINED;
    const int code = errors_.finish(found_);
    return found_ == 0 && failed_ != MPI_SUCCESS ? failed_ : code;
  }

 private:
  void one(Request& request, std::size_t i) {
    if (!request.active()) return;
    active_ = true;
    if (!request.complete()) return;
    const MPI_Comm comm = request.comm();
    errors_.note(found_, Way::tell(request, requests_[i], status_at(statuses_, found_)), comm);
    indices_[found_++] = static_cast<int>(i);
  }

  /// What the MPI finds goes behind what has been found: there is room, for each was looked at once.
  void native(Requests run, std::size_t i) {
    int outcount = 0;
    MPI_Status* const statuses = statuses_ == MPI_STATUSES_IGNORE ? statuses_ : statuses_ + found_;
    const int code = Way::some(run, outcount, indices_ + found_, statuses);
    if (code != MPI_SUCCESS && outcount <= 0) {  // of the call: the MPI has raised it
      failed_ = code;
      return;
    }
    if (outcount == MPI_UNDEFINED) return;
    active_ = true;
    for (int k = 0; k < outcount; ++k, ++found_) {
      if (code != MPI_SUCCESS) errors_.note(found_, native_error(code), MPI_COMM_NULL);
      indices_[found_] += static_cast<int>(i);
    }
  }

  /// Of the request whose status is the next one. `code` is MPI_ERR_IN_STATUS, or what has gone wrong with all.
  [[nodiscard]] int native_error(int code) const {
    if (platform::class_of(code) != MPI_ERR_IN_STATUS || statuses_ == MPI_STATUSES_IGNORE) return code;
    return statuses_[found_].MPI_ERROR;
  }

  Requests requests_;
  int* indices_;
  MPI_Status* statuses_;
  Errors errors_;
  std::size_t found_ = 0;
  bool active_ = false;
  int failed_ = MPI_SUCCESS;
};

template <typename Way>
int some(const char* call, Requests requests, int& outcount, int* indices, MPI_Status* statuses) {
  SomeOf<Way> search(requests, indices, statuses);
  polled(requests, search.look(), call);
  return search.finish(outcount);
}

}  // namespace

int wait_some(Requests requests, int& outcount, int* indices, MPI_Status* statuses) {
  SomeOf<Ending> search(requests, indices, statuses);
  Blocked blocked("MPI_Waitsome");
  while (!search.look()) blocked.turn(requests);
  return search.finish(outcount);
}

int test_some(Requests requests, int& outcount, int* indices, MPI_Status* statuses) {
  return some<Ending>("MPI_Testsome", requests, outcount, indices, statuses);
}

int look_some(Requests requests, int& outcount, int* indices, MPI_Status* statuses) {
  return some<Looking>("MPI_Request_get_status_some", requests, outcount, indices, statuses);
}

}  // namespace raddle::endpoints
