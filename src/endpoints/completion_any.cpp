// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "endpoints/completion.hpp"
#include "endpoints/completion_blocked.hpp"
#include "endpoints/completion_native.hpp"
#include "endpoints/completion_result.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/mpi_progress.hpp"

namespace raddle::endpoints {
namespace {

/// Searches of this thread that have ended before they came to the MPI's own requests.
thread_local unsigned passed_over = 0;
constexpr unsigned often = 16;

/// One search for a request that is complete.
template <typename Way>
class AnyOf {
 public:
  AnyOf(Requests requests, MPI_Status* status) : requests_(requests), status_(status) {}

  /// @returns whether the search is over: with a request, or since there is none to wait for
  bool look() {
    each_mover(requests_, [](Mover& mover) { mover.progress(); });
    active_ = false;
    if (found()) return true;
    if (active_) return false;
    write_empty_status(status_);
    return true;
  }

  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] int code() const { return code_; }

 private:
  bool found() {
    for (std::size_t i = 0; i < requests_.size();) {
      if (Request* const request = find<Kind::request>(requests_[i])) {
        if (one(*request, i)) {
          pass_over(requests_.subspan(i + 1));
          return true;
        }
        ++i;
      } else {
        const Requests run = native_run(requests_.subspan(i));
        if (native(run, i)) return true;
        i += run.size();
      }
    }
    return false;
  }

  bool one(Request& request, std::size_t i) {
    if (!request.active()) return false;
    active_ = true;
    if (!request.complete()) return false;
    const MPI_Comm comm = request.comm();
    index_ = static_cast<int>(i);
    code_ = Way::tell(request, requests_[i], status_);
    if (code_ != MPI_SUCCESS) raise(comm, code_);
    return true;
  }

  bool native(Requests run, std::size_t i) {
    const bool wanted = status_ != MPI_STATUS_IGNORE;
    MPI_Status own = wanted ? *status_ : MPI_Status{};  // the MPI writes an empty one where it finds nothing
    int flag = 0;
    int index = MPI_UNDEFINED;
    code_ = Way::any(run, index, flag, wanted ? &own : MPI_STATUS_IGNORE);
    if (code_ == MPI_SUCCESS && flag == 0) active_ = true;
    if (code_ == MPI_SUCCESS && (flag == 0 || index == MPI_UNDEFINED)) return false;
    if (wanted) *status_ = own;
    index_ = static_cast<int>(i) + (index == MPI_UNDEFINED ? 0 : index);
    return true;
  }

  /// The MPI makes progress when it is asked. A program that is always given a request of an endpoint has to get there.
  static void pass_over(Requests rest) {
    if (rest.empty() || ++passed_over % often != 0) return;
    const bool any = std::ranges::any_of(rest, [](MPI_Request request) {
      return request != MPI_REQUEST_NULL && find<Kind::request>(request) == nullptr;
    });
    if (any) mpi_progress::step();
  }

  Requests requests_;
  MPI_Status* status_;
  bool active_ = false;
  int index_ = MPI_UNDEFINED;
  int code_ = MPI_SUCCESS;
};

template <typename Way>
int any(const char* call, Requests requests, int& index, int& flag, MPI_Status* status) {
  AnyOf<Way> search(requests, status);
  flag = search.look() ? 1 : 0;
  polled(requests, flag != 0, call);
  index = search.index();
  return search.code();
}

}  // namespace

int wait_any(Requests requests, int& index, MPI_Status* status) {
  AnyOf<Ending> search(requests, status);
  Blocked blocked("MPI_Waitany");
  while (!search.look()) blocked.turn(requests);
  index = search.index();
  return search.code();
}

int test_any(Requests requests, int& index, int& flag, MPI_Status* status) {
  return any<Ending>("MPI_Testany", requests, index, flag, status);
}

int look_any(Requests requests, int& index, int& flag, MPI_Status* status) {
  return any<Looking>("MPI_Request_get_status_any", requests, index, flag, status);
}

}  // namespace raddle::endpoints
