// SPDX-License-Identifier: BSD-3-Clause
// What the proxy has begun and the MPI has not completed.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engines/proxy/command.hpp"

namespace raddle::proxy {

/// One operation. They are used again and again, with the memory they have.
struct Operation {
  Answer* answer = nullptr;  ///< nullptr: nobody waits for it
  bool receives = false;
  std::uint64_t room = 0;       ///< of a receive, in bytes
  bool told = false;            ///< it never ends "well"
  std::vector<std::byte> data;  ///< of a short message: what is sent, or room
  bool into_answer = false;     ///< what was received goes there
  std::byte* cut_to = nullptr;  ///< or there, as much of it as fits: it is known to be too long
  std::vector<int> numbers;     ///< lengths and displacements of a collective
};

class Underway {
 public:
  Underway() = default;
  Underway(const Underway&) = delete;
  Underway& operator=(const Underway&) = delete;

  /// A fresh one, for begin().
  [[nodiscard]] Operation& take();
  /// The MPI has begun it, or refused to.
  void begin(Operation& operation, MPI_Request request, int code);

  /// One step of the MPI, for all until one has ended. @returns whether something has ended
  bool progress();
  [[nodiscard]] bool any() const { return !requests_.empty(); }
  /// Whether there are some that nobody waits for.
  [[nodiscard]] bool owes() const { return unanswered_ > 0; }
  void cancel(const Answer* answer);

 private:
  /// Of `count` from the first on. @returns whether one has ended
  bool test(std::size_t first, std::size_t count);
  void end(Operation& operation, const MPI_Status& status, int code);
  void give_back(std::size_t at);

  std::vector<std::unique_ptr<Operation>> operations_;  ///< beside requests_
  std::vector<MPI_Request> requests_;
  std::vector<std::unique_ptr<Operation>> idle_;
  std::unique_ptr<Operation> taken_;
  std::vector<int> ended_;
  std::vector<MPI_Status> statuses_;
  std::size_t unanswered_ = 0;
  std::size_t next_ = 0;  ///< the first to be looked at
};

/// Tells that a command has ended. @param code  of the MPI
void tell(Answer& answer, int code, bool to_look_at);

// Receives that are matched here, for an MPI whose own must not meet messages that are too long
// (platform/mpi_quirks.hpp): they wait until a probe has found their message, and with it its length.
//
// A message goes to the receive that was posted first among those it matches, and of two messages from one rank that
// match it the one sent first (MPI-4.1 section 3.5). So what is found for a receive and matches an earlier one is not
// taken: the earlier one is asked again, for another message may have come for it meanwhile.

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
