// SPDX-License-Identifier: BSD-3-Clause
// One rank's part of a call: its memory, its arguments, and what has become of it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "buffer.hpp"
#include "forms.hpp"
#include "plan.hpp"

namespace raddle::collectives {

class Operation {
 public:
  Operation(const Call& call, int rank, MPI_Comm comm);
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  [[nodiscard]] const Call& call() const noexcept { return call_; }
  /// What begins it the next time.
  [[nodiscard]] const char* name() const noexcept;
  /// Begins it, with new data. @returns MPI's code
  int begin();
  /// Whether it has begun and is not complete.
  bool active = false;
  /// The step that began it last, for barriers.
  std::uint64_t step = 0;
  MPI_Request request = MPI_REQUEST_NULL;

  /// Of a call that is complete: what is wrong with its result, or "".
  [[nodiscard]] std::string verdict();

 private:
  void describe_side(const Side& side, Buffer& buffer, bool receiving);

  const Call& call_;
  Plan plan_;
  Buffer send_;
  Buffer recv_;
  Arguments arguments_;
  int starts_ = 0;
  bool initialised_ = false;
};

}  // namespace raddle::collectives
