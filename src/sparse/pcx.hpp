// SPDX-License-Identifier: BSD-3-Clause
// PCX: a reduction tells each rank how many messages it gets, and these follow. O(P) memory and volume.
// Source: Hoefler, Siebert, Lumsdaine, PPoPP '10, section 4.2 (personalized census).
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "sparse/message.hpp"
#include "sparse/receiver.hpp"
#include "sparse/round.hpp"
#include "sparse/sender.hpp"
#include "sparse/way.hpp"

namespace raddle::sparse {

class Pcx final : public Way {
 public:
  Pcx(const Round& round, std::span<const Message> messages, Sink& sink);
  Step step() override;

 private:
  Sender sender_;
  Receiver receiver_;
  std::vector<int> counts_;  ///< to each rank
  int awaited_ = 0;
  MPI_Request counting_ = MPI_REQUEST_NULL;
  bool counted_ = false;
  std::size_t found_ = 0;
};

}  // namespace raddle::sparse
