// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/completion.hpp"
#include "endpoints/completion_blocked.hpp"
#include "endpoints/completion_result.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/handles.hpp"

namespace raddle::endpoints {
namespace {

/// Whether a request has failed of which the program has not been told.
bool failed(Requests requests) {
  for (const MPI_Request handle : requests) {
    const Request* const request = find<Kind::request>(handle);
    if (request != nullptr && request->active() && request->complete() && request->result().error != MPI_SUCCESS)
      return true;
  }
  return false;
}

/// Ends requests of endpoints in their order, and all of the MPI's together as soon as it meets one or has to wait.
/// That is the only order that lets both progress: an MPI moves its own messages in calls that end its own requests.
/// @tparam asks  whether the program asks how they have ended
template <bool asks>
class WaitAll {
 public:
  WaitAll(Requests requests, MPI_Status* statuses) : requests_(requests), statuses_(statuses), errors_(statuses) {}

  int run() {
    for (skip_ended(); at_ < requests_.size(); ++at_, skip_ended()) {
      if (Request* const request = find<Kind::request>(requests_[at_])) [[likely]] {
        one(*request);
      } else if (!natives_done_) {
        natives();
      }
    }
    return errors_.finish(requests_.size());
  }

 private:
  /// Ends requests from here on as long as they have ended well and nobody asks how.
  void skip_ended() {
    if constexpr (asks) return;
    std::size_t i = at_;
    for (; i < requests_.size(); ++i) {
      Request* const request = find<Kind::request>(requests_[i]);
      if (request == nullptr || !request->active() || !request->ended_well()) break;
      if (!request->persistent()) requests_[i] = MPI_REQUEST_NULL;
      retiring_.add(*request);
    }
    at_ = i;
  }

  void one(Request& request) {
    if (!request.active()) return write_empty_status(status_at(statuses_, at_));
    if (!request.complete()) {
      block(request);
      if (!request.complete()) return errors_.note(at_, MPI_ERR_PENDING, MPI_COMM_NULL);
    }
    errors_.note(at_, tell(request, status_at(statuses_, at_)), request.comm());
    if (!request.persistent()) requests_[at_] = MPI_REQUEST_NULL;
    retiring_.add(request);
  }

  [[gnu::noinline]] void block(const Request& request) {
    for (int turn = 0; !request.complete() && !given_up_; ++turn) {
      // Most arrays belong to one endpoint, and most waits are short: so the rest is looked at late.
      if (turn < short_wait) {
        request.mover()->progress();
        continue;
      }
      if (!natives_done_) natives();
      progress_all();
      wait_a_moment();
    }
  }

  /// The requests from here on that are not an endpoint's, null ones among them.
  void natives() {
    natives_done_ = true;
    for (std::size_t i = at_; i < requests_.size(); ++i) {
      if (find<Kind::request>(requests_[i]) == nullptr) native(i);
    }
  }

  void native(std::size_t i) {
    for (;;) {
      int flag = 0;
      const int code = PMPI_Test(&requests_[i], &flag, status_at(statuses_, i));
      if (code != MPI_SUCCESS || flag != 0) return errors_.note(i, code, MPI_COMM_NULL);
      if (given_up_) return errors_.note(i, MPI_ERR_PENDING, MPI_COMM_NULL);
      progress_all();
      wait_a_moment();
    }
  }

  void progress_all() {
    if (only_ != nullptr) return only_->progress();
    Mover* met = nullptr;
    bool several = false;
    each_mover(rest(), [&](Mover& mover) {
      several = several || met != nullptr;
      met = &mover;
      mover.progress();
    });
    if (!several) only_ = met;
  }

  void wait_a_moment() {
    if (blocked_.turn(rest())) given_up_ = errors_.any() || failed(rest());
  }

  [[nodiscard]] Requests rest() const { return requests_.subspan(at_); }

  static constexpr int short_wait = 16;  ///< turns

  Requests requests_;
  MPI_Status* statuses_;
  Errors errors_;
  Blocked blocked_{"MPI_Waitall"};
  Retiring retiring_;
  Mover* only_ = nullptr;  ///< the one to which all that is left of endpoints belongs, once that is known
  std::size_t at_ = 0;
  bool natives_done_ = false;
  bool given_up_ = false;
};

[[gnu::cold, gnu::noinline]] int no_statuses(Requests requests) {
  MPI_Comm comm = MPI_COMM_SELF;
  for (const MPI_Request handle : requests) {
    if (const Request* const request = find<Kind::request>(handle)) {
      comm = request->comm();
      break;
    }
  }
  return raise(comm, error_with(MPI_ERR_ARG, "Raddle: MPI_Waitall: the address of array_of_statuses is null"));
}

}  // namespace

int wait_all(Requests requests, MPI_Status* statuses) {
  if (statuses == MPI_STATUSES_IGNORE) return WaitAll<false>(requests, MPI_STATUSES_IGNORE).run();
  // Here, and not with the other functions' arguments: who ignores them does not pay for it.
  if (statuses == nullptr) return no_statuses(requests);
  return WaitAll<true>(requests, statuses).run();
}

}  // namespace raddle::endpoints
