// SPDX-License-Identifier: BSD-3-Clause
// The endpoints of one communicator in this process, whatever engine they have.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/endpoint.hpp"

namespace raddle::engines {

// Endpoints that no thread has moved for a while: theirs is blocked in the MPI, or at the program's own work. The
// others are left alone, whatever goes on there: a second thread would only be in the way.

/// Of one communicator in this process. One thread at a time.
class Unattended {
 public:
  /// Finds those where nothing has moved since the last call. @returns whether there are any
  bool look(const std::vector<endpoints::Endpoint*>& all);
  /// A step for each of those. @returns whether anything has moved
  bool step(const std::vector<endpoints::Endpoint*>& all);

 private:
  struct Seen {
    std::uint64_t moved = 0;  ///< Endpoint::moved()
    bool unattended = false;
  };

  std::vector<Seen> seen_;  ///< by index
};

/// Lives until all its endpoints have been freed and what this process owes to others has been done.
class Creation {
 public:
  Creation(const Creation&) = delete;
  Creation& operator=(const Creation&) = delete;
  virtual ~Creation() = default;

  /// From now on it is looked after.
  static void keep(std::unique_ptr<Creation> creation);
  /// The handle of one of its endpoints has been freed.
  void freed();

  [[nodiscard]] endpoints::Communicator& communicator() { return *communicator_; }
  /// Whether busy contexts exceed the CPUs they may use.
  [[nodiscard]] virtual bool crowded() const = 0;
  /// A call of the endpoint has been blocked for another tenth of a second.
  void blocked(endpoints::Endpoint& endpoint, const char* call);

  /// One step for all endpoints of this process, unless another thread makes one.
  static void progress_all();
  /// Before the MPI ends: sees to it that all is done that is owed, then ends all that is left.
  static void end_all();
  /// Whether there are endpoints that have not been freed.
  static bool any_alive();

 protected:
  explicit Creation(std::unique_ptr<endpoints::Communicator> communicator) : communicator_(std::move(communicator)) {}

  /// The endpoints, by index, whose handles are known from now on.
  [[nodiscard]] virtual const std::vector<endpoints::Endpoint*>& endpoints() const = 0;
  /// If another process has ended that may be what the call waits for.
  virtual void end_the_job_if_one_is_lost(const endpoints::Endpoint& endpoint, const char* call) = 0;
  /// What the endpoints of this process wait for, in lines.
  [[nodiscard]] virtual std::string describe() const = 0;

 private:
  [[nodiscard]] bool quiet(bool (endpoints::Endpoint::*is_quiet)());
  [[nodiscard]] bool unused();
  static void sweep();
  /// Steps for endpoints whose threads are somewhere else. @returns whether more may be needed
  static bool go_on_in_background();

  std::unique_ptr<endpoints::Communicator> communicator_;
  std::size_t freed_ = 0;
  Unattended unattended_;
};

}  // namespace raddle::engines
