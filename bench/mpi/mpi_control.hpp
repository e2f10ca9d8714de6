// SPDX-License-Identifier: BSD-3-Clause
// Control over a private communicator, with a barrier of our own: a library with a better barrier must not look faster.
#pragma once

#include <mpi.h>

#include "core/control.hpp"

namespace raddle::bench {

class MpiControl final : public Control {
 public:
  MpiControl();
  ~MpiControl() override;
  MpiControl(const MpiControl&) = delete;
  MpiControl& operator=(const MpiControl&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  /// Dissemination barrier (Hensgen, Finkel & Manber 1988): ceil(log2 size) rounds of empty messages.
  void barrier() override;
  [[noreturn]] void abort(int status) override;
  void broadcast(std::span<std::byte> bytes) override;
  std::vector<std::byte> all_gather(std::span<const std::byte> mine) override;

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace raddle::bench
