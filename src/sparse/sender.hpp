// SPDX-License-Identifier: BSD-3-Clause
// Messages on their way out.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "sparse/message.hpp"
#include "sparse/round.hpp"

namespace raddle::sparse {

class Sender {
 public:
  Sender(const Round& round, Kind kind) : comm_(round.comm), tag_(round.tag(kind)) {}

  /// The bytes stay where they are until done().
  void send(const Message& message);
  /// The same; it is out only when its receiver has it.
  void send_synchronously(const Message& message);

  /// Whether all are out. @returns the same from then on
  [[nodiscard]] bool done();

 private:
  MPI_Comm comm_;
  int tag_;
  std::vector<MPI_Request> requests_;
  std::size_t out_ = 0;  ///< of the first ones, so many are out
};

}  // namespace raddle::sparse
