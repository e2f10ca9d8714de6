// SPDX-License-Identifier: BSD-3-Clause
// The request of a nonblocking or persistent collective on neighbours (MPI-4.1 sections 8.7 and 8.8).
#pragma once

#include <mpi.h>

#include <memory>

#include "endpoints/collectives/neighbourhood.hpp"
#include "endpoints/request.hpp"

namespace raddle::endpoints::collectives {

/// Ends itself when the program has been told of the end, or has given it up.
class NeighbourhoodRequest final : public Request {
 public:
  /// @param messages under way, or made to be persistent
  NeighbourhoodRequest(Endpoint& endpoint, std::unique_ptr<Neighbourhood> messages, bool persistent);
  NeighbourhoodRequest(const NeighbourhoodRequest&) = delete;
  NeighbourhoodRequest& operator=(const NeighbourhoodRequest&) = delete;
  ~NeighbourhoodRequest() override;

  [[nodiscard]] Result result() const override { return {.error = messages_->error()}; }
  int start() override;
  void cancel() override {}  // an error of the program: collectives cannot be cancelled
  void retire() override;
  void abandon() override;

 private:
  [[nodiscard]] Ended ask() const override;

  std::unique_ptr<Neighbourhood> messages_;
};

}  // namespace raddle::endpoints::collectives
