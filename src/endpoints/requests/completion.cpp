// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/requests/completion.hpp"

#include <algorithm>

#include "endpoints/errors.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/mover.hpp"
#include "endpoints/requests/polling.hpp"
#include "platform/errors.hpp"

namespace raddle::endpoints {

void Errors::fail(std::size_t place, int code, MPI_Comm comm) {
  if (codes_.size() <= place) codes_.resize(place + 1, MPI_SUCCESS);
  codes_[place] = code;
  if (comm == MPI_COMM_NULL || comm_ != MPI_COMM_NULL) return;
  comm_ = comm;
  first_ = code;
}

int Errors::report(std::size_t count) {
  codes_.resize(count, MPI_SUCCESS);
  for (std::size_t i = 0; statuses_ != MPI_STATUSES_IGNORE && i < count; ++i) statuses_[i].MPI_ERROR = codes_[i];
  // A handler is given the code of the request and not MPI_ERR_IN_STATUS (MPI-4.1 section 9.3).
  if (comm_ != MPI_COMM_NULL) raise(comm_, first_);
  return MPI_ERR_IN_STATUS;
}

namespace {

/// The short way of most, which ask nothing. @returns whether it has been taken
[[gnu::always_inline]] inline bool ended_well(Request& request, MPI_Request& handle, const MPI_Status* status) {
  if (status != MPI_STATUS_IGNORE || !request.ended_well()) return false;
  if (!request.persistent()) handle = MPI_REQUEST_NULL;
  request.retire();
  return true;
}

[[gnu::noinline]] int ended(Request& request, MPI_Request& handle, MPI_Status* status) {
  const MPI_Comm comm = request.comm();  // once it is ended another thread may have the request
  const int code = end(request, handle, status);
  return code == MPI_SUCCESS ? code : raise(comm, code);
}

[[gnu::noinline]] void block(const Request& request) {
  progress_until(*request.mover(), "MPI_Wait", [&] { return request.complete(); });
}

bool startable(const Request& request) { return request.persistent() && !request.active(); }

}  // namespace

int wait(Request& request, MPI_Request& handle, MPI_Status* status) {
  if (!request.active()) {
    write_empty_status(status);
    return MPI_SUCCESS;
  }
  if (!request.complete()) block(request);
  return ended_well(request, handle, status) ? MPI_SUCCESS : ended(request, handle, status);
}

int test(Request& request, MPI_Request& handle, int& flag, MPI_Status* status) {
  flag = 1;
  if (!request.active()) {
    write_empty_status(status);
    return MPI_SUCCESS;
  }
  if (!request.complete()) request.mover()->progress();
  if (request.complete()) {
    Polling::found();
    return ended_well(request, handle, status) ? MPI_SUCCESS : ended(request, handle, status);
  }
  flag = 0;
  Polling::in_vain(request.mover(), "MPI_Test");
  return MPI_SUCCESS;
}

int look(const Request& request, int& flag, MPI_Status* status) {
  flag = 1;
  if (!request.active()) {
    write_empty_status(status);
    return MPI_SUCCESS;
  }
  if (!request.complete()) request.mover()->progress();
  if (!request.complete()) {
    flag = 0;
    Polling::in_vain(request.mover(), "MPI_Request_get_status");
    return MPI_SUCCESS;
  }
  Polling::found();
  const int code = tell(request, status);
  return code == MPI_SUCCESS ? code : raise(request.comm(), code);
}

int cancel(Request& request) {
  if (!request.active()) return raise(request.comm(), MPI_ERR_REQUEST);
  request.cancel();
  return MPI_SUCCESS;
}

int start(Request& request) {
  const int code = startable(request) ? request.start() : MPI_ERR_REQUEST;
  return code == MPI_SUCCESS ? code : raise(request.comm(), code);
}

int start_all(Requests requests) {
  for (MPI_Request& handle : requests) {
    Request* const request = find<Kind::request>(handle);
    const int code = request == nullptr ? PMPI_Start(&handle) : start(*request);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

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
