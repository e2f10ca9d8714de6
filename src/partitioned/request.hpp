// SPDX-License-Identifier: BSD-3-Clause
// What partitioned sends and receives have in common (MPI-4.1 section 4.2).
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "endpoints/requests/ended.hpp"
#include "endpoints/requests/request.hpp"
#include "partitioned/content.hpp"
#include "partitioned/hints.hpp"

namespace raddle::partitioned {

class Office;

/// Where requests are made.
struct Desk {
  MPI_Comm comm;  ///< errors are raised there
  endpoints::Mover* mover;
  Office* office;
  std::shared_ptr<void> keep;  ///< keeps them alive
};

/// The arguments of MPI_Psend_init and MPI_Precv_init.
struct Arguments {
  void* buffer;
  int partitions;
  MPI_Count count;
  MPI_Datatype type;
  int peer;
  int tag;
  Hints hints;
};

class PartitionedRequest : public endpoints::Request, public endpoints::Partitions {
 public:
  ~PartitionedRequest() override;

  int start() final;
  void cancel() final {}  // not allowed (section 3.8.4)
  void retire() final { active_ = false; }
  void abandon() final;

  /// Its communicator is freed: errors are raised on this one.
  void raise_on(MPI_Comm comm) { raises_ = comm; }

  /// A step of the round, by one thread at a time. @returns whether it is over
  virtual bool advance() = 0;
  /// It is over, and nobody advances it any more. @returns whether the program has given the request up: it is to be
  /// deleted. Otherwise it may be gone when this returns
  [[nodiscard]] bool finish();

 protected:
  PartitionedRequest(Desk desk, const Arguments& arguments);

  /// A round begins, which round() counts from 1 on. @returns an MPI error code, not raised
  virtual int begin() = 0;

  [[nodiscard]] Office& office() const { return *desk_.office; }
  [[nodiscard]] const Content& content() const { return content_; }
  [[nodiscard]] int partitions_made() const { return partition_count_; }
  [[nodiscard]] bool is_partition(int partition) const {
    return static_cast<unsigned>(partition) < static_cast<unsigned>(partition_count_);
  }
  [[nodiscard]] int peer() const { return peer_; }
  [[nodiscard]] std::uint64_t round() const { return round_; }

  /// How the round ends, if not well.
  void fail(int error) { error_.store(error, std::memory_order_relaxed); }
  [[nodiscard]] int error() const { return error_.load(std::memory_order_relaxed); }

 private:
  Desk desk_;
  Content content_;
  int partition_count_;
  int peer_;
  std::uint64_t round_ = 0;
  bool given_up_ = false;
  std::atomic<int> error_{MPI_SUCCESS};
  endpoints::End end_{endpoints::Ended::no};
};

/// Rounds in which the sender of a request that adapts says how the next ones will be divided: often at first, when it
/// knows little. Both sides change with the next round.
[[nodiscard]] constexpr bool tells_plan(std::uint64_t round) {
  constexpr std::uint64_t seldom = 16;
  return round >= seldom ? round % seldom == 0 : round > 1 && (round & (round - 1)) == 0;
}

// A partitioned request to or from MPI_PROC_NULL: each round is over when it starts (MPI-4.1 section 3.10).

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
