// SPDX-License-Identifier: BSD-3-Clause
// A rank's call in one round: its arguments, what it has brought, and what is wrong with that.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "mpi/shape.hpp"
#include "plan.hpp"
#include "raddle/raddle.h"

namespace raddle::sparse_random {

class Call {
 public:
  /// @param sorted  hint of this rank alone
  Call(const Round& round, MPI_Comm comm, bool sorted);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call();

  /// All of it, except where it does not wait. @returns the error code
  int begin();
  /// Of a plan: another round. @returns the error code
  int start();
  /// After it is complete. @returns in words what is wrong; empty: nothing
  [[nodiscard]] std::string judge();
  [[nodiscard]] std::string description() const;
  [[nodiscard]] const Round& round() const { return round_; }

  MPI_Request request = MPI_REQUEST_NULL;

 private:
  static int take(void* context, int source, const void* data, MPI_Count count);
  static int answer(void* context, int source, const void* data, MPI_Count count, Raddle_Sparse_answer answer);

  [[nodiscard]] Words words_of(const testing::Shape& shape, const void* data, MPI_Count first, MPI_Count end) const;
  [[nodiscard]] std::vector<Arrival> brought() const;
  [[nodiscard]] std::string compare(std::vector<Arrival> got, const std::vector<Arrival>& expected) const;
  [[nodiscard]] std::string judge_answers() const;
  void fill(int start);

  const Round& round_;
  MPI_Comm comm_;
  int rank_;
  bool sorted_;
  int starts_ = 0;
  testing::Shape out_shape_;
  testing::Shape in_shape_;
  std::vector<int> dests_;
  std::vector<MPI_Count> offsets_{0};
  std::unique_ptr<testing::Field> out_;
  std::vector<Arrival> taken_;  ///< by a function
  Raddle_Sparse_messages in_{};
};

}  // namespace raddle::sparse_random
