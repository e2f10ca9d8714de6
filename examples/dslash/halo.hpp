// SPDX-License-Identifier: BSD-3-Clause
// The exchange of half spinors with the neighbours of a domain, at most eight messages each way.
#pragma once

#include <mpi.h>

#include <functional>
#include <vector>

#include "dslash/kernel.hpp"

namespace dslash {

/// Where a message goes to or comes from. `tag` is the first of as many as there are ends of dimensions.
struct Address {
  MPI_Comm comm;
  int rank;
  int tag;
};
inline constexpr int tags_per_pair = 2 * dimensions;

/// How messages get from one domain to another, as `peer`, which is one of the two, is to be addressed.
using Directory = std::function<Address(int from, int to, int peer)>;

/// Domains are ranks of a communicator: processes, or endpoints.
Directory ranks_of(MPI_Comm comm);

/// `threads` domains belong to each rank of a communicator; tags tell them apart.
Directory threads_on(MPI_Comm comm, int threads);

class Halo {
 public:
  Halo(int rank, const Domain& domain, const Kernel& kernel, const Directory& directory);

  /// Where to put what the neighbour at an end gets; null where the dimension is not cut.
  [[nodiscard]] HalfSpinor* outgoing(int dimension, End end);
  /// What came.
  [[nodiscard]] const Faces& beyond() const { return beyond_; }

  // Errors are exceptions (std::runtime_error), if the communicator returns them.
  void post_receives();
  void send();
  /// For all of both; then buffers may be used again.
  void finish();

 private:
  struct Message {
    int dimension;
    End end;
    int bytes;
    Address to;  ///< with the message's own tag
    Address from;
    std::vector<HalfSpinor> out;
    std::vector<HalfSpinor> in;
  };
  std::vector<Message> messages_;
  std::vector<MPI_Request> requests_;
  Faces beyond_{};
};

}  // namespace dslash
