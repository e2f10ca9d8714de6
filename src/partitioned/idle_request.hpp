// SPDX-License-Identifier: BSD-3-Clause
// A partitioned request to or from MPI_PROC_NULL: each round is over when it starts (MPI-4.1 section 3.10).
#pragma once

#include "endpoints/requests/request.hpp"
#include "partitioned/request.hpp"

namespace raddle::partitioned {

class IdleRequest final : public endpoints::Request, public endpoints::Partitions {
 public:
  IdleRequest(Desk desk, int partitions, bool sends)
      : Request(&end_), desk_(std::move(desk)), partition_count_(partitions), sends_(sends) {
    raises_ = desk_.comm;
    mover_ = desk_.mover;
    partitions_ = this;
    persistent_ = true;
    active_ = false;
  }

  [[nodiscard]] endpoints::Result result() const override {
    return sends_ ? endpoints::Result{} : endpoints::Result{.source = MPI_PROC_NULL};
  }
  int start() override {
    active_ = true;
    return MPI_SUCCESS;
  }
  void cancel() override {}
  void retire() override { active_ = false; }
  void abandon() override { delete this; }

  int ready(int partition) override {
    if (!sends_ || !active_) return MPI_ERR_REQUEST;
    return is_partition(partition) ? MPI_SUCCESS : MPI_ERR_ARG;
  }
  int arrived(int partition, bool& flag) override {
    if (sends_) return MPI_ERR_REQUEST;
    flag = true;
    return is_partition(partition) ? MPI_SUCCESS : MPI_ERR_ARG;
  }
  [[nodiscard]] int messages() const override { return 0; }

 private:
  [[nodiscard]] bool is_partition(int partition) const { return partition >= 0 && partition < partition_count_; }

  Desk desk_;
  int partition_count_;
  bool sends_;
  endpoints::End end_{endpoints::Ended::well};
};

}  // namespace raddle::partitioned
