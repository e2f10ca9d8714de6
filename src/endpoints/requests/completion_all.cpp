// SPDX-License-Identifier: BSD-3-Clause

#include <algorithm>
#include <vector>

#include "endpoints/errors.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/rank.hpp"
#include "endpoints/requests/completion.hpp"
#include "endpoints/requests/own_requests.hpp"
#include "endpoints/requests/polling.hpp"

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
  /// Ends requests from here on as long as they have ended well and nobody asks how: most of most arrays, in one sweep.
  void skip_ended() {
    if constexpr (asks) return;
    const HandleTable::View known = handles<Kind::request>.table.view();
    const MPI_Request sent = CompleteRequest::sent_handle();
    // Those of one pool that follow each other.
    Pool* pool = &Pool::none();
    Request* first = nullptr;
    Request* last = nullptr;
    // What its pool gave out after the last one, as `behind` still says: mostly the next one. A handle is that of one
    // request only, so if it is that one's, nothing has to be looked up.
    Request* likely = nullptr;
    MPI_Request* at = requests_.data() + at_;
    MPI_Request* const end = requests_.data() + requests_.size();
    for (; at != end; ++at) {
      Request* request = likely;
      if (request == nullptr || request->handle() != *at) {
        if (*at == sent) {
          *at = MPI_REQUEST_NULL;
          continue;
        }
        request = static_cast<Request*>(known.find(bits(*at)));
      }
      if (request == nullptr || !request->known_to_have_ended_well()) break;
      likely = request->behind;
      if (request->lies_in() == pool) [[likely]] {
        request->behind = first;
        first = request;
      } else if (request->lies_in() != nullptr) {
        if (first != nullptr) pool->give_back_as_they_are(*first, *last);
        pool = request->lies_in();
        request->behind = nullptr;
        first = last = request;
      } else {
        if (!request->active()) continue;
        const bool stays = request->persistent();
        retiring_.add(*request);
        if (stays) continue;
      }
      *at = MPI_REQUEST_NULL;
    }
    if (first != nullptr) pool->give_back_as_they_are(*first, *last);
    at_ = static_cast<std::size_t>(at - requests_.data());
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

namespace {

/// The MPI's own requests of an array, in one piece: only one call can say that all are complete and end none if not.
/// PMPI_Request_get_status cannot: in MPICH 5.0.2 it ends persistent requests.
class Natives {
 public:
  void add(std::size_t place, MPI_Request request) {
    places_.push_back(place);
    requests_.push_back(request);
  }

  /// @returns whether they are complete. If not, or if one has failed and the MPI has ended none, that is the answer
  template <typename Way>
  bool look(Errors& errors, MPI_Status* statuses) {
    if (requests_.empty()) return true;
    const bool wanted = statuses != MPI_STATUSES_IGNORE;
    if (wanted) statuses_.resize(requests_.size());
    int flag = 0;
    const int code = Way::all(Requests(requests_), flag, wanted ? statuses_.data() : MPI_STATUSES_IGNORE);
    if (code == MPI_SUCCESS && flag == 0) return false;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (wanted) copy_but_error(statuses[places_[i]], statuses_[i]);
      if (code != MPI_SUCCESS) errors.note(places_[i], wanted ? statuses_[i].MPI_ERROR : code, MPI_COMM_NULL);
    }
    return flag != 0;
  }

  [[nodiscard]] bool has(std::size_t place) const { return std::ranges::binary_search(places_, place); }

  void put_back(Requests requests) const {
    for (std::size_t i = 0; i < places_.size(); ++i) requests[places_[i]] = requests_[i];
  }

  /// Of a call that cannot be over.
  void progress() const {
    if (!requests_.empty()) mpi_progress::step();
  }

 private:
  static void copy_but_error(MPI_Status& to, const MPI_Status& from) {
    const int error = to.MPI_ERROR;
    to = from;
    to.MPI_ERROR = error;
  }

  std::vector<std::size_t> places_;
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Status> statuses_;
};

template <typename Way>
class AllOf {
 public:
  AllOf(Requests requests, MPI_Status* statuses) : requests_(requests), statuses_(statuses), errors_(statuses) {}

  int look(int& flag) {
    each_mover(requests_, [](Mover& mover) { mover.progress(); });
    flag = 0;
    if (!sort()) {
      natives_.progress();
      return MPI_SUCCESS;
    }
    if (natives_.look<Way>(errors_, statuses_)) {
      flag = 1;
      natives_.put_back(requests_);
      tell();
    } else if (errors_.any()) {
      leave();
    }
    return errors_.finish(requests_.size());
  }

 private:
  /// @returns whether all of endpoints are complete
  bool sort() {
    bool complete = true;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      const Request* const request = find<Kind::request>(requests_[i]);
      if (request != nullptr) {
        complete = complete && (!request->active() || request->complete());
      } else if (requests_[i] != MPI_REQUEST_NULL) {
        natives_.add(i, requests_[i]);
      }
    }
    return complete;
  }

  /// Of those that are not the MPI's. Nobody may ask any more what stands behind a handle that the MPI has ended: it
  /// can be another thread's by now.
  void tell() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (natives_.has(i)) continue;
      Request* const request = find<Kind::request>(requests_[i]);
      if (request != nullptr && request->active()) {
        const MPI_Comm comm = request->comm();
        errors_.note(i, Way::tell(*request, requests_[i], status_at(statuses_, i)), comm);
      } else {
        write_empty_status(status_at(statuses_, i));
      }
    }
  }

  void leave() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      const Request* const request = find<Kind::request>(requests_[i]);
      if (request != nullptr && request->active()) errors_.note(i, MPI_ERR_PENDING, MPI_COMM_NULL);
    }
  }

  Requests requests_;
  MPI_Status* statuses_;
  Errors errors_;
  Natives natives_;
};

}  // namespace

int test_all(Requests requests, int& flag, MPI_Status* statuses) {
  const int code = AllOf<Ending>(requests, statuses).look(flag);
  polled(requests, flag != 0, "MPI_Testall");
  return code;
}

int look_all(Requests requests, int& flag, MPI_Status* statuses) {
  const int code = AllOf<Looking>(requests, statuses).look(flag);
  polled(requests, flag != 0, "MPI_Request_get_status_all");
  return code;
}

}  // namespace raddle::endpoints
