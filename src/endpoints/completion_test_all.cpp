// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "endpoints/completion.hpp"
#include "endpoints/completion_blocked.hpp"
#include "endpoints/completion_native.hpp"
#include "endpoints/completion_result.hpp"
#include "endpoints/mpi_progress.hpp"
#include "endpoints/rank.hpp"

namespace raddle::endpoints {
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
