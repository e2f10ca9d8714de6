// SPDX-License-Identifier: BSD-3-Clause
// Receives that are matched here, for an MPI whose own must not meet messages that are too long
// (platform/mpi_quirks.hpp): they wait until a probe has found their message, and with it its length.
//
// A message goes to the receive that was posted first among those it matches, and of two messages from one rank that
// match it the one sent first (MPI-4.1 section 3.5). So what is found for a receive and matches an earlier one is not
// taken: the earlier one is asked again, for another message may have come for it meanwhile.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "engines/proxy/command.hpp"

namespace raddle::proxy {

class Receives {
 public:
  struct Waiting {
    Command command;
    MPI_Comm comm;
  };
  /// A message that has been taken for a receive.
  struct Matched {
    Command command;
    MPI_Message message;
    MPI_Status status;
  };

  void add(const Waiting& receive);
  [[nodiscard]] bool any() const { return !patterns_.empty(); }
  /// Whether a message that a probe has found is one of theirs.
  [[nodiscard]] bool await(MPI_Comm comm, const MPI_Status& status) const;
  /// One look at all. @returns the first that is matched
  std::optional<Matched> match();
  /// Takes the one out that has this answer. @returns whether there was one
  bool cancel(std::uint64_t answer);

 private:
  /// Receives that match the same messages. Each is asked for by one probe, however many there are.
  struct Pattern {
    MPI_Comm comm;
    int source;
    int tag;
    std::deque<std::pair<std::uint64_t, Command>> receives;  ///< in the order in which they were posted, with a number
  };

  [[nodiscard]] static bool matches(const Pattern& pattern, MPI_Comm comm, const MPI_Status& status);
  /// That of the receive which was posted first of those that match. @pre there is one
  [[nodiscard]] std::size_t first_of(MPI_Comm comm, const MPI_Status& status) const;
  std::optional<Matched> take(std::size_t pattern, const MPI_Status& found);

  std::vector<Pattern> patterns_;  ///< that have receives
  std::uint64_t posted_ = 0;
};

}  // namespace raddle::proxy
