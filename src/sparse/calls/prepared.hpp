// SPDX-License-Identifier: BSD-3-Clause
// What every exchange begins with: its arguments, looked at, and what Raddle has beside the communicator.
#pragma once

#include <mpi.h>

#include <memory>

#include "endpoints/errors.hpp"
#include "sparse/attachment.hpp"
#include "sparse/calls/calls.hpp"
#include "sparse/calls/hints.hpp"
#include "sparse/calls/outgoing.hpp"

namespace raddle::sparse {

struct Prepared {
  /// Collective over the communicator when it is the first on it. @throws endpoints::Failure: bad arguments
  Prepared(const Given& given, MPI_Info info, const Place& place)
      : options(options_of(info)), outgoing(given, size_of(place.comm)) {
    if (options.algorithm == SparseAlgorithm::rsx && place.endpoint) {
      throw endpoints::Failure(
          endpoints::error_with(MPI_ERR_UNSUPPORTED_OPERATION,
                                "Raddle: the algorithm rsx of sparse exchanges needs windows, which endpoints have "
                                "not: choose another one by raddle_sparse_algorithm"));
    }
    attachment = Attachment::of(place.comm);
    if (options.algorithm == SparseAlgorithm::shared && !attachment->may_share()) {
      throw endpoints::Failure(endpoints::error_with(
          MPI_ERR_UNSUPPORTED_OPERATION,
          "Raddle: the algorithm shared of sparse exchanges needs ranks that are all on one node and can share memory: "
          "choose another one by raddle_sparse_algorithm"));
    }
  }

  Options options;
  Outgoing outgoing;
  std::shared_ptr<Attachment> attachment;

 private:
  static int size_of(MPI_Comm comm) {
    int size = 0;
    if (const int code = MPI_Comm_size(comm, &size); code != MPI_SUCCESS) throw endpoints::Failure(code);
    return size;
  }
};

}  // namespace raddle::sparse
