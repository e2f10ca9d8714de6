// SPDX-License-Identifier: BSD-3-Clause
// One request of a rank, the memory behind it, and what that must hold.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "mpi/shape.hpp"
#include "plan.hpp"

namespace raddle::partitioned_random {

class Request {
 public:
  Request(const Channel& channel, bool sends, MPI_Comm comm);
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  [[nodiscard]] const Channel& channel() const { return channel_; }
  [[nodiscard]] bool sends() const { return sends_; }
  [[nodiscard]] const Side& side() const { return sends_ ? channel_.out : channel_.in; }
  [[nodiscard]] bool is_nobodys() const { return channel_.receiver == MPI_PROC_NULL; }
  /// Whether it ends with an error.
  [[nodiscard]] bool is_cut_off() const { return !sends_ && !is_nobodys() && channel_.is_cut_off(); }

  /// The program's part of a round. Any thread, each partition once.
  void compute(int partition, int round);
  /// Before a round: what is there now must not be mistaken for what will come.
  void forget();
  /// @returns in words what is wrong with a partition that has arrived; empty: nothing
  [[nodiscard]] std::string judge(int partition, int round);
  /// The same of all the memory, after a round.
  [[nodiscard]] std::string judge(int round);
  /// Of the status.
  [[nodiscard]] std::string judge(const MPI_Status& status) const;
  [[nodiscard]] std::string description() const;

  MPI_Request handle = MPI_REQUEST_NULL;
  int code = MPI_SUCCESS;  ///< of the call that made it
  int kept = -1;           ///< the partition that the rank itself makes ready last

 private:
  [[nodiscard]] std::size_t words_each() const;

  const Channel& channel_;
  bool sends_;
  testing::Field field_;
};

}  // namespace raddle::partitioned_random
