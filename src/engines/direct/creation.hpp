// SPDX-License-Identifier: BSD-3-Clause
// The endpoints of one communicator in this process.
#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>
#include <vector>

#include "endpoints/communicator.hpp"
#include "engines/direct/direct_endpoint.hpp"
#include "engines/direct/node.hpp"

namespace raddle::direct {

/// Lives until all its endpoints have been freed and what this process owes to others has been sent.
class Creation {
 public:
  /// Collective over the processes of `communicator`, by one thread of each.
  /// @param handles  of this process's endpoints, by index; the caller's again if this throws
  /// @throws endpoints::Failure, on all processes or none
  static void make(std::unique_ptr<endpoints::Communicator> communicator, const std::vector<MPI_Comm>& handles);

  Creation(const Creation&) = delete;
  Creation& operator=(const Creation&) = delete;
  ~Creation();

  [[nodiscard]] endpoints::Communicator& communicator() { return *communicator_; }

  /// The handle of an endpoint has been freed.
  static void freed(DirectEndpoint& endpoint);

  /// A call of the endpoint has been blocked for another tenth of a second. Ends the job if another process has ended
  /// that may be what it waits for.
  void blocked(const DirectEndpoint& endpoint, const char* call);

  /// One step for all endpoints of this process, unless another thread makes one.
  static void progress_all();
  /// Before the MPI ends: sends what is owed, then ends all that is left.
  static void end_all();
  /// Whether there are endpoints that have not been freed.
  static bool any_alive();

 private:
  explicit Creation(std::unique_ptr<endpoints::Communicator> communicator);
  void make_endpoints(const std::vector<MPI_Comm>& handles);
  [[nodiscard]] bool quiet(bool (DirectEndpoint::*is_quiet)());
  static void sweep();

  std::unique_ptr<endpoints::Communicator> communicator_;
  Node node_;
  std::vector<std::unique_ptr<DirectEndpoint>> endpoints_;
  std::size_t alive_ = 0;  ///< endpoints that have not been freed
  std::mutex watching_;
};

}  // namespace raddle::direct
