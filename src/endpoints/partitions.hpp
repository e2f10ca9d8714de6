// SPDX-License-Identifier: BSD-3-Clause
// What a partitioned request can be asked besides what any request can (MPI-4.1 section 4.2).
#pragma once

namespace raddle::endpoints {

class Partitions {
 public:
  Partitions(const Partitions&) = delete;
  Partitions& operator=(const Partitions&) = delete;

  /// MPI_Pready. Any threads at once, each partition once a round. @returns an MPI error code, not raised
  virtual int ready(int partition) = 0;
  /// MPI_Parrived. Any threads at once. @returns an MPI error code, not raised
  virtual int arrived(int partition, bool& flag) = 0;
  /// Of how many messages the last round that was started is made; 0: of none, or that is not known yet.
  [[nodiscard]] virtual int messages() const = 0;

 protected:
  Partitions() = default;
  ~Partitions() = default;
};

}  // namespace raddle::endpoints
