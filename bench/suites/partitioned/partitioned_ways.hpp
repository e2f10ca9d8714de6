// SPDX-License-Identifier: BSD-3-Clause
// The mechanisms of `partitioned`: ways in which a buffer that becomes ready partition by partition gets to another
// process.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/arm.hpp"

namespace raddle::bench {

/// A buffer in equal partitions, on its way from one process to the other.
struct PartitionedWork {
  std::string mechanism;
  std::size_t partition_bytes;
  int partitions;
  std::vector<int> order;  ///< that in which partitions become ready, as far as it is known before
  MPI_Comm comm;
  int peer;
  int tag;        ///< the first of as many as there are partitions
  bool endpoint;  ///< the communicator is one of endpoints, which have no partitions but Raddle's

  [[nodiscard]] std::size_t bytes() const noexcept { return partition_bytes * static_cast<std::size_t>(partitions); }
};

/// One end of a mechanism, made by both processes at the same time. One thread starts a round and completes it.
class PartitionedEnd {
 public:
  PartitionedEnd() = default;
  virtual ~PartitionedEnd() = default;
  PartitionedEnd(const PartitionedEnd&) = delete;
  PartitionedEnd& operator=(const PartitionedEnd&) = delete;

  [[nodiscard]] virtual std::span<std::byte> buffer() = 0;
  virtual void start() = 0;
  virtual void wait() = 0;

  [[nodiscard]] std::span<std::byte> partition(int number, std::size_t partition_bytes) {
    return buffer().subspan(static_cast<std::size_t>(number) * partition_bytes, partition_bytes);
  }
};

class PartitionedSender : public PartitionedEnd {
 public:
  /// From any thread that has seen the start.
  virtual void ready(int partition) = 0;
  /// As wait, by asking again and again whether it is complete (MPI_Request_get_status), where there is one to ask.
  virtual void ask() { wait(); }
  /// Messages that the last round was made of; `unread` where only the MPI knows.
  [[nodiscard]] virtual double messages() const { return unread; }
};

class PartitionedReceiver : public PartitionedEnd {
 public:
  using Arrived = std::function<void(int partition)>;
  /// As wait, and tells of each partition as soon as the mechanism does (MPI_Parrived, MPI_Waitsome); all at the end
  /// where it does not.
  virtual void watch(const Arrived& arrived) = 0;
};

/// The ends that this process has: one, or both where data go both ways.
struct PartitionedEnds {
  std::unique_ptr<PartitionedSender> sender;
  std::unique_ptr<PartitionedReceiver> receiver;
};

/// @param sending where it goes, if anywhere @param receiving whence it comes, if from anywhere
/// @throws Unavailable where this MPI or this launch has no such mechanism: on all ranks alike
PartitionedEnds make_partitioned_ends(const PartitionedWork* sending, const PartitionedWork* receiving);

/// @throws Unavailable likewise, without making anything
void check_partitioned(const std::string& mechanism, bool endpoint);

}  // namespace raddle::bench
