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

/// Half spinors of the faces of a domain, by dimension and end.
using FaceBuffers = std::array<std::array<std::vector<HalfSpinor>, 2>, dimensions>;

/// What one thread exchanges: whole faces, or its share of each.
class Halo {
 public:
  /// @param rank  of the domain
  /// @param out   what neighbours get, and `in` where theirs comes; one thread of `parts` exchanges its part of them
  Halo(int rank, const Domain& domain, FaceBuffers& out, FaceBuffers& in, const Directory& directory, int part,
       int parts);

  // Errors are exceptions (std::runtime_error), if the communicator returns them.
  void post_receives();
  void send();
  /// For all of both; then buffers may be used again.
  void finish();

 private:
  struct Message {
    const HalfSpinor* out;
    HalfSpinor* in;
    int bytes;
    Address to;  ///< with the message's own tag
    Address from;
  };
  std::vector<Message> messages_;
  std::vector<MPI_Request> requests_;
};

}  // namespace dslash
