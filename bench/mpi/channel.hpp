// SPDX-License-Identifier: BSD-3-Clause
// How a thread reaches the other side of its flow; the only thing that differs between variants.
#pragma once

#include <mpi.h>

namespace raddle::bench {

struct Channel {
  MPI_Comm comm;
  int peer;
  int send_tag;  ///< the two directions differ, since in one process both sides have the same rank
  int recv_tag;

  /// Each direction has a second tag, for what must not be taken for content.
  static constexpr int marker = 2;
};

}  // namespace raddle::bench
