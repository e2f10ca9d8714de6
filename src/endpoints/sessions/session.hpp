// SPDX-License-Identifier: BSD-3-Clause
// A session of a rank that a thread has adopted (MPI-4.1 section 11.3). Its handle is a session of the MPI's, which
// keeps its error handler and its hints; the sets of processes are sets of ranks, and Raddle's own.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "endpoints/groups/group_algebra.hpp"
#include "endpoints/rank.hpp"
#include "endpoints/requests/own_requests.hpp"

namespace raddle::endpoints {

/// The sets that every rank knows: all ranks of the job, and the rank itself (section 11.3.2). Those that an MPI has
/// beside them are of processes.
constexpr std::array<std::string_view, 2> process_sets{"mpi://WORLD", "mpi://SELF"};

class Session {
 public:
  /// Calls the error handler of the session with a code.
  using Raise = std::function<int(int)>;

  Session(Rank& rank, Raise raise) : rank_(rank), raise_(std::move(raise)) { ++rank_.sessions; }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { --rank_.sessions; }

  [[nodiscard]] Rank& rank() const { return rank_; }
  /// @returns the code, where the error handler returns
  [[nodiscard]] int raise(int code) const;

  /// The members of a set, in the order of ranks; nothing: there is no such set. Case does not matter in names, as in
  /// MPICH and Open MPI.
  [[nodiscard]] std::optional<Members> members(std::string_view set) const;
  [[nodiscard]] const Member& self() const;

  /// Of MPI_Bsend, for all communicators that are made of it and of each other (section 3.6).
  [[nodiscard]] const std::shared_ptr<buffered::Account>& buffer() const { return buffer_; }

 private:
  Rank& rank_;
  Raise raise_;
  std::shared_ptr<buffered::Account> buffer_ = std::make_shared<buffered::Account>();
};

}  // namespace raddle::endpoints
