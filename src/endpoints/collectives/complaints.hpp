// SPDX-License-Identifier: BSD-3-Clause
// What processes say of their collectives when one has waited long: which one it waits in, to its neighbours, so that
// calls that do not match are named in place of a wait for ever; and, if that is found, to all others. While calls
// match and nobody waits long there are none.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

namespace raddle::endpoints::collectives {

class Complaints {
 public:
  /// What travels. Processes of a job have one architecture, or collectives of MPI_BYTE would do it no better.
  struct Note {
    std::uint64_t communicator = 0;
    std::uint64_t number = 0;
    std::uint64_t call = 0;  ///< Call::word() of who waits; 0: ranks are out of step, for this reason
    std::int32_t rank = 0;
    std::int32_t unused = 0;
    std::array<char, 232> why{};
  };

  /// @param communicator  the name that the processes have for it: a note may come when the MPI has given the context
  ///   of a freed communicator to this one
  /// @param self  of this process there
  Complaints(MPI_Comm processes, std::uint64_t communicator, int self, int count)
      : processes_(processes), communicator_(communicator), self_(self), count_(count) {}
  Complaints(const Complaints&) = delete;
  Complaints& operator=(const Complaints&) = delete;
  ~Complaints();

  // One thread at a time.
  /// Tells the neighbours, once for a number.
  void wait_in(std::uint64_t number, std::uint64_t call, int rank);
  /// Tells all others, once.
  void out_of_step(std::uint64_t number, std::string_view why);
  /// What others have told since the last time.
  [[nodiscard]] std::vector<Note> heard();

 private:
  void send(int to, const Note& note);

  MPI_Comm processes_;
  std::uint64_t communicator_;
  int self_;
  int count_;
  std::uint64_t told_ = 0;
  bool told_all_ = false;
  struct Sent {
    Note note;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  std::deque<Sent> sent_;
};

}  // namespace raddle::endpoints::collectives
